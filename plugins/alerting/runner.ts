import type { AuditConsumer, DescribeEvent, GovernanceEvent, Log, Services, Settings, Store } from 'governed-gateway'
import { AuditCursor, type Clock, deliver } from 'governed-gateway/kit'
import { type DeliveryEntry, entryOf, record } from './delivery-log.ts'
import { type Destination, destinationsOf, throttleOf } from './destinations.ts'
import { isGone } from './judge.ts'
import { Mailbox } from './mailbox.ts'
import type { AlertingSettings } from './schema.ts'
import { send } from './sender.ts'

export interface AlertingDeps {
  readonly store: Store
  /** Instance name in digests. */
  readonly instance: string
  readonly log: Log
  readonly settings: Settings<AlertingSettings>
  readonly fetch: Services['fetch']
  readonly describe: DescribeEvent
  readonly auditLog: () => AuditConsumer
  readonly emit: Services['emit']
  /** Wall clock. */
  readonly clock: Clock
  /** Pause after reading events, milliseconds. Default 100. */
  readonly paceMs?: number
}

/** Events per read, few enough not to delay requests. */
const BATCH = 200
/** Requests share this process, so reading takes at most a twentieth of the time. */
const PACE_MS = 100
const SLOWEST_MS = 1_000
const SHARE = 20
/** How long a running attempt may continue when the gateway stops, milliseconds. */
const GRACE_MS = 2_000
/**
 * Maximum number of waiting events while secrets are unreadable. Without it, undeliverable alerts would grow the log
 * forever.
 */
const MAX_WAITING = 100_000
const CHECK_MS = 60_000
const NAMES = 'destinations'

/** Reads the audit log and sends alerts, in one process. All of its state is in the store. */
export class Runner {
  readonly #around: AlertingDeps

  constructor(around: AlertingDeps) {
    this.#around = around
  }

  /** Runs until the signal aborts; restarts with every change of the settings. */
  async run(signal: AbortSignal): Promise<void> {
    const { settings } = this.#around
    while (!signal.aborted) {
      const changed = new AbortController()
      const stop = settings.onChange(() => changed.abort())
      try {
        await this.#session(settings.current, AbortSignal.any([signal, changed.signal]))
      } finally {
        stop()
      }
    }
  }

  async #session(settings: Readonly<AlertingSettings>, signal: AbortSignal): Promise<void> {
    const { store, instance } = this.#around
    const { unreadable } = this.#around.settings
    if (settings.enabled === true && unreadable.length > 0) return await this.#lock(unreadable, signal)
    const destinations = settings.enabled === true ? destinationsOf(settings) : []
    if (destinations.length === 0) return await this.#dropPending(signal)
    await this.#forget(destinations)
    const policy = throttleOf(settings)
    const mailboxes: Mailbox[] = []
    for (const destination of destinations) mailboxes.push(await Mailbox.open(destination, { policy, store, instance }))
    // The first failure ends all loops; the next session continues from the store.
    const failed = new AbortController()
    const until = AbortSignal.any([signal, failed.signal])
    const work = [this.#read(mailboxes, until), ...mailboxes.map((mailbox) => this.#send(mailbox, settings, until))]
    const settled = work.map((one) =>
      one.catch((error: unknown) => {
        failed.abort()
        throw error
      }),
    )
    const outcomes = await Promise.allSettled(settled)
    const broken = outcomes.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
    if (broken !== undefined) throw broken.reason
  }

  /** Alerting is off: drops pending events after a grace period. If it is enabled again before, alerting continues. */
  async #dropPending(signal: AbortSignal): Promise<void> {
    const { auditLog, clock, store } = this.#around
    const isLeft = async () => ((await store.get<string[]>(NAMES)) ?? []).length > 0
    if (await new AuditCursor(auditLog).retire(signal, { isLeft, clock })) await this.#forget([])
    return aborted(signal)
  }

  /** A url or signing secret cannot be read: alerts wait in the log until an admin PUTs it again. */
  async #lock(fields: readonly string[], signal: AbortSignal): Promise<void> {
    const { auditLog, clock, emit, store } = this.#around
    emit('alert.paused', { reason: 'secret_unreadable', fields: [...fields] })
    const consumer = auditLog()
    try {
      while (!signal.aborted) {
        await clock.sleep(CHECK_MS, signal)
        const { events } = await consumer.backlog()
        if (signal.aborted || events <= MAX_WAITING) continue
        const counted = { id: '', type: 'alert.digest' }
        await record(store, [entryOf(counted, '', 'dropped', clock.now(), { error: 'secret_unreadable' })])
        await consumer.forget()
        return await aborted(signal)
      }
    } finally {
      await consumer.close().catch(() => {})
    }
  }

  /** Moves events from the log to the mailboxes. The cursor moves after the mailboxes are stored. */
  async #read(mailboxes: readonly Mailbox[], signal: AbortSignal): Promise<void> {
    const { auditLog, clock, store, paceMs = PACE_MS } = this.#around
    const consumer = auditLog()
    try {
      while (!signal.aborted) {
        const entries = await consumer.read(BATCH, signal)
        const last = entries.at(-1)
        if (last === undefined) continue
        const began = performance.now()
        const now = clock.now()
        const events = entries.map(({ event }) => event)
        const suppressed = mailboxes.flatMap((mailbox) => suppressions(mailbox, events, now))
        await Promise.all([...mailboxes.map((mailbox) => mailbox.save()), record(store, suppressed)])
        await consumer.ack(last.cursor)
        for (const mailbox of mailboxes) {
          mailbox.acknowledged()
          mailbox.wake()
        }
        const took = performance.now() - began
        const rest = entries.length === BATCH ? took : Math.min(Math.max(paceMs, took * SHARE), SLOWEST_MS)
        if (paceMs > 0) await clock.sleep(rest, signal)
      }
    } finally {
      await consumer.close().catch(() => {})
    }
  }

  /** Sends the messages of one mailbox, one after the other. */
  async #send(mailbox: Mailbox, settings: Readonly<AlertingSettings>, signal: AbortSignal): Promise<void> {
    const { clock } = this.#around
    while (!signal.aborted) {
      const now = clock.now()
      const message = mailbox.next(now)
      if (message === undefined) {
        const woken = new AbortController()
        mailbox.onWake(() => woken.abort())
        await clock.sleep(mailbox.idleMs(now), AbortSignal.any([signal, woken.signal]))
        continue
      }
      await mailbox.save()
      await this.#deliver(mailbox, message, settings, signal)
    }
  }

  async #deliver(
    mailbox: Mailbox,
    message: GovernanceEvent,
    settings: Readonly<AlertingSettings>,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, store, log, emit } = this.#around
    const {
      max_retries: maxRetries = 3,
      retry_backoff_seconds: backoffSeconds = 1,
      timeout_seconds: timeout = 10,
    } = settings
    const { destination } = mailbox
    const grace = graceful(signal)
    const options = { timeoutMs: timeout * 1000, signal: grace.signal, now: clock.now }
    const attempt = () => send(this.#around, destination, message, options)
    const outcome = await deliver({ send: attempt, maxRetries, backoffSeconds, signal, clock }).finally(grace.stop)
    const delivered = outcome.result === 'delivered'
    // The gateway stops, or the settings changed: the next sender continues with this message.
    if (signal.aborted && outcome.result === 'unavailable') return
    mailbox.settle(message, delivered, isGone(outcome), clock.now())
    await mailbox.save()
    const { status, error, attempts, latencyMs } = outcome
    const details = { http_status: status, attempts, latency_ms: latencyMs, error }
    await record(store, [entryOf(message, destination.name, delivered ? 'delivered' : 'failed', clock.now(), details)])
    if (delivered) return
    log.warn({ destination: destination.name, error, status, attempts }, 'an alert could not be delivered')
    emit('alert.failed', {
      destination: destination.name,
      event_id: message.id,
      event_type: message.type,
      ...(status === undefined ? {} : { http_status: status }),
      attempts,
      error: error ?? 'unknown',
    })
  }

  /** Drops pending alerts of removed destinations, and records this in the delivery log. */
  async #forget(destinations: readonly Destination[]): Promise<void> {
    const { store, clock } = this.#around
    const names = destinations.map(({ name }) => name)
    const before = (await store.get<string[]>(NAMES)) ?? []
    if (before.length === names.length && before.every((name) => names.includes(name))) return
    for (const name of before.filter((one) => !names.includes(one))) {
      const { messages, events } = await Mailbox.discard(name, store)
      const now = clock.now()
      const dropped = messages.map((one) => entryOf(one, name, 'dropped', now, { error: 'destination_removed' }))
      const counted = { id: '', type: 'alert.digest' }
      const digest = events === 0 ? [] : [entryOf(counted, name, 'dropped', now, { error: 'destination_removed' })]
      await record(store, [...dropped, ...digest])
    }
    await store.set(NAMES, names)
  }
}

/** For each cause, the first event since the last digest that got no message of its own. */
function suppressions(mailbox: Mailbox, events: readonly GovernanceEvent[], now: number): DeliveryEntry[] {
  return mailbox.take(events, now).flatMap(({ event, as, first }) => {
    if (as === 'message' || !first) return []
    return [
      entryOf(event, mailbox.destination.name, 'suppressed', now, { error: `${as}: included in the next digest` }),
    ]
  })
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Aborts slightly later than `signal`, so that a running attempt can finish. */
function graceful(signal: AbortSignal): { signal: AbortSignal; stop: () => void } {
  const late = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const start = () => {
    timer = setTimeout(() => late.abort(), GRACE_MS)
  }
  if (signal.aborted) start()
  else signal.addEventListener('abort', start, { once: true })
  const stop = () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', start)
  }
  return { signal: late.signal, stop }
}
