/** Labels whose values are in lists and objects, in JSON of several levels. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import secrets from '../../../plugins/secrets/index.ts'
import { Drive } from '../../eval/drive.ts'
import { chunk } from '../../helpers/detector.ts'
import { some } from '../../helpers/rounds.ts'

const SECRET = 'hunter2Xy9!pqRs'
const drive = new Drive(secrets, { output: 'redact' })

/** A text that tells a value in JSON of so many levels, and what its reader finds there. */
const nest = (value: object, levels: number, indent: number): string => {
  let text = JSON.stringify(value, null, indent)
  for (let i = 1; i < levels; i++) text = JSON.stringify({ body: text, ok: true }, null, indent)
  return text
}
const innermost = (text: string, levels: number): unknown => {
  let value: unknown = JSON.parse(text)
  for (let i = 1; i < levels; i++) value = JSON.parse((value as { body: string }).body)
  return value
}

const outputs = (text: string, row: number): [how: string, output: string][] => [
  ['request', drive.next().input(text).output],
  ['reply', drive.next().reply(text).output],
  ...some([1, 2, 3, 7, 64], 5, row).map((size): [string, string] => [
    `in pieces of ${size}`,
    drive.next().stream(chunk(text, size)).output,
  ]),
]

const holding = (value: string): object[] => [
  { password: value },
  { password: [value] },
  { password: [[value]] },
  { password: { value } },
  { password: { value: [value] } },
  { user: 'jo', db_password: { current: value }, port: 5432 },
]

const HARMLESS: readonly object[] = [
  { password: ['required', 'minimum 12 characters'] },
  { password: { type: 'string', minLength: 12 } },
  { password: { value: '' } },
  { passwords: [] },
  { password: ['%DB_PASSWORD%'] },
  { password: { value: '{{ vault.db }}' } },
  { password_policy: ['upper', 'digit'] },
  { next_page_token: ['Zk3q9RvB7wXy'] },
  { keys: { value: 'ArrowLeft' } },
  { tokens: ['the', 'quick', 'brown'] },
  { forgot_password: { text: 'Choose another one' } },
  { secret: { value: null, set: true } },
  { passport: ['C01X00T47'] },
  { compass: { value: 'N2Xy9' } },
  { password: ['changeme'] },
  { password: { value: '********' } },
  { token: { value: 'your_token_here' } },
  { password_url: ['https://example.test/reset'] },
  { monkey: ['hunter2Xy9'] },
  { keyboard: { value: 'de-CH2Xy9' } },
  { pass: [true, 12, null] },
  { bypass: ['hunter2Xy9'] },
  { public_key: ['hunter2Xy9'] },
  { max_tokens: ['4096', '8192'] },
  { password: ['string', 'null'] },
  { password: { value: 'password' } },
  { hash_key: ['pk', 'sk'] },
  { cursor: [{ value: 'Zk3q9RvB7w' }] },
  { password: { data: 'process.env.DB_PASSWORD' } },
  { password: ['config.auth.password'] },
]

for (const levels of [1, 2, 3, 4, 5])
  for (const indent of [0, 2])
    describe(`JSON of ${levels} levels, indented by ${indent}`, () => {
      for (const [at, value] of holding(SECRET).entries())
        it(`shows no value of ${JSON.stringify(value)}`, () => {
          for (const [how, output] of outputs(nest(value, levels, indent), at))
            assert.deepEqual(innermost(output, levels), holding('[PASSWORD]')[at], how)
        })

      it('is as it was with what is no secret', () => {
        // In the fast run each in two of the ten forms.
        for (const [at, value] of some(HARMLESS, 5, levels).entries()) {
          const text = nest(value, levels, indent)
          for (const [how, output] of outputs(text, at)) assert.equal(output, text, how)
        }
      })
    })
