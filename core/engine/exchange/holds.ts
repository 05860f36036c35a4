import { GatewayError } from '../contract/errors.ts'
import type {
  Amounts,
  GrantedScope,
  Hold,
  LimitWant,
  Refusal,
  Rejection,
  Reservation,
  Verdict,
} from '../contract/plugin.ts'
import { contractError, guardrailUnavailable, isAnswer, readStop } from '../contract/results.ts'
import { checkScopes } from '../contract/scope-check.ts'
import type { TopUpRequest } from '../contract/store.ts'
import type { ScopeRequest, ScopeState } from '../contract/store-limits.ts'
import type { Reporter } from '../text/inspection.ts'
import { didYouMean } from '../util/suggest.ts'

/** Limit for requests that are only recorded. */
const UNLIMITED = Number.MAX_SAFE_INTEGER

/** One plugin's requested, held and used amounts in one exchange. */
export class OwnedHold implements Hold {
  readonly owner: Reporter
  readonly want: LimitWant
  readonly enforced: boolean
  scopes: readonly GrantedScope[] | undefined = undefined
  used: Amounts | undefined = undefined
  /** The amounts of the next request. */
  asked: readonly ScopeRequest[]
  onSettled: ((states: readonly ScopeState[]) => void) | undefined = undefined
  readonly #all: ExchangeHolds

  constructor(all: ExchangeHolds, owner: Reporter, want: LimitWant) {
    this.#all = all
    this.owner = owner
    this.want = want
    this.asked = want.scopes
    this.enforced = want.enforce !== false && !owner.monitored
  }

  async topUp(scopes: readonly ScopeRequest[]): Promise<Reservation> {
    return bare(this.owner, await this.#all.topUp(scopes.map((scope) => this.#outgoing(scope))))
  }

  due(amounts: Amounts): void {
    checkAmounts(this.owner, 'due', amounts)
    this.#all.due(prefixed(this.owner, amounts))
  }

  settle(used: Amounts, then?: (states: readonly ScopeState[]) => void): void {
    checkAmounts(this.owner, 'settle', used)
    this.used = { ...this.used, ...used }
    if (then !== undefined) this.onSettled = then
  }

  get requests(): ScopeRequest[] {
    return this.asked.map((scope) => this.#outgoing(scope))
  }

  /** Grants that were not settled stay charged. */
  get settled(): Record<string, number> {
    const amounts: Record<string, number> = {}
    for (const { key, amount } of this.want.scopes) {
      const granted = this.scopes?.find((scope) => scope.key === key)?.granted
      amounts[key] = this.used?.[key] ?? granted ?? amount
    }
    return prefixed(this.owner, amounts)
  }

  #outgoing(scope: ScopeRequest): ScopeRequest {
    const limit = this.enforced ? scope.limit : UNLIMITED
    return { ...scope, key: `${this.owner.name}/${scope.key}`, limit }
  }
}

/** Grants amounts, and can grant more later. */
export interface Granter {
  topUp(request: TopUpRequest): Promise<Reservation>
}

/** All limits of one exchange. */
export class ExchangeHolds {
  readonly holds: OwnedHold[] = []
  readonly #id: string
  readonly #onFailure: (plugin: string, call: string, error: unknown) => void
  #granter: Granter | undefined = undefined
  #ops = 0
  #due: Record<string, number> | undefined = undefined

  /** @param onFailure called when a plugin's limit callback failed */
  constructor(id: string, onFailure: (plugin: string, call: string, error: unknown) => void = () => {}) {
    this.#id = id
    this.#onFailure = onFailure
  }

  add(owner: Reporter | undefined, want: LimitWant): Hold {
    if (owner === undefined) {
      throw new GatewayError('GW_PLUGIN_CONTRACT', 'reserve() was called outside of a tap.')
    }
    if (this.#granter !== undefined) {
      throw new GatewayError(
        'GW_PLUGIN_CONTRACT',
        `Plugin ${owner.name} called reserve() after the limits were taken. Use topUp() of what it holds.`,
      )
    }
    const hold = new OwnedHold(this, owner, readWant(owner, want))
    this.holds.push(hold)
    return hold
  }

  get requests(): ScopeRequest[] {
    return this.holds.flatMap(({ requests }) => requests)
  }

  /** Handles the store's answer: gives every plugin its grant, or returns why the exchange ends. */
  answer(
    granter: Granter,
    reservation: Reservation,
    wouldBlock: (verdict: Verdict) => void,
  ): Verdict | Rejection | undefined {
    if (!reservation.ok) return this.#refused(reservation)
    this.#granter = granter
    for (const hold of this.holds) {
      const granted = states(hold.owner, reservation.scopes)
      const scopes = hold.want.scopes.flatMap(({ key, limit }) =>
        granted.filter((scope) => scope.key === key).map((scope) => relativeTo(scope, limit)),
      )
      hold.scopes = scopes
      if (!hold.enforced) this.#guarded(hold.owner, 'refused', () => recordExcess(hold, scopes, wouldBlock))
      this.#guarded(hold.owner, 'granted', () => hold.want.granted?.(scopes))
    }
    return undefined
  }

  /** Whether the plugin with the exhausted limit asks again. It must decide within `leftMs`. */
  async again(refusal: Refusal, leftMs: number): Promise<boolean> {
    const hold = this.#holdOf(refusal)
    const asked = await this.#guarded(hold.owner, 'again', async () => {
      const scopes = await within(leftMs, hold.want.again?.(bare(hold.owner, refusal)))
      if (scopes !== undefined) readScopes(hold.owner, 'again', scopes)
      return scopes
    })
    if (asked !== undefined) hold.asked = asked
    return asked !== undefined
  }

  #holdOf(refusal: Refusal): OwnedHold {
    return this.holds.find(({ requests }) => requests.some(({ key }) => key === refusal.key)) as OwnedHold
  }

  #refused(refusal: Refusal): Verdict | Rejection {
    const hold = this.#holdOf(refusal)
    return this.#guarded(hold.owner, 'refused', () => readRefusal(hold, bare(hold.owner, refusal)))
  }

  /** Runs a limit callback. Limits fail closed: `onError` cannot ignore a failure here. */
  #guarded<T>({ name, onFailure }: Reporter, call: string, run: () => T): T {
    const failed = (error: unknown): never => {
      onFailure?.(name, call, error, this.#id)
      this.#onFailure(name, call, error)
      throw guardrailUnavailable(name)
    }
    try {
      const result = run()
      return result instanceof Promise ? (result.catch(failed) as T) : result
    } catch (error) {
      return failed(error)
    }
  }

  topUp(scopes: readonly ScopeRequest[]): Promise<Reservation> {
    if (this.#granter === undefined) {
      return Promise.reject(new GatewayError('GW_PLUGIN_CONTRACT', 'topUp() was called before anything was granted.'))
    }
    return this.#granter.topUp({ id: this.#id, op: String(++this.#ops), scopes })
  }

  due(amounts: Amounts): void {
    this.#due = { ...this.#due, ...amounts }
  }

  /** Changes of the amounts due since the last call. */
  takeDue(): Amounts | undefined {
    const due = this.#due
    this.#due = undefined
    return due
  }

  /** Returns due amounts whose write failed. */
  giveBackDue(due: Amounts | undefined): void {
    if (due !== undefined) this.#due = { ...due, ...this.#due }
  }

  get used(): Record<string, number> {
    return Object.assign({}, ...this.holds.map(({ settled }) => settled)) as Record<string, number>
  }

  settled(scopes: readonly ScopeState[]): void {
    for (const { owner, want, onSettled } of this.holds) {
      onSettled?.(states(owner, scopes).filter(({ key }) => want.scopes.some((scope) => scope.key === key)))
    }
  }
}

async function within<T>(ms: number, promise: T | PromiseLike<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new GatewayError('GW_PLUGIN_TIMEOUT', 'again() did not settle.')), Math.max(0, ms))
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** A record: the compiler reports a missing member. */
const KNOWN: Readonly<Record<keyof LimitWant, true>> = {
  scopes: true,
  enforce: true,
  again: true,
  refused: true,
  granted: true,
}
const WANT: ReadonlySet<string> = new Set(Object.keys(KNOWN))

/** Validates in the tap that made the mistake. */
function readWant({ name }: Reporter, want: LimitWant): LimitWant {
  if (typeof want !== 'object' || want === null) throw contractError(`Plugin ${name} called reserve() with no object.`)
  const unknown = Object.keys(want).find((member) => !WANT.has(member))
  if (unknown !== undefined) {
    throw contractError(
      `Plugin ${name} called reserve() with a member that is not known.${didYouMean(unknown, WANT)} It takes ${[...WANT].join(', ')}.`,
    )
  }
  if (typeof want.refused !== 'function') throw contractError(`Plugin ${name} called reserve() without refused().`)
  for (const call of ['again', 'granted'] as const) {
    if (want[call] === undefined || typeof want[call] === 'function') continue
    throw contractError(`Plugin ${name} called reserve() with ${call} that is not a function.`)
  }
  readScopes({ name }, 'reserve', want.scopes)
  return want
}

const MOST_SCOPES = 1000

function readScopes({ name }: Pick<Reporter, 'name'>, call: string, scopes: readonly ScopeRequest[]): void {
  if (!Array.isArray(scopes) || scopes.length > MOST_SCOPES) {
    throw contractError(`Plugin ${name}: ${call}() takes a list of at most ${MOST_SCOPES} scopes.`)
  }
  for (const { key } of scopes) {
    if (typeof key !== 'string')
      throw contractError(`Plugin ${name}: ${call}() takes scopes with a key, which is a string.`)
  }
  checkScopes(scopes)
}

function readRefusal({ owner, want }: OwnedHold, refusal: Refusal): Verdict | Rejection {
  const answer = readStop(owner, 'refused()', want.refused(refusal))
  if (answer !== undefined && !isAnswer(answer)) return answer
  throw contractError(`Plugin ${owner.name} gave refused() neither a verdict nor a rejection.`)
}

function recordExcess(hold: OwnedHold, scopes: readonly GrantedScope[], wouldBlock: (verdict: Verdict) => void): void {
  const over = scopes.find(({ spent, reserved }, i) => spent + reserved > (hold.want.scopes[i]?.limit ?? UNLIMITED))
  if (over === undefined) return
  const { key, spent, reserved, granted, resetsAt } = over
  const limit = hold.want.scopes.find((scope) => scope.key === key)?.limit ?? UNLIMITED
  const before = { spent, reserved: reserved - granted }
  const left = Math.max(0, limit - spent - before.reserved)
  const answer = readRefusal(hold, { ok: false, key, limit, ...before, left, resetsAt })
  wouldBlock({ policy: hold.owner.name, reason: 'reason' in answer ? answer.reason : answer.message })
}

/** Validates while the plugin at fault is known. */
function checkAmounts({ name }: Reporter, call: string, amounts: Amounts): void {
  if (typeof amounts !== 'object' || amounts === null)
    throw contractError(`Plugin ${name} called ${call}() with no amounts.`)
  for (const [key, amount] of Object.entries(amounts)) {
    if (Number.isSafeInteger(amount) && amount >= 0) continue
    throw new GatewayError(
      'GW_PLUGIN_CONTRACT',
      `Plugin ${name} called ${call}() with ${typeof amount === 'number' ? amount : `a ${typeof amount}`} for ${key}: amounts are whole numbers from 0.`,
    )
  }
}

const relativeTo = (scope: GrantedScope, limit = UNLIMITED): GrantedScope => ({
  ...scope,
  left: Math.max(0, limit - scope.spent - scope.reserved),
})

const prefixed = ({ name }: Reporter, amounts: Amounts): Record<string, number> =>
  Object.fromEntries(Object.entries(amounts).map(([key, amount]) => [`${name}/${key}`, amount]))

function states<T extends ScopeState>({ name }: Reporter, scopes: readonly T[]): T[] {
  const prefix = `${name}/`
  return scopes
    .filter(({ key }) => key.startsWith(prefix))
    .map((scope) => ({ ...scope, key: scope.key.slice(prefix.length) }))
}

function bare<R extends Reservation>(owner: Reporter, reservation: R): R {
  return reservation.ok
    ? { ...reservation, scopes: states(owner, reservation.scopes) }
    : { ...reservation, key: reservation.key.slice(owner.name.length + 1) }
}
