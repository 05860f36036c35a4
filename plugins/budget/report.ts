import type { Exchange, Json, Refusal, ScopeState, Verdict } from 'governed-gateway'
import type { BudgetOptions, Limit } from './limits.ts'
import type { Entry } from './plan.ts'

/** Calendar windows end at the same time for everyone. */
const isoTimes = new Map<number, string>()

export function isoTime(ms: number | null): string | null {
  if (ms === null) return null
  const known = isoTimes.get(ms)
  if (known !== undefined) return known
  const text = new Date(ms).toISOString()
  if (isoTimes.size >= 256) isoTimes.clear()
  isoTimes.set(ms, text)
  return text
}

/** Writes `service.budget`, and the OpenAI API's rate-limit headers for the tightest limit of each unit. */
export class BudgetReport {
  readonly #entries: readonly Entry[]
  /** Units whose headers another plugin has set: per-minute limits take precedence. */
  #taken: readonly string[] | undefined = undefined

  constructor(entries: readonly Entry[]) {
    this.#entries = entries
  }

  /** Writes `service`, after the settlement. */
  writeService({ reply }: Exchange, states: readonly ScopeState[]): void {
    const out: Json[] = []
    for (const entry of this.#entries) {
      const state = stateOf(entry, states)
      if (state !== undefined) out.push(shownLimit(entry, state))
    }
    reply.extend('budget', out)
  }

  tellHeaders({ reply }: Exchange, states: readonly ScopeState[]): void {
    if (reply.committed) return
    this.#taken ??= UNITS.filter((unit) => reply.header(`x-ratelimit-limit-${unit}`) !== undefined)
    for (const unit of UNITS) if (!this.#taken.includes(unit)) this.#tellUnit(reply, unit, states)
  }

  #tellUnit(reply: Exchange['reply'], unit: (typeof UNITS)[number], states: readonly ScopeState[]): void {
    let tightest: { readonly entry: Entry; readonly state: ScopeState; readonly left: number } | undefined
    for (const entry of this.#entries) {
      const state = entry.limit.unit === unit ? stateOf(entry, states) : undefined
      if (state === undefined) continue
      const left = Math.max(0, entry.limit.amount - state.spent - state.reserved)
      if (tightest === undefined || left < tightest.left) tightest = { entry, state, left }
    }
    if (tightest === undefined) return
    reply.setHeader(`x-ratelimit-limit-${unit}`, String(tightest.entry.limit.amount))
    reply.setHeader(`x-ratelimit-remaining-${unit}`, String(tightest.left))
    const { resetsAt } = tightest.state
    if (resetsAt !== null) reply.setHeader(`x-ratelimit-reset-${unit}`, duration(resetsAt - Date.now()))
  }
}

const stateOf = ({ key }: Entry, states: readonly ScopeState[]): ScopeState | undefined =>
  states.find((state) => state.key === key)

const UNITS = ['requests', 'tokens'] as const

/** A limit as shown to clients: the amount left, without the reservations of others. */
function shownLimit({ limit }: Entry, state: ScopeState): { [key: string]: Json } {
  const left = Math.max(0, limit.amount - state.spent - state.reserved)
  return {
    id: limit.id,
    scope: limit.scope,
    unit: limit.unit,
    limit: limit.shown(limit.amount),
    spent: limit.shown(state.spent),
    left: limit.shown(left),
    resets_at: isoTime(state.resetsAt),
  }
}

/** Duration in the format of the OpenAI API: `6m0s`, `1h2m3s`, `12s`. */
function duration(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  const tail = `${seconds % 60}s`
  return hours > 0 ? `${hours}h${minutes}m${tail}` : minutes > 0 ? `${minutes}m${tail}` : tail
}

const WHOSE = { key: 'this key', team: 'the team', model: 'the model', global: 'all keys' } as const

/** A refusal, and the minimum that the request needed. */
type Needed = Refusal & { readonly needed: number }

/** Reason for refusing a request, in the operator's format. */
export function refusalVerdict(entry: Entry, refusal: Needed, status: BudgetOptions['status']): Verdict {
  return budgetVerdict(refusalReason(entry, refusal), status, refusalDetails(entry, refusal))
}

export const refusalReason = ({ limit }: Entry, refusal: Needed): string =>
  `The budget of ${WHOSE[limit.scope]} does not allow it: ${remainderText(limit, refusal)} ${named(limit)}.${roomAt(refusal)}`

/** Reason for ending a reply early. */
export const cutReason = ({ limit }: Entry, refusal: Refusal): string =>
  `The reply ended early: it used up what the budget of ${WHOSE[limit.scope]} had left ${named(limit)}.${roomAt(refusal)}`

/** Text of a threshold event: `80 % of the budget of key app is used: 81 of 100 tokens (…)`. */
export function thresholdReason({ limit, subject }: Entry, percent: number, spent: number): string {
  const whose = limit.scope === 'global' ? WHOSE.global : `${limit.scope} ${subject.slice(0, 256)}`
  const unit = limit.unit === 'usd' ? 'USD' : limit.unit
  const amounts = `${limit.shown(spent)} of ${limit.shown(limit.amount)} ${unit}`
  return `${percent} % of the budget of ${whose} is used: ${amounts} ${named(limit)}.`
}

const named = (limit: Limit): string => `(${limit.id}, ${limit.windowName})`

function roomAt({ resetsAt }: Refusal): string {
  const at = isoTime(resetsAt)
  return at === null ? '' : ` There is room again at ${at}.`
}

/** Text such as `it needs at least 24 tokens, and 20 of 100 are left`. */
function remainderText(limit: Limit, refusal: Needed): string {
  const [all, left] = [limit.shown(limit.amount), limit.shown(refusal.left)]
  const isUsd = limit.unit === 'usd'
  const unit = isUsd ? 'USD' : all === 1 ? limit.unit.replace(/s$/, '') : limit.unit
  if (all === 0) return `it is 0 ${unit}`
  const needs = `it needs at least ${limit.shown(refusal.needed)} ${unit}`
  if (left > 0) return `${needs}, and ${left} of ${all} ${isUsd || left === 1 ? 'is' : 'are'} left`
  if (all === 1 && !isUsd) return `its only ${unit} is spent or reserved`
  return `all ${all} ${unit} ${isUsd ? 'is' : 'are'} spent or reserved`
}

/** Members of an error or event. `budget` is the limit's id, because `id` has another meaning there. */
export function refusalDetails({ limit }: Entry, refusal: Refusal): { [key: string]: Json } {
  return {
    budget: limit.id,
    scope: limit.scope,
    unit: limit.unit,
    limit: limit.shown(limit.amount),
    spent: limit.shown(refusal.spent),
    left: limit.shown(refusal.left),
    resets_at: isoTime(refusal.resetsAt),
  }
}

export function budgetVerdict(
  reason: string,
  status: BudgetOptions['status'],
  details: { [key: string]: Json },
): Verdict {
  if (status === 403) return { reason, code: 'budget_exceeded', details }
  return { reason, status, code: 'insufficient_quota', type: 'insufficient_quota', details }
}
