import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../engine/contract/plugin.ts'
import type { Store } from '../engine/contract/store.ts'
import { isToldElsewhere } from '../engine/contract/store-errors.ts'
import { errorName } from '../engine/util/outside.ts'

export interface SingletonOptions {
  /** How long the work of a holder that died stays undone at the most, milliseconds, default 15,000. */
  readonly leaseMs?: number
  /** How often a holder prolongs, and others look, milliseconds, default 5,000. */
  readonly renewMs?: number
  /** First pause after work that failed; it doubles up to 30 s. Default 100. */
  readonly pauseMs?: number
}

const LONGEST_PAUSE_MS = 30_000

/** Work that one process at a time does, of all that share the store; another takes over when that one dies. */
export class Singleton {
  readonly #store: Store
  readonly #name: string
  readonly #holder: string
  readonly #run: (signal: AbortSignal) => Promise<void>
  readonly #log: Log
  readonly #leaseMs: number
  readonly #renewMs: number
  readonly #pauseMs: number
  readonly #stop = new AbortController()
  #done: Promise<void> = Promise.resolve()

  constructor(
    store: Store,
    name: string,
    holder: string,
    run: (signal: AbortSignal) => Promise<void>,
    log: Log,
    { leaseMs = 15_000, renewMs = 5_000, pauseMs = 100 }: SingletonOptions = {},
  ) {
    this.#store = store
    this.#name = name
    this.#holder = holder
    this.#run = run
    this.#log = log
    this.#leaseMs = leaseMs
    this.#renewMs = renewMs
    this.#pauseMs = pauseMs
  }

  start(): void {
    this.#done = this.#loop()
  }

  /** Settles when the work has ended and the lock is free. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#done
  }

  async #loop(): Promise<void> {
    const { signal } = this.#stop
    let pause = this.#pauseMs
    while (!signal.aborted) {
      const began = performance.now()
      const held = await this.#acquire().catch(() => false)
      if (held) await this.#hold(began)
      if (signal.aborted) return
      // Who waits for the lock asks steadily; work that ends early or fails is not begun again at once.
      if (!held) await sleep(this.#renewMs, signal)
      else {
        if (performance.now() - began > this.#leaseMs) pause = this.#pauseMs
        await sleep(pause, signal)
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
      }
    }
  }

  /** Runs the work for as long as the lock is ours: until somebody else has it, or nobody could say for a lease. */
  async #hold(since: number): Promise<void> {
    const lost = new AbortController()
    let sure = since
    const timer = setInterval(() => {
      const asked = performance.now()
      this.#acquire().then(
        (ours) => {
          if (ours) sure = asked
          else lost.abort()
        },
        () => {
          if (performance.now() + this.#renewMs > sure + this.#leaseMs) lost.abort()
        },
      )
    }, this.#renewMs)
    let failure: unknown
    try {
      await this.#run(AbortSignal.any([this.#stop.signal, lost.signal]))
    } catch (error) {
      failure = error ?? new Error('unknown')
    }
    clearInterval(timer)
    await this.#store.release(this.#name, this.#holder).catch(() => false)
    const silent = failure === undefined || isToldElsewhere(failure, this.#store)
    // With its error: one of the store may belong to an outage that nobody has noticed yet.
    if (!silent) this.#log.error({ work: this.#name, error: errorName(failure), err: failure }, 'work failed')
  }

  #acquire(): Promise<boolean> {
    return this.#store.acquire(this.#name, this.#holder, this.#leaseMs)
  }
}

/** Ends early, and as well, when the signal aborts. */
const sleep = (ms: number, signal: AbortSignal): Promise<void> => delay(ms, undefined, { signal }).catch(() => {})
