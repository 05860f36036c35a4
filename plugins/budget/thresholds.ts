import type { ScopeState, Services } from 'governed-gateway'
import { RecentMap } from 'governed-gateway/kit'
import type { Entry } from './plan.ts'
import { isoTime, thresholdReason } from './report.ts'

/** Maximum number of meters whose last threshold is cached, to save store calls. */
const MAX_CACHED = 10_000
const MINUTE = 60_000

interface Passed {
  readonly percent: number
  /** End of the window, Unix milliseconds. */
  readonly until: number
}

/** Emits `budget.threshold` once per window, limit and subject, over all processes that share the store. */
export class Thresholds {
  readonly #services: Services
  /** Highest first. */
  readonly #percents: readonly number[]
  readonly #passed = new RecentMap<string, Passed>(MAX_CACHED)

  constructor(services: Services, percents: readonly number[]) {
    this.#services = services
    this.#percents = [...percents].sort((a, b) => b - a)
  }

  /** Checks spent amounts after an exchange; asks the store in the background. */
  check(entries: readonly Entry[], states: readonly ScopeState[]): void {
    for (const state of states) {
      const entry = entries.find(({ key }) => key === state.key)
      if (entry === undefined || entry.limit.amount === 0) continue
      const reached = this.#percents.find((percent) => state.spent * 100 >= percent * entry.limit.amount)
      if (reached === undefined) continue
      const now = Date.now()
      const known = this.#passed.get(entry.key)
      if (known !== undefined && known.until > now && known.percent >= reached) continue
      const until = endOf(entry, state, now)
      this.#passed.set(entry.key, { percent: reached, until })
      this.#emitThreshold(entry, state, reached, until, now).catch((error: unknown) => {
        this.#passed.delete(entry.key)
        this.#services.log.warn({ limit: entry.limit.id, err: error }, 'a threshold could not be recorded')
      })
    }
  }

  /** If use jumps over several thresholds, only the highest gets an event. */
  async #emitThreshold(entry: Entry, state: ScopeState, reached: number, until: number, now: number): Promise<void> {
    const { store } = this.#services
    const { limit, subject, key } = entry
    const window = 'calendar' in Object(limit.window) ? `/${state.resetsAt}` : ''
    const ttlMs = Math.max(MINUTE, until - now)
    const below = this.#percents.filter((percent) => percent <= reached)
    const first = await Promise.all(
      below.map((percent) => store.set(`told/${percent}${window}/${key}`, 1, { ifVersion: 0, ttlMs })),
    )
    if (first[0] !== true) return
    this.#services.emit('budget.threshold', {
      budget: limit.id,
      scope: limit.scope,
      subject: subject.slice(0, 256),
      unit: limit.unit,
      window: limit.windowName,
      percent: reached,
      reason: thresholdReason(entry, reached, state.spent),
      limit: limit.shown(limit.amount),
      spent: limit.shown(state.spent),
      resets_at: isoTime(state.resetsAt),
    })
  }
}

/** End of the window. A rolling window has none, so its threshold is reported again after the window's length. */
function endOf({ limit: { window } }: Entry, { resetsAt }: ScopeState, now: number): number {
  if (typeof window === 'object' && 'rolling' in window) return now + window.rolling
  return resetsAt ?? now
}
