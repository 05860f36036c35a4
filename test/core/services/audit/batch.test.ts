import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type EventFormat, encode, encodeBatch } from '../../../../core/kit/formats/index.ts'
import { rounds } from '../../../helpers/rounds.ts'
import { SAMPLES, SOURCE } from './samples.ts'

const FORMATS: readonly EventFormat[] = ['json', 'cef', 'ocsf']

/** The events of a body, as texts. */
const apart = (body: string, format: EventFormat): string[] =>
  format === 'cef'
    ? body.split('\n').slice(0, -1)
    : (JSON.parse(body) as unknown[]).map((event) => JSON.stringify(event))

describe('batches', () => {
  for (const format of FORMATS) {
    it(`${format}: all events, in order, none over the limit`, () => {
      fc.assert(
        fc.property(
          fc.array(fc.constantFrom(...SAMPLES), { maxLength: 40 }),
          fc.integer({ min: 100, max: 9000 }),
          (events, max) => {
            const batches = encodeBatch(events, format, SOURCE, max)
            const texts = batches.flatMap(({ body }) => apart(body, format))
            assert.deepEqual(
              texts,
              events.map((event) => encode(format, event, SOURCE)),
            )
            for (const { body, events: count } of batches) {
              assert.equal(apart(body, format).length, count)
              assert.ok(Buffer.byteLength(body) <= max || count === 1)
            }
          },
        ),
        { numRuns: rounds(60) },
      )
    })
  }

  it('takes as few bodies as can be', () => {
    const one = Buffer.byteLength(encode('json', SAMPLES[0]!, SOURCE))
    const events = Array.from({ length: 5 }, () => SAMPLES[0]!)
    const counts = (max: number) => encodeBatch(events, 'json', SOURCE, max).map(({ events: count }) => count)
    assert.deepEqual(counts(5 * one + 6), [5])
    assert.deepEqual(counts(5 * one + 5), [4, 1])
    assert.deepEqual(counts(1), [1, 1, 1, 1, 1])
  })

  it('is an array of JSON, or lines', () => {
    const [json, cef, ocsf] = FORMATS.map((format) => encodeBatch([SAMPLES[0]!], format, SOURCE)[0])
    assert.equal(json?.contentType, 'application/json')
    assert.equal(ocsf?.contentType, 'application/json')
    assert.equal(cef?.contentType, 'text/plain; charset=utf-8')
    assert.ok(cef.body.startsWith('CEF:0|') && cef.body.endsWith('\n'))
    assert.deepEqual(JSON.parse(json.body), [{ ...SAMPLES[0], ...SOURCE }])
    assert.deepEqual(encodeBatch([], 'json', SOURCE), [])
  })
})
