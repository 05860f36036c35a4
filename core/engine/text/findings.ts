import type { Action, Finding } from '../contract/plugin.ts'
import type { Steps } from '../util/steps.ts'
import type { Ballot } from './ballot.ts'

/** A finding in the core: its span counts raw characters from the start of the field. */
export interface Report {
  readonly plugin: string
  readonly type: string
  readonly action: Action
  readonly start: number
  readonly end: number
  /**
   * Set if the finding begins in the middle of a possible escape, such as `\n` before `nora@x.org`: its start without
   * the escape. The same value reported from there replaces this finding.
   */
  readonly glued?: number | undefined
  readonly reason: string | undefined
  readonly replace: Finding['replace'] | undefined
  /** The rest of a value that began earlier in the same message: rewritten, but not counted. */
  readonly continued: boolean
  /** Restores a token's value; not a detection. */
  readonly restore: boolean
  /** Of a restored token that other views read, too. */
  readonly ballot?: Ballot | undefined
  /** Loses to any other rewrite that overlaps it. */
  readonly yields?: true
  /** How sure the plugin is, from 0 to 1, if it says so. */
  readonly score?: number
}

/** Owner of findings that the core reports itself. */
export const CORE_FINDER = 'gateway'

/** Invisible text that only a model reads. It is removed, unless an overlapping rewrite removes it. */
export const hiddenText = (start: number, end: number, continued: boolean): Report => ({
  plugin: CORE_FINDER,
  type: 'hidden_text',
  action: 'redact',
  start,
  end,
  reason: undefined,
  replace: '',
  continued,
  restore: false,
  yields: true,
})

/** A span of raw text and its replacement. */
export interface Rewrite {
  readonly start: number
  readonly end: number
  readonly text: string
  /** The strongest action that caused it; undefined for a restored token. */
  readonly action: Action | undefined
}

const STRENGTH: Readonly<Record<Action, number>> = { detect: 0, tokenize: 1, redact: 2, block: 3 }

export const isAction = (value: unknown): value is Action => typeof value === 'string' && Object.hasOwn(STRENGTH, value)

/** Strength of an action, 0 to 3. */
export const strengthOf = (report: Report): number => STRENGTH[report.action]

export const isStronger = (a: Report, b: Report): boolean => STRENGTH[a.action] > STRENGTH[b.action]

/** Rewriting findings change text; `detect` only counts. */
export const rewrites = (report: Report): boolean => report.restore || report.action !== 'detect'

/** Whether a rewrite ends at a source position. */
export function rewriteEndsAt(found: Iterable<Report>, end: number): boolean {
  for (const report of found) if (report.end === end && rewrites(report)) return true
  return false
}

/** Moves the border before rewrites that cross it; they apply once they can leave as a whole. */
export function beforeOpenRewrites(found: Iterable<Report>, end: number): number {
  const across = (report: Report) => report.start < border && report.end > border
  let border = end
  let open: Report[] | undefined
  for (const report of found) {
    if (!rewrites(report) || report.start >= end) continue
    open ??= []
    open.push(report)
  }
  if (open === undefined || !open.some(across)) return end
  // From right to left: moving the border can only make it cross rewrites that begin further left.
  for (const report of open.sort((a, b) => b.start - a.start)) if (across(report)) border = report.start
  return border
}

/** Findings of one text that need no pause. */
export const MANY_REPORTS = 4096
/** Rewrites of a step: each may call a plugin. */
export const REWRITES_OF_STEP = 512

/**
 * Merges the reports of all plugins over one run of text. Overlapping rewrites become the union of their spans with
 * the strongest action: the longest span alone would leave the rest of the loser in clear. A union of several findings
 * is never tokenised, since its token could not be turned back into one value.
 *
 * @param textOf gives the raw text of a span, for `replace` functions
 * @param onFailed called when a `replace` throws or returns no text
 */
export function* mergeInSteps(
  reports: readonly Report[],
  textOf: (start: number, end: number) => string,
  onFailed?: (plugin: string, error: unknown) => void,
): Steps<Rewrite[]> {
  const layers: [strong: Report[], restores: Report[], yielding: Report[]] = [[], [], []]
  for (const report of reports) {
    if (report.restore) layers[1].push(report)
    else if (report.action !== 'detect') layers[report.yields === true ? 2 : 0].push(report)
  }
  let groups: Group[] = []
  for (const layer of layers) {
    if (layer.length === 0) continue
    if (layer.length > MANY_REPORTS) yield
    const free = groupsOf(without(layer.sort(byStart), groups))
    groups = groups.length === 0 ? free : [...groups, ...free].sort((a, b) => startOf(a) - startOf(b))
  }
  const rewritten: Rewrite[] = []
  for (const { reports: group, end } of groups) {
    rewritten.push(rewriteOf(group, end, textOf, onFailed))
    if (rewritten.length % REWRITES_OF_STEP === 0) yield
  }
  return rewritten
}

interface Group {
  readonly reports: Report[]
  end: number
}

const startOf = (group: Group): number => (group.reports[0] as Report).start

/** Names break ties, so that the result does not depend on the order in which stream chunks produced reports. */
const byStart = (a: Report, b: Report): number =>
  a.start - b.start || b.end - a.end || compare(a.type, b.type) || compare(a.plugin, b.plugin)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Runs of reports that overlap. */
function groupsOf(sorted: readonly Report[]): Group[] {
  const groups: Group[] = []
  let open: Group | undefined
  for (const report of sorted) {
    if (open !== undefined && report.start < open.end) {
      open.reports.push(report)
      open.end = Math.max(open.end, report.end)
    } else {
      open = { reports: [report], end: report.end }
      groups.push(open)
    }
  }
  return groups
}

/** The reports that overlap no group; both inputs are sorted. */
function without(reports: readonly Report[], groups: readonly Group[]): readonly Report[] {
  if (groups.length === 0) return reports
  let at = 0
  return reports.filter(({ start, end }) => {
    while (at < groups.length && (groups[at] as Group).end <= start) at++
    const next = groups[at]
    return next === undefined || startOf(next) >= end
  })
}

function rewriteOf(
  group: readonly Report[],
  end: number,
  textOf: (start: number, end: number) => string,
  onFailed: ((plugin: string, error: unknown) => void) | undefined,
): Rewrite {
  const start = (group[0] as Report).start
  const lead = group.reduce((best, report) => (isStronger(report, best) ? report : best))
  const whole = lead.start === start && lead.end === end
  // Tokenise only if one finding covers the whole union; otherwise redact.
  const action = lead.restore
    ? undefined
    : lead.action === 'tokenize' && !(whole && sameValue(group))
      ? 'redact'
      : lead.action
  const replace = action === 'redact' && lead.action === 'tokenize' ? undefined : lead.replace
  if (typeof replace === 'string') return { start, end, text: replace, action }
  if (typeof replace === 'function') {
    try {
      const text = replace(textOf(start, end))
      if (typeof text === 'string') return { start, end, text, action }
      throw new TypeError('A replacement is no text.')
    } catch (error) {
      onFailed?.(lead.plugin, error) // The value is still hidden.
    }
  }
  return { start, end, text: placeholder(lead.type), action }
}

/** Several plugins that reported exactly the same span agree on one value. */
function sameValue(group: readonly Report[]): boolean {
  const [first] = group
  return group.every((report) => report.start === first?.start && report.end === first.end)
}

const placeholder = (type: string): string => `[${type.toUpperCase()}]`
