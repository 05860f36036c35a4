import type { Action } from '../contract/plugin.ts'
import { isStronger, type Report, strengthOf } from './findings.ts'

interface List {
  /** In order, without those that another one covers. */
  tidy: Report[]
  /** What came since. */
  added: Report[]
  /** How many of those go in front of what covers the same span as strongly. */
  shares: number
}

/**
 * The reports on one text. A plugin that sees more of a value later speaks of the same value: of two reports of one
 * plugin and type, the wider takes the place of the narrower. A text may hold a hundred thousand findings, so they are
 * sorted once for each time somebody asks for them.
 */
export class Reports {
  readonly #lists = new Map<string, List>()

  /** @param share a share of a value that reaches beyond this text; it goes before what was seen of it here alone */
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

  /** Takes out what ends at or left of `end`, and counts it once per plugin, type and overlapping span. */
  take(end: number, count: (plugin: string, type: string, action: Action) => void): Report[] {
    const taken: Report[] = []
    for (const [key, list] of this.#lists) {
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

/** The list in order. What is nearly sorted, as reports are, is sorted in linear time. */
function tidied(list: List): readonly Report[] {
  const { added, shares } = list
  if (added.length === 0) return list.tidy
  const all = withoutGlued([...added.slice(0, shares), ...list.tidy, ...added.slice(shares)])
  list.tidy = uncovered(all.sort(byWidth))
  list.added = []
  list.shares = 0
  return list.tidy
}

/** A value that may begin with an escape gives way to the same one without it. */
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

/** What covers another one comes first; of equals the one that came first, since sorting is stable. */
const byWidth = (a: Report, b: Report): number => a.start - b.start || b.end - a.end || strengthOf(b) - strengthOf(a)

/** Leaves out each report that an earlier one covers: as wide and as strong. */
function uncovered(sorted: readonly Report[]): Report[] {
  // By strength: how far reports reach that are as strong.
  const reach = [-1, -1, -1, -1]
  return sorted.filter((report) => {
    const strength = strengthOf(report)
    if ((reach[strength] as number) >= report.end) return false
    for (let weaker = strength; weaker >= 0; weaker--) reach[weaker] = Math.max(reach[weaker] as number, report.end)
    return true
  })
}
