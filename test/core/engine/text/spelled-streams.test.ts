/** Values in other spellings that come in pieces: none of them may leave, however small the pieces. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import secrets from '../../../../plugins/secrets/index.ts'
import { Drive } from '../../../eval/drive.ts'
import { chunk } from '../../../helpers/detector.ts'

const KEY = `ghp_${'abcdEFGH1234ijklMNOP5678qrstUVWX9012'}`
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const hex = (text: string): string => Buffer.from(text).toString('hex')
const octal = (text: string): string =>
  text.replace(/[^A-Za-z0-9]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`)
const percent = (text: string): string =>
  text.replace(/[\s\S]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
const bold = (text: string): string => text.replace(/[0-9]/g, (digit) => String.fromCodePoint(0x1d7ce + Number(digit)))
const ascii = (text: string): string =>
  text.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

const SPELLED: readonly [name: string, text: string][] = [
  ['colours of a terminal', `\u001b[1;31m${KEY}\u001b[0m`],
  ['colours of a terminal in percent', `%1B[1;31m${KEY}%1B[0m`],
  ['halves of pairs', ascii(bold(KEY))],
  ['long escapes', KEY.replace('_', '\\U0000005f')],
  ['percent in octal', octal(percent(KEY))],
  ['percent behind backslashes', percent(KEY).replaceAll('%', '\\%')],
  ['base64 that begins with a letter of another script', base64(`\u0410 ${KEY}`)],
  ['base64 behind a hash', `#${base64(KEY)}`],
  ['base64 behind a brace', `{${base64(KEY)}}`],
  ['hex of letters of another plane', hex(bold(`12 ${KEY}`))],
]

describe('a value in another spelling that comes in pieces', () => {
  const drive = new Drive(secrets)
  for (const [name, spelled] of SPELLED) {
    it(`is found: ${name}`, () => {
      const text = `so ${spelled} and more`
      for (const size of [text.length, 1, 2, 3, 7]) {
        const { findings, output } = drive.next().stream(chunk(text, size))
        assert.deepEqual([...new Set(findings.map(({ type }) => type))], ['github_token'], `pieces of ${size}`)
        assert.match(output, /\[GITHUB_TOKEN\].{0,8} and more$/, `pieces of ${size}`)
        assert.ok(output.length < 50, output)
      }
    })
  }
})
