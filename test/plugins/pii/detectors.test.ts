import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DETECTORS } from '../../../plugins/pii/detectors/index.ts'
import { Scanner } from '../../../plugins/pii/engine/scanner.ts'
import { some } from '../../helpers/rounds.ts'
import { AMERICAS } from './cases/americas.ts'
import { ASIA_PACIFIC } from './cases/asia-pacific.ts'
import { unmark } from './cases/cases.ts'
import { CONTACT } from './cases/contact.ts'
import { EUROPE } from './cases/europe.ts'
import { FINANCIAL } from './cases/financial.ts'
import { IN_CONTEXT } from './cases/in-context.ts'

const ALL = [...CONTACT, ...FINANCIAL, ...AMERICAS, ...EUROPE, ...ASIA_PACIFIC, ...IN_CONTEXT]
const everything = new Scanner(DETECTORS)

for (const { type, good, bad } of ALL) {
  describe(type, () => {
    // Alone, so that no other detector takes the value; that all of them together cover it is checked as well.
    const alone = new Scanner(DETECTORS.filter((detector) => detector.type === type))

    for (const marked of good) {
      const { text, spans } = unmark(marked)
      it(`finds ${marked}`, () => {
        const { hits } = alone.scan(text, 0, true)
        assert.deepEqual(
          hits.map(({ start, end }) => text.slice(start, end)),
          spans.map(({ start, end }) => text.slice(start, end)),
        )
        const covered = everything.scan(text, 0, true).hits
        for (const span of spans) {
          assert.ok(
            covered.some((hit) => hit.start <= span.start && hit.end >= span.end),
            'all detectors together',
          )
        }
      })
    }

    for (const text of bad) {
      it(`leaves ${text}`, () => {
        assert.deepEqual(
          alone.scan(text, 0, true).hits.map(({ start, end }) => text.slice(start, end)),
          [],
        )
      })
    }
  })
}

it('every type has at least eight good and eight bad cases', () => {
  const types = new Set(DETECTORS.map((detector) => detector.type))
  assert.deepEqual(ALL.map(({ type }) => type).sort(), [...types].sort())
  const short = ALL.filter(({ good, bad }) => good.length < 8 || bad.length < 8)
  assert.deepEqual(
    short.map(({ type }) => type),
    [],
  )
})

it('a value is found wherever the text is cut', () => {
  for (const [row, marked] of ALL.flatMap(({ good, bad }) => [...good, ...bad]).entries()) {
    const { text } = unmark(marked)
    const cuts = Array.from({ length: text.length - 1 }, (_, i) => i + 1)
    const whole = everything
      .scan(text, 0, true)
      .hits.map(({ start, end, detector }) => `${detector.type} ${start} ${end}`)
    for (const cut of some(cuts, 13, row)) {
      const { hits, hold } = everything.scan(text.slice(0, cut), 0, false)
      const rest = everything.scan(text, hold, true).hits
      const found = [...hits, ...rest].map(({ start, end, detector }) => `${detector.type} ${start} ${end}`)
      assert.deepEqual(found, whole, `${text.slice(0, cut)} | ${text.slice(cut)}`)
    }
  }
})
