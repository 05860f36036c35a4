/** A long text is searched in windows, and nobody can tell from the hits. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { RE2JS } from 're2js'
import { Patterns } from '../../../core/kit/index.ts'
import { PatternSearch } from '../../../core/kit/pattern-search.ts'
import { TextRules } from '../../../core/kit/text-rules.ts'
import { rounds, some } from '../../helpers/rounds.ts'
import { covered, cutText, streamThrough } from '../../helpers/stream-view.ts'

type Span = readonly [start: number, end: number]

/** The spans, and how many steps it took. */
function inWindows(pattern: string, text: string): { spans: Span[]; steps: number } {
  const spans: Span[] = []
  const search = new PatternSearch(RE2JS.compile(pattern)).matches(text, (start, end) => void spans.push([start, end]))
  let steps = 1
  while (search.next().done !== true) steps++
  return { spans, steps }
}

function atOnce(pattern: string, text: string): Span[] {
  const spans: Span[] = []
  const matcher = RE2JS.compile(pattern).matcher(text)
  while (matcher.find()) spans.push([matcher.start(), matcher.end()])
  return spans
}

const BOUNDED = [
  '\\bab\\b',
  'a{1,3}b',
  '[ab]{2,40}',
  '(?i)B1',
  'a b|b',
  'ab|ab.{0,60}1',
  '(?m)^a.',
  '(?m)b$',
  '^a',
  'b$',
  '.',
  'x?',
  '\\Bb',
  'é|\\pL{3}',
]
/** One search takes quadratic time for it, too, where a long line has no `b`. */
const LOOKS_FAR = '(a.*b)?'
const IN_LINES = ['a.*b', '[ab]+', 'a\\s+b', '1+|a1+b', '(?i)a[^\\n]*1', 'b*', '(?m)^.*$', '[^a\\n]{3,}']
const ENDLESS = ['(?s)a.*1', '[^b]+', 'a\\pZ*|[\\s\\S]{3,}$']
/** Around the ends of the first windows. */
const EDGES = [0, 16_384, 32_768, 16_384 + 90]

const LINES = ['ab\n', 'ab1 \n']
const FILLERS = ['abc ', 'b', ' ', '1a', '\u{1f600}', 'é', ...LINES]
const piece = fc.string({
  unit: fc.constantFrom('a', 'b', ' ', '1', '\n', '\u{1f600}', '\ud83d', '\ude00', 'x', 'é'),
  maxLength: 120,
})
const textOf = (fillers: readonly string[]) =>
  fc
    .tuple(
      fc.constantFrom(...fillers),
      fc.array(fc.tuple(fc.constantFrom(...EDGES), fc.nat(130), piece), { maxLength: 5 }),
    )
    .map(([unit, pieces]) => {
      let text = unit.repeat(Math.ceil(50_000 / unit.length))
      for (const [edge, before, part] of pieces) {
        const at = Math.max(0, edge - before)
        text = text.slice(0, at) + part + text.slice(at + part.length)
      }
      return text
    })
const longText = textOf(FILLERS)

describe('a search in windows', () => {
  it('finds what one search finds', () => {
    const patterns = fc.constantFrom(...BOUNDED, ...IN_LINES, ...ENDLESS)
    for (const cases of [fc.tuple(patterns, longText), fc.tuple(fc.constant(LOOKS_FAR), textOf(LINES))])
      fc.assert(
        fc.property(cases, ([pattern, text]) => {
          assert.deepEqual(inWindows(pattern, text).spans, atOnce(pattern, text))
        }),
        { numRuns: rounds(100) },
      )
  })

  it('takes many steps for a pattern with a longest match, whatever the text', () => {
    for (const [row, unit] of ['ab', 'ab1 \n', '\u{1f600}'].entries())
      for (const pattern of some(BOUNDED, 3, row)) {
        const text = unit.repeat(60_000 / unit.length)
        const { spans, steps } = inWindows(pattern, text)
        assert.deepEqual(spans, atOnce(pattern, text))
        assert.ok(steps >= 3, `${pattern}: ${steps} steps`)
      }
  })

  it('takes many steps for a pattern without one where its matches cannot go on', () => {
    for (const pattern of [...IN_LINES, LOOKS_FAR]) {
      const { steps } = inWindows(pattern, 'abc 1x, a  b; 1\n'.repeat(7000))
      assert.ok(steps >= 6, `${pattern}: ${steps} steps`)
    }
  })

  it('finds a match of any length', () => {
    const text = `b${'a1'.repeat(50_000)}b`
    assert.deepEqual(inWindows('(?s)a.*b', text).spans, [[1, text.length]])
    assert.deepEqual(inWindows('[a1]+', `${text} ${text}`).spans, atOnce('[a1]+', `${text} ${text}`))
  })

  it('finds the same in a stream however it is cut', () => {
    // Not what fits a run in more than one way: a stream begins anew where text left.
    const list = ['\\bab\\b', 'a{1,3}b', '(?i)B1', 'a b']
    fc.assert(
      fc.property(fc.constantFrom(...list), longText, fc.array(fc.nat(50_000), { maxLength: 6 }), (one, text, cuts) => {
        const patterns = new Patterns([one], { window: 90 })
        const { spans } = streamThrough(patterns, cutText(text, cuts))
        assert.deepEqual(covered(spans), covered(streamThrough(patterns, [text]).spans))
      }),
      { numRuns: rounds(100) },
    )
  })

  it('lets others go on: a rule takes a turn for each window', async () => {
    const rules = new TextRules([{ patterns: ['(?i)internal.{0,40}report'] }])
    const text = `${'internal '.repeat(40_000)}report`
    let turns = 0
    const hits: Span[] = []
    const view = { text, before: '', final: true, direction: 'input', channel: 'content', hold: () => {} }
    const x = { nextTurn: async () => void turns++ }
    await rules.each(view as never, x as never, ({ start, end }) => void hits.push([start, end]))
    assert.deepEqual(hits, [[text.length - 51, text.length]])
    assert.ok(turns > 20, `${turns} turns`)
  })
})
