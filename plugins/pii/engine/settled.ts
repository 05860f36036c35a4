/** What of a scan is final. */
import type { Hit } from './detector.ts'

export interface ScanResult {
  readonly hits: readonly Hit[]
  /** Start of text that may still grow into a match; the length of the text if there is none. */
  readonly hold: number
}

/** A match that overlaps held text is not final. Matches are ordered and do not overlap. */
export function settle(hits: readonly Hit[], hold: number): ScanResult {
  const open = hits.findIndex(({ end }) => end > hold)
  return open < 0 ? { hits, hold } : { hits: hits.slice(0, open), hold: Math.min(hold, hits[open]!.start) }
}

/** Where a quoted name begins, unless that is within a match. */
export const startOutside = (hits: readonly Hit[], quoted: number, otherwise: number): number =>
  hits.some(({ start, end }) => start < quoted && quoted < end) ? otherwise : quoted
