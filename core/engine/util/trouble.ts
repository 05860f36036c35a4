import type { Log } from '../contract/plugin.ts'

/** Minimum time between lines, milliseconds. */
const EVERY_MS = 60_000

export interface TroubleOptions {
  readonly log: Log
  /** Logged at the start, and once a minute while it continues, with the count since. */
  readonly begins: string
  /** Logged after a quiet minute, with duration and count. */
  readonly ends: string
  readonly level?: 'warn' | 'error'
}

/** Rate-limits log lines about a recurring problem: logs its start, continuation and end. */
export class Trouble {
  readonly #options: TroubleOptions
  #timer: NodeJS.Timeout | undefined = undefined
  #since = 0
  #last = 0
  #total = 0
  #new = 0

  constructor(options: TroubleOptions) {
    this.#options = options
  }

  note(fields: object = {}): void {
    this.#last = performance.now()
    this.#total++
    this.#new++
    if (this.#timer !== undefined) return
    this.#since = this.#last
    this.#tell(fields)
    this.#timer = setInterval(() => this.#look(), EVERY_MS).unref()
  }

  close(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    if (this.#new > 0) return this.#tell({})
    this.close()
    const seconds = Math.round((this.#last - this.#since) / 1000)
    this.#options.log.info({ seconds, times: this.#total }, this.#options.ends)
    this.#total = 0
  }

  #tell(fields: object): void {
    const { log, level = 'warn', begins } = this.#options
    log[level]({ ...fields, times: this.#new }, begins)
    this.#new = 0
  }
}
