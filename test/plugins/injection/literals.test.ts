/** Texts made from the expressions: each expression is tried only where its literals stand, so every match must have them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hasAll, LEADS } from '../../../plugins/injection/leads.ts'
import { MARKS } from '../../../plugins/injection/markup.ts'
import { ALL } from '../../../plugins/injection/shapes.ts'
import { some } from '../../helpers/rounds.ts'

/** End of the group that begins at `start`. */
function groupEnd(source: string, start: number): number {
  let depth = 0
  let inClass = false
  for (let i = start; i < source.length; i++) {
    const char = source[i]
    if (char === '\\') i++
    else if (inClass) inClass = char !== ']'
    else if (char === '[') inClass = true
    else if (char === '(') depth++
    else if (char === ')' && --depth === 0) return i
  }
  throw new Error(source)
}

/** What the generator knows: without borders of words and refusals, of which the samples are then tested. */
function generated(source: string): string {
  let out = ''
  let inClass = false
  for (let i = 0; i < source.length; i++) {
    const char = source[i] as string
    if (char === '\\') {
      const escaped = source.slice(i, i + 2)
      out += inClass || !/\\[bB]/.test(escaped) ? escaped : ' ?'
      i++
    } else if (inClass) {
      inClass = char !== ']'
      out += char
    } else if (char === '[') {
      inClass = true
      out += char
    } else if (char === '^' || char === '$') {
      // The line ends that a sample stands in.
    } else if (/^\(\?(?:!|<[=!])/.test(source.slice(i, i + 4))) {
      i = groupEnd(source, i)
    } else if (source.startsWith('(?=', i)) {
      out += '(?:'
      i += 2
    } else if (source.startsWith('(?-i:', i)) {
      out += '(?:'
      i += 4
    } else {
      out += char
    }
  }
  return out
}

interface Form {
  readonly name: string
  readonly pattern: RegExp
  /** Stands before the pattern. */
  readonly before: RegExp | undefined
  readonly groups: readonly number[]
}

const forms: readonly Form[] = [
  ...ALL.map(({ id, pattern, before, needs, with: more = [] }) => ({
    name: id,
    pattern,
    before,
    groups: [needs, ...more].map((group) => LEADS.add(group)),
  })),
  ...ALL.flatMap(({ id, also = [] }) =>
    also.flatMap(({ pattern, needs }) =>
      needs === undefined ? [] : [{ name: `${id}, beside it`, pattern, before: undefined, groups: [LEADS.add(needs)] }],
    ),
  ),
  ...MARKS.map(({ pattern, needs }, i) => ({
    name: `mark ${i}`,
    // A name that stands twice.
    pattern: pattern.source.includes('\\1')
      ? new RegExp(pattern.source.replace(/\([^?)][^)]*\)/, 'ab').replace('\\1', 'ab'), pattern.flags)
      : pattern,
    before: undefined,
    groups: needs.map((group) => LEADS.add(group)),
  })),
]

const SEED = 5
const SAMPLES = 600
/** Of a long expression with many borders of words, few samples fit. */
const FEWEST = 3

for (const { name, pattern, before, groups } of some(forms, 3)) {
  test(`every match of ${name} has the literals that it is tried for`, () => {
    const source = generated((before?.source ?? '') + pattern.source)
    const texts = fc.sample(fc.stringMatching(new RegExp(source), { size: '-1' }), { seed: SEED, numRuns: SAMPLES })
    let fitting = 0
    for (const sample of texts) {
      for (const text of [`\n${sample}\n`, ` "${sample}" `]) {
        pattern.lastIndex = pattern.sticky ? 1 : 0
        const match = pattern.exec(text)
        if (match === null || (before !== undefined && !before.test(text.slice(0, match.index)))) continue
        fitting++
        assert.ok(hasAll(LEADS.in(text), groups), JSON.stringify(text))
      }
    }
    assert.ok(fitting >= FEWEST, `${fitting} samples fit`)
  })
}
