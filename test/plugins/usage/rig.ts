import type { TestContext } from 'node:test'
import { type PluginSetup, startPlugin } from '../../../core/testing/index.ts'
import usage from '../../../plugins/usage/index.ts'

/** A gateway with the plugin, stopped with the test, and the figures that it tells an admin. */
export async function startUsage(t: TestContext, setup: PluginSetup = {}) {
  const rig = await startPlugin(usage, { with: ['flags', 'pii', 'budget'], ...setup })
  t.after(() => rig.close())
  const rows = async (query = '') =>
    (await rig.admin('GET', `/api/usage${query}`)).body.usage as Record<string, unknown>[]
  return { rig, rows }
}
