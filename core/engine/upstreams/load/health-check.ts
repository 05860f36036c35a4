import type { UpstreamConfig } from '../../config/types.ts'
import type { Upstream } from '../http-upstream.ts'
import type { Source } from '../source.ts'
import type { Breaker } from './breaker.ts'

const EMPTY = Buffer.alloc(0)

/** Asks an upstream from time to time whether it serves. */
export class HealthCheck {
  readonly #upstream: Upstream
  readonly #config: NonNullable<UpstreamConfig['health_check']>
  readonly #breaker: Breaker
  #timer: NodeJS.Timeout | undefined = undefined
  #source: Source | undefined = undefined
  #closed = false

  constructor(upstream: Upstream, config: NonNullable<UpstreamConfig['health_check']>, breaker: Breaker) {
    this.#upstream = upstream
    this.#config = config
    this.#breaker = breaker
  }

  start(): void {
    if (this.#closed || this.#timer !== undefined || this.#source !== undefined) return
    this.#timer = setTimeout(() => this.#ask(), this.#config.interval_seconds * 1000).unref()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#source?.abort()
  }

  #ask(): void {
    let isOver = false
    const over = (isHealthy: boolean) => {
      if (isOver || this.#closed) return
      isOver = true
      clearTimeout(this.#timer)
      this.#source?.abort()
      this.#timer = this.#source = undefined
      if (isHealthy) this.#breaker.success()
      else this.#breaker.failure()
      this.start()
    }
    this.#timer = setTimeout(() => over(false), this.#config.timeout_seconds * 1000).unref()
    this.#breaker.begin()
    const { path } = this.#config
    const headers = { accept: 'application/json', ...this.#upstream.headers }
    try {
      this.#source = this.#upstream.send(
        { method: 'GET', path, headers, body: EMPTY },
        {
          onHeaders: (status) => over(status < 500 && status !== 429),
          onData: () => {},
          onEnd: () => {},
          onError: () => over(false),
        },
      )
      if (isOver) this.#source = undefined
    } catch {
      over(false)
    }
  }
}
