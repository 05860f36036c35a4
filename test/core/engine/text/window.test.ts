import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Action } from '../../../../core/engine/contract/plugin.ts'
import { FieldView } from '../../../../core/engine/text/field-view.ts'
import { Inspection } from '../../../../core/engine/text/inspection.ts'
import type { StreamView } from '../../../../core/engine/text/stream-view.ts'
import { normalise } from '../../../../core/engine/text/unicode.ts'
import { rounds } from '../../../helpers/rounds.ts'
import { origin, reporter, Stream } from '../../../helpers/text.ts'

interface Span {
  start: number
  length: number
  action: Action
  type: string
}
const span = fc.record({
  start: fc.nat({ max: 60 }),
  length: fc.integer({ min: 1, max: 9 }),
  action: fc.constantFrom<Action[]>('detect', 'tokenize', 'redact', 'redact'),
  type: fc.constantFrom('a', 'b'),
})
const replaceOf = ({ action, type }: Span) => (action === 'tokenize' ? (text: string) => `<${text}>` : `[${type}]`)

/** What a buffered text with the same findings becomes, and what is counted. */
function buffered(text: string, spans: readonly Span[]) {
  const inspection = new Inspection()
  const view = new FieldView(inspection, 0, origin, 'output', text)
  inspection.reporter = reporter()
  for (const one of spans) {
    view.report({
      type: one.type,
      start: one.start,
      end: one.start + one.length,
      action: one.action,
      replace: replaceOf(one),
    })
  }
  return { text: view.settle() ?? text, inspection, normal: view.text }
}

/** Cuts a text into pieces of these lengths. */
function cut(text: string, lengths: readonly number[]): string[] {
  const out: string[] = []
  let at = 0
  for (const length of lengths) {
    if (at >= text.length) break
    out.push(text.slice(at, at + length))
    at += length
  }
  out.push(text.slice(at))
  return out
}

/** Reports the spans as they come into sight, and holds what belongs to one that is not yet whole. */
function honest(spans: readonly Span[], extraHold: number) {
  return (view: StreamView) => {
    const end = view.offset + view.text.length
    let from = view.text.length - extraHold
    for (const one of spans) {
      const start = one.start - view.offset
      if (one.start + one.length <= end) {
        if (start < 0) continue
        view.report({ type: one.type, start, end: start + one.length, action: one.action, replace: replaceOf(one) })
      } else if (one.start < end) from = Math.min(from, start)
    }
    if (from < view.text.length) view.hold(from)
  }
}

describe('a streamed text', () => {
  const lengths = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 40 })

  it('becomes what the whole text becomes, for any cuts, holds and findings', () => {
    const text = fc.string({ minLength: 1, maxLength: 70, unit: fc.constantFrom(...'abcdefghij 0123456789') })
    fc.assert(
      fc.property(
        text,
        lengths,
        fc.array(span, { maxLength: 6 }),
        fc.array(fc.nat({ max: 12 }), { minLength: 1 }),
        (whole, cuts, some, holds) => {
          const spans = some.filter(({ start, length }) => start + length <= whole.length)
          const expected = buffered(whole, spans)
          const stream = new Stream()
          const pieces = cut(whole, cuts)
          pieces.forEach((piece, i) => {
            const { view } = stream
            stream.read(piece, i === pieces.length - 1, [reporter(), honest(spans, holds[i % holds.length] as number)])
            assert.ok(expected.text.startsWith(stream.out), 'nothing leaves that is not in the result')
            assert.equal(view.text, whole.slice(view.offset, view.offset + view.text.length))
            assert.equal(view.before, whole.slice(Math.max(0, view.offset - 256), view.offset))
            assert.equal(view.offset, view.released)
          })
          assert.equal(stream.out, expected.text)
          assert.equal(stream.view.text, '')
          const counts = ({ counts: all }: Inspection) =>
            all.map(({ type, action, count }) => `${type} ${action} ${count}`).sort()
          if (
            spans.every((one, i) =>
              spans.every(
                (other, k) =>
                  i === k ||
                  one.type !== other.type ||
                  one.start >= other.start + other.length ||
                  other.start >= one.start + one.length,
              ),
            )
          ) {
            assert.deepEqual(counts(stream.inspection), counts(expected.inspection))
          }
        },
      ),
      { numRuns: rounds(2000) },
    )
  })

  it('never lets a part of a rewritten span leave in clear', () => {
    fc.assert(
      fc.property(lengths, fc.array(span, { minLength: 1, maxLength: 5 }), (cuts, spans) => {
        const whole = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!?+-*/=&$'
        const hidden = new Set<string>()
        for (const { start, length, action } of spans) {
          if (action !== 'detect') for (const char of whole.slice(start, start + length)) hidden.add(char)
        }
        const stream = new Stream()
        const pieces = cut(whole, cuts)
        const tap = honest(
          spans.map((one) => ({ ...one, action: one.action === 'tokenize' ? 'redact' : one.action })),
          0,
        )
        pieces.forEach((piece, i) => {
          stream.read(piece, i === pieces.length - 1, [reporter(), tap])
          for (const char of stream.out.replace(/\[[ab]\]/g, '')) assert.ok(!hidden.has(char), char)
        })
      }),
    )
  })

  it('stands by a report over held text that is not made again', () => {
    const stream = new Stream()
    let calls = 0
    const once = (view: StreamView) => {
      if (calls++ === 0) view.report({ type: 'a', start: 3, end: 6, action: 'redact' })
      view.hold(0)
    }
    stream.read('xx secr', false, [reporter(), once]).read('et yy', false, [reporter(), once])
    assert.equal(stream.out, '')
    stream.read('', true, [reporter(), once])
    assert.equal(stream.out, 'xx [A]ret yy')
  })

  it('rewrites the rest of a value without counting it again', () => {
    const stream = new Stream()
    const all = (continued: boolean) => (view: StreamView) => {
      view.report({ type: 'key', start: 0, end: view.text.length, action: 'redact', continued })
    }
    stream.read('BEGIN', false, [reporter(), all(false)])
    for (const piece of ['more', 'and more']) stream.read(piece, false, [reporter(), all(true)])
    stream.read('END', true, [reporter(), all(true)])
    assert.equal(stream.out, '[KEY]')
    assert.deepEqual(
      stream.inspection.counts.map(({ type, action, count }) => `${type} ${action} ${count}`),
      ['key redact 1'],
    )
  })

  it('removes what shows nothing between the reads of one value, and nothing behind it', () => {
    const rest = (continued: boolean, end: number, hold: number) => (view: StreamView) => {
      if (end > 0) view.report({ type: 'key', start: 0, end, action: 'redact', continued })
      view.hold(hold)
    }
    const stream = new Stream()
    stream.read('ab4\ufe0f\u20e3', false, [reporter(), rest(false, 3, 3)])
    assert.equal(stream.out, '[KEY]')
    stream.read('c5\ufe0f\u20e3\u200bd', false, [reporter(), rest(true, 2, 2)])
    stream.read('e', false, [reporter(), rest(true, 0, 0)])
    stream.read('f\u200b', false, [reporter(), rest(true, 4, 4)])
    stream.read(' g', true)
    assert.equal(stream.out, '[KEY]\u200b g')
  })

  it('keeps to its hold: what is held is still there, and is offered again with what is new', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ maxLength: 8, unit: fc.constantFrom(...'!?;') }), fc.nat({ max: 10 })), {
          minLength: 1,
        }),
        (reads) => {
          const stream = new Stream()
          let held = ''
          for (const [text, back] of reads) {
            const before = stream.view.text
            assert.equal(before, held)
            stream.read(text, false, [
              reporter(),
              (view) => {
                assert.equal(view.text, held + text)
                assert.equal(view.fresh, held.length)
                assert.equal(view.final, false)
                view.hold(view.text.length - back)
              },
            ])
            held = back === 0 ? '' : (held + text).slice(-back)
            assert.equal(stream.view.text, held)
            assert.equal(stream.out + held, stream.raw)
          }
        },
      ),
    )
  })

  it('is held by the plugin that wants most', () => {
    const stream = new Stream()
    stream.read(
      'abcdef',
      false,
      [reporter(), (view) => view.hold(4)],
      [reporter({ name: 'q' }), (view) => view.hold(2)],
      [reporter({ name: 'r' }), (view) => view.hold(5)],
    )
    assert.equal(stream.out, 'ab')
    stream.read('g', false, [reporter(), () => {}])
    assert.equal(stream.out, 'abcdefg', 'a hold lasts until the next call')
  })

  it('shows what comes next only when it is whole: escapes, pairs, combining marks', () => {
    for (const [first, second, shown, whole] of [
      ['a \ud83d', '\ude00', 'a ', 'a 😀'],
      ['mail%4', '0x', 'mail', 'mail@x'],
      ['g\\u00', '40y', 'g', 'g@y'],
      ['g\\1', '00y', 'g', 'g\\100y'],
      ['g=4', '0y', 'g', 'g=40y'],
      ['see am9AeC5v', 'cmc=', 'see ', 'see am9AeC5vcmc='],
      ['&#x4', '0;z', '', '@z'],
      ['g \u2460\ufe0fa\u0301', 'b', 'g ', 'g \u2460\u00e1b'],
      ['g \u2460\u200b\u0430', 'a', 'g ', 'g \u2460aa'],
      ['g1\u200b', '2', 'g1', 'g1\ufeff2'],
    ] as const) {
      const stream = new Stream()
      const seen: string[] = []
      stream.read(first, false, [
        reporter(),
        (view) => {
          seen.push(view.text)
          view.hold(0)
        },
      ])
      stream.read(second, true, [reporter(), (view) => void seen.push(view.text)])
      assert.deepEqual(seen, [shown, whole])
      assert.equal(stream.out, first + second)
    }
  })
})

/** Characters that read differently beside one another. */
const TRICKY = [
  ...'ab1-%4&x'.split(''),
  '\u043e',
  '\u0430',
  '\u200b',
  '\u0301',
  '\ufe0f',
  '\u20e3',
  '\uff11',
  '\u2460',
  '\ufb01',
  'e',
  '\u30fc',
  '%40',
  '\\u0031',
  '&#64;',
  '\ud835\udfd9',
  '漢',
  ' ',
]

describe('a streamed text that is not plain', () => {
  const tricky = fc.array(fc.constantFrom(...TRICKY), { minLength: 1, maxLength: 24 }).map((chars) => chars.join(''))
  const lengths = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 30 })

  // A mark may always follow: what it would combine with is held.
  const holds = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1 })

  it('reads as the whole text does, at every hold and cut', () => {
    fc.assert(
      fc.property(tricky, lengths, holds, (whole, cuts, backs) => {
        const stream = new Stream()
        const pieces = cut(whole, cuts)
        pieces.forEach((piece, i) => {
          stream.read(piece, i === pieces.length - 1, [
            reporter(),
            (view) => {
              // What is still to come may only change what is not shown yet, or combine with the character before.
              const ends = Array.from({ length: view.final ? 1 : 24 }, (_, back) => stream.raw.length - back)
              const texts = ends.map((end) => normalise(stream.raw.slice(0, end)).text.slice(view.offset))
              const so = view.final ? texts.includes(view.text) : texts.some((text) => text.startsWith(view.text))
              assert.ok(so, JSON.stringify([whole, pieces, view.text]))
              if (i < pieces.length - 1) view.hold(view.text.length - (backs[i % backs.length] as number))
            },
          ])
        })
        assert.equal(stream.out, whole)
      }),
      { numRuns: rounds(3000) },
    )
  })

  it('becomes what the whole text becomes', () => {
    fc.assert(
      fc.property(tricky, lengths, fc.array(span, { maxLength: 4 }), holds, (whole, cuts, some, backs) => {
        const { text } = normalise(whole)
        const spans = some
          .map((one) => ({ ...one, start: one.start % 24 }))
          .filter(({ start, length }) => start + length <= text.length)
        const expected = buffered(whole, spans)
        const stream = new Stream()
        const pieces = cut(whole, cuts)
        pieces.forEach((piece, i) => {
          stream.read(piece, i === pieces.length - 1, [reporter(), honest(spans, backs[i % backs.length] as number)])
        })
        assert.equal(stream.out, expected.text, JSON.stringify([whole, pieces]))
      }),
      { numRuns: rounds(3000) },
    )
  })
})
