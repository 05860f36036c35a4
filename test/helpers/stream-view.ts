import type { TextView } from 'governed-gateway'

type Finder = { find(view: Pick<TextView, 'text' | 'before' | 'final' | 'hold'>): { start: number; end: number }[] }

export interface Streamed {
  /** Spans in the whole text, `start-end`, each once, in order. */
  readonly spans: string[]
  /** Longest text that was kept back. */
  readonly longestHold: number
}

/** What a finder reports over a text that comes in pieces, when all that it does not hold leaves at once. */
export function streamThrough(finder: Finder, pieces: readonly string[]): Streamed {
  const spans = new Set<string>()
  let before = ''
  let text = ''
  let offset = 0
  let longestHold = 0
  for (const [i, piece] of pieces.entries()) {
    text += piece
    const final = i === pieces.length - 1
    let from = text.length
    const hold = (at: number) => {
      from = Math.min(from, Math.max(0, at))
    }
    for (const { start, end } of finder.find({ text, before, final, hold })) {
      spans.add(`${offset + start}-${offset + end}`)
    }
    if (final) break
    longestHold = Math.max(longestHold, text.length - from)
    before = (before + text.slice(0, from)).slice(-256)
    offset += from
    text = text.slice(from)
  }
  return { spans: [...spans].sort(), longestHold }
}

/** Cuts a text after the given positions. */
export function cutText(text: string, positions: readonly number[]): string[] {
  const edges = [0, ...new Set(positions.map((at) => at % (text.length + 1)).sort((a, b) => a - b)), text.length]
  return edges.slice(1).map((end, i) => text.slice(edges[i], end))
}

/** Which characters the spans cover. */
export function covered(spans: readonly string[]): number[] {
  const out = new Set<number>()
  for (const span of spans) {
    const [start = 0, end = 0] = span.split('-').map(Number)
    for (let at = start; at < end; at++) out.add(at)
  }
  return [...out].sort((a, b) => a - b)
}
