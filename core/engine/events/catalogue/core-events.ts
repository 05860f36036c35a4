import type { EventCategory, EventData, EventDisposition, EventLevel, Severity } from '../../contract/plugin.ts'
import { DETECTIONS, DIRECTION, EXCHANGE, type Fields, MEASURED, MIRRORED } from './envelope.ts'

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
  plugins: {
    type: 'array',
    items: { type: 'string' },
    description: 'Names of the active plugins, in the order of their taps.',
  },
  worker: { type: 'integer', minimum: 0, description: 'Number of the worker process, if the gateway runs several.' },
}
const NAMES = { type: 'array', items: { type: 'string', maxLength: 256 } } as const
const PLUGIN = { plugin: { type: 'string', description: 'Name of the plugin.' } } as const
const PLACE = {
  place: { type: 'string', description: 'Part of the config that names the files, such as `listen.tls`.' },
} as const
const HOOK = { hook: { type: 'string', description: 'Hook in which the core called it, such as `classify`.' } } as const

export const CORE_CATALOGUE: Readonly<Record<string, CatalogueEntry>> = {
  'request.completed': entry(
    { title: 'Request completed', category: 'exchange' },
    'info',
    'The client got the whole reply.',
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
    'The request was invalid or over a limit. Severity `action` for an attempt that operators should see, such as `model_not_allowed`.',
    terminal,
    [...ENDS, 'code'],
  ),
  'response.blocked': entry(
    { title: 'Response blocked by policy', category: 'exchange' },
    'block',
    'A policy blocked the reply, before or after its first byte.',
    terminal,
    [...ENDS, 'reason'],
  ),
  'stream.aborted': entry(
    { title: 'Request aborted', category: 'exchange', disposition: 'aborted' },
    'info',
    'The exchange did not finish: the client disconnected (`client_disconnected`), the gateway stopped (`gateway_stopped`), a plugin ended it (`cancelled`, with `code`), or its process died and another process closed the exchange (`gateway_lost`). If that process lived on, a later event of the exchange has the `id` of this one as `supersedes`.',
    terminal,
    [...ENDS, 'reason'],
  ),
  'upstream.failed': entry(
    { title: 'Model provider failed', category: 'exchange', disposition: 'error' },
    'info',
    'The provider was unreachable, failed, or closed the connection before the end of the reply.',
    terminal,
    ENDS,
  ),
  'upstream.opened': entry(
    { title: 'Upstream taken out', level: 'medium' },
    'detection',
    'An upstream failed too often. This process asks others of the route instead, and tries again later.',
    {
      upstream: { type: 'string', description: 'Name of the upstream.' },
      reason: { enum: ['failures_in_row', 'failure_share'], description: 'Limit of `breaker` that was reached.' },
      failures: { type: 'integer', minimum: 0, description: 'Failures since its last success.' },
      worker: PLUGINS.worker!,
    },
    ['upstream', 'reason', 'failures'],
  ),
  'upstream.closed': entry(
    { title: 'Upstream back' },
    'info',
    'An upstream that was taken out answers again.',
    {
      upstream: { type: 'string', description: 'Name of the upstream.' },
      worker: PLUGINS.worker!,
    },
    ['upstream'],
  ),
  'upstream.mirrored': entry(
    { title: 'Reply of a mirror measured' },
    'info',
    'A copy of a request went to the `mirror` of its route, and its reply was inspected, measured and dropped. `upstream` is the one that answers the client.',
    { ...EXCHANGE, ...MIRRORED },
    [...ENDS, 'mirror', 'result', 'latency_ms'],
  ),
  'request.redacted': entry(
    { title: 'Data redacted in request', category: 'data', disposition: 'redacted' },
    'action',
    'The gateway redacted or tokenised text of the request before sending it.',
    { ...EXCHANGE, direction: DIRECTION },
    [...ENDS, 'direction'],
  ),
  'response.redacted': entry(
    { title: 'Data redacted in response', category: 'data', disposition: 'redacted' },
    'action',
    'The gateway redacted or tokenised text of the reply.',
    { ...EXCHANGE, direction: DIRECTION },
    [...ENDS, 'direction'],
  ),
  'hidden_text.detected': entry(
    { title: 'Hidden text detected' },
    'detection',
    'The gateway found text that only a model reads, and removed it. In mode `monitor` it only reports it.',
    { ...EXCHANGE, direction: DIRECTION, detections: DETECTIONS },
    ['request_id', 'direction', 'detections'],
  ),
  'auth.failed': entry(
    { title: 'Authentication failed', category: 'access', disposition: 'unauthorized' },
    'action',
    'An API key was missing, invalid, or not an admin key on an admin route. One event per source, code and known key every ten seconds.',
    {
      source_ip: { type: 'string', description: 'IP address, `unknown`, or `others` beyond 1,000 sources.' },
      code: { type: 'string', description: '`error.code` of the answer; docs/errors.md lists them.' },
      reason: { type: 'string', enum: ['missing_key', 'invalid_key', 'admin_required'] },
      key_id: { type: 'string', description: 'With `admin_required`: name of the key.' },
      count: { type: 'integer', minimum: 1, description: 'Number of failed attempts.' },
    },
    ['source_ip', 'code', 'reason', 'count'],
  ),
  'policy.would_block': entry(
    { title: 'Policy would have blocked', disposition: 'observed', level: 'medium' },
    'detection',
    'In mode `monitor`: a policy would have blocked the request or the reply.',
    { ...EXCHANGE, policy: { type: 'string' }, reason: { type: 'string' } },
    [...ENDS, 'reason'],
  ),
  'plugin.failed': entry(
    { title: 'Plugin failed', level: 'medium' },
    'detection',
    'A plugin threw, took longer than `timeout_ms`, or returned an invalid result.',
    {
      ...EXCHANGE,
      ...PLUGIN,
      ...HOOK,
      error: { type: 'string', description: 'Name of the error, not its message.' },
      allowed: {
        type: 'boolean',
        description: 'True if the exchange continued without the plugin (`on_error: allow`).',
      },
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
        description: 'Milliseconds from the call until its promise settled: how long this exchange waited.',
      },
      blocked_ms: {
        type: 'integer',
        minimum: 0,
        description: 'Milliseconds until the call returned: how long all exchanges of the process waited.',
      },
    },
    ['plugin', 'hook', 'duration_ms'],
  ),
  'store.unavailable': entry(
    { title: 'Store unavailable' },
    'detection',
    'The store accepts no writes.',
    {
      code: { type: 'string', description: 'Code of the store error.' },
      audit: { enum: ['block', 'allow'], description: 'Setting `audit.on_error`.' },
      limits: { enum: ['block', 'local'], description: 'Setting `limits.on_store_error`.' },
    },
    ['code'],
  ),
  'store.recovered': entry(
    { title: 'Store recovered' },
    ['info', 'detection'],
    'The store accepts writes again. Severity `detection` if events were lost.',
    {
      seconds: { type: 'integer', minimum: 0, description: 'Length of the outage, seconds.' },
      spilled: { type: 'integer', minimum: 0, description: 'Writes that were queued during the outage.' },
      lost: { type: 'integer', minimum: 0, description: 'Events lost because the queue had no room.' },
      allowed: { type: 'integer', minimum: 0, description: 'Requests that continued without a record.' },
      local: { type: 'integer', minimum: 0, description: 'Requests whose limits this process counted by itself.' },
    },
    ['seconds', 'spilled', 'lost'],
  ),
  'upstream.key_failed': entry(
    { title: 'Upstream key could not be renewed', level: 'medium' },
    'detection',
    '`key_file` or `key_command` of an upstream gave no valid key. Once for each change of the file and each run of the command.',
    {
      upstream: { type: 'string', description: 'Name of the upstream.' },
      reason: {
        type: 'string',
        enum: ['unreadable', 'invalid', 'not_found', 'exit', 'timeout'],
        description:
          'The file cannot be read; file or output is no key; the command does not exist, failed, or took too long.',
      },
      exit_code: { type: 'integer', description: 'With `exit`: exit code of the command.' },
      usable: {
        type: 'boolean',
        description: 'True while the last good key still serves; otherwise requests get 503.',
      },
      worker: PLUGINS.worker!,
    },
    ['upstream', 'reason', 'usable'],
  ),
  'tls.reloaded': entry(
    { title: 'Certificates renewed', category: 'change' },
    'info',
    'Certificate files changed. New connections use them.',
    { ...PLACE, worker: PLUGINS.worker! },
    ['place'],
  ),
  'tls.reload_failed': entry(
    { title: 'Certificates could not be renewed', level: 'medium' },
    'detection',
    'Changed certificate files cannot be used. New connections use the previous ones.',
    {
      ...PLACE,
      reason: { type: 'string', description: 'What is wrong with which file.' },
      worker: PLUGINS.worker!,
    },
    ['place', 'reason'],
  ),
  'limits.differ': entry(
    { title: 'Limits differ' },
    'detection',
    'At start or after a reload, with Redis: another node uses or used other settings for a limit with the same id.',
    {
      limit: { type: 'string', description: 'Plugin and id of the limit.' },
      other: { type: 'string', description: 'Instance that last reported other settings.' },
      worker: PLUGINS.worker!,
    },
    ['limit', 'other'],
  ),
  'config.reloaded': entry(
    { title: 'Configuration reloaded', category: 'change' },
    'info',
    'The gateway applied a new config. Each worker emits its own event.',
    {
      ...PLUGINS,
      changes: {
        type: 'object',
        additionalProperties: false,
        required: ['added', 'removed', 'changed'],
        description: 'Paths of the changed settings, such as `keys.app.models`; never values. At most 100 per list.',
        properties: { added: NAMES, removed: NAMES, changed: NAMES },
      },
      after_restart: { ...NAMES, description: 'Changes since the start that need a restart to take effect.' },
      changed_by: {
        type: 'string',
        description: 'Key that changed options in another process, if that was the cause.',
      },
    },
    ['plugins', 'changes', 'after_restart'],
  ),
  'config.rejected': entry(
    { title: 'Configuration rejected', category: 'change' },
    'detection',
    'A new config was invalid; the previous one stays active. One event for all workers.',
    {
      problems: { type: 'integer', minimum: 1, description: 'Number of problems; the log lists them.' },
      worker: PLUGINS.worker as Fields[string],
    },
    ['problems'],
  ),
  'audit.anchor': entry(
    { title: 'Audit trail anchored' },
    'info',
    'A signature over the newest event: every minute if the trail grew, and at stop.',
    {
      anchor: {
        type: 'object',
        additionalProperties: false,
        required: ['instance', 'seq', 'hash', 'time', 'key', 'signature'],
        description: 'Ed25519 signature over `seq` and `hash` of the newest event; `audit verify` checks it.',
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
    'An admin changed settings, or overrode options of a plugin.',
    {
      ...PLUGIN,
      path: { type: 'string', description: 'URL path of the settings or options.' },
      fields: {
        type: 'array',
        items: { type: 'string' },
        description: 'Names of the changed fields; never their values.',
      },
      key_id: EXCHANGE.key_id as Fields[string],
    },
    ['plugin', 'path', 'fields', 'key_id'],
  ),
  'service.started': entry(
    { title: 'Gateway started' },
    'info',
    'The gateway is ready for requests.',
    { ...PLUGINS, restarts: { type: 'integer', minimum: 0, description: 'Number of restarts of this worker.' } },
    ['plugins'],
  ),
  'service.stopped': entry({ title: 'Gateway stopped' }, 'info', 'All exchanges have ended and the gateway stops.', {
    worker: PLUGINS.worker!,
  }),
}

/** The default severity of every core event. */
export const CORE_EVENTS: Readonly<Record<string, Severity>> = Object.fromEntries(
  Object.entries(CORE_CATALOGUE).map(([type, { severity }]) => [type, severity[0] as Severity]),
)

/** Each exchange ends in exactly one of these that no other `supersedes`. */
export const TERMINAL: ReadonlySet<string> = new Set(
  Object.keys(CORE_CATALOGUE).filter((type) => CORE_CATALOGUE[type]?.category === 'exchange'),
)
