/** What no plugin holds leaves: of a text without end, whatever it is, a stream keeps a bounded part. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Inspection } from '../../../../core/engine/text/inspection.ts'
import { MAX_OPEN } from '../../../../core/engine/text/readings.ts'
import { StreamView } from '../../../../core/engine/text/stream-view.ts'
import { rounds } from '../../../helpers/rounds.ts'
import { origin } from '../../../helpers/text.ts'

const PIECE = 120
/** What waits at most: a run that may still become text, and what its readings have of it. */
const MOST = 4 * MAX_OPEN

function assertLeaves(unit: string, length: number): void {
  const text = unit.repeat(Math.ceil(length / unit.length))
  const view = new StreamView(new Inspection({}), 1, origin, () => undefined)
  for (let at = 0; at < text.length; at += PIECE) {
    view.append(text.slice(at, at + PIECE))
    view.prepare()
    view.settle()
    assert.ok(view.length - view.released <= MOST, `${view.length - view.released} wait after ${at + PIECE}`)
  }
}

describe('a text without end', () => {
  for (const unit of [
    '4\u200b',
    '4539\u200b',
    'QmFz\u200b',
    '44\u00ad',
    'a\u3164',
    '3=\n',
    '34\\n',
    '&#52;4',
    '%344\u2060',
  ])
    it(`leaves: ${JSON.stringify(unit)}`, () => assertLeaves(unit, 48_000))

  it('leaves, whatever it repeats', () => {
    const sign = fc.constantFrom(
      ...'4 a A = / + - _ \n \\ . 44 3d QmFz PQ \u200b \u00ad \u3164 \u0301 é %41 %3 \\x41 \\u0034 &#52; =3D \\n \\\\'.split(
        ' ',
      ),
    )
    const unit = fc.array(sign, { minLength: 1, maxLength: 6 }).map((signs) => signs.join(''))
    fc.assert(
      fc.property(unit, (text) => assertLeaves(text, 36_000)),
      { numRuns: rounds(600) },
    )
  })
})
