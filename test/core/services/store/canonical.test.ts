import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { JsonObject } from '../../../../core/engine/contract/store.ts'
import { canonicalize, seal, stamp } from '../../../../core/engine/util/canonical-json.ts'
import { GENESIS } from '../../../../core/services/store/ops.ts'
import { verify } from '../../../helpers/chain.ts'

describe('canonical JSON (RFC 8785)', () => {
  it('sorts the example of RFC 8785 §3.2.3', () => {
    const value = { '€': 'Euro', '\r': 'CR', '\ufb33': 'Dalet', 1: 'One', '😀': 'Smile', '\u0080': 'Ctl', ö: 'o' }
    const keys = ['\r', '1', '\u0080', 'ö', '€', '😀', '\ufb33']
    assert.deepEqual(
      [...canonicalize(value).matchAll(/"([^"]+)":/g)].map((match) => JSON.parse(`"${match[1]}"`)),
      keys,
    )
  })

  it('writes numbers as RFC 8785 appendix B', () => {
    const numbers: [number, string][] = [
      ...([
        [-0, '0'],
        [5e-324, '5e-324'],
        [1.7976931348623157e308, '1.7976931348623157e+308'],
      ] as [number, string][]),
      ...([
        [9007199254740992, '9007199254740992'],
        [1e21, '1e+21'],
        [9.999999999999997e22, '9.999999999999997e+22'],
      ] as [number, string][]),
      ...([
        [333333333.3333332, '333333333.3333332'],
        [1e-7, '1e-7'],
        [0.000001, '0.000001'],
      ] as [number, string][]),
    ]
    for (const [number, text] of numbers) assert.equal(canonicalize(number), text)
  })

  it('is the same for the same value in any order, and parses back', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const shuffled = JSON.parse(JSON.stringify(value), (_, v) =>
          typeof v === 'object' && v !== null && !Array.isArray(v)
            ? Object.fromEntries(Object.entries(v).reverse())
            : v,
        )
        const text = canonicalize(value as never)
        assert.equal(canonicalize(shuffled), text)
        assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('handles awkward keys', () => {
    const awkward = JSON.parse('{"b":{"10":1,"9":2,"a":3},"__proto__":{"x":1},"a":"\\ud800"}') as JsonObject
    assert.equal(canonicalize(awkward), '{"__proto__":{"x":1},"a":"\ufffd","b":{"10":1,"9":2,"a":3}}')
    assert.equal(canonicalize({ a: undefined } as never), '{}')
    assert.equal(canonicalize({ text: 'a "7": b' }), '{"text":"a \\"7\\": b"}')
  })
})

describe('hash chain', () => {
  const chain = (events: JsonObject[]): JsonObject[] => {
    const head = { seq: 0, hash: GENESIS }
    return events.map((event) => JSON.parse(stamp(seal(event), 'node-a', head)) as JsonObject)
  }
  const check = (records: JsonObject[]): (string | undefined)[] => {
    const head = { seq: 0, hash: GENESIS }
    return records.map((record) => verify(record, head))
  }

  it('hashes the canonical record without its hash', () => {
    const [record] = chain([{ type: 'test', z: [1, { b: 1, a: 2 }], aa: null }])
    const { hash, ...rest } = record!
    assert.equal(hash, createHash('sha256').update(canonicalize(rest)).digest('hex'))
  })

  it('verifies what it stamped, whatever the events', () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue())), (events) => {
        const records = chain(events as JsonObject[])
        assert.deepEqual(
          check(records),
          events.map(() => undefined),
        )
      }),
    )
  })

  it('names a record that was altered, removed, inserted or moved', () => {
    const records = chain([{ n: 0 }, { n: 1 }, { n: 2 }, { n: 3 }])
    const bad = (list: JsonObject[]): number[] =>
      check(list).flatMap((problem, i) => (problem === undefined ? [] : [i]))
    assert.deepEqual(bad(records.map((r, i) => (i === 1 ? { ...r, n: 9 } : r))), [1])
    assert.deepEqual(bad(records.filter((_, i) => i !== 1)), [1])
    assert.deepEqual(bad([records[0]!, records[2]!, records[1]!, records[3]!]), [1, 2, 3])
    assert.deepEqual(bad([...records.slice(0, 2), records[1]!, ...records.slice(2)]), [2])
  })
})
