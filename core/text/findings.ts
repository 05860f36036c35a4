import type { Action, Finding } from '../plugin.ts'

/** A finding as the core keeps it: in raw characters of the field, counted from its very first one. */
export interface Report {
  readonly plugin: string
  readonly type: string
  readonly action: Action
  readonly start: number
  readonly end: number
  readonly reason: string | undefined
  readonly replace: Finding['replace'] | undefined
  /** The rest of a value that began in an earlier part of the same message: rewritten, not counted. */
  readonly continued: boolean
  /** A token that turns back into its value; not a detection. */
  readonly restore: boolean
}

/** One stretch of raw text and what stands there instead. */
export interface Rewrite {
  readonly start: number
  readonly end: number
  readonly text: string
  /** The strongest action that led to it; undefined for a restored token. */
  readonly action: Action | undefined
}

const STRENGTH: Readonly<Record<Action, number>> = { detect: 0, tokenize: 1, redact: 2, block: 3 }

export const isStronger = (a: Report, b: Report): boolean => STRENGTH[a.action] > STRENGTH[b.action]

/** Rewriting findings change text; `detect` only counts. */
export const rewrites = (report: Report): boolean => report.restore || report.action !== 'detect'

/**
 * Merges the reports of all plugins over one run of text. Overlapping rewrites become the union of their spans with
 * the strongest action: the longest span alone would leave the rest of the loser in clear. A union of several findings
 * is never tokenised, since its token could not be turned back into one value.
 *
 * @param textOf gives the raw text of a span, for `replace` functions
 */
export function merge(reports: readonly Report[], textOf: (start: number, end: number) => string): Rewrite[] {
  const found = reports.filter((report) => !report.restore && report.action !== 'detect')
  const restores = reports.filter((report) => report.restore && !found.some((other) => overlap(report, other)))
  const all = [...found, ...restores].sort((a, b) => a.start - b.start || b.end - a.end)
  const out: Rewrite[] = []
  for (let i = 0; i < all.length; ) {
    const group = [all[i] as Report]
    let end = (all[i] as Report).end
    for (i++; i < all.length && (all[i] as Report).start < end; i++) {
      const next = all[i] as Report
      group.push(next)
      if (next.end > end) end = next.end
    }
    out.push(rewriteOf(group, end, textOf))
  }
  return out
}

const overlap = (a: Report, b: Report): boolean => a.start < b.end && b.start < a.end

function rewriteOf(group: Report[], end: number, textOf: (start: number, end: number) => string): Rewrite {
  const start = (group[0] as Report).start
  const lead = group.reduce((best, report) => (STRENGTH[report.action] > STRENGTH[best.action] ? report : best))
  const whole = lead.start === start && lead.end === end
  // Only a finding that covers the union alone may be tokenised; anything else is redacted.
  const action = lead.restore
    ? undefined
    : lead.action === 'tokenize' && !(whole && sameValue(group))
      ? 'redact'
      : lead.action
  const replace = action === 'redact' && lead.action === 'tokenize' ? undefined : lead.replace
  if (typeof replace === 'string') return { start, end, text: replace, action }
  if (typeof replace === 'function') return { start, end, text: replace(textOf(start, end)), action }
  return { start, end, text: placeholder(lead.type), action }
}

/** Several plugins that saw the very same span agree on one value. */
function sameValue(group: readonly Report[]): boolean {
  const [first] = group
  return group.every((report) => report.start === first?.start && report.end === first.end)
}

export const placeholder = (type: string): string => `[${type.toUpperCase()}]`
