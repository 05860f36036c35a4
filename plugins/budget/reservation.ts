import type {
  Exchange,
  GrantedScope,
  Hold,
  Refusal,
  ScopeRequest,
  ScopeState,
  TextView,
  Usage,
  Verdict,
} from 'governed-gateway'
import { inTurns } from 'governed-gateway/kit'
import type { Limit } from './limits.ts'
import { amountOf, completionFor, type Entry, type Rate } from './plan.ts'
import type { Queue } from './queue.ts'
import { BudgetReport, cutReason, refusalDetails, refusalReason, refusalVerdict } from './report.ts'
import { ReservationRequest, type ReservationRequestInit } from './reservation-request.ts'
import type { Room } from './room.ts'
import { TokenCounter } from './token-counter.ts'
import type { Count } from './tokens.ts'
import { type Refused, TopUp, type TopUpInit } from './top-up.ts'

/** Assumed minimum output of an unknown model, so that a maximum below it is never an error. */
export const SAFE_MAXIMUM = 4096

export interface BudgetReservationInit extends TopUpInit {
  readonly queue: Queue
  readonly room: Room
  readonly countPrompt: ReservationRequestInit['countPrompt']
  readonly enforce: boolean
  /** Neither informs the client nor emits events. */
  readonly silent: boolean
  /** Undefined if no limit counts tokens. */
  readonly count: Count | undefined
  /** Longest reply of the model, tokens, if known. */
  readonly ceiling: number | undefined
  /** Price at the provider that answered. */
  rateOf(x: Exchange): Rate
  readonly watcher: Watcher
}

/** Called for every exchange. */
export interface Watcher {
  granted(entries: readonly Entry[]): void
  /** The limit with what an admin added to this meter. */
  raised(key: string, limit: Limit): Limit
  /** Called after the last write. */
  settled(entries: readonly Entry[], states: readonly ScopeState[]): void
}

interface Explained extends Refused {
  readonly reason: string
}

/** Whether a model was used, or may have been. */
export const isUsed = ({ reply: { outcome, progress } }: Exchange): boolean =>
  outcome !== 'answered' && (progress === 'sent' || progress === 'begun')

/** The reservation of one exchange, until its settlement. */
export class BudgetReservation {
  readonly #x: Exchange
  readonly #init: BudgetReservationInit
  readonly #claim: ReservationRequest
  readonly #hold: Hold
  readonly #written: TokenCounter | undefined
  readonly #report: BudgetReport
  #growth: TopUp | undefined = undefined
  #refusal: Explained | undefined = undefined

  constructor(x: Exchange, init: BudgetReservationInit) {
    this.#x = x
    this.#init = init
    this.#written = init.count && new TokenCounter(init.count)
    this.#report = new BudgetReport(init.entries)
    const claim = new ReservationRequest(x, {
      ...init,
      maxWaitMs: x.mirrorOf === undefined ? init.options.wait_seconds * 1000 : 0,
    })
    this.#claim = claim
    // Without a limit, nothing is recorded as refused.
    const unlimited = (scope: ScopeRequest) => ({ ...scope, limit: Number.MAX_SAFE_INTEGER })
    this.#hold = x.reserve({
      scopes: init.silent ? claim.scopes.map(unlimited) : claim.scopes,
      enforce: init.enforce,
      again: (refusal) => claim.again(refusal),
      refused: (refusal) => this.#refused(refusal),
      granted: (scopes) => this.#granted(scopes),
    })
  }

  get enforced(): boolean {
    return this.#hold.enforced
  }

  #refused(refusal: Refusal): Verdict {
    const entry = this.#init.entries.find(({ key }) => key === refusal.key) as Entry
    const { rate, prompt, least, choices } = this.#claim.plan
    const needed = { ...refusal, needed: amountOf(entry.limit, rate, { prompt, completion: least * choices }) }
    if (this.enforced) this.#refusal = { entry, refusal, reason: refusalReason(entry, needed) }
    return refusalVerdict(entry, needed, this.#init.options.status)
  }

  #granted(scopes: readonly GrantedScope[]): void {
    const { entries, silent, count, watcher, queue, room } = this.#init
    const { plan } = this.#claim
    watcher.granted(entries)
    room.note(scopes)
    // The rest may be enough for the next waiting request.
    for (const { key, left } of scopes) if (left > 0) queue.wake(key)
    if (!silent) this.#report.tellHeaders(this.#x, scopes)
    if (count === undefined) return
    const granted = new Map(scopes.map((scope) => [scope.key, scope]))
    const held = this.#fits((key) => granted.get(key)?.granted ?? 0)
    const left = this.#fits((key, limit) => limit.amount - (granted.get(key)?.spent ?? 0))
    if (this.enforced) this.#cap(Math.floor(held / plan.choices), Math.floor(left / plan.choices))
    if (!this.#x.request.stream) return
    const tokens = Math.min(held, plan.most * plan.choices)
    this.#growth = new TopUp(this.#x, this.#hold, this.#init, tokens, () => this.#overrun())
  }

  /** Completion tokens that the amounts by scope pay for. */
  #fits(amount: (key: string, limit: Limit) => number): number {
    const { rate, prompt } = this.#claim.plan
    const fits = this.#init.entries.map(({ limit, key }) => completionFor(limit, rate, prompt, amount(key, limit)))
    return Math.min(...fits)
  }

  /**
   * Lowers the provider's maximum to the granted amount. A request without its own maximum may exceed the grant,
   * but never what the limit has left.
   */
  #cap(held: number, left: number): void {
    const { options, ceiling = SAFE_MAXIMUM } = this.#init
    const { plan } = this.#claim
    const { request } = this.#x
    if (held < plan.most) return request.capOutputTokens(Math.max(1, held))
    if (request.maxOutputTokens !== undefined) return
    if (options.cap_unbounded && !request.stream) request.capOutputTokens(plan.most)
    else if (left < ceiling) request.capOutputTokens(Math.max(1, left))
  }

  /** Counts generated text; a promise if the reply must wait for the store. */
  onChunk(views: readonly TextView[]): Promise<void> | undefined {
    const written = this.#written
    if (written === undefined) return undefined
    const { reply, request } = this.#x
    // A buffered reply has its usage, or is counted once.
    if (!request.stream && reply.usage !== undefined) return undefined
    const turns = inTurns(views, this.#x, written.adding(views))
    const grow = () => this.#growth?.grow(written.tokens(reply.held))
    return turns === undefined ? grow() : Promise.resolve(turns).then(grow)
  }

  #overrun(): void {
    this.#x.reply.truncate()
    // Without a refusal the store failed, and the log says so.
    const refused = this.#growth?.refusal
    if (refused === undefined) return
    this.#exceeded({ ...refused, reason: cutReason(refused.entry, refused.refusal) }, 'reply')
  }

  #exceeded({ entry, refusal, reason }: Explained, phase: 'request' | 'reply'): void {
    const subject = entry.subject.slice(0, 256)
    this.#x.emit('budget.exceeded', { ...refusalDetails(entry, refusal), subject, phase, reason })
  }

  /** Charges actual use: the provider's figures, otherwise our count; a promise if the prompt must be counted in turns. */
  close(): Promise<void> | undefined {
    if (this.#refusal !== undefined) this.#exceeded(this.#refusal, 'request')
    if (!isUsed(this.#x)) {
      this.#settle(() => 0)
      return undefined
    }
    const counting = this.#x.reply.usage === undefined ? this.#claim.countPrompt() : undefined
    if (counting !== undefined) return counting.then(() => this.#charge())
    this.#charge()
    return undefined
  }

  #charge(): void {
    const { prompt } = this.#claim.plan
    if (this.#written !== undefined) this.#x.reply.estimateUsage(prompt, this.#written.total(this.#x.reply.held))
    const usage: Usage = this.#x.reply.usage ?? { prompt: 0, completion: 0, estimated: true }
    const rate = this.#init.rateOf(this.#x)
    this.#settle(({ limit }) => amountOf(limit, rate, usage))
  }

  #settle(amount: (entry: Entry) => number): void {
    const { entries, silent, watcher, queue, room } = this.#init
    const used: Record<string, number> = {}
    for (const entry of entries) used[entry.key] = amount(entry)
    this.#hold.settle(used, (states) => {
      if (!silent && this.#refusal === undefined) {
        this.#report.writeService(this.#x, states)
        this.#report.tellHeaders(this.#x, states)
      }
      room.note(states)
      watcher.settled(entries, states)
      for (const { key } of entries) queue.wake(key)
    })
  }
}
