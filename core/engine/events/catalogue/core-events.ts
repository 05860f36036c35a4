import type { Severity } from '../../contract/plugin.ts'
import { DETECTIONS, DIRECTION, EXCHANGE, type Fields, MEASURED } from './envelope.ts'

/** One type of event: when it is told, and what it holds besides the envelope. */
export interface CatalogueEntry {
  /** The first is the usual one. */
  readonly severity: readonly Severity[]
  readonly when: string
  readonly fields: Fields
  readonly required: readonly string[]
  /** `core`, or the plugins that declare it. */
  readonly owner: string
}

const entry = (
  severity: Severity | readonly Severity[],
  when: string,
  fields: Fields,
  required: readonly string[] = [],
): CatalogueEntry => ({
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
  'request.completed': entry('info', 'The client has the whole answer.', terminal, ENDS),
  'request.blocked': entry('block', 'A policy or a budget stopped the request; no provider saw it.', terminal, [
    ...ENDS,
    'reason',
  ]),
  'request.rejected': entry(
    ['info', 'action'],
    'The request was wrong or too much. `action` for `flag_not_permitted`, `model_not_allowed` and `rate_limit_exceeded`.',
    terminal,
    [...ENDS, 'code'],
  ),
  'response.blocked': entry('block', 'A policy stopped the reply, at its start or in the middle.', terminal, [
    ...ENDS,
    'reason',
  ]),
  'stream.aborted': entry(
    'info',
    'The client left (`client_disconnected`), the gateway stopped before the exchange ended (`gateway_stopped`), or it died and another found the exchange open (`gateway_lost`).',
    terminal,
    [...ENDS, 'reason'],
  ),
  'upstream.failed': entry('info', 'The provider could not be reached, failed or broke off.', terminal, ENDS),
  'request.redacted': entry(
    'action',
    'Something was taken out of the request before it was sent.',
    { ...EXCHANGE, direction: DIRECTION },
    [...ENDS, 'direction'],
  ),
  'response.redacted': entry('action', 'Something was taken out of the reply.', { ...EXCHANGE, direction: DIRECTION }, [
    ...ENDS,
    'direction',
  ]),
  'hidden_text.detected': entry(
    'detection',
    'Text that nobody sees but a model reads was found and taken out (in mode `monitor`: found).',
    { ...EXCHANGE, direction: DIRECTION, detections: DETECTIONS },
    ['request_id', 'direction', 'detections'],
  ),
  'flags.rejected': entry(
    'action',
    'A request asked for a flag that its key may not loosen.',
    { ...EXCHANGE, flag: { type: 'string' }, value: { type: ['string', 'integer'] } },
    [...ENDS, 'flag', 'value'],
  ),
  'flags.loosened': entry(
    'detection',
    'A request loosened flags, as its key may.',
    { ...EXCHANGE, flags: { type: 'array', items: { type: 'string' }, description: 'As `name=value`.' } },
    [...ENDS, 'flags'],
  ),
  'auth.failed': entry(
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
    'detection',
    'Under `mode=monitor`: what would have stopped the request or the reply.',
    { ...EXCHANGE, policy: { type: 'string' }, reason: { type: 'string' } },
    [...ENDS, 'reason'],
  ),
  'plugin.failed': entry(
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
    'detection',
    'A config was not taken: the one before stays in force. Once for all workers.',
    {
      problems: { type: 'integer', minimum: 1, description: 'How many the log tells of.' },
      worker: PLUGINS.worker as Fields[string],
    },
    ['problems'],
  ),
  'audit.anchor': entry(
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
    'info',
    'The gateway listens.',
    { ...PLUGINS, restarts: { type: 'integer', minimum: 0, description: 'How often this worker was started again.' } },
    ['plugins'],
  ),
  'service.stopped': entry('info', 'All exchanges are over and the gateway ends.', { worker: PLUGINS.worker! }),
}
