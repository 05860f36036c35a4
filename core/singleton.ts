import type { Log } from './plugin.ts'
import type { Store } from './store/store.ts'

const LEASE_MS = 15_000
const RENEW_MS = 5_000
const LONGEST_PAUSE_MS = 30_000

/** Work that one process at a time does, of all that share the store; another takes over when that one dies. */
export class Singleton {
  readonly #store: Store
  readonly #name: string
  readonly #holder: string
  readonly #run: (signal: AbortSignal) => Promise<void>
  readonly #log: Log
  readonly #stop = new AbortController()
  #done: Promise<void> = Promise.resolve()

  constructor(store: Store, name: string, holder: string, run: (signal: AbortSignal) => Promise<void>, log: Log) {
    this.#store = store
    this.#name = name
    this.#holder = holder
    this.#run = run
    this.#log = log
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
    let pause = 100
    while (!signal.aborted) {
      const began = Date.now()
      if (await this.#acquire()) await this.#hold()
      if (Date.now() - began > LEASE_MS) pause = 100
      await sleep(Math.min(pause, RENEW_MS), signal)
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
    }
  }

  /** Runs the work for as long as the lock is ours. */
  async #hold(): Promise<void> {
    const { signal } = this.#stop
    const lost = new AbortController()
    const timer = setInterval(() => {
      void this.#acquire().then((ours) => {
        if (!ours) lost.abort()
      })
    }, RENEW_MS)
    try {
      await this.#run(AbortSignal.any([signal, lost.signal]))
    } catch (error) {
      this.#log.error({ work: this.#name, error: error instanceof Error ? error.name : typeof error }, 'work failed')
    } finally {
      clearInterval(timer)
      await this.#store.release(this.#name, this.#holder).catch(() => false)
    }
  }

  #acquire(): Promise<boolean> {
    return this.#store.acquire(this.#name, this.#holder, LEASE_MS).catch(() => false)
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
  })
}
