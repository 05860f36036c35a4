import type { EventCategory, EventData, EventDisposition, EventLevel, Severity } from '../../contract/plugin.ts'
import { DETECTIONS, DIRECTION, EXCHANGE, type Fields, MEASURED } from './envelope.ts'

/** How exports and alerts show a type; missing members are derived from its name and the event. */
export interface Shown {
  readonly title?: string | undefined
  readonly category?: EventCategory | undefined
  readonly disposition?: EventDisposition | undefined
  readonly data?: EventData | undefined
  /** Minimum level, if the severity alone is too low. */
  readonly level?: EventLevel | undefined
}

/** One event type: when it is emitted, its members besides the envelope, and how it is shown. */
export interface CatalogueEntry extends Shown {
  /** The first is the default. */
  readonly severity: readonly Severity[]
  readonly when: string
  readonly fields: Fields
  readonly required: readonly string[]
  /** `core`, or the plugins that declare it. */
  readonly owner: string
}

const entry = (
  shown: Shown & { readonly title: string },
  severity: Severity | readonly Severity[],
  when: string,
  fields: Fields,
  required: readonly string[] = [],
): CatalogueEntry => ({
  ...shown,
  severity: typeof severity === 'string' ? [severity] : severity,
  when,
  fields,
  required,
  owner: 'core',
})

const terminal: Fields = { ...EXCHANGE, ...MEASURED }
const ENDS = ['request_id', 'key_id'] as const
const PLUGINS: Fields = {
  plugins: { type: 'array', items: { type: 'string' }, description: 'Names in the order of their taps.' },
  worker: { type: 'integer', minimum: 0, description: 'Which process of several.' },
}
const NAMES = { type: 'array', items: { type: 'string', maxLength: 256 } } as const
const PLUGIN = { plugin: { type: 'string', description: 'Its name.' } } as const
const HOOK = { hook: { type: 'string', description: 'Where it was called.' } } as const

export const CORE_CATALOGUE: Readonly<Record<string, CatalogueEntry>> = {
  'request.completed': entry(
    { title: 'Chat completion completed', category: 'exchange' },
    'info',
    'The client has the whole answer.',
    terminal,
    ENDS,
  ),
  'request.blocked': entry(
    { title: 'Request blocked by policy', category: 'exchange' },
    'block',
    'A policy or a budget stopped the request; no provider saw it.',
    terminal,
    [...ENDS, 'reason'],
  ),
  'request.rejected': entry(
    { title: 'Request rejected', category: 'exchange', disposition: 'rejected' },
    ['info', 'action'],
    'The request was wrong or too much. `action` for a refused attempt, such as `model_not_allowed`.',
    terminal,
    [...ENDS, 'code'],
  ),
  'response.blocked': entry(
    { title: 'Response blocked by policy', category: 'exchange' },
    'block',
    'A policy stopped the reply, at its start or in the middle.',
    terminal,
    [...ENDS, 'reason'],
  ),
  'stream.aborted': entry(
    { title: 'Chat completion aborted', category: 'exchange', disposition: 'aborted' },
    'info',
    'The client left (`client_disconnected`), the gateway stopped before the exchange ended (`gateway_stopped`), or it died and another found the exchange open (`gateway_lost`).',
    terminal,
    [...ENDS, 'reason'],
  ),
  'upstream.failed': entry(
    { title: 'Model provider failed', category: 'exchange', disposition: 'error' },
    'info',
    'The provider could not be reached, failed or broke off.',
    terminal,
    ENDS,
  ),
  'request.redacted': entry(
    { title: 'Data redacted in request', category: 'data', disposition: 'redacted' },
    'action',
    'Something was taken out of the request before it was sent.',
    { ...EXCHANGE, direction: DIRECTION },
    [...ENDS, 'direction'],
  ),
  'response.redacted': entry(
    { title: 'Data redacted in response', category: 'data', disposition: 'redacted' },
    'action',
    'Something was taken out of the reply.',
    { ...EXCHANGE, direction: DIRECTION },
    [...ENDS, 'direction'],
  ),
  'hidden_text.detected': entry(
    { title: 'Hidden text detected' },
    'detection',
    'Text that nobody sees but a model reads was found and taken out (in mode `monitor`: found).',
    { ...EXCHANGE, direction: DIRECTION, detections: DETECTIONS },
    ['request_id', 'direction', 'detections'],
  ),
  'auth.failed': entry(
    { title: 'Authentication failed', category: 'access', disposition: 'unauthorized' },
    'action',
    'Keys were missing, wrong, or no admin keys on an admin route: one event for each source, code and known key in ten seconds.',
    {
      source_ip: { type: 'string', description: 'Address, `unknown`, or `others` beyond 1,000 sources.' },
      code: { type: 'string', description: 'Code of docs/errors.md.' },
      reason: { type: 'string', enum: ['missing_key', 'invalid_key', 'admin_required'] },
      key_id: { type: 'string', description: 'With `admin_required`: whose key it was.' },
      count: { type: 'integer', minimum: 1, description: 'How many.' },
    },
    ['source_ip', 'code', 'reason', 'count'],
  ),
  'policy.would_block': entry(
    { title: 'Policy would have blocked', disposition: 'observed', level: 'medium' },
    'detection',
    'Under `mode=monitor`: what would have stopped the request or the reply.',
    { ...EXCHANGE, policy: { type: 'string' }, reason: { type: 'string' } },
    [...ENDS, 'reason'],
  ),
  'plugin.failed': entry(
    { title: 'Plugin failed', level: 'medium' },
    'detection',
    'A plugin threw, or took too long.',
    {
      ...EXCHANGE,
      ...PLUGIN,
      ...HOOK,
      error: { type: 'string', description: 'Name of the error, not its message.' },
      allowed: { type: 'boolean', description: 'The exchange went on without it (`on_error: allow`).' },
    },
    ['plugin', 'hook', 'error', 'allowed'],
  ),
  'plugin.slow': entry(
    { title: 'Plugin slow' },
    'info',
    'A sampled call of a plugin kept the event loop busy for more than 50 ms, or took more than half of `timeout_ms`.',
    {
      ...EXCHANGE,
      ...PLUGIN,
      ...HOOK,
      duration_ms: {
        type: 'integer',
        minimum: 0,
        description: 'From the call until its promise settled, milliseconds: how long this exchange waited.',
      },
      blocked_ms: {
        type: 'integer',
        minimum: 0,
        description: 'Of these, until the call returned: how long every exchange of the process waited.',
      },
    },
    ['plugin', 'hook', 'duration_ms'],
  ),
  'store.unavailable': entry(
    { title: 'Store unavailable' },
    'detection',
    'The store does not take writes.',
    {
      code: { type: 'string' },
      audit: { enum: ['block', 'allow'], description: '`audit.on_error`.' },
      limits: { enum: ['block', 'local'], description: '`limits.on_store_error`.' },
    },
    ['code'],
  ),
  'store.recovered': entry(
    { title: 'Store recovered' },
    ['info', 'detection'],
    'The store takes writes again. `detection` when events were lost meanwhile.',
    {
      seconds: { type: 'integer', minimum: 0, description: 'How long it did not.' },
      spilled: { type: 'integer', minimum: 0, description: 'Writes that waited and were made now.' },
      lost: { type: 'integer', minimum: 0, description: 'Writes that had no room to wait.' },
      allowed: { type: 'integer', minimum: 0, description: 'Requests that went on unrecorded.' },
      local: { type: 'integer', minimum: 0, description: 'Limits that were counted by this process alone.' },
    },
    ['seconds', 'spilled', 'lost'],
  ),
  'limits.differ': entry(
    { title: 'Limits differ' },
    'detection',
    'With Redis, at the start and after a reload: another node has, or had, other settings for a limit of the same id.',
    {
      limit: { type: 'string', description: 'Plugin and id of the limit.' },
      other: { type: 'string', description: 'Instance that told of it last.' },
      worker: PLUGINS.worker!,
    },
    ['limit', 'other'],
  ),
  'config.reloaded': entry(
    { title: 'Configuration reloaded', category: 'change' },
    'info',
    'Another config is in force. Each worker tells it of itself.',
    {
      ...PLUGINS,
      changes: {
        type: 'object',
        additionalProperties: false,
        required: ['added', 'removed', 'changed'],
        description: 'Names of what differs, such as `keys.app.models`; never values. At most 100 of each.',
        properties: { added: NAMES, removed: NAMES, changed: NAMES },
      },
      after_restart: { ...NAMES, description: 'What waits for a restart, since the start.' },
    },
    ['plugins', 'changes', 'after_restart'],
  ),
  'config.rejected': entry(
    { title: 'Configuration rejected', category: 'change' },
    'detection',
    'A config was not taken: the one before stays in force. Once for all workers.',
    {
      problems: { type: 'integer', minimum: 1, description: 'How many the log tells of.' },
      worker: PLUGINS.worker as Fields[string],
    },
    ['problems'],
  ),
  'audit.anchor': entry(
    { title: 'Audit trail anchored' },
    'info',
    'Each minute in which the trail grew, and at the end: a signature over the newest event.',
    {
      anchor: {
        type: 'object',
        additionalProperties: false,
        required: ['instance', 'seq', 'hash', 'time', 'key', 'signature'],
        description: 'Ed25519 over `seq` and `hash` of the newest event; `audit verify` checks it.',
        properties: {
          instance: { type: 'string' },
          seq: { type: 'integer', minimum: 1 },
          hash: { type: 'string' },
          time: { type: 'string' },
          key: { type: 'string' },
          signature: { type: 'string' },
        },
      },
    },
    ['anchor'],
  ),
  'settings.updated': entry(
    { title: 'Settings updated', category: 'change' },
    'info',
    'An admin changed settings.',
    {
      ...PLUGIN,
      path: { type: 'string', description: 'Path of the settings.' },
      fields: { type: 'array', items: { type: 'string' }, description: 'Which were changed; never their values.' },
      key_id: EXCHANGE.key_id as Fields[string],
    },
    ['plugin', 'path', 'fields', 'key_id'],
  ),
  'service.started': entry(
    { title: 'Gateway started' },
    'info',
    'The gateway listens.',
    { ...PLUGINS, restarts: { type: 'integer', minimum: 0, description: 'How often this worker was started again.' } },
    ['plugins'],
  ),
  'service.stopped': entry({ title: 'Gateway stopped' }, 'info', 'All exchanges are over and the gateway ends.', {
    worker: PLUGINS.worker!,
  }),
}

/** The default severity of every core event. */
export const CORE_EVENTS: Readonly<Record<string, Severity>> = Object.fromEntries(
  Object.entries(CORE_CATALOGUE).map(([type, { severity }]) => [type, severity[0] as Severity]),
)

/** Each exchange ends in exactly one of these. */
export const TERMINAL: ReadonlySet<string> = new Set(
  Object.keys(CORE_CATALOGUE).filter((type) => CORE_CATALOGUE[type]?.category === 'exchange'),
)
