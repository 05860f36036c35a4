import type { Exchange, Json, Refusal, ScopeState, Verdict } from 'governed-gateway'
import type { BudgetOptions } from './limits.ts'
import type { Entry } from './plan.ts'

export const isoTime = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** `service.budget`, and the headers of the OpenAI API for the tightest limit of each unit that they know. */
export class Told {
  readonly #entries: readonly Entry[]
  /** Units whose headers another plugin has set: limits of a minute come first. */
  #taken: readonly string[] | undefined = undefined

  constructor(entries: readonly Entry[]) {
    this.#entries = entries
  }

  tell({ reply }: Exchange, states: readonly ScopeState[]): void {
    const known = this.#entries.flatMap((entry) => {
      const state = states.find(({ key }) => key === entry.key)
      return state === undefined ? [] : [{ entry, state, left: entry.limit.amount - state.spent - state.reserved }]
    })
    reply.extend(
      'budget',
      known.map(({ entry, state }) => told(entry, state)),
    )
    if (reply.committed) return
    this.#taken ??= UNITS.filter((unit) => reply.header(`x-ratelimit-limit-${unit}`) !== undefined)
    for (const unit of UNITS) {
      const [tightest] = known.filter(({ entry }) => entry.limit.unit === unit).sort((a, b) => a.left - b.left)
      if (tightest === undefined || this.#taken.includes(unit)) continue
      reply.setHeader(`x-ratelimit-limit-${unit}`, String(tightest.entry.limit.amount))
      reply.setHeader(`x-ratelimit-remaining-${unit}`, String(Math.max(0, tightest.left)))
      const { resetsAt } = tightest.state
      if (resetsAt !== null) reply.setHeader(`x-ratelimit-reset-${unit}`, duration(resetsAt - Date.now()))
    }
  }
}

const UNITS = ['requests', 'tokens'] as const

/** What a client is told of one limit: never what others hold at the moment, only what is left. */
function told({ limit }: Entry, state: ScopeState): { [key: string]: Json } {
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

/** As the OpenAI API tells it: `6m0s`, `1h2m3s`, `12s`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  const tail = `${seconds % 60}s`
  return hours > 0 ? `${hours}h${minutes}m${tail}` : minutes > 0 ? `${minutes}m${tail}` : tail
}

const WHOSE = { key: 'this key', team: 'the team', model: 'the model', global: 'all keys' } as const

/** Why a request is refused, in the form that the operator chose. */
export function refusalVerdict(x: Exchange, entry: Entry, refusal: Refusal, status: BudgetOptions['status']): Verdict {
  const { limit } = entry
  const resetsAt = isoTime(refusal.resetsAt)
  const many = (amount: number) => `${limit.shown(amount)} ${limit.unit === 'usd' ? 'USD' : limit.unit}`
  const all = many(limit.amount)
  const what = refusal.left > 0 ? `only ${many(refusal.left)} of ${all} are left` : `all ${all} are spent or reserved`
  const when = resetsAt === null ? '' : ` There is room again at ${resetsAt}.`
  const reason = `The budget of ${WHOSE[limit.scope]} does not allow it: ${what} (${limit.id}, ${limit.windowName}).${when}`
  return budgetVerdict(x, reason, status, refusalDetails(entry, refusal))
}

/** Of an error or an event, where `id` would be another thing's. */
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
  x: Exchange,
  reason: string,
  status: BudgetOptions['status'],
  details: { [key: string]: Json },
): Verdict {
  if (status === 403) return { reason, code: 'budget_exceeded', details }
  // SDKs try 429 again, unless they are told not to.
  x.reply.setHeader('x-should-retry', 'false')
  return { reason, status, code: 'insufficient_quota', type: 'insufficient_quota', details }
}
