/** What texts cost grows with their length and no faster, whatever stands in them and however a stream is cut. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FieldView } from '../../../core/text/field-view.ts'
import { Inspection } from '../../../core/text/inspection.ts'
import { normalise } from '../../../core/text/unicode.ts'
import type { StreamView } from '../../../core/text/window.ts'
import { origin, reporter, Stream } from '../../helpers/text.ts'

const TEXTS: Readonly<Record<string, string>> = {
  'plain words': 'plain words and more ',
  'marks alone': '\u0301',
  'a mark on each letter': 'e\u0301',
  'a pile of marks on each letter': `e${'\u0336'.repeat(90)}`,
  'invisible characters alone': '\u200b',
  'tags alone': '\u{e0061}',
  'invisible characters in between': 'a\u3164',
  'look-alikes alone': 'ор',
  'look-alikes in between': 'aоb',
  ampersands: '&',
  'percent signs': '%',
  backslashes: '\\',
  'escapes that never end': '&#x0000',
  escapes: '&#64;%41\\u0041',
  'all of it in turn': 'a&#\u0301\u200b%о\\4ー\u{e0061}ﬁ',
}
const ofLength = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length)

type Tap = (view: StreamView) => void
const keepLast: Tap = (view) => view.hold(view.text.length - 64)
const everyWord: Tap = (view) => {
  for (let at = view.text.indexOf(' ', view.fresh); at >= 0; at = view.text.indexOf(' ', at + 1)) {
    if (at > 0) view.report({ type: 'word', start: at - 1, end: at, action: 'redact' })
  }
  keepLast(view)
}
/** Each finding overlaps hundreds of others. */
const overlapping: Tap = (view) => {
  for (let at = view.fresh; at + 507 < view.text.length; at += 2) {
    view.report({ type: 'long', start: at, end: at + 500 + (at % 7), action: at % 3 === 0 ? 'redact' : 'detect' })
  }
  view.hold(view.text.length - 600)
}
/** Each begins within the one before, to the end of the text. */
const chained: Tap = (view) => {
  for (let at = view.fresh; at + 8 < view.text.length; at += 5) {
    view.report({ type: at % 2 ? 'a' : 'b', start: at, end: at + 8, action: 'redact' })
  }
}

function streamed(text: string, size: number, tap: Tap): void {
  const stream = new Stream()
  const who = reporter()
  // Without `stream.read`, which keeps all that came to put together what left.
  for (let at = 0; at < text.length; at += size) {
    const { view } = stream
    view.append(text.slice(at, at + size))
    view.final = at + size >= text.length
    view.prepare()
    stream.inspection.reporter = who
    if (view.text !== '') tap(view)
    stream.inspection.reporter = undefined
    const { released } = view
    view.settle()
    view.touches(released, view.released)
    if (at % 1024 === 0) view.forget(view.released)
  }
  assert.equal(stream.view.released, text.length)
}

/** CPU time, milliseconds: what others do on the machine does not count. */
function cost(run: () => void): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/**
 * Four times the length may cost eight times as much, judged by the best of several runs: a quadratic step costs sixteen
 * times as much. In between lies the collector of garbage, which walks through what lives. Small costs are noise; what
 * is far from linear is far beyond the floor at these lengths.
 */
function growsLinearly(run: (length: number) => void, small: number, floor = 60): void {
  run(small)
  let ratio = Number.POSITIVE_INFINITY
  const seen: string[] = []
  for (let round = 0; round < 6; round++) {
    const one = Math.min(
      cost(() => run(small)),
      cost(() => run(small)),
    )
    const four = Math.min(
      cost(() => run(small * 4)),
      cost(() => run(small * 4)),
    )
    ratio = Math.min(ratio, (four - floor) / (one * 4))
    seen.push(`${one.toFixed(1)}→${four.toFixed(1)}`)
    if (ratio <= 2) return
  }
  assert.fail(`${small} characters → ${small * 4}: ${seen.join(', ')} ms`)
}

describe('the cost of a text', () => {
  for (const [name, unit] of Object.entries(TEXTS)) {
    it(`is linear for ${name}, whole`, () => growsLinearly((n) => void normalise(ofLength(unit, n)), 250_000))
    it(`is linear for ${name}, in one event`, () =>
      growsLinearly((n) => streamed(ofLength(unit, n), n, keepLast), 250_000))
    it(`is linear for ${name}, cut at every character`, () =>
      growsLinearly((n) => streamed(ofLength(unit, n), 1, keepLast), 25_000))
  }

  for (const [name, tap] of Object.entries({ everyWord, overlapping, chained })) {
    it(`is linear with findings: ${name}, in one event`, () =>
      growsLinearly((n) => streamed(ofLength('a b ', n), n, tap), 50_000))
    it(`is linear with findings: ${name}, in small events`, () =>
      growsLinearly((n) => streamed(ofLength('a b ', n), 2000, tap), 50_000))
  }

  it('is linear for findings that come from right to left', () =>
    growsLinearly((n) => {
      const inspection = new Inspection()
      const view = new FieldView(inspection, 0, origin, 'output', 'ab '.repeat(n))
      inspection.reporter = reporter()
      for (let i = n - 1; i >= 0; i--) view.report({ type: 'x', start: i * 3, end: i * 3 + 2, action: 'redact' })
      assert.equal(view.settle()?.length, n * 4)
    }, 25_000))

  it('is linear while a verdict is awaited', () =>
    growsLinearly((n) => {
      let waits = false
      streamedWaiting(ofLength('words and more ', n), 8, (view) => {
        if (!waits) view.hold(0, new Promise(() => {}))
        waits = true
      })
    }, 12_500))
})

/** A stream of which nothing leaves. */
function streamedWaiting(text: string, size: number, tap: Tap): void {
  const stream = new Stream()
  for (let at = 0; at < text.length; at += size) {
    stream.view.append(text.slice(at, at + size))
    stream.view.prepare()
    stream.inspection.reporter = reporter({ timeoutMs: 1 })
    tap(stream.view)
    stream.inspection.reporter = undefined
    stream.view.settle()
  }
  assert.equal(stream.view.released, 0)
}
