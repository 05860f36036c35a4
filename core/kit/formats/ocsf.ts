import type { EventDescription, EventDisposition, EventLevel, GovernanceEvent } from '../../engine/contract/plugin.ts'
import { detectionsOf } from '../../engine/events/description.ts'
import { packageVersion } from '../../engine/util/package.ts'
import { address } from './address.ts'
import { toJson } from './json.ts'
import { dataSecurity } from './ocsf-data.ts'
import { operationOf } from './operation.ts'
import { clampTime, EventSource, FAILURES, millis, PRODUCT, text, whole, wholeOf } from './types.ts'

/** An event of the Open Cybersecurity Schema Framework. */
export type OcsfEvent = { readonly class_uid: number; readonly [name: string]: unknown }

const CLASSES = {
  6003: { name: 'API Activity', category: [6, 'Application Activity'] },
  2004: { name: 'Detection Finding', category: [2, 'Findings'] },
  2006: { name: 'Data Security Finding', category: [2, 'Findings'] },
} as const

type ClassUid = keyof typeof CLASSES

/** OCSF 1.8.0: requests and changes are API Activity, findings of data Data Security Finding, others Detection Finding. */
export function toOcsf(event: GovernanceEvent, source: EventSource): OcsfEvent {
  const shown = EventSource.describerOf(source)(event)
  const uid = classOf(shown)
  const own = uid === 6003 ? activity(event, shown) : uid === 2006 ? dataFinding(event, shown) : detection(event, shown)
  const { profiles, ...more } = own
  return {
    ...base(event, source, shown, uid, profiles),
    ...decision(event, shown, uid),
    ...more,
    unmapped: toJson(event, source),
  }
}

function classOf({ category }: EventDescription): ClassUid {
  if (category === 'data') return 2006
  return category === 'detection' ? 2004 : 6003
}

type Own = { readonly profiles: readonly string[]; readonly [name: string]: unknown }

function base(
  event: GovernanceEvent,
  source: EventSource,
  { title, level, category: kind }: EventDescription,
  uid: ClassUid,
  profiles: readonly string[],
): OcsfEvent {
  const { name, category } = CLASSES[uid]
  const [activityId, activityName] =
    uid !== 6003 || kind === 'exchange' || kind === 'access' || event.type === 'test'
      ? [1, 'Create']
      : kind === 'change'
        ? [3, 'Update']
        : [99, event.type]
  const [severityId, severity] = SEVERITIES[level]
  return {
    class_uid: uid,
    class_name: name,
    category_uid: category[0],
    category_name: category[1],
    activity_id: activityId,
    activity_name: activityName,
    type_uid: uid * 100 + Number(activityId),
    type_name: `${name}: ${activityId === 99 ? 'Other' : activityName}`,
    severity_id: severityId,
    severity,
    time: millis(event),
    timezone_offset: 0,
    message: title,
    metadata: metadata(event, source, ['security_control', ...profiles]),
  }
}

function metadata(event: GovernanceEvent, { source_name, environment }: EventSource, profiles: readonly string[]) {
  const sequence = whole(event, 'seq')
  return defined({
    version: '1.8.0',
    uid: event.id,
    correlation_uid: text(event, 'request_id'),
    sequence,
    log_name: 'audit',
    log_provider: source_name,
    labels: [`environment:${environment}`],
    original_time: event.time,
    profiles,
    product: {
      name: PRODUCT,
      vendor_name: PRODUCT,
      version: packageVersion(),
      feature: { name: operationOf(event).service },
    },
  })
}

const SEVERITIES: Readonly<Record<EventLevel, readonly [number, string]>> = {
  info: [1, 'Informational'],
  low: [2, 'Low'],
  medium: [3, 'Medium'],
  high: [4, 'High'],
  critical: [5, 'Critical'],
}

const ACTIONS: Readonly<
  Record<EventDisposition, readonly [action: readonly [number, string], disposition: readonly [number, string]]>
> = {
  allowed: [
    [1, 'Allowed'],
    [1, 'Allowed'],
  ],
  blocked: [
    [2, 'Denied'],
    [2, 'Blocked'],
  ],
  // OCSF has no value for a redaction; this is the closest.
  redacted: [
    [4, 'Modified'],
    [11, 'Corrected'],
  ],
  observed: [
    [3, 'Observed'],
    [15, 'Detected'],
  ],
  logged: [
    [3, 'Observed'],
    [17, 'Logged'],
  ],
  rejected: [
    [2, 'Denied'],
    [25, 'Rejected'],
  ],
  unauthorized: [
    [2, 'Denied'],
    [26, 'Unauthorized'],
  ],
  aborted: [
    [1, 'Allowed'],
    [1, 'Allowed'],
  ],
  error: [
    [1, 'Allowed'],
    [27, 'Error'],
  ],
}

function decision(
  event: GovernanceEvent,
  { disposition: done, level }: EventDescription,
  uid: ClassUid,
): Record<string, unknown> {
  const [action, disposition] = ACTIONS[done]
  const policy = text(event, 'policy')
  const failed = FAILURES.has(done)
  const status = uid !== 6003 ? ([1, 'New'] as const) : failed ? ([2, 'Failure'] as const) : ([1, 'Success'] as const)
  return defined({
    action_id: action[0],
    action: action[1],
    disposition_id: disposition[0],
    disposition: disposition[1],
    is_alert: level !== 'info' && level !== 'low',
    status_id: status[0],
    status: status[1],
    status_code: text(event, 'code') ?? (done === 'blocked' ? 'policy_block' : undefined),
    status_detail: text(event, 'reason'),
    policy: policy === undefined ? undefined : { name: policy, is_applied: done === 'blocked' || done === 'redacted' },
    count: whole(event, 'count'),
  })
}

/** 6003: an exchange, a change, or an event about the gateway itself. */
function activity(event: GovernanceEvent, { category }: EventDescription): Own {
  const exchange = category === 'exchange'
  const ai = exchange ? aiOperation(event) : {}
  const traceId = text(event, 'trace_id')
  const profiles = [
    ...(Object.keys(ai).length > 0 ? ['ai_operation'] : []),
    ...(traceId === undefined ? [] : ['trace']),
  ]
  return {
    profiles,
    ...defined({
      actor: actor(event) ?? { app_name: PRODUCT },
      api: api(event, exchange),
      src_endpoint: client(event) ?? { name: 'unknown' },
      dst_endpoint: upstream(event),
      trace: traceId === undefined ? undefined : { uid: traceId },
      observables: observables(event, 'src_endpoint.ip', 'actor.user.uid'),
    }),
    ...ai,
    ...(exchange ? transport(event) : {}),
  }
}

function aiOperation(event: GovernanceEvent): Record<string, unknown> {
  const model = text(event, 'model')
  const tokens = (event.tokens ?? {}) as { prompt?: unknown; completion?: unknown }
  const [prompt, completion] = [wholeOf(tokens.prompt), wholeOf(tokens.completion)]
  const total = prompt === undefined || completion === undefined ? undefined : wholeOf(prompt + completion)
  return defined({
    ai_model: model === undefined ? undefined : { name: model, ai_provider: text(event, 'upstream') ?? 'unknown' },
    message_context: defined({
      service: { name: operationOf(event).service },
      uid: text(event, 'session_id'),
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: total,
    }),
  })
}

function transport(event: GovernanceEvent): Record<string, unknown> {
  const time = millis(event)
  const latency = whole(event, 'latency_ms')
  const code = whole(event, 'status')
  const requestId = text(event, 'request_id')
  const { method, path } = operationOf(event)
  return defined({
    duration: latency,
    start_time: latency === undefined ? undefined : Math.min(clampTime(time - latency), time),
    end_time: latency === undefined ? undefined : time,
    http_request: defined({ http_method: method, uid: requestId, url: { path } }),
    http_response: code === undefined ? undefined : defined({ code, latency }),
  })
}

/** 2006: a data finding and its disposition. */
function dataFinding(event: GovernanceEvent, shown: EventDescription): Own {
  return {
    profiles: [],
    ...defined({
      actor: actor(event),
      src_endpoint: client(event),
      dst_endpoint: upstream(event),
      finding_info: findingInfo(event, shown),
      data_security: dataSecurity(event, shown.data),
      resources: model(event),
      observables: observables(event, 'src_endpoint.ip', 'actor.user.uid'),
    }),
  }
}

/** 2004: any other finding. */
function detection(event: GovernanceEvent, shown: EventDescription): Own {
  const evidence = defined({
    api: event.request_id === undefined ? undefined : api(event, true),
    actor: actor(event),
    src_endpoint: client(event),
    data: { type: event.type, detections: detectionsOf(event) },
    verdict_id: 4,
    verdict: 'Suspicious',
  })
  return {
    profiles: [],
    ...defined({
      finding_info: findingInfo(event, shown),
      evidences: [evidence],
      resources: model(event),
      observables: observables(event, 'evidences[0].src_endpoint.ip', 'evidences[0].actor.user.uid'),
    }),
  }
}

function findingInfo(event: GovernanceEvent, { title }: EventDescription): Record<string, unknown> {
  const time = millis(event)
  const types = [...new Set(detectionsOf(event).map(({ type }) => type))]
  const analytic = text(event, 'policy') ?? text(event, 'plugin') ?? event.type
  return {
    uid: event.id,
    title,
    types: types.length === 0 ? [event.type] : types,
    analytic: { name: analytic, type_id: 1, type: 'Rule' },
    created_time: time,
  }
}

function api(event: GovernanceEvent, exchange: boolean): Record<string, unknown> {
  const path = text(event, 'path')
  const asked = operationOf(event)
  const requestId = text(event, 'request_id')
  const [code, error, detail] = [whole(event, 'status'), text(event, 'code'), text(event, 'reason')]
  const response = defined({ code, error, error_message: detail })
  return defined({
    operation: exchange ? asked.operation : path === undefined ? event.type : `PUT ${path}`,
    service: exchange ? { name: asked.service } : undefined,
    request: requestId === undefined ? undefined : { uid: requestId },
    response: Object.keys(response).length === 0 ? undefined : response,
  })
}

/** The API key, without its value. */
function actor(event: GovernanceEvent): Record<string, unknown> | undefined {
  const key = text(event, 'key_id')
  if (key === undefined) return undefined
  const session = text(event, 'session_id')
  return defined({
    user: { uid: key, type_id: 4, type: 'Service' },
    session: session === undefined ? undefined : { uid: session },
  })
}

function client(event: GovernanceEvent): Record<string, unknown> | undefined {
  const source = text(event, 'source_ip')
  if (source === undefined) return undefined
  const ip = address(source)
  return ip === undefined ? { name: source } : { ip: ip.text }
}

function upstream(event: GovernanceEvent): Record<string, unknown> | undefined {
  const name = text(event, 'upstream')
  return name === undefined ? undefined : { svc_name: name }
}

function model(event: GovernanceEvent): Record<string, unknown>[] | undefined {
  const name = text(event, 'model')
  return name === undefined ? undefined : [{ uid: name, name, type: 'llm-model' }]
}

function observables(event: GovernanceEvent, ipPath: string, keyPath: string): Record<string, unknown>[] | undefined {
  const ip = address(text(event, 'source_ip'))
  const key = text(event, 'key_id')
  const found = [
    ...(ip === undefined ? [] : [{ name: ipPath, type_id: 2, type: 'IP Address', value: ip.text }]),
    ...(key === undefined ? [] : [{ name: keyPath, type_id: 31, type: 'User: Unique ID', value: key }]),
  ]
  return found.length === 0 ? undefined : found
}

/** Removes undefined members. */
function defined(members: Record<string, unknown>): Record<string, unknown> {
  for (const name of Object.keys(members)) if (members[name] === undefined) delete members[name]
  return members
}
