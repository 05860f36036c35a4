/** The texts of a corpus with other names: so the tagger learns from their surroundings, not only from the names in the corpus. */
import type { Random } from '../eval/random.ts'
import type { Kind, Unit } from './corpora.ts'
import type { Names } from './namer.ts'

export function varied(units: readonly Unit[], names: Names, random: Random, language: string): Unit[] {
  const out: Unit[] = []
  for (const { text, spans } of units) {
    if (spans.length === 0) continue
    let made = ''
    let at = 0
    const moved: { start: number; end: number; kind: Kind }[] = []
    for (const { start, end, kind } of spans) {
      if (start < at) continue
      const old = text.slice(start, end)
      const value = /^\p{Lu}/u.test(old) ? other(old, kind, names, random, language) : old
      made += text.slice(at, start)
      moved.push({ start: made.length, end: made.length + value.length, kind })
      made += value
      at = end
    }
    out.push({ text: made + text.slice(at), spans: moved })
  }
  return out
}

function other(old: string, kind: Kind, names: Names, random: Random, language: string): string {
  const count = old.split(' ').length
  if (kind === 'PER') {
    if (count === 1) return random.chance(0.5) ? names.family(language) : names.given(language)
    return names.person(language)
  }
  if (kind === 'LOC') return count > 2 && random.chance(0.6) ? old : names.place(language)
  return random.chance(0.35) ? old : names.org(language)
}
