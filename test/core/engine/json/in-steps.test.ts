import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isGatewayError } from '../../../../core/engine/contract/errors.ts'
import { parseStrictInSteps } from '../../../../core/engine/json/in-steps.ts'
import { isBeyond, parseStrictText } from '../../../../core/engine/json/strict.ts'
import { allSteps } from '../../../../core/engine/util/steps.ts'
import { rounds } from '../../../helpers/rounds.ts'

/** Numbers from 0 to 1, the same in every run. */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const NAMES = ['a', 'b', '', '1', '007', 'x"y', 'é', '\\', 'constructor', 'prototype', '__proto__', 'toString', '[,{']

const SCALARS = [
  ...['1', '-2.5e3', 'true', 'null', '12345678901234567890', '"text"', '"a,b]}"', '"\\"\\\\"'],
  String.raw`"\u00e9\ud83d\ude00 \" \\\\\" \\"`,
  String.raw`"\n\t\ud83d,]\u005c\u0022😀\/"`,
  '"\u{1f600} plain, and long, without an escape"',
]

function value(roll: () => number, depth: number): string {
  const kind = roll()
  const space = roll() < 0.2 ? ' \n' : ''
  if (depth === 0 || kind < 0.3) return SCALARS[Math.floor(roll() * SCALARS.length)] as string
  const count = Math.floor(roll() * 5)
  const inner = Array.from({ length: count }, () => value(roll, depth - 1))
  if (kind < 0.6) return `[${space}${inner.join(`${space},`)}${space}]`
  const members = inner.map((one) => {
    const name = roll() < 0.8 ? `n${Math.floor(roll() * 1e6)}` : (NAMES[Math.floor(roll() * NAMES.length)] as string)
    return `${space}${JSON.stringify(name)}${space}:${space}${one}`
  })
  return `{${members.join(',')}${space}}`
}

const CHARS = [...'[]{},:"\\ 1a']

/** One character more, less, or another. */
function broken(roll: () => number, text: string): string {
  const at = Math.floor(roll() * text.length)
  const char = CHARS[Math.floor(roll() * CHARS.length)] as string
  const kind = roll()
  return text.slice(0, at) + (kind < 0.6 ? char : '') + text.slice(kind < 0.3 ? at : at + 1)
}

/** What a document says, with the order of its members; or why it is refused. */
function outcome(read: () => { readonly tree: unknown }): string {
  try {
    return JSON.stringify(read().tree)
  } catch (cause) {
    assert.ok(isGatewayError(cause), String(cause))
    return cause.message.replace(/ \(at character \d+\)/, '')
  }
}

/** A document may have several faults. */
const withoutReason = (outcome: string): string => (outcome.startsWith('The body') ? 'The body' : outcome)

const CASES = rounds(4000)

describe('a document that is parsed in steps', () => {
  it('says what it says in one go, or is refused as well', () => {
    const roll = dice(7)
    let refused = 0
    for (let i = 0; i < CASES; i++) {
      const whole = value(roll, 6)
      const text = i % 2 === 0 ? whole : broken(roll, whole)
      const expected = withoutReason(outcome(() => parseStrictText(text)))
      for (const size of [1, 7, 40])
        assert.equal(
          withoutReason(outcome(() => allSteps(parseStrictInSteps(text, undefined, size)))),
          expected,
          `${size}: ${text}`,
        )
      if (expected.startsWith('The body')) refused++
    }
    assert.ok(refused > CASES / 8 && refused < (CASES * 7) / 8, `${refused} were refused`)
  })

  for (const text of [
    '[1,]',
    '[,1]',
    '[1,,2]',
    '{"a":1,}',
    '{,"a":1}',
    '[[1,2],{"a":[1,2],"b":3,"a":4}]',
    '{"a":{"b":1,"c":2},"d":3,"a":5}',
    '{"constructor":{"a":1,"prototype":2}}',
    '{"x":{"constructor":{"a":[1,2],"prototype":2}}}',
    '[1,2]]',
    '[1,2] ,3',
    '[1,2}',
    '{"a":1]',
    '[1,"open',
    '\ufeff[1,2]',
    `${'['.repeat(129)}1,2${']'.repeat(129)}`,
    `${'['.repeat(128)}1,2${']'.repeat(128)}`,
  ]) {
    it(`judges ${text.slice(0, 50)}`, () => {
      const expected = outcome(() => parseStrictText(text))
      assert.equal(
        outcome(() => allSteps(parseStrictInSteps(text, undefined, 1))),
        expected,
      )
    })
  }

  it('tells where the text is no JSON', () => {
    const text = `[${'1,'.repeat(500)}1 x]`
    const read = (size: number) => () => allSteps(parseStrictInSteps(text, undefined, size))
    assert.throws(read(10), { code: 'GW_INVALID_JSON', message: /at character 1003/ })
    assert.throws(read(1e6), { code: 'GW_INVALID_JSON', message: /at character 1003/ })
  })

  it('counts values and names, and refuses too many of them', () => {
    const text = '[1,{"a":[],"b":2}]'
    assert.equal(allSteps(parseStrictInSteps(text)).values, 8)
    for (const size of [1, 1e6]) {
      assert.doesNotThrow(() => allSteps(parseStrictInSteps(text, 8, size)))
      assert.throws(() => allSteps(parseStrictInSteps(text, 7, size)), { code: 'GW_TOO_MANY_VALUES', status: 413 })
    }
  })

  it('refuses an object of too many members', () => {
    const members = Array.from({ length: 65_537 }, (_, i) => `"m${i}":1`)
    assert.throws(() => allSteps(parseStrictInSteps(`{${members.join(',')}}`)), { code: 'GW_TOO_MANY_VALUES' })
    assert.doesNotThrow(() => allSteps(parseStrictInSteps(`{${members.slice(1).join(',')}}`)))
  })

  it('refuses what nests too deep, or has too long a number, without reading on', () => {
    for (const [text, of] of [
      ['['.repeat(400_000), 128],
      ['{"a":'.repeat(100_000), 5 * 128],
      [`[${'1'.repeat(400_000)}]`, 200_000],
      [`{"a":-0.${'0'.repeat(400_000)}1}`, 200_000],
    ] as const) {
      for (const size of [1, 64 * 1024]) {
        const refused = (read: string) => () => allSteps(parseStrictInSteps(read, undefined, size))
        assert.throws(refused(text), isBeyond)
        // What follows it is not looked at.
        assert.throws(refused(`${text.slice(0, of + 1)}${'\0'.repeat(10)}`), isBeyond)
      }
    }
  })

  it('reads long texts of digits and blanks, and rests in them', () => {
    const digits = '1234567890'.repeat(40_000)
    for (const text of [
      `{"a":"${digits}"}`,
      `["${digits}",1]`,
      `[${' '.repeat(400_000)}1]`,
      `[${digits.slice(0, 60_000)}]`,
    ]) {
      const steps = parseStrictInSteps(text)
      let rests = 0
      for (;;) {
        const { done, value } = steps.next()
        if (done === true) {
          assert.deepEqual(value.tree, JSON.parse(text))
          break
        }
        rests++
      }
      assert.ok(rests > 3 || text.length < 100_000, String(rests))
    }
  })
})
