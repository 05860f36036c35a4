import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { FlagSpec, Rejection } from 'governed-gateway'
import { isLooser, parseFlag } from 'governed-gateway/kit'
import { decide } from '../../../plugins/flags/decide.ts'
import { type FlagValues, isRejection, parseFlags } from '../../../plugins/flags/parse.ts'

const FLAGS = new Map<string, FlagSpec>([
  [
    'mode',
    {
      values: ['off', 'monitor', 'enforce', 'strict'],
      aliases: { observe: 'monitor', audit: 'monitor' },
      default: 'enforce',
    },
  ],
  ['pii', { values: ['off', 'detect', 'redact', 'block'] }],
  ['budget', { values: ['off', 'warn', 'enforce'], integer: true, default: 'enforce' }],
  ['cap', { values: 'integer' }],
])

function read(header: string): Record<string, string | number> {
  const result = parseFlags(header, FLAGS)
  assert.ok(!isRejection(result), (result as Rejection).message)
  return Object.fromEntries(result)
}

function refused(header: string): string {
  const result = parseFlags(header, FLAGS)
  assert.ok(isRejection(result), header)
  assert.equal(result.error, 'invalid_flag')
  assert.equal(result.param, 'X-Service-Flags')
  return result.message
}

describe('X-Service-Flags', () => {
  it('is a list of pairs, with aliases, numbers, spaces and empty elements', () => {
    assert.deepEqual(read('mode=strict'), { mode: 'strict' })
    assert.deepEqual(read(' mode=observe ,\tpii=block'), { mode: 'monitor', pii: 'block' })
    assert.deepEqual(read('budget=500,cap=1'), { budget: 500, cap: 1 })
    assert.deepEqual(read(',, mode=off,'), { mode: 'off' })
    assert.deepEqual(read(''), {})
    assert.deepEqual(read('mode=observe, mode=monitor'), { mode: 'monitor' })
  })

  it('says what is wrong, and what would be right', () => {
    assert.match(refused('mode'), /list of key=value pairs.*pair 1 is not one/)
    for (const bad of [
      'mode = strict',
      'mode=',
      '=strict',
      'Mode=strict',
      'mode=a=b',
      'mode="strict"',
      'mode=strict;pii=off',
    ]) {
      assert.match(refused(`pii=off,${bad}`), /pair 2 is not one/)
    }
    assert.equal(
      refused('mode=loud'),
      "The header X-Service-Flags takes for 'mode': off, monitor, enforce, strict (also observe, audit for monitor).",
    )
    assert.match(refused('budget=-1'), /off, warn, enforce or a whole number from 1/)
    for (const number of ['0', '01', '1.5', '1e3', '10000000000000']) refused(`cap=${number}`)
    assert.match(refused('color=red'), /has no flag 'color' here\. Known: budget, cap, mode, pii/)
    for (const name of ['__proto__', 'constructor', 'tostring']) refused(`${name}=1`)
    assert.match(refused('mode=strict, mode=off'), /two different things for 'mode'/)
    assert.match(refused(Array(17).fill('mode=strict').join(',')), /more than 16 pairs/)
    assert.match(refused(`mode=strict,${' '.repeat(1024)}`), /longer than 1024 bytes/)
  })

  it('never shows a value or a broken pair', () => {
    for (const header of ['mode=secret-value', 'secret value', 'pii=secret-value']) {
      assert.ok(!refused(header).includes('secret'))
    }
  })

  const pairs = fc.array(
    fc.constantFrom('mode=strict', 'mode=observe', 'pii=block', 'budget=7', 'cap=9', 'mode=off', 'cap=9', 'pii=block'),
    { maxLength: 16 },
  )

  it('reads every list of valid pairs the same, however it is spaced', () => {
    const gap = fc.constantFrom('', ' ', '\t', '  ')
    fc.assert(
      fc.property(pairs, fc.array(fc.tuple(gap, gap), { minLength: 16, maxLength: 16 }), (list, gaps) => {
        const plain = parseFlags(list.join(','), FLAGS)
        const spaced = list.map((pair, i) => `${gaps[i]?.[0]}${pair}${gaps[i]?.[1]}`).join(',')
        assert.deepEqual(parseFlags(spaced, FLAGS), plain)
      }),
    )
  })

  it('never throws, and gives only declared flags with values they take', () => {
    const piece = fc.oneof(fc.constantFrom('mode', 'pii', 'budget', '=', ',', ' ', 'strict', '7', 'off'), fc.string())
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const result = parseFlags(pieces.join(''), FLAGS)
        if (isRejection(result)) return assert.equal(result.error, 'invalid_flag')
        for (const [name, value] of result) {
          assert.equal(parseFlag(FLAGS.get(name) as FlagSpec, String(value)), value)
        }
      }),
    )
  })
})

describe('tightening', () => {
  const caller = (flagsAllow: string[]) => ({ keyId: 'k', admin: false, flags: {}, flagsAllow })
  const mode = FLAGS.get('mode') as FlagSpec
  const budget = FLAGS.get('budget') as FlagSpec
  const values = (flag: FlagSpec): (string | number)[] => [
    ...(flag.values as string[]),
    ...(flag.integer ? [900, 5, 1] : []),
  ]

  it('orders values as listed, numbers after them, the smaller the tighter', () => {
    for (const flag of [mode, budget]) {
      const ladder = values(flag)
      for (const [i, a] of ladder.entries()) {
        for (const [j, b] of ladder.entries()) assert.equal(isLooser(flag, a, b), i < j, `${a} ${b}`)
      }
    }
  })

  it('is always granted, loosening only by name', () => {
    const flagsAllow = fc.subarray(['mode=off', 'mode=observe', 'budget=*', 'pii=off'])
    const value = (name: string) => fc.constantFrom(...values(FLAGS.get(name) as FlagSpec))
    const some = (name: string) => fc.option(value(name), { nil: undefined })
    const settings = fc.record({ mode: some('mode'), pii: some('pii'), budget: some('budget') })
    const mapOf = (record: object): FlagValues =>
      new Map(Object.entries(record).filter((entry): entry is [string, string | number] => entry[1] !== undefined))
    fc.assert(
      fc.property(settings, settings, flagsAllow, (asked, operator, allow) => {
        const { effective, loosened, refused } = decide(mapOf(asked), mapOf(operator), FLAGS, caller(allow))
        if (refused !== undefined) {
          assert.ok(!allow.includes(`${refused.name}=*`))
          return
        }
        for (const [name, spec] of FLAGS) {
          const before = mapOf(operator).get(name) ?? spec.default ?? (name === 'pii' ? 'block' : undefined)
          const now = effective.get(name) ?? before
          if (before === undefined || now === undefined || !isLooser(spec, now, before)) continue
          assert.ok(loosened.includes(`${name}=${now}`))
          assert.ok(allow.some((entry) => entry.startsWith(`${name}=`)))
        }
      }),
    )
  })
})
