/** What texts cost grows with their length and no faster, whatever stands in them and however a stream is cut. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FieldView } from '../../../../core/engine/text/field-view.ts'
import { Inspection } from '../../../../core/engine/text/inspection.ts'
import { readAgain } from '../../../../core/engine/text/readings.ts'
import type { StreamView } from '../../../../core/engine/text/stream-view.ts'
import { stretches } from '../../../../core/engine/text/stretches.ts'
import { normalise } from '../../../../core/engine/text/unicode.ts'
import { allSteps } from '../../../../core/engine/util/steps.ts'
import { rounds } from '../../../helpers/rounds.ts'
import { origin, reporter, Stream } from '../../../helpers/text.ts'
import { costOf } from '../../../helpers/thread-time.ts'

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
/** Those that only the second reading finds special. */
const READ_TWICE: Readonly<Record<string, string>> = {
  'words that hold no text': '-----BEGIN ',
  'words of letters and digits': 'EMAIL_k3v7q2m5xa ',
  'runs of base64': 'QmFzZTY0IGlzIG5vdCBhIHNlY3JldCBmb3IgYW55Ym9keQ0K',
  'paths of words': 'abcdefghijkl/mnopqrstuv/',
  'one path': '/',
  'runs of hex': '6a6f406578616d706c652e6f7267 ',
  'quoted lines': '=3D=\n',
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

/**
 * Time may grow by this much more than size does, and by as much on top: a collection of garbage. What is quadratic costs
 * twice that for four times the length. On a quiet machine, `GROWTH_FACTOR=1.3` judges more strictly.
 */
const FACTOR = Number(process.env.GROWTH_FACTOR ?? 2)
const ON_TOP_MS = 4
const ROUNDS = 12
/** Characters of the smaller text. */
const LENGTH = Math.max(30_000, rounds(150_000))
/** Of a case that costs little until its objects no longer fit into the space for young ones. */
const ROOMY = 200_000

/**
 * Four times the length may cost eight times as much, judged by the least of several runs of each: what disturbs one adds
 * time and never takes any away.
 */
function growsLinearly(run: (length: number) => void, small: number): void {
  run(small)
  let [one, four] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < ROUNDS; round++) {
    one = Math.min(
      one,
      costOf(() => run(small)),
    )
    // A dear run of the small one would hide growth, a dear run of the large one only asks for another round.
    if (round === 0) continue
    four = Math.min(
      four,
      costOf(() => run(small * 4)),
    )
    if (four <= FACTOR * 4 * one + ON_TOP_MS) return
  }
  assert.fail(`${small} characters → ${small * 4}: ${one.toFixed(1)} → ${four.toFixed(1)} ms`)
}

describe('the cost of a text', () => {
  for (const [name, unit] of Object.entries(TEXTS)) {
    it(`is linear for ${name}, whole`, () => growsLinearly((n) => void normalise(ofLength(unit, n)), LENGTH))
    it(`is linear for ${name}, in one event`, () =>
      growsLinearly((n) => streamed(ofLength(unit, n), n, keepLast), LENGTH))
    it(`is linear for ${name}, cut at every character`, () =>
      growsLinearly((n) => streamed(ofLength(unit, n), 1, keepLast), name === 'backslashes' ? 2_000 : 4_000))
  }

  for (const [name, unit] of Object.entries({ ...TEXTS, ...READ_TWICE })) {
    it(`is linear for ${name}, read twice`, () =>
      growsLinearly((n) => void readAgain(normalise(ofLength(unit, n)).text, true), LENGTH))
  }

  for (const [name, unit] of Object.entries({
    ...TEXTS,
    ...READ_TWICE,
    'escapes among long lines': `${`${'QmFzZTY0IGlz'.repeat(6)}\n`.repeat(4)}%40${'a b '.repeat(200)}`,
    'an escape in each word of letters': 'abcdefghijklmnopqrstuvwxyz%40',
    'long lines far apart': `${'k3v7q2m5xa'.repeat(3)}${' - '.repeat(80)}%40`,
  })) {
    it(`is linear for ${name}, where stretches of it are read twice`, () =>
      growsLinearly((n) => void allSteps(stretches(normalise(ofLength(unit, n)).text)), LENGTH))
  }

  it('is linear for a run of base64 with many seams, in one event', () =>
    growsLinearly((n) => streamed(ofLength('\u007fZm9v', n), n, keepLast), 8_000))

  for (const [name, tap] of Object.entries({ everyWord, overlapping, chained })) {
    it(`is linear with findings: ${name}, in one event`, () =>
      growsLinearly((n) => streamed(ofLength('a b ', n), n, tap), tap === chained ? ROOMY : LENGTH))
    it(`is linear with findings: ${name}, in small events`, () =>
      growsLinearly((n) => streamed(ofLength('a b ', n), 2000, tap), LENGTH))
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
