import type { StoreStatus } from '../../engine/contract/store.ts'
import { notJson, StoreError, unavailable } from '../../engine/contract/store-errors.ts'
import { Slots } from '../../engine/util/slots.ts'
import type { Args, Driver, Notice, OpName, Result } from './ops.ts'
import type { Call, Replies } from './protocol.ts'
import { packArgs, unpackResult } from './wire.ts'

export interface CallOptions {
  /** Calls without an answer in this time fail as `unavailable`, milliseconds, default 5000. */
  timeoutMs?: number
  /** Maximum pending calls; further calls fail as `unavailable` at once. Default 50,000. */
  maxPending?: number
  /** For tests: the store's clock, Unix milliseconds. */
  clock?: () => number
}

interface Pending {
  readonly number: number
  readonly name: OpName
  readonly args: unknown
  readonly deadline: number
  resolve(result: unknown): void
  reject(error: StoreError): void
}

/** A call's number combines its slot (low bits) and a call count, so that a late answer cannot match another call. */
const SLOTS = 2 ** 20
const COUNTS = 2 ** 30

/** Limits on batching calls, in time and number. Each message wakes a thread and takes a commit. */
const GATHER_MS = 4
const GATHER_MOST = 256

/**
 * The client's end of `protocol.ts`. Batches calls into messages: one per turn of the event loop, or one for several
 * turns under load. Matches answers, and limits the time and number of calls. Subclasses implement the transport.
 */
export abstract class CallDriver implements Driver {
  abstract readonly kind: Driver['kind']
  abstract readonly reach: Driver['reach']
  status: StoreStatus = { state: 'ready', detail: '' }
  readonly #timeoutMs: number
  readonly #maxPending: number
  readonly #clock: (() => number) | undefined
  readonly #pending = new Slots<Pending>()
  readonly #listeners: ((notice: Notice) => void)[] = []
  #queue: Call[] = []
  #count = 0
  #timer: NodeJS.Timeout | undefined
  #idle: (() => void)[] = []

  constructor({ timeoutMs = 5000, maxPending = 50_000, clock }: CallOptions) {
    this.#timeoutMs = timeoutMs
    this.#maxPending = maxPending
    this.#clock = clock
  }

  /** Sends a message to the owner. */
  protected abstract send(calls: readonly Call[]): void
  abstract close(): Promise<void>

  call<K extends OpName>(name: K, args: Args<K>): Promise<Result<K>> {
    const { state, detail } = this.status
    if (state === 'closed') return Promise.reject(unavailable('The store is closed.'))
    if (state === 'failed') return Promise.reject(new StoreError('corrupt', detail))
    if (state === 'unavailable') return Promise.reject(unavailable(detail))
    if (this.#pending.size >= this.#maxPending) {
      return Promise.reject(unavailable(`The store is overloaded: ${this.#maxPending} calls wait for an answer.`))
    }
    return new Promise<Result<K>>((resolve, reject) => {
      const deadline = performance.now() + this.#timeoutMs
      const pending = { number: 0, name, args, deadline, resolve: resolve as Pending['resolve'], reject }
      this.#count = (this.#count % COUNTS) + 1
      const number = this.#count * SLOTS + this.#pending.add(pending)
      pending.number = number
      const packed = packArgs(name, args)
      this.#enqueue(this.#clock === undefined ? [number, name, packed] : [number, name, packed, this.#clock()])
      if (this.#timer === undefined) this.#watch(this.#timeoutMs)
    })
  }

  listen(listener: (notice: Notice) => void): void {
    this.#listeners.push(listener)
  }

  /** Handles a message from the owner. */
  protected receive([replies, notices]: Replies): void {
    for (const reply of replies) {
      const slot = reply[0] % SLOTS
      const call = this.#pending.get(slot)
      if (call?.number !== reply[0]) continue
      this.#pending.delete(slot)
      if (reply[1] === 1) call.resolve(unpackResult(call.name, reply[2]))
      else call.reject(new StoreError(reply[2], reply[3]))
    }
    for (const notice of notices) this.notify(notice)
    if (this.#pending.size === 0) this.#settled()
  }

  protected notify(notice: Notice): void {
    if (notice.type === 'status') {
      if (this.status.state === 'closed') return
      this.status = notice.status
      if (notice.status.state === 'unavailable') this.drop(unavailable(notice.status.detail))
    }
    for (const listener of this.#listeners) listener(notice)
  }

  /** The owner is gone: pending calls will get no answer. */
  protected drop(error: StoreError): void {
    const calls = this.#pending.values()
    this.#pending.clear()
    this.#queue = []
    for (const call of calls) call.reject(error)
    this.#settled()
  }

  /** Resolves when no call is pending. */
  protected idle(): Promise<void> {
    return this.#pending.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve))
  }

  #enqueue(call: Call): void {
    this.#queue.push(call)
    if (this.#queue.length === 1) this.#gather(0, performance.now() + GATHER_MS)
  }

  /** If the event loop gets new calls with every turn, a delay of a few turns costs nothing. */
  #gather(seen: number, until: number): void {
    setImmediate(() => {
      const { length } = this.#queue
      if (length > seen && length < GATHER_MOST && performance.now() < until) this.#gather(length, until)
      else this.#flush()
    })
  }

  #flush(): void {
    if (this.#queue.length === 0) return
    const queue = this.#queue
    this.#queue = []
    try {
      this.send(queue)
    } catch {
      // One call cannot be cloned: send each alone, so that only that one fails.
      for (const call of queue) this.#sendAlone(call)
    }
  }

  #sendAlone(call: Call): void {
    try {
      this.send([call])
    } catch {
      const slot = call[0] % SLOTS
      this.#pending.get(slot)?.reject(notJson(call[1]))
      this.#pending.delete(slot)
      if (this.#pending.size === 0) this.#settled()
    }
  }

  /** One timer for all calls, set for the next deadline. */
  #watch(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      const now = performance.now()
      let next = Number.POSITIVE_INFINITY
      for (const call of this.#pending.values()) {
        if (call.deadline > now) {
          next = Math.min(next, call.deadline)
          continue
        }
        this.#pending.delete(call.number % SLOTS)
        this.#expire(call)
      }
      if (this.#pending.size === 0) this.#settled()
      else this.#watch(next - now + 1)
    }, ms).unref()
  }

  #expire({ name, args, reject }: Pending): void {
    // The reservation may still be made: cancel it.
    if (name === 'begin') this.#enqueue([0, 'cancel', { id: (args as Args<'begin'>).id }])
    reject(unavailable(`The store did not answer ${name} within ${this.#timeoutMs} ms.`))
  }

  #settled(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const resolve of this.#idle.splice(0)) resolve()
  }
}
