import { randomUUID } from 'node:crypto'
import type { GovernanceEvent, Json, Store } from 'governed-gateway'
import { uuid } from 'governed-gateway/kit'
import type { Destination } from './destinations.ts'
import { fail, isOpen, succeed } from './throttle/breaker.ts'
import { emptyState, type State } from './throttle/state.ts'
import { type Decision, digestDue, flush, settle, type ThrottlePolicy, take } from './throttle/throttle.ts'

/** Stored value, by destination. */
type Stored = { v: 1; owner: string; target: string; state: Json }

/** Safe: this version wrote it. */
const stateOf = ({ state }: Stored): State => state as unknown as State

const keyOf = (name: string): string => `mailbox/${name}`

/** Another process took over, so this one's state is stale. */
class TakenOver extends Error {
  override name = 'TakenOver'
}

interface MailboxParts {
  readonly policy: ThrottlePolicy
  readonly store: Store
  /** Instance name in digests. */
  readonly instance: string
}

/**
 * Pending messages of one destination, kept in the store. Only the sending process opens it. It is saved before a
 * message leaves and before the cursor of the log moves.
 */
export class Mailbox {
  readonly destination: Destination
  readonly state: State
  readonly #store: Store
  readonly #policy: ThrottlePolicy
  readonly #instance: string
  readonly #owner = randomUUID()
  #version: number
  #changed = true
  #saving: Promise<void> = Promise.resolve()
  #wake: () => void = () => {}

  private constructor(destination: Destination, around: MailboxParts, state: State, version: number) {
    this.destination = destination
    this.#policy = around.policy
    this.#store = around.store
    this.#instance = around.instance
    this.state = state
    this.#version = version
  }

  static async open(destination: Destination, around: MailboxParts): Promise<Mailbox> {
    const { store } = around
    const found = await store.entry<Stored>(keyOf(destination.name))
    const state = found?.value.v === 1 ? stateOf(found.value) : emptyState()
    // A new address starts without failures.
    if (found?.value.target !== destination.target) succeed(state.breaker)
    const mailbox = new Mailbox(destination, around, state, found?.version ?? 0)
    await mailbox.save()
    return mailbox
  }

  /** Deletes a destination, and returns its undelivered events. */
  static async discard(name: string, store: Store): Promise<{ messages: GovernanceEvent[]; events: number }> {
    const found = await store.get<Stored>(keyOf(name))
    await store.delete(keyOf(name))
    const { outbox, pending } = found === undefined ? emptyState() : stateOf(found)
    return { messages: outbox, events: pending?.count ?? 0 }
  }

  /** Adds events of the log, with one message per cause. */
  take(events: readonly GovernanceEvent[], now: number): Decision[] {
    const wanted = onePerCause(events.filter((event) => this.destination.concerns(event)))
    if (wanted.length === 0) return []
    this.#changed = true
    return wanted.flatMap((event) => take(this.state, event, this.#policy, now) ?? [])
  }

  /** Call when the cursor of the log has passed all added events. */
  acknowledged(): void {
    this.state.seen = {}
  }

  /** The message to send now. Creates a digest first if one is due. */
  next(now: number): GovernanceEvent | undefined {
    const make = { id: uuid, destination: this.destination.name, instance: this.#instance }
    if (flush(this.state, this.#policy, now, make)) this.#changed = true
    return isOpen(this.state.breaker, now) ? undefined : this.state.outbox[0]
  }

  /** Time until something is due, milliseconds. */
  idleMs(now: number): number {
    const { outbox, breaker } = this.state
    const due = [digestDue(this.state, this.#policy), outbox.length > 0 ? breaker.until : undefined]
    // Quiet hours depend on wall-clock time, so check it regularly.
    const times = due.filter((at) => at !== undefined).map((at) => (at > now ? at - now : CHECK_MS))
    return Math.min(CHECK_MS, ...times)
  }

  settle(message: GovernanceEvent, delivered: boolean, gone: boolean, now: number): void {
    this.#changed = true
    if (delivered) succeed(this.state.breaker)
    else fail(this.state.breaker, now, gone)
    settle(this.state, message.id, delivered, now)
  }

  /** Settles when all changes up to now are in the store. */
  save(): Promise<void> {
    this.#saving = this.#saving.then(() => this.#write())
    return this.#saving
  }

  async #write(): Promise<void> {
    if (!this.#changed) return
    this.#changed = false
    const { name, target } = this.destination
    const stored: Stored = { v: 1, owner: this.#owner, target, state: this.state as unknown as Json }
    // Both calls leave together and run in order, so a write in between is detected.
    const [written, entry] = await Promise.all([
      this.#store.set(keyOf(name), stored, { ifVersion: this.#version }),
      this.#store.entry<Stored>(keyOf(name)),
    ])
    if (!written || entry?.value.owner !== this.#owner) throw new TakenOver(`another process sends to '${name}'`)
    this.#version = entry.version
  }

  /** Sets a callback for when there may be something to send. */
  onWake(listener: () => void): void {
    this.#wake = listener
  }

  wake(): void {
    this.#wake()
  }
}

const CHECK_MS = 15_000

/**
 * Reduces events with the same cause in one exchange to one message. A block includes what earlier detections
 * reported. The terminal event comes last and has the best reason. Without a block, a finding says more than its
 * redaction.
 */
function onePerCause(events: readonly GovernanceEvent[]): readonly GovernanceEvent[] {
  const blocks = new Map<string, GovernanceEvent>()
  for (const event of events) {
    if (event.severity === 'block' && typeof event.request_id === 'string') blocks.set(event.request_id, event)
  }
  const found = new Set(events.filter(({ type }) => type.endsWith('.detected')).map(sideOf))
  return events.filter((event) => {
    const block = typeof event.request_id === 'string' ? blocks.get(event.request_id) : undefined
    if (block !== undefined) return block === event
    return !event.type.endsWith('.redacted') || !found.has(sideOf(event))
  })
}

const sideOf = ({ request_id, direction }: GovernanceEvent): string => JSON.stringify([request_id, direction])
