import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPlaceholder, plausiblePassword, plausibleToken } from '../../../plugins/secrets/values.ts'
import { Random } from '../../eval/random.ts'

const ALPHABET = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789']

test('almost no random token looks like words', () => {
  const random = new Random(1)
  let missed = 0
  for (let i = 0; i < 20_000; i++) {
    const token = Array.from({ length: 32 }, () => random.pick(ALPHABET)).join('')
    if (/\d/.test(token) && !plausibleToken(token, 3.5, true)) missed++
  }
  assert.ok(missed <= 20, `${missed} of 20,000`)
  assert.ok(plausibleToken('WPEEihtNejjuU7ydcYzdu5Tqykauu3Db', 3.5, true), 'digits among letters')
})

test('many x characters make a value a placeholder', () => {
  for (const value of ['xxxxxxxxxxxx', 'abcdXXXX', 'a8F5kQ167z44fP9e6WxXxXxX']) assert.ok(isPlaceholder(value), value)
  assert.ok(!isPlaceholder('a8F5kQ167z44fP9e6Wxc827Rt9Bv3NyXXXXa8F5kQ167z44fP9e6Wxc827'))
  assert.ok(!isPlaceholder('HLQXMJQSCDDXXXXH'))
  assert.ok(isPlaceholder('ABCXXXXXXXXXXDEF'))
})

test('a word of placeholders beside a random part does not', () => {
  assert.ok(!isPlaceholder('925132422947-852981623276-XaUdDkaqxxRQryp2dRYy54Gk-here'))
  for (const value of ['925132422947-852981623276-your-token-here', 'your-token-000000000000-goes-here'])
    assert.ok(isPlaceholder(value), value)
  for (const value of ['dktz7GCS84enter', 'hunter2xK9enter5', 'Q4x9Lm2null']) assert.ok(!isPlaceholder(value), value)
  for (const value of ['enter-your-password', 'YOUR_TOKEN_1', 'dummy123']) assert.ok(isPlaceholder(value), value)
})

test('names of functions look like words', () => {
  for (const name of ['getModelNameForTiktoken', 'exchangeX509Token', 'decodeBase64ToArrayBuffer'])
    assert.equal(plausibleToken(name, 3.5, true), false, name)
})

test('letters alone are a token in quotes, or if many, and no run of the alphabet or of a keyboard', () => {
  assert.ok(plausibleToken('YGIQXPGZSVVGVGOREMAE', 3, false, true))
  assert.equal(plausibleToken('YGIQXPGZSVVGVGOREMAE', 3, false), false)
  assert.ok(plausibleToken('YGIQXPGZSVVGVGOREMAEXQJZKW', 3, false))
  assert.equal(plausibleToken('YGIQXPGZSVVGVGOREMAEXQJZKW', 3, true), false, 'where names stand')
  for (const name of [
    'ABCDEFGHIJKLMNOPQRST',
    'qwertyuiopasdfghjklz',
    'AUTHORIZATIONHEADER',
    'refreshTokenStore',
    'useQueryClient',
  ])
    assert.equal(plausibleToken(name, 3, false, true), false, name)
})

test('an option is the next one only where its name stands for its value', () => {
  for (const option of ['--instance=INSTANCE', '--sql-instance=INSTANCE', '--project-id=PROJECT_ID'])
    assert.ok(!plausiblePassword(option, 'firm', false), option)
  for (const password of ['--hunter=SECRET', '--correct-horse=A', '--stance=INSTANCE', '--instance=STANCE'])
    assert.ok(plausiblePassword(password, 'firm', false), password)
})
