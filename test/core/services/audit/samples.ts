/** Events for tests: one as it is told for each type, and arbitrary ones with every member at its extremes. */
import fc from 'fast-check'
import type { GovernanceEvent, Json, Severity } from '../../../../core/engine/contract/plugin.ts'
import { describerOf } from '../../../../core/engine/events/description.ts'
import { bundledSpecs } from '../../../../core/engine/host/loader.ts'
import { eventSource } from '../../../../core/kit/formats/index.ts'
import { codePoint } from '../../../helpers/code-points.ts'

export const SOURCE = eventSource(
  { source_name: 'gw-prod-1', environment: 'production' },
  describerOf(await bundledSpecs()),
)

const ENVELOPE = {
  id: '019a9f3e-7c1b-7d2a-8f00-1234567890ab',
  schema_version: 1,
  time: '2026-03-16T10:00:00.123Z',
  instance: 'gw-1.example.test-4711',
  seq: 42,
  prev_hash: '0'.repeat(64),
  hash: 'a'.repeat(64),
}

const NO_ADMIN = { reason: 'admin_required', key_id: 'key-app' }

const EXCHANGE = {
  request_id: 'req_6f1c2e34-0a1b-4c2d-8e3f-001122334455',
  client_request_id: 'client-1',
  session_id: 'sess_42',
  turn_index: 3,
  key_id: 'app',
  source_ip: '198.51.100.7',
  model: 'gpt-test',
  upstream: 'openai',
  mode: 'enforce',
  classification: 'CONFIDENTIAL',
}

const MEASURED = {
  status: 200,
  stream: true,
  output_classification: 'PUBLIC',
  rules: ['pii'],
  tokens: { prompt: 210, completion: 30 },
  latency_ms: 1834,
  first_byte_ms: 120,
}

const found = (type: string, action: string): Json => [{ type, count: 2, action, direction: 'input' }]

type Row = [type: string, severity: Severity, payload: Record<string, Json>]

const ROWS: readonly Row[] = [
  ['request.completed', 'info', { ...EXCHANGE, ...MEASURED }],
  ['request.completed', 'info', { ...EXCHANGE, ...MEASURED, detections: found('email', 'redact'), cost: 0.0000125 }],
  ['request.blocked', 'block', { ...EXCHANGE, ...MEASURED, status: 403, reason: 'pii: credit_card', policy: 'pii' }],
  ['request.blocked', 'block', { ...EXCHANGE, classification: 'RESTRICTED', reason: 'secrets: aws_access_key' }],
  ['request.blocked', 'block', { ...EXCHANGE, code: 'budget_exceeded', reason: 'budget spent' }],
  ['request.rejected', 'info', { ...EXCHANGE, status: 404, code: 'model_not_found' }],
  ['request.rejected', 'action', { ...EXCHANGE, status: 429, code: 'rate_limit_exceeded' }],
  ['response.blocked', 'block', { ...EXCHANGE, ...MEASURED, reason: 'a | b = c \\ d' }],
  ['stream.aborted', 'info', { ...EXCHANGE, ...MEASURED, reason: 'client_disconnected' }],
  ['stream.aborted', 'info', { request_id: 'req_1', key_id: 'app', reason: 'gateway_lost' }],
  ['upstream.failed', 'info', { ...EXCHANGE, ...MEASURED, status: 502, code: 'upstream_unreachable' }],
  ['request.redacted', 'action', { ...EXCHANGE, direction: 'input' }],
  ['response.redacted', 'action', { ...EXCHANGE, direction: 'output' }],
  ['flags.rejected', 'action', { ...EXCHANGE, flag: 'mode', value: 'off' }],
  ['flags.loosened', 'detection', { ...EXCHANGE, flags: ['mode=monitor'] }],
  ['auth.failed', 'action', { source_ip: '2001:db8::7', code: 'GW_INVALID_KEY', reason: 'invalid_key', count: 1 }],
  ['auth.failed', 'action', { source_ip: 'others', code: 'GW_MISSING_KEY', reason: 'missing_key', count: 900 }],
  ['policy.would_block', 'detection', { ...EXCHANGE, mode: 'monitor', policy: 'no-code', reason: 'code' }],
  ['plugin.failed', 'detection', { ...EXCHANGE, plugin: 'pii', hook: 'classify', error: 'TypeError', allowed: false }],
  ['plugin.slow', 'info', { ...EXCHANGE, plugin: 'pii', hook: 'classify', ms: 12.5 }],
  ['pii.detected', 'detection', { ...EXCHANGE, direction: 'input', detections: found('credit_card', 'redact') }],
  ['pii.detected', 'detection', { ...EXCHANGE, direction: 'input', detections: found('us_ssn', 'block') }],
  ['secret.detected', 'detection', { ...EXCHANGE, direction: 'input', detections: found('aws_access_key', 'block') }],
  ['injection.detected', 'detection', { ...EXCHANGE, direction: 'input', detections: found('injection', 'detect') }],
  ['budget.threshold', 'detection', { ...EXCHANGE, scope: 'key:app', percent: 80, limit: 1000, spent: 801 }],
  ['budget.exceeded', 'block', { ...EXCHANGE, scope: 'key:app', limit: 1000, spent: 1000 }],
  ['ratelimit.exceeded', 'action', { ...EXCHANGE, scope: 'key:app', limit: 60 }],
  ['settings.updated', 'info', { key_id: 'ops', path: '/api/settings/siem', fields: ['url', 'format'] }],
  ['config.reloaded', 'info', { plugins: ['pii'] }],
  ['config.rejected', 'detection', { problems: 2 }],
  ['service.started', 'info', { plugins: ['pii', 'siem'] }],
  ['service.stopped', 'info', {}],
  ['export.dropped', 'info', { destination: 'webhook', count: 12, reason: 'full' }],
  ['alert.failed', 'info', { destination: 'default', error: 'timeout' }],
  ['test', 'info', {}],
  ['vendor.thing', 'action', { anything: { deep: [1, 'two', null] } }],
  ['vendor.other', 'block', {}],
  ['auth.failed', 'action', { source_ip: '10.0.0.9', code: 'GW_ADMIN_REQUIRED', ...NO_ADMIN, count: 3 }],
]

export const SAMPLES: readonly GovernanceEvent[] = ROWS.map(([type, severity, payload]) => ({
  ...ENVELOPE,
  type,
  severity,
  ...payload,
}))

/** Texts with every character that some format treats specially. */
const nasty = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 40 }),
  fc.string({ unit: fc.constantFrom('|', '=', '\\', '\n', '\r', ' ', '\u2028', '\u0085', '\0', 'a', '😀', '\ud800') }),
  fc.constantFrom('long = | \\ 😀'.repeat(150), '\n'.repeat(5000), 'ü'.repeat(1023)),
  fc.constantFrom('', ' ', 'valueOf', '__proto__', ' act=allowed', 'x act=allowed severity=0'),
)

const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.maxSafeInteger())

const detection = fc.record(
  { type: fc.oneof(fc.constantFrom('email', 'us_ssn', 'iban'), nasty), count: number, action: nasty },
  { requiredKeys: ['type'] },
)

const ip = fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('::ffff:10.0.0.1', 'fe80::1%eth0', 'others', 'unknown', ''))

const types = [...new Set(ROWS.map(([type]) => type))]

/** Any event that the emitter could be made to build, and worse. */
export const anyEvent: fc.Arbitrary<GovernanceEvent> = fc
  .record(
    {
      id: fc.oneof(fc.uuid({ version: 7 }), nasty),
      schema_version: fc.constant(1),
      time: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      type: fc.oneof(fc.constantFrom(...types), nasty),
      severity: fc.constantFrom<Severity>('info', 'detection', 'action', 'block'),
      instance: nasty,
      seq: number,
      hash: nasty,
      request_id: nasty,
      client_request_id: nasty,
      trace_id: nasty,
      session_id: nasty,
      turn_index: number,
      key_id: nasty,
      source_ip: ip,
      model: nasty,
      upstream: nasty,
      status: number,
      mode: fc.constantFrom('off', 'monitor', 'enforce', 'strict'),
      classification: fc.oneof(fc.constantFrom('PUBLIC', 'INTERNAL', 'CONFIDENTIAL', 'RESTRICTED'), nasty),
      reason: nasty,
      policy: nasty,
      code: nasty,
      path: nasty,
      rules: fc.array(nasty, { maxLength: 5 }),
      detections: fc.array(detection, { maxLength: 20 }),
      tokens: fc.record({ prompt: number, completion: number }),
      cost: number,
      latency_ms: number,
      count: number,
      extra: fc.jsonValue(),
    },
    { requiredKeys: ['id', 'schema_version', 'time', 'type', 'severity'] },
  )
  .map((event) => event as unknown as GovernanceEvent)
