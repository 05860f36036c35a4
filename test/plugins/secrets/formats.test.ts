import assert from 'node:assert/strict'
import { test } from 'node:test'
import plugin from '../../../plugins/secrets/index.ts'
import { harness, splits } from '../../helpers/detector.ts'

const h = harness(plugin as never)

const hex = (seed: number, length: number): string =>
  Array.from({ length }, (_, i) => ((i * seed + (i >> 2)) % 16).toString(16)).join('')
const LM = 'aad3b435b51404eeaad3b435b51404ee'

async function isFound(text: string, want: string): Promise<void> {
  for (const pieces of [[text], ...splits(text), [...text]])
    assert.equal((await h.output(pieces)).text, want, JSON.stringify(pieces[0]))
}

test('hashes that Windows keeps of passwords, and replies to a challenge', async () => {
  await isFound(`Administrator:500:${LM}:${hex(7, 32)}:::`, `Administrator:500:${LM}:[NTLM_HASH]:::`)
  await isFound(`bob::CORP:${hex(7, 16)}:${hex(11, 32)}:0101${hex(5, 60)} end`, 'bob::CORP:[NTLM_HASH] end')
})

test('the private lines of a key of PuTTY', async () => {
  const line = Buffer.from(hex(7, 96), 'hex').toString('base64')
  await isFound(
    `PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\n${line}\n`,
    'PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\n[PUTTY_PRIVATE_KEY]',
  )
})

test('a token for the chat of Twitch', () =>
  isFound('oauth:k3x9qz7m2w5t8r1v4b6n0c5f8g2h7j', 'oauth:[TWITCH_CHAT_TOKEN]'))

test('signatures and keys within addresses', async () => {
  await isFound(
    `https://storage.googleapis.com/b/o?X-Goog-Signature=${hex(7, 256)}`,
    'https://storage.googleapis.com/b/o?X-Goog-Signature=[GOOGLE_SIGNED_URL_SIGNATURE]',
  )
  await isFound(
    'https://maker.ifttt.com/trigger/door/with/key/6uR1rBotCJIReTtofx0cgratxgMA69gErEXjiP7w6Aa',
    'https://maker.ifttt.com/trigger/door/with/key/[IFTTT_WEBHOOK_KEY]',
  )
})

test('a token whose header begins with a blank', async () => {
  const part = (text: string): string => Buffer.from(text).toString('base64url')
  await isFound(`${part('{ "alg": "HS256" }')}.${part('{ "sub": "1234567890" }')}.${part(hex(7, 32))} end`, '[JWT] end')
  await isFound('eyAbc.eyAiYWxnIjog', 'eyAbc.eyAiYWxnIjog')
})

test('a private key with blanks in place of line ends, the first soon', async () => {
  const line = Buffer.from(hex(7, 96), 'hex').toString('base64')
  await isFound(
    `a -----BEGIN RSA PRIVATE KEY----- Rg8Tc1jrjetAy ${line} Y+ -----END RSA PRIVATE KEY----- b`,
    'a [PRIVATE_KEY] b',
  )
  await isFound(
    '-----BEGIN PRIVATE KEY----- goes2here and no more',
    '-----BEGIN PRIVATE KEY----- goes2here and no more',
  )
})
