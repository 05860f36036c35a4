import assert from 'node:assert/strict'
import { test } from 'node:test'
import plugin from '../../../plugins/secrets/index.ts'
import { harness, splits } from '../../helpers/detector.ts'

const h = harness(plugin as never, { input: 'redact' })
const KEY = 'a8F5kQ167z44fP9e6Wxc827R'
const PASSWORD = 'Tr0ub4dor&3-battery'

const whole = async (text: string): Promise<string> => {
  const { text: got } = await h.input(text)
  for (const pieces of [[text], ...splits(text), [...text]])
    assert.equal((await h.output(pieces)).text, got, JSON.stringify(pieces[0]))
  return got
}

test('a value that a label showed is found again without it, buffered and cut at every position', async () => {
  const rows = [
    [`acme_token = '${KEY}' | '${KEY}'`, "acme_token = '[TOKEN]' | '[TOKEN]'"],
    [`export TOKEN=${KEY}\ncurl /v1/${KEY}/me x${KEY}y`, 'export TOKEN=[TOKEN]\ncurl /v1/[TOKEN]/me x[TOKEN]y'],
    [`password: ${PASSWORD}\nTry ${PASSWORD}, please.`, 'password: [PASSWORD]\nTry [PASSWORD], please.'],
    [`token=${KEY} ${KEY}${KEY} end`, 'token=[TOKEN] [TOKEN][TOKEN] end'],
    [`https://bob:${KEY}@example.com/ and ${KEY}`, 'https://bob:[URL_CREDENTIALS]@example.com/ and [URL_CREDENTIALS]'],
  ] as const
  for (const [text, want] of rows) assert.equal(await whole(text), want)
})

test('what came before the label stays, and so do the beginning of the value and short values', async () => {
  assert.equal(await whole(`${KEY} token=${KEY}`), `${KEY} token=[TOKEN]`)
  assert.equal(await whole(`token=${KEY} a8F5kQ167z44 a8`), 'token=[TOKEN] a8F5kQ167z44 a8')
  assert.equal(await whole('password: hunter23\nhunter23 is a film'), 'password: [PASSWORD]\nhunter23 is a film')
})

test('a format that begins with the value is found whole', async () => {
  const key = 'ghp_a8F5kQ167z44fP9e6Wxc827Rt9Bv3NyQ2kLp'
  assert.equal(await whole(`see ${key} and ${key}aB12 now`), 'see [GITHUB_TOKEN] and [GITHUB_TOKEN] now')
})

test('values of many labels are found again, the last ones if there are too many', async () => {
  const keys = Array.from({ length: 40 }, (_, i) => `${KEY}${String(i).padStart(2, '0')}Zq`)
  const { text } = await h.input(`${keys.map((key) => `token=${key}`).join('\n')}\n${keys.join(' ')}`)
  assert.equal(text.split('\n').at(-1), `${keys.slice(0, 8).join(' ')}${' [TOKEN]'.repeat(32)}`)
})

test('a long value is found again, with its end', async () => {
  const long = `${KEY}.x-`.repeat(12)
  assert.equal(await whole(`token = '${long}' | '${long}' end`), "token = '[TOKEN]' | '[TOKEN]' end")
  const jwt = `eyJhbGciOiJIUzI1NiJ9.${KEY.repeat(9)}.${KEY}`
  assert.equal(await whole(`see ${jwt} and ${jwt}, too`), 'see [JWT] and [JWT], too')
})

test('a type that is switched off, or a value that is allowed, stays everywhere', async () => {
  const text = `token=${KEY} ${KEY}`
  for (const options of [{ kinds: { token: 'off' } }, { allow: [KEY] }])
    assert.equal((await harness(plugin as never, { ...options, input: 'redact' }).input(text)).text, text)
})
