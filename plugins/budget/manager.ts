import { type CallerLimit, defineFact, type Exchange, limitsFact, type Target, type Verdict } from 'governed-gateway'
import { isPlainName } from 'governed-gateway/kit'
import { type BudgetOptions, type Limit, limitsOfCaller, type ModelNames, meterKey } from './limits.ts'
import { amountOf, dollarsOf, type Entry, type Plan, type Rate } from './plan.ts'
import { ceilingOf, dearest, Prices } from './prices.ts'
import { mostPromptTokens, promptTokens } from './prompt.ts'
import { Queue } from './queue.ts'
import { budgetVerdict } from './report.ts'
import { BudgetReservation, isUsed, SAFE_MAXIMUM, type Watcher } from './reservation.ts'
import { Room } from './room.ts'
import { TokenMemo } from './token-memo.ts'
import { type Count, loadTokenizer, tokenizer } from './tokens.ts'

/** A fact of the exchange: a WeakMap with thousands of short-lived entries costs the garbage collector too much. */
const reservationFact = defineFact<BudgetReservation>('budget/reservation')
/** Longer than the reply of any model. A larger maximum, times choices and price, must stay a whole number. */
const MAX_REPLY_TOKENS = 10_000_000
const FREE: Rate = { input: 0, cached: 0, cacheWrite: 0, cacheWriteHour: 0, output: 0 }

/** Creates a reservation for each exchange that a limit concerns. */
export class BudgetManager {
  readonly #options: BudgetOptions
  readonly #limits: readonly Limit[]
  readonly #prices: Prices
  readonly #watcher: Watcher
  readonly #queue = new Queue()
  readonly #room = new Room()
  readonly #memo = new TokenMemo()
  /** Limits that callers brought, by the array in which they came. */
  readonly #own = new WeakMap<readonly CallerLimit[], readonly Limit[]>()

  constructor(options: BudgetOptions, limits: readonly Limit[], watcher: Watcher) {
    this.#options = options
    this.#limits = limits
    this.#prices = new Prices(options)
    this.#watcher = watcher
  }

  /** Whether any limit counts tokens or cost. */
  get counts(): boolean {
    return this.#limits.some(({ unit }) => unit !== 'requests')
  }

  accountOf(x: Exchange): BudgetReservation | undefined {
    return x.facts.get(reservationFact)
  }

  /** Reserves for an exchange; a promise if the prompt is long, or the first to be counted. */
  open(x: Exchange): Verdict | undefined | Promise<Verdict | undefined> {
    const asked = x.request.model
    // All targets of a route get the same model name.
    const model = { asked, sent: x.request.targets[0]?.model ?? asked }
    const entries: Entry[] = []
    for (const limit of this.#limits) this.#add(x, limit, model, entries)
    const own = x.facts.get(limitsFact)
    if (own !== undefined) for (const limit of this.#ownLimits(own)) this.#add(x, limit, model, entries)
    const flag = x.request.stored ? undefined : x.flag('budget')
    if (entries.length === 0 && typeof flag !== 'number') return undefined
    if (typeof flag !== 'number' && entries.every(({ limit }) => limit.unit === 'requests')) {
      return this.#enter(x, entries, 0, undefined)
    }
    x.request.wantUsage()
    const count = tokenizer()
    if (count === undefined) return this.#countFirst(x, entries)
    const most = typeof flag === 'number' ? undefined : this.#mostPrompt(x, entries, count)
    if (most !== undefined) return this.#enter(x, entries, most, count, () => this.#promptTokens(x, count))
    const prompt = this.#promptTokens(x, count)
    if (typeof prompt === 'number') return this.#enter(x, entries, prompt, count)
    return prompt.then((tokens) => this.#enter(x, entries, tokens, count))
  }

  #add(x: Exchange, limit: Limit, model: ModelNames, entries: Entry[]): void {
    // No model runs for a stored reply, so it uses neither tokens nor money.
    if (x.request.stored && limit.unit !== 'requests') return
    // The caller did not ask for the copy: it uses tokens and money, but no request of the caller's limits.
    if (x.mirrorOf !== undefined && limit.unit === 'requests') return
    const subject = limit.subject(x.caller, model)
    if (subject === undefined) return
    const key = meterKey(limit, subject)
    entries.push({ limit: this.#watcher.raised(key, limit), subject, key })
  }

  #ownLimits(own: readonly CallerLimit[]): readonly Limit[] {
    const known = this.#own.get(own)
    if (known !== undefined) return known
    const limits = limitsOfCaller(own)
    this.#own.set(own, limits)
    return limits
  }

  async #countFirst(x: Exchange, entries: readonly Entry[]): Promise<Verdict | undefined> {
    const count = await loadTokenizer()
    return this.#enter(x, entries, await this.#promptTokens(x, count), count)
  }

  /** The most that the prompt can have, if that is little compared to what the limits have left, so that no request waits for it. */
  #mostPrompt(x: Exchange, entries: readonly Entry[], count: Count): number | undefined {
    // A stream reports what is left before it ends.
    if (x.request.stream) return undefined
    const prompt = mostPromptTokens(x.request.prompt)
    const ceiling = this.#ceiling(x)
    const { rate, most, choices } = this.#plan(x, prompt, count, ceiling)
    const completion = Math.max(most, ceiling ?? SAFE_MAXIMUM) * choices
    const isAmple = this.#room.isAmple(entries, ({ limit }) => amountOf(limit, rate, { prompt, completion }))
    return isAmple ? prompt : undefined
  }

  #promptTokens(x: Exchange, count: Count): number | Promise<number> {
    return promptTokens(x.request.prompt, count, this.#memo.of(x.caller.keyId))
  }

  #enter(
    x: Exchange,
    entries: readonly Entry[],
    prompt: number,
    count: Count | undefined,
    countPrompt?: () => number | Promise<number>,
  ): Verdict | undefined {
    const flag = x.flag('budget')
    const ceiling = count && this.#ceiling(x)
    const plan = this.#plan(x, prompt, count, ceiling)
    const account = new BudgetReservation(x, {
      ...{ entries, count, ceiling, options: this.#options, watcher: this.#watcher, queue: this.#queue },
      ...{ room: this.#room, countPrompt },
      plan: { ...plan, ...this.#capped(plan, flag) },
      cap: typeof flag === 'number' ? flag - prompt : undefined,
      enforce: flag !== 'warn' && flag !== 'off',
      silent: flag === 'off',
      rateOf: (answered) => this.#rateOf(answered, plan.rate),
    })
    x.facts.set(reservationFact, account)
    if (typeof flag === 'number') {
      const refused = this.#cap(x, account, plan, flag, ceiling)
      if (refused !== undefined) return refused
    }
    return account.enforced ? this.#unpriced(x, entries) : undefined
  }

  #plan(x: Exchange, prompt: number, count: Count | undefined, ceiling: number | undefined): Plan {
    const { default_completion_tokens: standard, min_completion_tokens: minimum } = this.#options
    const { choices, maxOutputTokens } = x.request
    if (count === undefined) return { prompt, choices, most: 0, least: 0, rate: FREE }
    const most = Math.min(maxOutputTokens ?? standard, ceiling ?? MAX_REPLY_TOKENS)
    const rates = x.request.targets.map((target) => this.#prices.of(target) ?? FREE)
    return { prompt, choices, most, least: Math.min(most, minimum), rate: dearest(rates) }
  }

  /** Longest reply of all possible models, tokens; undefined if one is unknown. */
  #ceiling(x: Exchange): number | undefined {
    const ceilings = x.request.targets.map(({ model }) => ceilingOf(model))
    return ceilings.reduce<number | undefined>(
      (most, one) => (most === undefined || one === undefined ? undefined : Math.max(most, one)),
      ceilings.length === 0 ? undefined : 0,
    )
  }

  /** Room for the reply under the request's flag. */
  #capped({ prompt, choices, most, least }: Plan, flag: string | number | undefined): Partial<Plan> {
    if (typeof flag !== 'number') return {}
    const each = Math.max(0, Math.floor((flag - prompt) / choices))
    return { most: Math.min(most, each), least: Math.min(least, each) }
  }

  #cap(
    x: Exchange,
    { enforced }: BudgetReservation,
    { prompt, choices, least }: Plan,
    cap: number,
    ceiling = Number.POSITIVE_INFINITY,
  ): Verdict | undefined {
    const each = Math.floor((cap - prompt) / choices)
    if (each >= least) {
      // Providers reject a maximum above the model's own.
      if (enforced && each < ceiling) x.request.capOutputTokens(Math.max(1, each))
      return undefined
    }
    const reason = `The request asked for budget=${cap}: its prompt has about ${prompt} tokens, which leaves too few for a reply.`
    const details = { scope: 'request', unit: 'tokens', limit: cap, spent: 0, left: cap, resets_at: null }
    return budgetVerdict(reason, this.#options.status, details)
  }

  /** A limit in dollars cannot be enforced for a model without a price. */
  #unpriced(x: Exchange, entries: readonly Entry[]): Verdict | undefined {
    if (this.#options.unknown_price === 'allow') return undefined
    const entry = entries.find(({ limit }) => limit.unit === 'usd')
    const target = entry && x.request.targets.find((one) => this.#prices.of(one) === undefined)
    if (entry === undefined || target === undefined) return undefined
    // Text of the client that goes into events: show it only if it is a plain name without findings.
    const model = isPlainName(target.model) && x.findings.length === 0 ? target.model : '…'
    return {
      reason:
        `No price is known of the model '${model}' at the upstream '${target.upstream}', so the limit '${entry.limit.id}' ` +
        `in USD cannot be kept. Add it to the options of the plugin budget, in US dollars for a million tokens: ` +
        `prices: [{ model: "${model}", upstream: ${target.upstream}, input: …, output: … }].`,
      code: 'unknown_price',
      details: { budget: entry.limit.id, scope: entry.limit.scope, unit: 'usd' },
    }
  }

  /** Settles the limits, and records the cost of every exchange with known tokens and price. */
  close(x: Exchange): Promise<void> | undefined {
    const closing = this.accountOf(x)?.close()
    if (closing !== undefined) return closing.then(() => this.#bill(x))
    this.#bill(x)
    return undefined
  }

  #bill(x: Exchange): void {
    const { usage } = x.reply
    if (usage === undefined || !isUsed(x)) return
    const target = answered(x)
    const rate = target && this.#prices.of(target)
    if (rate !== undefined) x.reply.bill(dollarsOf(rate, usage))
  }

  #rateOf(x: Exchange, planned: Rate): Rate {
    const target = answered(x)
    if (target === undefined) return planned
    return this.#prices.of(target) ?? FREE
  }
}

const answered = (x: Exchange): Target | undefined => x.request.targets.find(({ upstream }) => upstream === x.upstream)
