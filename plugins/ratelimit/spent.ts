import type { ScopeState } from 'governed-gateway'
import type { Count } from './limits.ts'

/** So many counts are remembered as spent. */
const MOST = 10_000

/**
 * Counts of requests that are known to be spent: until the first use leaves the window nothing can fit, so a flood
 * costs neither inspection nor the store. Only requests: tokens and streams may be given back before.
 */
export class SpentCounts {
  readonly #until = new Map<string, number>()

  note({ unit, request }: Count, resetsAt: number | null): void {
    if (unit !== 'requests' || resetsAt === null) return
    if (this.#until.size >= MOST) this.#until.clear()
    this.#until.set(request.key, resetsAt)
  }

  /** After an exchange: what it or others have spent to the last. */
  look(counts: readonly Count[], states: readonly ScopeState[]): void {
    for (const { key, spent, resetsAt } of states) {
      const count = counts.find(({ request }) => request.key === key)
      if (count !== undefined && spent >= count.request.limit) this.note(count, resetsAt)
    }
  }

  find(counts: readonly Count[], now: number): { count: Count; resetsAt: number } | undefined {
    if (this.#until.size === 0) return undefined
    for (const count of counts) {
      const until = this.#until.get(count.request.key)
      if (until === undefined) continue
      if (until > now) return { count, resetsAt: until }
      this.#until.delete(count.request.key)
    }
    return undefined
  }
}
