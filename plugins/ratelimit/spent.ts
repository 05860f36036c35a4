import type { ScopeState } from 'governed-gateway'
import type { Count } from './limits.ts'

/** Maximum number of remembered counts. */
const MAX_REMEMBERED = 10_000

/**
 * Remembers spent request counts, so that a flood costs neither inspection nor store calls. Nothing fits until the
 * first use leaves the window. Excludes tokens and streams, which may be returned earlier.
 */
export class SpentCounts {
  readonly #until = new Map<string, { readonly from: number; readonly until: number }>()

  note({ unit, request }: Count, resetsAt: number | null, now: number): void {
    if (unit !== 'requests' || resetsAt === null) return
    if (this.#until.size >= MAX_REMEMBERED) this.#until.clear()
    this.#until.set(request.key, { from: now, until: resetsAt })
  }

  /** Remembers limits that this exchange used up. */
  noteSpent(counts: readonly Count[], states: readonly ScopeState[], now: number): void {
    for (const { key, spent, resetsAt } of states) {
      const count = counts.find(({ request }) => request.key === key)
      if (count !== undefined && spent >= count.request.limit) this.note(count, resetsAt, now)
    }
  }

  find(counts: readonly Count[], now: number): { count: Count; resetsAt: number } | undefined {
    if (this.#until.size === 0) return undefined
    for (const count of counts) {
      const known = this.#until.get(count.request.key)
      if (known === undefined) continue
      // If the clock was set back, only the store knows.
      if (known.from <= now && now < known.until) return { count, resetsAt: known.until }
      this.#until.delete(count.request.key)
    }
    return undefined
  }
}
