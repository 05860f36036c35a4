import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Channel, Exchange, TextView } from '../../../core/engine/contract/plugin.ts'
import { concerns, TextRule, TextRules, type TextRulesOptions } from '../../../core/kit/index.ts'
import { rounds } from '../../helpers/rounds.ts'
import { cutText, streamThrough } from '../../helpers/stream-view.ts'

type Place = Pick<TextView, 'direction' | 'channel' | 'role'>
const asker = (keyId: string) => ({ caller: { keyId }, request: { model: 'gpt-5' } }) as unknown as Exchange

/** What the rules find in a text that comes in pieces: `rule:start-end`, and the longest hold. */
function stream(rules: TextRules, place: Place, x: Exchange, pieces: readonly string[]) {
  const byRule = new Map<string, string[]>()
  let longestHold = 0
  for (const rule of new Set([0, 1, 2, 3])) {
    const find = (view: object) => rules.find({ ...view, ...place } as TextView, x).filter((hit) => hit.rule === rule)
    const streamed = streamThrough({ find } as never, pieces)
    byRule.set(String(rule), streamed.spans)
    longestHold = Math.max(longestHold, streamed.longestHold)
  }
  return { spans: [...byRule].flatMap(([rule, spans]) => spans.map((span) => `${rule}:${span}`)), longestHold }
}

/** The same, asked of each rule by itself. */
function separately(list: readonly TextRulesOptions[], place: Place, x: Exchange, text: string): string[] {
  return list.flatMap((options, i) => {
    const rule = new TextRule(options)
    if (!rule.hasText || !rule.appliesTo(place) || !concerns(options, x)) return []
    return streamThrough(rule, [text]).spans.map((span) => `${i}:${span}`)
  })
}

const INPUT: Place = { direction: 'input', channel: 'content', role: 'user' }

describe('TextRules', () => {
  it('reports rule by rule, keywords before patterns', () => {
    const rules = new TextRules([
      { patterns: ['\\d+'], keywords: ['b'] },
      { label: 'x' } as never,
      { keywords: ['a', 'b'] },
    ])
    const view = { text: 'a 1 b', before: '', final: true, hold: () => {}, ...INPUT } as unknown as TextView
    const hits = rules.find(view, asker('k'))
    assert.deepEqual(
      hits.map(({ rule, start }) => `${rule}@${start}`),
      ['0@4', '0@2', '2@0', '2@4'],
    )
  })

  it('finds the same in turns over a long text, wherever a step ends', async () => {
    const rules = new TextRules([
      { keywords: ['Straße des Nordens', 'ΟΔΟΣ', 'word'] },
      { keywords: ['Word'], case_sensitive: true, whole_words: false },
      { patterns: ['\\d{4,}', 'x+'] },
    ])
    const unit = 'straße des nordens \u{10400}οδος, Words 1234567 xx word\u{1f600} '
    for (const shift of ['', 'a', 'ab']) {
      const text = shift + unit.repeat(4000)
      const view = { text, before: '', final: true, hold: () => {}, ...INPUT } as unknown as TextView
      let turns = 0
      const x = { ...asker('k'), nextTurn: async () => void turns++ } as Exchange
      const found: string[] = []
      await rules.each(view, x, ({ rule, start, end }) => found.push(`${rule}:${start}-${end}`))
      assert.deepEqual(
        found,
        rules.find(view, x).map(({ rule, start, end }) => `${rule}:${start}-${end}`),
      )
      assert.ok(turns > 5, `${turns} turns`)
    }
  })

  it('knows which texts it looks at', () => {
    assert.equal(new TextRules([{ on: 'input', keywords: ['a'] }]).directions, 'input')
    assert.equal(new TextRules([{ on: 'output', patterns: ['a'] }]).directions, 'output')
    assert.equal(new TextRules([{ on: 'output', patterns: ['a'] }, { keywords: ['b'] }]).directions, 'both')
    assert.equal(new TextRules([{ keys: ['k'] }]).directions, undefined)
  })

  it('has one key for all requests that the same rules concern', () => {
    const rules = new TextRules([{ keywords: ['a'] }, { keywords: ['b'], keys: ['one'] }])
    assert.notEqual(rules.memoKey(asker('one')), rules.memoKey(asker('two')))
    assert.equal(rules.memoKey(asker('two')), rules.memoKey(asker('three')))
    const many = Array.from({ length: 300 }, (_, i) => ({ keywords: ['a'], keys: [`k${i}`] }))
    assert.equal(new TextRules(many).memoKey(asker('k1')), undefined, 'too many to tell apart')
  })

  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'A', ' ', 'é', '機', 'K'), minLength: 1, maxLength: 4 })
  const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 })
  const rule = fc
    .record({
      keywords: optional(fc.array(word, { minLength: 1, maxLength: 4 })),
      patterns: optional(fc.constant(['a{2,3}'])),
      case_sensitive: optional(fc.boolean()),
      whole_words: optional(fc.boolean()),
      roles: optional(fc.constantFrom(['user'], ['assistant'])),
      channels: optional(fc.constantFrom<Channel[]>(['content'], ['reasoning'])),
      on: optional(fc.constantFrom('input', 'output', 'both')),
      keys: optional(fc.constantFrom(['one'], ['two'])),
    })
    .map(
      (all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as TextRulesOptions,
    )

  it('finds what each rule finds by itself, however a stream is cut', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'A', ' ', 'é', '機', 'K'), maxLength: 40 })
    const place = fc.constantFrom<Place>(INPUT, { direction: 'output', channel: 'content', role: 'assistant' })
    const cuts = fc.array(fc.nat(40), { maxLength: 8 })
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 4 }), place, text, cuts, (list, at, whole, positions) => {
        const x = asker('one')
        const rules = new TextRules(list)
        const expected = separately(list, at, x, whole)
        assert.deepEqual(stream(rules, at, x, [whole]).spans, expected)
        const streamed = stream(rules, at, x, cutText(whole, positions))
        assert.deepEqual(streamed.spans, expected)
        const holds = list.map((one) =>
          one.patterns === undefined ? Math.max(0, ...(one.keywords ?? []).map((k) => k.length)) : 64,
        )
        assert.ok(streamed.longestHold <= Math.max(0, ...holds), 'no more than the longest keyword or the window')
      }),
      { numRuns: rounds(1000) },
    )
  })

  it('finds keywords of many different characters', () => {
    const list = Array.from(
      { length: 20_000 },
      (_, i) => String.fromCharCode(0x3400 + i) + String.fromCharCode(0x4000 + i),
    )
    const rules = new TextRules([{ keywords: list }])
    const view = { text: `x${list[19_999]}${list[3]}`, before: '', final: true, hold: () => {}, ...INPUT }
    assert.equal(rules.find(view as unknown as TextView, asker('k')).length, 2)
  })
})
