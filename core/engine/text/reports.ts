import type { Action } from '../contract/plugin.ts'
import { allSteps, type Steps } from '../util/steps.ts'
import { isStronger, MANY_REPORTS, type Report, strengthOf } from './findings.ts'

interface List {
  /** Sorted, without reports that another one covers. */
  tidy: Report[]
  /** Reports added since the last sort. */
  added: Report[]
  /** How many of `added` are shares, which precede equally strong reports of the same span. */
  shares: number
}

/**
 * The reports on one text. If a plugin later sees more of a value, the wider report replaces the narrower one of the
 * same plugin and type. A text may hold a hundred thousand findings, so reports are sorted once per read.
 */
export class Reports {
  readonly #lists = new Map<string, List>()

  /** @param share part of a value that extends beyond this text; precedes findings of this text alone */
  add(report: Report, share = false): void {
    const list = this.#listOf(report)
    if (share) list.added.splice(list.shares++, 0, report)
    else list.added.push(report)
  }

  #listOf({ plugin, type, restore }: Report): List {
    const key = `${plugin}\0${type}${restore ? '\0' : ''}`
    let list = this.#lists.get(key)
    if (list === undefined) {
      list = { tidy: [], added: [], shares: 0 }
      this.#lists.set(key, list)
    }
    return list
  }

  *[Symbol.iterator](): Generator<Report> {
    for (const list of this.#lists.values()) yield* tidied(list)
  }

  /** Whether there are too many for one turn. */
  get isMany(): boolean {
    let size = 0
    for (const { tidy, added } of this.#lists.values()) size += tidy.length + added.length
    return size > MANY_REPORTS
  }

  /** Removes reports that end at or before `end`, and counts each once per plugin, type and overlapping span. */
  take(end: number, count: (plugin: string, type: string, action: Action) => void): Report[] {
    return allSteps(this.takeInSteps(end, count))
  }

  /** Like `take`; nothing may be added until it is done. */
  *takeInSteps(end: number, count: (plugin: string, type: string, action: Action) => void): Steps<Report[]> {
    const taken: Report[] = []
    for (const [key, list] of this.#lists) {
      const isMany = list.added.length > MANY_REPORTS
      if (isMany) yield
      tidied(list)
      if (isMany) yield
      const rest: Report[] = []
      let hit: Report | undefined
      let reach = -1
      for (const report of tidied(list)) {
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
      else list.tidy = rest
    }
    return taken
  }
}

/** The sorted list. Reports are nearly sorted, which sorts in linear time. */
function tidied(list: List): readonly Report[] {
  const { added, shares } = list
  if (added.length === 0) return list.tidy
  const all = withoutGlued([...added.slice(0, shares), ...list.tidy, ...added.slice(shares)])
  list.tidy = uncovered(all.sort(byWidth))
  list.added = []
  list.shares = 0
  return list.tidy
}

/** Drops a value that may begin with an escape if the same value without the escape was found. */
function withoutGlued(reports: Report[]): Report[] {
  if (!reports.some(({ glued }) => glued !== undefined)) return reports
  const apart = new Map<number, Report>()
  for (const report of reports) {
    const other = apart.get(report.start)
    if (other === undefined || other.end < report.end) apart.set(report.start, report)
  }
  return reports.filter((report) => {
    const other = report.glued === undefined ? undefined : apart.get(report.glued)
    return other === undefined || other.end < report.end || isStronger(report, other)
  })
}

/** Wider reports first. Equal reports keep their order, since sorting is stable. */
const byWidth = (a: Report, b: Report): number => a.start - b.start || b.end - a.end || strengthOf(b) - strengthOf(a)

/** Drops each report that an earlier report covers with at least its strength. */
function uncovered(sorted: readonly Report[]): Report[] {
  // For each strength, the furthest end of reports that are at least as strong.
  const reach = [-1, -1, -1, -1]
  return sorted.filter((report) => {
    const strength = strengthOf(report)
    if ((reach[strength] as number) >= report.end) return false
    for (let weaker = strength; weaker >= 0; weaker--) reach[weaker] = Math.max(reach[weaker] as number, report.end)
    return true
  })
}
