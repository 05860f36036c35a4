/** The plugins that the real clients' tests go through. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../core/gateway/config/load.ts'
import type { PluginEntry } from '../helpers/gateway.ts'

const ENV = { OPENAI_API_KEY: 'sk-test', SERVICE_SECRET: 'x'.repeat(32) }
/** Nothing listens there: receivers that are down must not show. */
const NOWHERE = 'http://127.0.0.1:9'

type Options = Record<string, unknown>

/**
 * A small set with one rule, or, with `E2E_CONFIG=config/full.yaml`, what that config enables: with the same rule, a price
 * for the model of the tests, receivers that are down, and the trail in a folder of its own.
 */
export function pluginsFor(rule: object): { plugins: PluginEntry[]; config: Options } {
  const file = process.env.E2E_CONFIG
  if (file !== undefined) return fromConfig(file, rule)
  const names = ['flags', 'sessions', 'classification', 'pii', 'secrets']
  return { plugins: [...names.map((use) => ({ use })), { use: 'policy', options: { rules: [rule] } }], config: {} }
}

function fromConfig(file: string, rule: object): { plugins: PluginEntry[]; config: Options } {
  const enabled = loadConfig(file, ENV).plugins.filter(({ enabled }) => enabled)
  const plugins = enabled.map((entry) => {
    const { use, mode, on_error } = entry
    const options = adapted(use, { ...(entry.options as Options) }, rule)
    return { use, options, ...(mode === 'monitor' && { mode }), ...(on_error && { on_error }) } as PluginEntry
  })
  return { plugins, config: { egress: { allow: ['127.0.0.1:9'] } } }
}

/** The models of the tests. */
const PRICES = ['gpt-*', 'claude-test'].map((model) => ({ model, input: 1, output: 1 }))

function adapted(use: string, options: Options, rule: object): Options {
  const list = (name: string) => (options[name] ?? []) as object[]
  if (use === 'policy') return { ...options, rules: [...list('rules'), rule] }
  if (use === 'budget') return { ...options, prices: [...PRICES, ...list('prices')] }
  if (use === 'audit-file') return { ...options, path: join(mkdtempSync(join(tmpdir(), 'gg-e2e-')), 'audit.jsonl') }
  if (use === 'siem') return { ...options, destination: 'webhook', url: NOWHERE, destination_options: {} }
  if (use === 'alerting') return { ...options, webhook_url: NOWHERE, destinations: [] }
  return options
}
