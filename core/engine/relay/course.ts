import { GatewayError } from '../contract/errors.ts'
import { sessionFact } from '../contract/facts.ts'
import type { Candidate } from '../upstreams/candidate.ts'
import { choose } from '../upstreams/load/choice.ts'
import type { PooledKey } from '../upstreams/load/key-pool.ts'
import type { Source } from '../upstreams/source.ts'
import { Backoff } from '../util/backoff.ts'
import { aboveCeiling, isAdmitted } from './ceiling.ts'
import type { ReplyContext } from './context.ts'
import { asGatewayError, failExchange, stopExchange } from './endings.ts'
import { Seat } from './seat.ts'
import type { Trouble } from './trouble.ts'

/** What one attempt needs of its course. */
export interface Turn {
  readonly candidate: Candidate
  readonly course: Course
  readonly seat: Seat | undefined
  readonly key: PooledKey | undefined
}

/** Longest rest of an upstream or a key, whatever the provider says; and the rest after a 429 that says nothing. */
const LONGEST_REST_MS = 60_000
const SHORT_REST_MS = 1000
/** Largest `Retry-After` of a full upstream. */
const MOST_SECONDS = 60

/**
 * The attempts of one exchange until an upstream answers: which is asked first, which next, and the waits in between. A
 * client that leaves ends it at once.
 */
export class Course implements Source {
  readonly #context: ReplyContext
  readonly #candidates: readonly Candidate[]
  readonly #begin: (turn: Turn) => void
  /** Asked since the last wait. */
  #tried: Candidate[] = []
  /** Those that want no other try of this request. */
  readonly #final: Candidate[] = []
  /** Ends the current wait. */
  #cancel: (() => void) | undefined = undefined
  #retries = 0
  #backoff: Backoff | undefined = undefined
  /** May have been charged, and charges once for all attempts with its key: no other may be asked any more. */
  #bound: Turn | undefined = undefined
  /** An earlier attempt may have been charged. */
  mayBeCharged = false

  /** An attempt asks again what its upstream may still be working on. */
  get isRepeat(): boolean {
    return this.#bound !== undefined
  }

  /** @param candidates of one route, by priority; at least one, and the label admits all */
  constructor(context: ReplyContext, candidates: readonly Candidate[], begin: (turn: Turn) => void) {
    this.#context = context
    this.#candidates = candidates
    this.#begin = begin
  }

  start(): void {
    this.#plan.budget.earn()
    this.#seatAny()
  }

  #seatAny(): void {
    const any = this.#choose(true)
    if (any === undefined) this.#refuse()
    else this.#seat(any)
  }

  /** Notes how an attempt went. What it returns makes the next attempt; undefined: there is none. */
  after(turn: Turn, trouble: Trouble): (() => void) | undefined {
    const { candidate, key } = turn
    this.#tried.push(candidate)
    if (!trouble.again) this.#final.push(candidate)
    this.#rest(candidate, key, trouble)
    if (trouble.mayBeCharged) {
      if (!this.#plan.mayChargeTwice) {
        if (!candidate.upstream.config.idempotent) return undefined
        this.#bound ??= turn
      }
      this.mayBeCharged = true
    }
    if (this.#bound !== undefined)
      return this.#afterShortRest(candidate, trouble) ?? this.#sameAgain(candidate, trouble)
    return (
      this.#withNextKey(candidate, trouble) ??
      this.#afterShortRest(candidate, trouble) ??
      this.#elsewhere() ??
      this.#afterBackoff(candidate, trouble)
    )
  }

  get #plan(): Candidate['plan'] {
    return (this.#candidates[0] as Candidate).plan
  }

  #rest({ rest, load }: Candidate, key: PooledKey | undefined, { isBusy, retryAfter }: Trouble): void {
    if (!isBusy && retryAfter === undefined) return
    const until = load.now() + Math.min(LONGEST_REST_MS, retryAfter ?? SHORT_REST_MS)
    if (key === undefined || load.keys === undefined || !isBusy) rest.until = until
    else {
      key.restsUntil = Math.max(until, load.now() + SHORT_REST_MS)
      rest.until = load.keys.freeAt
    }
  }

  /** Each key is asked once: it rests afterwards. */
  #withNextKey(candidate: Candidate, { isBusy }: Trouble): (() => void) | undefined {
    const { load } = candidate
    return isBusy && load.keys !== undefined && load.keys.freeAt <= load.now() ? () => this.#seat(candidate) : undefined
  }

  #afterShortRest(candidate: Candidate, { retryAfter, again }: Trouble): (() => void) | undefined {
    const { retry } = this.#plan
    if (retry === undefined || retryAfter === undefined || !again) return undefined
    if (retryAfter > retry.max_retry_after_seconds * 1000) return undefined
    const hasOthers = this.#bound === undefined && this.#choose(false) !== undefined
    if (!this.#mayRetry(hasOthers)) return undefined
    return () => this.#wait(Math.max(retryAfter, this.#nextWait()), () => this.#seat(candidate))
  }

  #sameAgain(candidate: Candidate, { retryAfter, again }: Trouble): (() => void) | undefined {
    if (!again || retryAfter !== undefined || !this.#mayRetry()) return undefined
    return () => this.#wait(this.#nextWait(), () => this.#seat(candidate))
  }

  #elsewhere(): (() => void) | undefined {
    const next = this.#choose(false)
    return next && (() => this.#seat(next))
  }

  #afterBackoff(candidate: Candidate, { retryAfter, again }: Trouble): (() => void) | undefined {
    const others = this.#candidates.filter((other) => other !== candidate && !this.#final.includes(other))
    // A short Retry-After had its turn, and a long one makes another try useless.
    const isUseful = (again && retryAfter === undefined) || others.some(isOpen)
    if (!isUseful || !this.#mayRetry()) return undefined
    return () =>
      this.#wait(this.#nextWait(), () => {
        this.#tried = [...this.#final]
        this.#seatAny()
      })
  }

  /** Counts a retry if the route allows one more. */
  #mayRetry(spares = false): boolean {
    const { retry, budget } = this.#plan
    if (retry === undefined || this.#retries >= retry.attempts || !budget.spend(spares)) return false
    this.#retries++
    return true
  }

  #nextWait(): number {
    const { first_wait_seconds: first = 0, max_wait_seconds: longest = 0 } = this.#plan.retry ?? {}
    this.#backoff ??= new Backoff({ first: first * 1000, longest: longest * 1000, jitter })
    return this.#backoff.next()
  }

  /**
   * The upstream to ask: of the lowest priority that can answer now, or else one that has room to wait.
   *
   * @param anyway asks one whose breaker is open, or that rests, if all are so
   */
  #choose(anyway: boolean): Candidate | undefined {
    const { x } = this.#context
    const left = this.#candidates.filter((one) => !this.#tried.includes(one) && isAdmitted(x, one))
    const open = left.filter(isOpen)
    return this.#among(open) ?? (anyway && open.length === 0 ? this.#among(left) : undefined)
  }

  #among(open: readonly Candidate[]): Candidate | undefined {
    const free = open.filter(({ load: { seats } }) => seats === undefined || seats.isFree)
    if (free.length > 0) {
      const { priority } = free[0] as Candidate
      const session = this.#context.x.facts.get(sessionFact)?.id
      return choose(
        free.filter((one) => one.priority === priority),
        this.#plan,
        session,
      )
    }
    const queues = open.filter(({ load: { seats } }) => seats?.hasRoom === true)
    return queues.toSorted((a, b) => queueShare(a) - queueShare(b))[0]
  }

  #seat(candidate: Candidate): void {
    const { seats } = candidate.load
    if (seats === undefined) return this.#ask(candidate)
    if (seats.isFree) {
      seats.take()
      return this.#ask(candidate)
    }
    if (!seats.hasRoom) return this.#refuse()
    const { x } = this.#context
    this.#context.source = this
    this.#cancel = seats.wait(x.caller.keyId, (isSeated) => {
      this.#cancel = undefined
      if (!isSeated) return this.#guarded(() => this.#refuse())
      if (this.#context.over || !isAdmitted(x, candidate)) {
        seats.leave()
        return this.#guarded(() => this.#seatAny())
      }
      this.#guarded(() => this.#ask(candidate))
    })
  }

  #wait(ms: number, then: () => void): void {
    this.#context.source = this
    const timer = setTimeout(() => {
      this.#cancel = undefined
      this.#guarded(then)
    }, ms)
    this.#cancel = clearing(timer)
  }

  /** Runs a step that begins outside of the pipeline. */
  #guarded(step: () => void): void {
    if (this.#context.over) return
    try {
      step()
    } catch (error) {
      failExchange(this.#context, asGatewayError(this.#context.x, error))
    }
  }

  #ask(candidate: Candidate): void {
    const { load } = candidate
    const seat = load.isTracked ? new Seat(load) : undefined
    // Providers keep idempotency keys by account.
    const key = this.#bound?.key ?? load.keys?.next(load.now())
    this.#begin({ candidate, course: this, seat, key })
  }

  /** No upstream may be asked: the label rose meanwhile, or all are full. */
  #refuse(): void {
    const { x } = this.#context
    if (!this.#candidates.some((candidate) => isAdmitted(x, candidate))) {
      return stopExchange(this.#context, aboveCeiling(x, this.#candidates))
    }
    const seconds = this.#candidates.map(({ load: { seats } }) => seats?.waitSeconds ?? MOST_SECONDS)
    const message = 'The upstreams of this model are at their limit of concurrent requests.'
    failExchange(this.#context, new GatewayError('GW_BUSY', message, { retryAfter: Math.min(...seconds) }))
  }

  pause(): void {}

  resume(): void {}

  /** Only while it waits; otherwise the upstream is the source. */
  abort(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }
}

/** The second half by chance, so that those who failed together do not come back together. */
const jitter = (wait: number): number => wait * (0.5 + Math.random() / 2)

const clearing = (timer: NodeJS.Timeout) => (): void => clearTimeout(timer)

const isOpen = ({ load, rest }: Candidate): boolean => load.breaker.admits && rest.until <= load.now()

const queueShare = ({ load: { seats } }: Candidate): number => (seats === undefined ? 0 : seats.waiting / seats.limit)
