import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { GovernanceEvent } from '../../../../core/engine/contract/plugin.ts'
import type { JsonObject } from '../../../../core/engine/contract/store.ts'
import { seal, stamp } from '../../../../core/engine/util/canonical-json.ts'
import { encode, eventSource } from '../../../../core/kit/formats/index.ts'
import { type Problem, TrailVerifier } from '../../../../core/services/audit/chain.ts'
import { GENESIS } from '../../../../core/services/store/ops.ts'
import { rounds } from '../../../helpers/rounds.ts'

const content = (n: number): JsonObject => ({ id: `event-${n}`, type: 'request.completed', status: 200, model: 'm' })

/** A trail as the store writes it. */
function trail(length: number, instance = 'gw-1', of = content): string[] {
  const head = { seq: 0, hash: GENESIS }
  return Array.from({ length }, (_, i) => stamp(seal(of(i + 1)), instance, head))
}

function verify(lines: readonly string[]) {
  const verifier = new TrailVerifier()
  for (const [i, line] of lines.entries()) verifier.add(line, i + 1)
  const { chains, problems } = verifier.end()
  const told = problems.map(({ kind, seq, last, line }: Problem) => `${kind} ${seq}${last ? `-${last}` : ''} @${line}`)
  return { chains, told }
}

const swap = (lines: readonly string[], a: number, b: number) => lines.with(a, lines[b]!).with(b, lines[a]!)

describe('a trail', () => {
  const lines = trail(10)

  it('is whole', () => {
    const { chains, told } = verify(lines)
    assert.deepEqual(told, [])
    const [summary] = chains
    assert.deepEqual(
      { ...summary, hash: '' },
      { instance: 'gw-1', first: 1, last: 10, records: 10, repeated: 0, hash: '' },
    )
  })

  it('may begin later, and come twice in part', () => {
    assert.deepEqual(verify(lines.slice(4)).told, [])
    const { chains, told } = verify([...lines.slice(0, 7), ...lines.slice(4)])
    assert.deepEqual(told, [])
    assert.equal(chains[0]?.repeated, 3)
  })

  it('may be mixed with those of other instances', () => {
    const others = trail(10, 'gw-2')
    assert.deepEqual(verify(lines.flatMap((line, i) => [line, others[i]!])).told, [])
  })

  it('is the same after export', () => {
    const source = eventSource({ source_name: 'gw', environment: 'test' })
    const exported = lines.map((line) => encode('json', JSON.parse(line) as GovernanceEvent, source))
    assert.deepEqual(verify(exported).told, [])
  })

  it('names a record that was altered', () => {
    assert.deepEqual(verify(lines.with(4, lines[4]!.replace('"status":200', '"status":403'))).told, ['altered 5 @5'])
    assert.deepEqual(verify(lines.with(9, lines[9]!.replace('"m"', '"n"'))).told, ['altered 10 @10'])
    assert.deepEqual(verify(lines.with(0, lines[0]!.replace('"m"', '"n"'))).told, ['altered 1 @1'])
  })

  it('names a record whose hash was made to fit', () => {
    const [forged] = trail(5, 'gw-1', (n) => (n === 5 ? { ...content(n), status: 403 } : content(n))).slice(4)
    assert.deepEqual(verify(lines.with(4, forged!)).told, ['broken 6 @6'])
  })

  it('names records that were removed', () => {
    assert.deepEqual(verify(lines.toSpliced(4, 1)).told, ['removed 5-5 @5'])
    assert.deepEqual(verify(lines.toSpliced(2, 4)).told, ['removed 3-6 @3'])
  })

  it('names records that were moved', () => {
    assert.deepEqual(verify(swap(lines, 4, 5)).told, ['reordered 5 @6'])
    assert.deepEqual(verify([...lines.slice(0, 2), ...lines.slice(3), lines[2]!]).told, ['reordered 3 @10'])
  })

  it('names a record that was slipped in', () => {
    const foreign = JSON.stringify({ ...JSON.parse(lines[4]!), id: 'forged' })
    assert.deepEqual(verify(lines.toSpliced(4, 0, foreign)).told, ['inserted 5 @5'])
    const [fitting] = trail(5, 'gw-1', (n) => (n === 5 ? { ...content(n), id: 'forged' } : content(n))).slice(4)
    assert.deepEqual(verify(lines.toSpliced(5, 0, fitting!)).told, ['inserted 5 @6'])
    assert.deepEqual(verify(lines.toSpliced(4, 0, fitting!)).told, ['inserted 5 @5'])
  })

  it('names several that were slipped in, whether their hashes fit or not', () => {
    const forged = (n: number): JsonObject => ({ ...content(n), id: n > 5 ? `forged-${n}` : `event-${n}` })
    for (let count = 1; count <= 4; count++) {
      const fitting = trail(5 + count, 'gw-1', forged).slice(5)
      const expected = fitting.map((_, i) => `inserted ${i + 6} @${i + 6}`)
      assert.deepEqual(verify(lines.toSpliced(5, 0, ...fitting)).told, expected)
      const altered = fitting.map((line) => line.replace('"status":200', '"status":403'))
      assert.deepEqual(verify(lines.toSpliced(5, 0, ...altered)).told, expected)
    }
  })

  it('names one that was slipped in with a number far ahead', () => {
    for (const seq of [7, 8, 9, 10, 11, 12, 100]) {
      const head = { seq: seq - 1, hash: JSON.parse(lines[4]!).hash as string }
      const forged = stamp(seal({ ...content(seq), id: 'forged' }), 'gw-1', head)
      assert.deepEqual(verify(lines.toSpliced(5, 0, forged)).told, [`inserted ${seq} @6`], String(seq))
    }
  })

  it('names records that came late in part, and the one that never came', () => {
    const moved = [...lines.slice(0, 4), lines[7]!, ...lines.slice(4, 7), ...lines.slice(8)]
    assert.deepEqual(verify(moved).told, ['reordered 5 @6', 'reordered 6 @7', 'reordered 7 @8'])
    assert.deepEqual(verify(moved.toSpliced(6, 1)).told, ['removed 6-6 @5', 'reordered 5 @6', 'reordered 7 @7'])
  })

  it('names a record that was altered behind one that was removed', () => {
    const altered = lines[4]!.replace('"status":200', '"status":403')
    assert.deepEqual(verify(lines.toSpliced(3, 2, altered)).told, ['altered 5 @4', 'removed 4-4 @4'])
  })

  it('any record that is added is named, and no other', () => {
    const added = fc.record({
      at: fc.integer({ min: 1, max: 9 }),
      seq: fc.integer({ min: 1, max: 14 }),
      link: fc.nat(9),
    })
    fc.assert(
      fc.property(added, ({ at, seq, link }) => {
        // What follows the last record, or the one before it, nothing behind it gives away.
        fc.pre(seq !== link + 2 || link < 8)
        const head = { seq: seq - 1, hash: JSON.parse(lines[link]!).hash as string }
        const forged = stamp(seal({ ...content(seq), id: 'forged' }), 'gw-1', head)
        const { told } = verify(lines.toSpliced(at, 0, forged))
        assert.deepEqual(
          told.map((one) => one.split(' ').at(-1)).filter((place) => place !== `@${at + 1}`),
          [],
          String(told),
        )
        assert.equal(told.length, 1, String(told))
      }),
      { numRuns: rounds(500) },
    )
  })

  it('names what was written anew in front of records that were altered', () => {
    const anew = trail(10, 'gw-1', (n) => ({ ...content(n), id: n > 5 ? `anew-${n}` : `event-${n}` }))
    const altered = lines[5]!.replace('"status":200', '"status":403')
    const { told } = verify([...lines.slice(0, 5), altered, lines[6]!, ...anew.slice(5)])
    assert.deepEqual(told, ['altered 6 @6', 'inserted 7 @7'])
  })

  it('whatever was made of it, it can be checked, and one that was altered is found', () => {
    const step = fc.record({
      kind: fc.constantFrom('whole', 'altered', 'forged'),
      n: fc.nat(9),
      link: fc.nat(30),
      seq: fc.integer({ min: 1, max: 12 }),
    })
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
        const made: string[] = [lines[0]!]
        for (const { kind, n, link, seq } of steps) {
          if (kind === 'whole') made.push(lines[n]!)
          else if (kind === 'altered') made.push(lines[n]!.replace('"status":200', '"status":403'))
          else {
            const head = { seq: seq - 1, hash: JSON.parse(made[link % made.length]!).hash as string }
            made.push(stamp(seal({ ...content(seq), id: `forged-${made.length}` }), 'gw-1', head))
          }
        }
        const { told } = verify(made)
        const isAltered = steps.some(({ kind }) => kind === 'altered')
        if (isAltered) assert.ok(told.length > 0)
      }),
      { numRuns: rounds(2000) },
    )
  })

  it('names lines that are no records', () => {
    assert.deepEqual(verify([...lines.slice(0, 3), '{"half', ...lines.slice(3)]).told, ['unreadable 0 @4'])
  })

  it('names a record that says two things at once', () => {
    for (const name of ['status', 'st\\u0061tus']) {
      const twice = lines[4]!.replace('{', `{"${name}":403,`)
      assert.deepEqual(verify(lines.with(4, twice)).told, ['unreadable 0 @5', 'removed 5-5 @6'])
    }
    const deep = lines[4]!.replace('{', `{"x":${'['.repeat(5000)}${']'.repeat(5000)},`)
    assert.deepEqual(verify(lines.with(4, deep)).told, ['unreadable 0 @5', 'removed 5-5 @6'])
  })

  it('any flipped character is found', () => {
    fc.assert(
      fc.property(fc.nat(lines.length - 1), fc.nat(400), fc.integer({ min: 1, max: 127 }), (at, position, flip) => {
        const line = lines[at]!
        const i = position % line.length
        const changed = line.slice(0, i) + String.fromCharCode(line.charCodeAt(i) ^ flip) + line.slice(i + 1)
        const { told } = verify(lines.with(at, changed))
        const same = JSON.stringify(tryParse(changed)) === line
        assert.ok(same || told.length > 0, changed)
      }),
      { numRuns: rounds(500) },
    )
  })

  it('any record that is taken out of the middle is found', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 8 }), (at, count) => {
        const rest = lines.toSpliced(at, Math.min(count, 9 - at))
        const { told } = verify(rest)
        assert.equal(told.length, 1)
      }),
    )
  })
})

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
