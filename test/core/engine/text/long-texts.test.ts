import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { encodedRuns } from '../../../../core/engine/text/encoded-runs.ts'
import { encodedRunsInSteps, normaliseInSteps, readAgainInSteps } from '../../../../core/engine/text/long-texts.ts'
import type { OffsetMap } from '../../../../core/engine/text/offset-map.ts'
import { readAgain } from '../../../../core/engine/text/readings.ts'
import { stretches } from '../../../../core/engine/text/stretches.ts'
import { normalise } from '../../../../core/engine/text/unicode.ts'
import { allSteps, type Steps } from '../../../../core/engine/util/steps.ts'
import { fill, TEXT_SHAPES, textOf } from '../../growth/texts.ts'

const SIZE = 70_000
const base64 = (text: string) => Buffer.from(text).toString('base64')

const TEXTS: readonly (readonly [name: string, text: string])[] = [
  ...TEXT_SHAPES.map((shape) => [shape, textOf(shape, SIZE)] as const),
  ['escapes of escapes', fill('\\\\u005c\\u0040 %2540 &amp;#64; =3D40 ', SIZE)],
  ['one run of base64', base64(fill('Größe: write to jo@example.org or leave it. ', SIZE))],
  ['base64 of base64', base64(base64(fill('%40 jo@example.org ', SIZE / 2)))],
  ['a path of many parts', fill(`${base64('write to jo@example.org')}/`, SIZE)],
  ['a path of short parts', fill('ab/', SIZE)],
  ['short runs and padding', fill('a=b==cd=3Dx', SIZE)],
  ['one run of padding', fill('=', SIZE)],
  ['runs between padding', fill(`${base64('write to jo@example.org!')}==`, SIZE)],
  ['a long run of hex', Buffer.from(fill('write to jo@example.org; ', SIZE)).toString('hex')],
  ['a long run of hex that is none at its end', `${Buffer.from(fill('write to jo; ', SIZE)).toString('hex')}zz`],
  [
    'a long run that is cut in a character',
    Buffer.from(fill('Größe ', SIZE))
      .subarray(0, SIZE - 1)
      .toString('base64'),
  ],
  ['a long run with a control character', base64(`${fill('write to jo ', SIZE)}\u0001`)],
  ['a run of digits alone', fill('4142', SIZE)],
  ['a long run of base64url', Buffer.from(fill('????>>>>ÿÿ', SIZE)).toString('base64url')],
  [
    'words before a long run',
    `${fill('some words ', SIZE)} ${base64(fill('write to jo@example.org ', SIZE))} behind it`,
  ],
  ['a run over each border', fill(`${'a b '.repeat(3000)}${base64('write to jo@example.org soon')} `, SIZE)],
  ['escapes far apart, and no blank', fill(`${'a'.repeat(700)}%40`, SIZE)],
  ['look-alikes', fill('pаypаl \u0440\u0443\u0441 x\u0430y ', SIZE)],
  ['hidden text', fill(`a${'\u200b'.repeat(9)}b `, SIZE)],
  ['pairs', fill('\u{1d400}\u{1d7d9}\u{1f600}\u{e0061}', SIZE)],
  ['JSON in JSON', JSON.stringify(JSON.stringify(fill('a line\nand "another"\t', SIZE / 2)))],
]

/** What a map says of some positions, the ends and the borders of steps among them. */
const places = (map: OffsetMap | undefined, length: number): unknown =>
  map === undefined
    ? undefined
    : Array.from({ length: 400 }, (_, i) => Math.floor((i * length) / 400)).map((at) => map.toRaw(at, at + 1))

function counted<T>(steps: Steps<T>): { value: T; count: number } {
  for (let count = 1; ; count++) {
    const { done, value } = steps.next()
    if (done === true) return { value, count }
  }
}

describe('a long text that is read in steps', () => {
  for (const [name, text] of TEXTS) {
    it(`reads as in one go: ${name}`, () => {
      const whole = normalise(text)
      const read = allSteps(normaliseInSteps(text))
      assert.equal(read.text, whole.text)
      assert.deepEqual(read.hidden, whole.hidden)
      assert.deepEqual(places(read.map, read.text.length), places(whole.map, whole.text.length))

      assert.deepEqual(allSteps(encodedRunsInSteps(whole.text)), encodedRuns(whole.text, 0) ?? [])

      const again = readAgain(whole.text, true)
      const inSteps = allSteps(readAgainInSteps(whole.text))
      assert.equal(inSteps.text, again.text)
      assert.equal(inSteps.differs, again.differs)
      assert.deepEqual(places(inSteps.map, inSteps.text.length), places(again.map, again.text.length))
    })
  }

  it('takes more steps the longer one run is', () => {
    for (const unit of ['a', 'QUJD', '41', 'ab/', '=', 'a='])
      for (const make of [encodedRunsInSteps, stretches]) {
        const { count } = counted(make(fill(unit, 200_000)) as Steps<unknown>)
        assert.ok(count > 4 && count < 60, `${make.name} of ${unit}: ${count} steps`)
      }
  })

  it('takes more steps the longer it is', () => {
    const of = (make: (text: string) => Steps<unknown>, size: number) => counted(make(fill('e\u0301%40&', size))).count
    for (const make of [normaliseInSteps, readAgainInSteps, stretches])
      assert.ok(of(make, 1_000_000) > 3 * of(make, 250_000) - 6, make.name)
  })

  it('looks for the next blank once, where there is none', () => {
    const text = fill(`${'a'.repeat(300)}%40`, 2_000_000)
    const [first] = allSteps(stretches(text))
    assert.equal(first?.end, text.length)
  })
})
