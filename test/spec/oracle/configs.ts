/** The policies under which nothing may leak, and what each of them promises. */
import type { PluginEntry } from '../../helpers/gateway.ts'
import { KEYWORDS, KINDS, type Kind } from './values.ts'

export interface OracleConfig {
  readonly plugins: readonly PluginEntry[]
  /** Format of the SIEM export. */
  readonly format: 'json' | 'cef' | 'ocsf'
  /** More settings of the upstream. */
  readonly upstream?: Readonly<Record<string, unknown>>
  /** Kinds that the provider must not see, and those that the client must not see. */
  readonly input: readonly Kind[]
  readonly output: readonly Kind[]
  /** Whose requests share what is remembered of texts. */
  readonly memo?: 'key' | 'team' | 'shared'
  /** The first upstream fails now and then, another one takes over, and a third one gets copies. */
  readonly relays?: true
  /** Tokens of a request are turned back in the reply. */
  readonly restores?: true
}

const flow: readonly PluginEntry[] = [{ use: 'flags' }, { use: 'sessions' }]
/** Plugins with routes and pages of their own. */
const operators: readonly PluginEntry[] = [{ use: 'keys' }, { use: 'usage' }, { use: 'metrics' }, { use: 'console' }]
const budget: PluginEntry = {
  use: 'budget',
  options: { limits: [{ scope: 'key', unit: 'tokens', limit: 900000000000, window: 'day' }] },
}
const keywords = (action: string): object => ({ name: 'code-names', keywords: [...KEYWORDS], action })

export const CONFIGS = {
  redact: {
    format: 'json',
    memo: 'shared',
    plugins: [
      ...flow,
      { use: 'pii', options: { action: 'redact' } },
      { use: 'secrets', options: { input: 'redact', output: 'redact' } },
      { use: 'injection' },
      { use: 'policy', options: { rules: [keywords('redact')] } },
      budget,
      ...operators,
    ],
    input: KINDS,
    output: KINDS,
  },
  tokenize: {
    format: 'ocsf',
    plugins: [
      ...flow,
      { use: 'pii', options: { action: 'tokenize', words: [{ type: 'project', words: [...KEYWORDS] }] } },
      { use: 'secrets', options: { input: 'redact' } },
      budget,
    ],
    input: KINDS,
    output: KINDS,
    restores: true,
  },
  /** Each kind has an action of its own. */
  mixed: {
    format: 'json',
    memo: 'shared',
    plugins: [
      ...flow,
      {
        use: 'pii',
        options: {
          action: 'tokenize',
          types: { us_ssn: { action: 'block' }, iban: { action: 'redact' }, ip_address: { action: 'redact' } },
          restore_tool_arguments: true,
        },
      },
      { use: 'secrets', options: { input: 'redact', output: 'redact', kinds: { slack_token: 'block' } } },
      // Of the other keys of the world, none has this rule.
      { use: 'policy', options: { rules: [{ ...keywords('redact'), keys: ['user'] }] } },
      budget,
    ],
    input: KINDS,
    output: KINDS,
    restores: true,
  },
  block: {
    format: 'cef',
    memo: 'team',
    plugins: [
      ...flow,
      { use: 'pii', options: { action: 'block' } },
      { use: 'secrets', options: { input: 'block', output: 'block' } },
      { use: 'policy', options: { rules: [{ ...keywords('block'), reason: 'That name stays in the house' }] } },
    ],
    input: KINDS,
    output: KINDS,
  },
  ceiling: {
    format: 'json',
    upstream: { max_classification: 'INTERNAL' },
    plugins: [
      ...flow,
      {
        use: 'classification',
        options: { default: 'PUBLIC', rules: [{ name: 'projects', label: 'CONFIDENTIAL', keywords: [...KEYWORDS] }] },
      },
    ],
    input: ['keyword'],
    output: [],
  },
  relay: {
    format: 'ocsf',
    relays: true,
    plugins: [
      ...flow,
      { use: 'pii', options: { action: 'redact' } },
      { use: 'secrets', options: { input: 'redact', output: 'redact' } },
      { use: 'policy', options: { rules: [keywords('redact')] } },
    ],
    input: KINDS,
    output: KINDS,
  },
  custom: {
    format: 'ocsf',
    plugins: [{ use: 'code-words' }],
    input: ['keyword'],
    output: ['keyword'],
  },
  guard: {
    format: 'json',
    plugins: [{ use: 'word-guard' }],
    input: ['keyword'],
    output: ['keyword'],
  },
  monitor: {
    format: 'cef',
    plugins: [
      ...flow.map((entry) =>
        entry.use === 'flags' ? { ...entry, options: { defaults: { mode: 'monitor' } } } : entry,
      ),
      { use: 'pii', options: { action: 'block' } },
      { use: 'secrets' },
      { use: 'policy', options: { rules: [keywords('block')] } },
    ],
    input: [],
    output: [],
  },
} satisfies Record<string, OracleConfig>

export type ConfigName = keyof typeof CONFIGS
export const CONFIG_NAMES = Object.keys(CONFIGS) as ConfigName[]
