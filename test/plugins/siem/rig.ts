/** The deliverer on a real store, with a receiver that is a function and time that passes only by waiting. */
import type { AuditConsumer, FetchInit, FetchReply, GovernanceEvent, Services, Severity } from 'governed-gateway'
import type { Clock } from 'governed-gateway/kit'
import { EgressError } from 'governed-gateway/kit'
import { checkAgainst } from '../../../core/engine/config/validate.ts'
import type { JsonObject, Store } from '../../../core/engine/contract/store.ts'
import { describeCore } from '../../../core/engine/events/description.ts'
import { AUDIT, auditConsumer } from '../../../core/services/audit/audit-log.ts'
import { openStore } from '../../../core/services/store/open.ts'
import { DeadLetterLog } from '../../../plugins/siem/delivery/dead-letter-log.ts'
import { Deliverer } from '../../../plugins/siem/delivery/deliverer.ts'
import { readStatus } from '../../../plugins/siem/delivery/status.ts'
import { type SiemSettings, settingsSchema } from '../../../plugins/siem/settings.ts'
import { fetched } from '../../helpers/fetched.ts'

export interface Call {
  readonly url: string
  readonly init: FetchInit
  readonly events: GovernanceEvent[]
  /** Of the clock, milliseconds. */
  readonly at: number
}

/** A status, or a failure of the network. */
export type Answer = number | { status: number; headers?: Record<string, string>; body?: string } | 'down'

export interface Rig {
  readonly store: Store
  readonly calls: Call[]
  readonly emitted: { type: string; [key: string]: unknown }[]
  readonly deadLetter: DeadLetterLog
  readonly overflow: DeadLetterLog
  readonly clock: Clock & { elapsed: number }
  readonly deliverer: Deliverer
  answer: (call: Call) => Answer | Promise<Answer>
  append(...events: GovernanceEvent[]): Promise<void>
  set(change: Partial<SiemSettings>): void
  status(): ReturnType<typeof readStatus>
  consumer(): AuditConsumer
  /** Settles when `met` is true. */
  until(met: () => boolean | Promise<boolean>): Promise<void>
  /** Delivered events so far, in order of arrival. */
  received(): string[]
  start(): void
  stop(): Promise<void>
}

export interface RigOptions {
  readonly settings?: Partial<SiemSettings>
  readonly store?: Store
  readonly most?: number
  readonly fastest?: number
  readonly deadLetters?: number
  readonly overflow?: number
  readonly keepMs?: number
}

/** An array, or lines of which every other one is an event. */
const eventsOf = (body: string): GovernanceEvent[] =>
  body.startsWith('[')
    ? JSON.parse(body)
    : body
        .trimEnd()
        .split('\n')
        .flatMap((line, i) => (i % 2 === 1 ? [JSON.parse(line)] : []))

const ok = (answer: Answer): boolean => {
  const status = typeof answer === 'object' ? answer.status : answer
  return typeof status === 'number' && status < 300
}

export async function startRig(options: RigOptions = {}): Promise<Rig> {
  const store = options.store ?? (await openStore('memory', { instance: 'gw-1' }))
  const own = store.namespace('siem')
  const settings: { current: SiemSettings } = { current: effective(options.settings) }
  const calls: Call[] = []
  const delivered: string[] = []
  const emitted: Rig['emitted'] = []
  const clock = {
    elapsed: 0,
    now: () => clock.elapsed,
    sleep: async (ms: number, signal: AbortSignal) => {
      await new Promise((resolve) => setImmediate(resolve))
      if (!signal.aborted) clock.elapsed += ms
    },
  }
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const services = {
    auditLog: ({ group, from } = {}) =>
      auditConsumer(store, 'siem', { ...(group && { group }), ...(from && { from }) }),
    settings: {
      get current() {
        return settings.current
      },
      unreadable: [],
      onChange: () => () => {},
    },
    store: own,
    log,
    describe: describeCore,
    emit: (type: string, payload: object) => void emitted.push({ type, ...payload }),
    connect: () => Promise.reject(new Error('no sockets here')),
    async fetch(url: string, init: FetchInit): Promise<FetchReply> {
      const call = { url, init, events: eventsOf(String(init.body)), at: clock.elapsed }
      calls.push(call)
      const answer = await rig.answer(call)
      if (ok(answer)) delivered.push(...call.events.map(({ id }: GovernanceEvent) => id))
      if (answer === 'down') throw EgressError.failed('refused')
      const { status, headers = {}, body = '' } = typeof answer === 'number' ? { status: answer } : answer
      return fetched(status, body, headers)
    },
  } as Pick<
    Services<SiemSettings>,
    'auditLog' | 'describe' | 'fetch' | 'connect' | 'settings' | 'store' | 'log' | 'emit'
  >
  const deadLetter = new DeadLetterLog(own, 'dead-letter', options.deadLetters ?? 1000)
  const overflow = new DeadLetterLog(own, 'overflow', options.overflow ?? 1000)
  const deliverer = new Deliverer({
    services,
    deadLetter,
    overflow,
    timeoutMs: 1000,
    fastest: options.fastest ?? 100,
    most: options.most ?? 100_000,
    clock,
    ...(options.keepMs !== undefined && { keepMs: options.keepMs }),
  })
  const stop = new AbortController()
  let running = Promise.resolve()
  const rig: Rig = {
    store,
    calls,
    emitted,
    deadLetter,
    overflow,
    clock,
    deliverer,
    answer: () => 200,
    append: (...events) => store.append(AUDIT, events as unknown as JsonObject[]),
    set(change) {
      settings.current = { ...settings.current, ...change }
      deliverer.nudge()
    },
    status: () => readStatus(own),
    consumer: () => services.auditLog({}),
    async until(met) {
      while (!(await met())) await new Promise((resolve) => setImmediate(resolve))
    },
    received: () => [...delivered],
    start() {
      running = deliverer.run(stop.signal)
      running.catch(() => {})
    },
    async stop() {
      stop.abort()
      await running
    },
  }
  await deliverer.prepare()
  return rig
}

function effective(given: Partial<SiemSettings> = {}): SiemSettings {
  const base = {
    enabled: true,
    url: 'https://siem.example/hook',
    buffer_size: 10,
    flush_interval_seconds: 0.1,
    ...given,
  }
  const { problems } = checkAgainst(settingsSchema, base)
  if (problems.length > 0) throw new Error(JSON.stringify(problems))
  return base as SiemSettings
}

let made = 0

export function event(type = 'request.completed', severity: Severity = 'info', more: object = {}): GovernanceEvent {
  const id = `event-${String(++made).padStart(6, '0')}`
  return { id, type, severity, time: new Date().toISOString(), schema_version: 1, ...more }
}

export const events = (count: number, type?: string, severity?: Severity): GovernanceEvent[] =>
  Array.from({ length: count }, () => event(type, severity))

export const idsOf = (list: readonly GovernanceEvent[]): string[] => list.map(({ id }) => id)
