import type { TestContext } from 'node:test'
import { type PluginSetup, startPlugin as start } from '../../../core/testing/index.ts'
import budget from '../../../plugins/budget/index.ts'

export interface BudgetReport {
  id: string
  scope: string
  unit: string
  limit: number
  spent: number
  left: number
  resets_at: string | null
}

/** A gateway with the plugin and these limits, stopped with the test. */
export async function startBudget(t: TestContext, options: object, setup: Omit<PluginSetup, 'options'> = {}) {
  const rig = await start(budget, { options, with: ['flags'], ...setup })
  t.after(() => rig.close())
  return rig
}

/** `service.budget` of a reply. */
export const toldOf = (reply: { service: Record<string, unknown> | undefined }): BudgetReport[] =>
  (reply.service?.budget ?? []) as BudgetReport[]

/** One month's limit of a key. */
export const keyLimit = (unit: string, limit: number, more: object = {}) => ({
  limits: [{ scope: 'key', unit, limit, window: 'month', ...more }],
})

/** Each word is one token of the vocabulary. */
export const words = (n: number): string =>
  Array.from({ length: n }, (_, i) => ['one', 'two', 'red', 'cat'][i % 4]).join(' ')

export const policy = (on: string) => ({
  use: 'policy',
  options: { rules: [{ keywords: ['forbidden'], on, reason: 'No.' }] },
})
