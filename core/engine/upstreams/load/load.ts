import type { Emit } from '../../events/emit.ts'
import type { Upstream } from '../http-upstream.ts'
import { Breaker, type BreakerState, type OpenReason } from './breaker.ts'
import { HealthCheck } from './health-check.ts'
import { KeyPool } from './key-pool.ts'
import { Seats } from './seats.ts'

/** Time after which an old latency counts little, milliseconds. */
const FADE_MS = 30_000
/** Weight of the newest latency. */
const NEWEST = 0.3
/** Latency of an upstream that has requests but no answer yet, milliseconds. */
const UNKNOWN_MS = 1000

/** What one process knows of an upstream: its health, its open requests, how fast it answers. */
export class Load {
  readonly upstream: Upstream
  readonly breaker: Breaker
  readonly seats: Seats | undefined
  readonly keys: KeyPool | undefined
  readonly now: () => number
  /** Its open requests and its latency are needed to choose. */
  isCompared = false
  /** Open requests, counted if `isTracked`. */
  busy = 0
  #latency = 0
  #latencyAt = 0
  readonly #check: HealthCheck | undefined
  /** Copies of requests, by what became of them. */
  #mirrored: Map<string, number> | undefined = undefined

  constructor(upstream: Upstream, emit: Emit, now: () => number = () => performance.now()) {
    const { config, name } = upstream
    const { max_concurrent: limit, max_waiting: waiting, max_wait_seconds: wait, keys, health_check: check } = config
    this.upstream = upstream
    this.now = now
    this.breaker = new Breaker(config.breaker, check !== undefined, now, (reason) =>
      this.#onBreaker(emit, name, reason),
    )
    this.seats = limit === undefined ? undefined : new Seats(limit, waiting, wait * 1000)
    this.keys = keys === undefined ? undefined : new KeyPool(config, keys)
    this.#check = check === undefined ? undefined : new HealthCheck(upstream, check, this.breaker)
  }

  /** Starts what runs besides requests. */
  start(): void {
    this.#check?.start()
  }

  close(): void {
    this.#check?.close()
  }

  countMirrored(result: string): void {
    this.#mirrored ??= new Map()
    this.#mirrored.set(result, (this.#mirrored.get(result) ?? 0) + 1)
  }

  /** Requests need a `Seat`. */
  get isTracked(): boolean {
    return this.isCompared || this.seats !== undefined
  }

  /** The head of an answer came. */
  answered(status: number): void {
    const { breaker } = this
    if (status >= 500) breaker.failure()
    // Busy is not broken, but no sign of health either.
    else if ((status !== 429 && status !== 408) || breaker.state !== 'closed') breaker.success()
  }

  noteLatency(ms: number): void {
    const now = this.now()
    const old = this.#faded(now)
    this.#latency = old === 0 ? ms : old + (ms - old) * NEWEST
    this.#latencyAt = now
  }

  /** Average time to the head of an answer, milliseconds; 0 if unknown. Falls with time, so that a slow one is tried again. */
  get latency(): number {
    return this.#faded(this.now())
  }

  #faded(now: number): number {
    if (this.#latency === 0) return 0
    const share = Math.exp((this.#latencyAt - now) / FADE_MS)
    return share < 0.01 ? 0 : this.#latency * share
  }

  /** Expected wait of one more request, for comparison. */
  get cost(): number {
    const { latency } = this
    return latency === 0 ? this.busy * UNKNOWN_MS : latency * (this.busy + 1)
  }

  #onBreaker(emit: Emit, name: string, reason: OpenReason | undefined): void {
    if (reason === undefined) emit('upstream.closed', { upstream: name })
    else emit('upstream.opened', { upstream: name, reason, failures: this.breaker.failures })
  }

  /** As the status route shows it. */
  get status(): UpstreamStatus {
    const { breaker, seats, keys, upstream } = this
    const now = this.now()
    return {
      name: upstream.name,
      state: breaker.state,
      since: new Date(breaker.since).toISOString(),
      failures_in_row: breaker.failures,
      ...(this.isTracked && { open_requests: this.busy }),
      ...(seats !== undefined && { max_concurrent: seats.limit, waiting: seats.waiting }),
      ...(this.isCompared && { latency_ms: Math.round(this.latency) }),
      ...(keys !== undefined && { keys: keys.size, keys_resting: keys.resting(now) }),
      ...(this.#mirrored !== undefined && { mirrored: Object.fromEntries(this.#mirrored) }),
    }
  }
}

export interface UpstreamStatus {
  readonly name: string
  readonly state: BreakerState
  /** Time of the last change. */
  readonly since: string
  readonly failures_in_row: number
  readonly open_requests?: number
  readonly max_concurrent?: number
  readonly waiting?: number
  readonly latency_ms?: number
  readonly keys?: number
  readonly keys_resting?: number
  /** Copies of requests to this upstream as a `mirror`, by result, and those that were not made, by reason. */
  readonly mirrored?: Readonly<Record<string, number>>
}

/** Upstreams that are kept over a reload keep what is known of them. */
export function openLoads(
  upstreams: ReadonlyMap<string, Upstream>,
  previous: ReadonlyMap<string, Load> | undefined,
  emit: Emit,
): Map<string, Load> {
  const loads = new Map<string, Load>()
  for (const [name, upstream] of upstreams) {
    const known = previous?.get(name)
    loads.set(name, known?.upstream === upstream ? known : new Load(upstream, emit))
  }
  return loads
}

/** Closes those that `kept` does not have. */
export function closeLoads(loads: ReadonlyMap<string, Load>, kept?: ReadonlyMap<string, Load>): void {
  for (const [name, load] of loads) if (kept?.get(name) !== load) load.close()
}
