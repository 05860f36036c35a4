import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../engine/contract/plugin.ts'
import type { Store } from '../engine/contract/store.ts'
import { isToldElsewhere } from '../engine/contract/store-errors.ts'
import { errorName } from '../engine/util/outside.ts'

export interface SingletonOptions {
  /** Longest gap after the holder died, milliseconds, default 15,000. */
  readonly leaseMs?: number
  /** Interval at which the holder renews and others check, milliseconds, default 5,000. */
  readonly renewMs?: number
  /** First pause after failed work; doubles up to 30 s. Default 100. */
  readonly pauseMs?: number
}

const LONGEST_PAUSE_MS = 30_000

/** Work done by one of the processes that share a store; another takes over if it dies. */
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

  /** Settles when the work ended and the lock is free. */
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
      // Polls for the lock at a constant rate; pauses before restarting work that ended early or failed.
      if (!held) await sleep(this.#renewMs, signal)
      else {
        if (performance.now() - began > this.#leaseMs) pause = this.#pauseMs
        await sleep(pause, signal)
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
      }
    }
  }

  /** Runs the work while the lock is ours, until another process takes it or a whole lease passes without an answer. */
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
    // Pass the error: it may be part of an outage not detected yet.
    if (!silent) this.#log.error({ work: this.#name, error: errorName(failure), err: failure }, 'work failed')
  }

  #acquire(): Promise<boolean> {
    return this.#store.acquire(this.#name, this.#holder, this.#leaseMs)
  }
}

/** Resolves early if the signal aborts. */
const sleep = (ms: number, signal: AbortSignal): Promise<void> => delay(ms, undefined, { signal }).catch(() => {})
