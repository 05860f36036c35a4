import type { Action } from '../plugin.ts'
import { isStronger, type Report } from './findings.ts'

/**
 * The reports on one text. A plugin that sees more of a value later speaks of the same value: of two reports of one
 * plugin and type, the wider takes the place of the narrower. A text may hold a hundred thousand findings, so each list
 * is kept in order and nothing is compared with all the rest.
 */
export class Reports {
  readonly #lists = new Map<string, Report[]>()

  /** @param share a share of a value that reaches beyond this text; it goes before what was seen of it here alone */
  add(report: Report, share = false): void {
    const list = this.#listOf(report)
    let at = upperBound(list, report.start)
    // Reports that begin further left and reach this one, then those that begin within it.
    let first = at
    while (first > 0 && (list[first - 1] as Report).end > report.start) {
      first--
      if (!share && covers(list[first] as Report, report)) return
    }
    let last = at
    while (last < list.length && (list[last] as Report).start < report.end) last++
    for (let i = last - 1; i >= first; i--) {
      if (!covers(report, list[i] as Report)) continue
      list.splice(i, 1)
      if (i < at) at--
    }
    list.splice(at, 0, report)
  }

  #listOf({ plugin, type, restore }: Report): Report[] {
    const key = `${plugin}\0${type}${restore ? '\0' : ''}`
    let list = this.#lists.get(key)
    if (list === undefined) {
      list = []
      this.#lists.set(key, list)
    }
    return list
  }

  *[Symbol.iterator](): Generator<Report> {
    for (const list of this.#lists.values()) yield* list
  }

  /** Takes out what ends at or left of `end`, and counts it once per plugin, type and overlapping span. */
  take(end: number, count: (plugin: string, type: string, action: Action) => void): Report[] {
    const taken: Report[] = []
    for (const [key, list] of this.#lists) {
      const rest: Report[] = []
      let hit: Report | undefined
      let reach = -1
      for (const report of list) {
        if (report.end > end) rest.push(report)
        else {
          taken.push(report)
          if (report.restore || report.continued) continue
          if (hit !== undefined && report.start >= reach) {
            count(hit.plugin, hit.type, hit.action)
            hit = undefined
          }
          hit = hit === undefined || isStronger(report, hit) ? report : hit
          reach = Math.max(reach, report.end)
        }
      }
      if (hit !== undefined) count(hit.plugin, hit.type, hit.action)
      if (rest.length === 0) this.#lists.delete(key)
      else this.#lists.set(key, rest)
    }
    return taken
  }
}

/** As wide and as strong. */
const covers = (a: Report, b: Report): boolean => a.start <= b.start && a.end >= b.end && !isStronger(b, a)

/** Index behind the last report that starts at or left of `start`. */
function upperBound(list: readonly Report[], start: number): number {
  let low = 0
  let high = list.length
  if (high > 0 && (list[high - 1] as Report).start <= start) return high
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] as Report).start <= start) low = middle + 1
    else high = middle
  }
  return low
}
