/** Signs such as `№` and `²` hide no value beside them, in whole texts and streams; nor do values that are written in them pass. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PluginSpec } from '../../core/engine/contract/plugin.ts'
import classification from '../../plugins/classification/index.ts'
import pii from '../../plugins/pii/index.ts'
import policy from '../../plugins/policy/index.ts'
import secrets from '../../plugins/secrets/index.ts'
import { Drive } from '../eval/drive.ts'
import { part } from '../helpers/rounds.ts'

const rule = { name: 'falcon', keywords: ['project falcon'], action: 'redact' }
const DETECTORS: readonly [plugin: PluginSpec, options: object, values: readonly string[]][] = [
  [
    pii,
    { words: [{ type: 'bird', words: ['Blue Heron'] }] },
    [
      '4111 1111 1111 1111',
      'DE89370400440532013000',
      '212-55-1234',
      '+49 30 12345678',
      '(415) 555-2671',
      '84.23.11.9',
      'jo.smith@example.com',
      'Blue Heron',
    ],
  ],
  [secrets, { input: 'redact' }, ['AKIAW6YVEZ375LXEHFGH', 'ghp_1r3KYPcG0rYBZnlbEaKmyoJJgKQVgS1HxavZ']],
  [policy, { rules: [rule] }, ['project falcon', 'Project Falcon']],
]

/** All whose compatibility form has a letter or a digit, and that are no letter or digit themselves; and some as emoji. */
const SIGNS = ['²\u0336', '™\ufe0f', '½\u{e0041}\u0336', 'ℹ\ufe0f', '¹²', '&#8482;', 'ª', 'º', 'ᵃ']
for (let code = 0x80; code < 0x20000; code++) {
  if (code >= 0xd800 && code < 0xe000) continue
  const char = String.fromCodePoint(code)
  if (
    /[\p{No}\p{Nl}\p{S}]/u.test(char) &&
    char.normalize('NFKC') !== char &&
    /[\p{L}\p{N}]/u.test(char.normalize('NFKC'))
  )
    SIGNS.push(char)
}
const SIDES = (sign: string, value: string) => [`Here: ${sign}${value} ok`, `Here: ${value}${sign} ok`]

describe('signs that stand for letters and digits', () => {
  for (const [plugin, options, values] of DETECTORS) {
    it(`hide no value of ${plugin.name}`, () => {
      const drive = new Drive(plugin, options)
      assert.ok(SIGNS.length > 1000)
      for (const value of values) {
        const passed = part(SIGNS).filter((sign) =>
          SIDES(sign, value).some((text) => drive.next().input(text).output.includes(value)),
        )
        assert.deepEqual(passed, [], value)
      }
    })

    it(`hide no value of ${plugin.name} in a stream`, () => {
      const drive = new Drive(plugin, options)
      for (const value of values) {
        for (const sign of part(SIGNS, 211, 53)) {
          for (const text of SIDES(sign, value)) {
            const at = text.indexOf(sign)
            for (const pieces of [
              [...text],
              [text.slice(0, at), text.slice(at)],
              [text.slice(0, at + sign.length), text.slice(at + sign.length)],
              [text.slice(0, at), sign, text.slice(at + sign.length)],
            ])
              assert.ok(!drive.next().stream(pieces).output.includes(value), JSON.stringify(pieces))
          }
        }
      }
    })
  }

  it('hide no word of classification', () => {
    const drive = new Drive(classification, {
      rules: [{ name: 'falcon', label: 'RESTRICTED', keywords: ['project falcon'] }],
    })
    for (const sign of part(SIGNS))
      for (const text of SIDES(sign, 'Project Falcon')) {
        const next = drive.next()
        next.input(text)
        assert.ok(next.levels.includes('RESTRICTED'), text)
      }
  })
})

describe('values written in such signs', () => {
  const CARD = '4111 1111 1111 1111'
  const digits = (zero: string, one: string) =>
    CARD.replace(/\d/g, (digit) =>
      digit === '0' ? zero : String.fromCodePoint((one.codePointAt(0) as number) + +digit - 1),
    )
  const drive = new Drive(pii, {})
  const texts = [
    ['enclosed', digits('⓪', '①')],
    ['subscripts', digits('₀', '₁')],
    ['superscripts', CARD.replaceAll('4', '⁴').replaceAll('1', '¹')],
    ['keys', [...CARD].map((char) => (char === ' ' ? char : `${char}\ufe0f\u20e3`)).join('')],
    ['a sign for the first digit', '④111 1111 1111 1111'],
    ['a sign within', '41¹1 1111 11①1 1111'],
    ['a sign at the end of a group', '411① 111¹ 1111 1111'],
    ['a written-out line break before it', `\\n4111 1①11 1111 1111`],
    ['a written-out line break before it, and a sign behind', `\\n${CARD}²`],
    ['base64 of it with a sign behind', Buffer.from(`my card: ${CARD}²`).toString('base64')],
  ] as const
  for (const [name, text] of texts) {
    it(`are found: ${name}`, () => {
      const whole = `Card: ${text} ok`
      assert.equal(drive.next().input(whole).findings.length > 0, true)
      assert.equal(drive.next().stream([...whole]).findings.length > 0, true)
    })
  }
})

describe('long secrets written in such signs', () => {
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { sub: '1234567890', email: 'x9'.repeat(150), iat: 1516239022 }
  const token = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U`
  const drive = new Drive(secrets, { input: 'redact' })
  for (const [name, digits] of Object.entries({ raised: '⁰¹²³⁴⁵⁶⁷⁸⁹', enclosed: '⓪①②③④⑤⑥⑦⑧⑨' })) {
    it(`are found with ${name} digits, whole and in a stream`, () => {
      const written = token.replace(/\d/g, (digit) => digits[+digit] as string)
      assert.ok(drive.next().input(`Token ${written} ok`).findings.length > 0)
      for (const size of [1, 2, 3, 7, 40]) {
        const pieces = `Token ${written} ok`.match(new RegExp(`.{1,${size}}`, 'gsu')) as string[]
        const { output } = drive.next().stream(pieces)
        assert.ok(!output.includes('eyJ'), `${size}: ${output.slice(0, 80)}`)
      }
    })
  }
})
