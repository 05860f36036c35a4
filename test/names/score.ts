/** Recall and precision of names, by kind. */
import type { Name } from '../../plugins/pii/names/tagger.ts'
import type { Kind, Unit } from './corpora.ts'

export interface Score {
  gold: number
  /** Found with the same kind and the same borders. */
  exact: number
  /** No letter of the name is left, whatever the kind. */
  covered: number
  found: number
  /** Found names that touch a name. */
  right: number
}

const KINDS: readonly Kind[] = ['PER', 'LOC', 'ORG']

export function score(units: readonly Unit[], find: (text: string) => readonly Name[]): Record<Kind, Score> {
  const scores = Object.fromEntries(
    KINDS.map((kind) => [kind, { gold: 0, exact: 0, covered: 0, found: 0, right: 0 }]),
  ) as Record<Kind, Score>
  for (const { text, spans } of units) {
    const names = find(text)
    for (const { kind, start, end } of spans) {
      const one = scores[kind]
      one.gold++
      if (names.some((name) => name.kind === kind && name.start === start && name.end === end)) one.exact++
      let covered = true
      for (let i = start; i < end; i++)
        covered &&= !/[\p{L}\p{N}]/u.test(text[i]!) || names.some((name) => name.start <= i && i < name.end)
      if (covered) one.covered++
    }
    for (const { kind, start, end } of names) {
      scores[kind].found++
      if (spans.some((span) => span.start < end && span.end > start)) scores[kind].right++
    }
  }
  return scores
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? '    -' : `${((100 * part) / whole).toFixed(1)}`.padStart(5)

export function rows(name: string, scores: Record<Kind, Score>, exactRight: boolean): string {
  return KINDS.map((kind) => {
    const one = scores[kind]
    const same = exactRight ? `  exact ${percent(one.exact, one.gold)} of ${percent(one.exact, one.found)}` : ''
    return `${name.padEnd(12)} ${kind}  ${String(one.gold).padStart(5)} names, covered ${percent(one.covered, one.gold)} %, precision ${percent(one.right, one.found)} %${same}`
  }).join('\n')
}
