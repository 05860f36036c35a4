import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { TextView } from 'governed-gateway'
import plugin from '../../../plugins/secrets/index.ts'
import { Drive } from '../../eval/drive.ts'
import { chunk, harness, splits } from '../../helpers/detector.ts'
import { part, rounds } from '../../helpers/rounds.ts'
import { secretCases } from './data/cases.ts'

const h = harness(plugin as never)
const RANDOM = 'a8F5kQ167z44fP9e6Wxc827Rt9Bv3Ny'

test('every format, split at every position, comes out as when it is buffered', async () => {
  for (const [nth, { kind, text }] of secretCases(1, 3).entries()) {
    const whole = `Sure, here it is: ${text} and then more text follows.`
    const want = (await h.output([whole])).text
    // `npm test` takes a fifth of the positions, others for each format.
    for (const pieces of part(splits(whole).slice(nth % 5))) {
      const { text: got, blocked } = await h.output(pieces)
      assert.equal(blocked, undefined, kind)
      if (got !== want) assert.equal(got, want, `${kind}, ${pieces.length} pieces, first ${JSON.stringify(pieces[0])}`)
    }
  }
})

test('a key behind the underscore of a name or an id is found, buffered and cut at every position', async () => {
  const keys = [
    ['msg_ghp_a8F5kQ167z44fP9e6Wxc827Rt9Bv3NyQ2kLp', 'msg_[GITHUB_TOKEN]'],
    ['BACKUP_AKIAQ3EGRIXTNO5ZKLPV', 'BACKUP_[AWS_ACCESS_KEY_ID]'],
    ['call_xoxb-123456789012-123456789012-a8F5kQ167z44fP9e6Wxc827R', 'call_[SLACK_TOKEN]'],
  ] as const
  for (const [text, want] of keys)
    for (const pieces of [[text], ...splits(text), [...text]])
      assert.equal((await h.output(['so ', ...pieces, ' and'])).text, `so ${want} and`, JSON.stringify(pieces[0]))
  for (const text of [
    'max_sk-level-a8F5kQ167z44fP9e6Wxc827Rt9Bv3Ny',
    'is_hf_enabled and test_key_id_4',
    'xghp_a8F5kQ167z44fP9e6Wxc827Rt9Bv3NyQ2kLp',
  ])
    for (const pieces of [[text], [...text]]) assert.equal((await h.output(pieces)).text, text)
})

test('a token longer than any hold takes along the invisible characters in it, where it is cut, too', () => {
  const jwt = `eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJ${RANDOM.repeat(9)}.${RANDOM.repeat(9)}`
  const drive = new Drive(plugin as never, { output: 'redact' })
  for (const invisible of ['\u007f', '\u200b', '\u3164', '\u0001\u00ad']) {
    const text = `I note ${jwt.replace(/[^.]{90}/g, `$&${invisible}`)} for later`
    for (const pieces of splits(text).filter(([, rest]) => invisible.includes(rest?.[0] ?? ' ')))
      assert.equal(drive.next().stream(pieces).output, 'I note [JWT] for later', `${pieces[0]?.length}`)
  }
})

test('what only looks like a format passes at every cut, and the format beside it does not', async () => {
  const hash = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
  const passing = [
    'pw: Windows10',
    'PW: Chapter2',
    'pw: u8Array',
    `pat_${hash}`,
    `sk_buff_${hash.slice(0, 40)}`,
    `sk_${hash.slice(0, 40)}`,
  ]
  passing.push('--secret-token:file/etc/gateway/tokens/a1b2c3', 'secret-token:https://example.com/docs/page1')
  const found = ['pw: Tr0ub4dor&3x', 'PW: k7Windows10', `pat_${RANDOM}${RANDOM}aB`, `secret-token:${RANDOM}/x+y=`]
  for (const text of [...passing, ...found]) {
    const want = (await h.output([`so ${text} and`])).text
    assert.equal(want.includes(text), passing.includes(text), text)
    for (const pieces of splits(`so ${text} and`)) assert.equal((await h.output(pieces)).text, want, text)
  }
  assert.equal((await h.output([found[3]!])).text, 'secret-token:[SECRET_TOKEN_URI]')
})

test('a view that goes on with another takes what that one knows, whether or not it grew, too', () => {
  const value = 'Zk3q9RvB7wX2'.repeat(300)
  const text = `token hvb.${value} and more`
  for (const grows of [true, false]) {
    const drive = new Drive(plugin as never)
    const found: [id: number, start: number, end: number][] = []
    const show = (id: number, offset: number, end: number, fresh: number, continues?: number) => {
      const view = {
        ...{ direction: 'output', channel: 'content', path: 'x', id, offset, fresh, final: false, continues },
        ...{ text: text.slice(offset, end), before: text.slice(Math.max(0, offset - 256), offset) },
        report: (one: { start: number; end: number }) => found.push([id, offset + one.start, offset + one.end]),
        hold: () => {},
      }
      void drive.instance.detect?.(view as unknown as TextView, drive.x)
    }
    show(1, 0, 1000, 0)
    show(1, 1000, 2000, 0)
    if (grows) show(1, 2000, 3000, 0)
    show(2, 2000, 3000, 0, 1)
    assert.deepEqual(
      found.filter(([id]) => id === 2),
      [[2, 2000, 3000]],
    )
  }
})

test('a hash of LDAP is found, with its salt', async () => {
  for (const [scheme, bytes] of [
    ['SMD5', 24],
    ['SSHA', 28],
    ['SSHA256', 40],
    ['SSHA512', 72],
  ] as const) {
    const hash = Buffer.from(Array.from({ length: bytes }, (_, i) => (i * 97 + 31) % 251)).toString('base64')
    const text = `userPassword: {${scheme}}${hash}\nuid: 7`
    for (const pieces of [[text], [...text]])
      assert.doesNotMatch((await h.output(pieces)).text, new RegExp(hash.slice(0, 12).replace(/[+/]/g, '.')), scheme)
    const bare = `{${scheme}}${hash}`
    assert.equal((await h.output([bare])).text, '[PASSWORD_HASH]')
  }
})

test('a label finds its value behind another secret', async () => {
  const key = 'AKIAQ3EGRIXTNO5ZKLPV'
  const texts = [
    `The password for ${key} is hunter23 today`,
    `The password for ${key} at ${key} is hunter23 today`,
    `${'I said '.repeat(40)}password of ${key}: hunter23, ${'and so on '.repeat(20)}`,
  ]
  for (const text of texts) {
    const want = (await h.output([text])).text
    assert.doesNotMatch(want, /hunter/)
    for (const pieces of splits(text)) assert.equal((await h.output(pieces)).text, want, JSON.stringify(pieces[0]))
  }
})

const FRAGMENTS = [
  ...[
    'password',
    'token',
    'api_key',
    'secret',
    ' is ',
    ': ',
    ' = ',
    '=',
    ':',
    '"',
    "'",
    '\n',
    ' ',
    RANDOM,
    RANDOM.slice(0, 9),
    'hunter2',
    'Xy7$kd9!',
    'sk-',
    'sk-proj-',
    'ghp_',
    RANDOM + RANDOM,
  ],
  ...[
    'eyJhbGciOiJIUzI1NiJ9',
    '.',
    'eyJzdWIiOiIxMjM0NTY3ODkwIn0',
    '-----BEGIN ',
    'RSA ',
    'PRIVATE KEY-----',
    '-----END ',
    'MIIEpAIBAAKCAQEAabcdefg',
    'abc',
    'the',
    ' for the ',
    ' to ',
    'https://',
    'user',
    ':pw12!x',
    '@',
  ],
  ...[
    'host.com',
    '/',
    '?',
    '&',
    ',',
    ';',
    '123456789',
    ':AA',
    '\\n',
    '\\',
    '<',
    '>',
    '(',
    ')',
    '{',
    '}',
    '|',
    '*',
    '-',
    '_',
    'Bearer ',
    'Basic ',
    'dXNlcjpwYXNzd29yZA==',
    'Authorization: ',
    'AKIA',
    'IOSFODNN7EXAMPLE',
  ],
  ...[
    'x'.repeat(20),
    '密码',
    '是',
    'é',
    'string',
    'TCK-',
    '1234',
    'Comment: a b',
    '0123456789abcdef0123456789abcdef',
    '-us',
    '12',
    'A1'.repeat(130),
    'AccountKey=',
    '8Q~',
    '.atlasv1.',
    '%3D',
    'pass',
    '--password ',
  ],
]

test('random combinations give the same result in any pieces', async () => {
  const own = harness(plugin as never, { patterns: [{ type: 'ticket', pattern: 'TCK-[0-9]{4,8}', max_length: 12 }] })
  const texts = fc.array(fc.constantFrom(...FRAGMENTS), { minLength: 2, maxLength: 16 }).map((parts) => parts.join(''))
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(texts, sizes, async (text, lengths) => {
      const pieces: string[] = []
      for (let i = 0, n = 0; i < text.length; n++) {
        const size = lengths[n % lengths.length] as number
        pieces.push(text.slice(i, i + size))
        i += size
      }
      const want = (await own.output([text])).text
      assert.equal((await own.output(pieces)).text, want)
      assert.equal((await own.output(chunk(text, 1))).text, want)
    }),
    { numRuns: rounds(600), seed: 20251121 },
  )
})

test('the placeholder of a private key goes out at its beginning and nothing of the key after it', async () => {
  const lines = Array.from({ length: 60 }, (_, i) => `${RANDOM}${RANDOM}${String(i).padStart(2, '0')}`)
  const pieces = [
    'Here:\n',
    '-----BEGIN RSA PRIVATE KEY-----\n',
    ...lines.map((line) => `${line}\n`),
    '-----END RSA ',
    'PRIVATE KEY-----',
    '\nDone.',
  ]
  const { text, held } = await h.output(pieces)
  assert.equal(text, 'Here:\n[PRIVATE_KEY]\nDone.')
  // After BEGIN the placeholder is out, and the key waits in stretches that are never released.
  assert.equal(held[1], pieces[1]?.length)
  assert.ok(Math.max(...held) <= 512, String(Math.max(...held)))
})

test('a secret longer than any hold is replaced once and never held whole', async () => {
  const long = `${RANDOM}${RANDOM}`.repeat(40)
  for (const secret of [`eyJhbGciOiJIUzI1NiJ9.${long}.${RANDOM}`, `ya29.${long}`]) {
    for (const size of [1, 7, 64, 500]) {
      const { text, held, blocked } = await h.output(chunk(`It is ${secret} indeed.`, size))
      assert.equal(blocked, undefined)
      assert.match(text, /^It is \[[A-Z_0-9]+\] indeed\.$/)
      assert.ok(Math.max(...held) <= 384 + size, String(Math.max(...held)))
    }
  }
})

test('combining marks after a finding do not change it', async () => {
  const key = '-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bq1GkvV4WJdPqBAbL0K\n-----END PRIVATE KEY-----'
  const MARKS = /[\u0301\u0336]/g
  for (const value of [key, `api_key = "${RANDOM}"`]) {
    const struck = value.replace(/[^\n]/g, '$&\u0336')
    for (const text of [`so ${value}\u0336\u0301 and`, `so ${struck} and`]) {
      const whole = (await h.output([text])).text
      for (const size of [1, 2, 3, 7]) {
        const streamed = (await h.output(chunk(text, size))).text
        assert.equal(streamed.replace(MARKS, ''), whole.replace(MARKS, ''), String(size))
      }
    }
  }
})

test('ordinary text is rarely held', async () => {
  const text =
    'To sign in, open the portal and enter your password; a token is sent by mail. The key point: never share it. See https://example.com/help for more on api keys. '.repeat(
      5,
    )
  for (const size of [1, 4]) {
    const { held, text: out } = await h.output(chunk(text, size))
    const sorted = [...held].sort((a, b) => a - b)
    assert.equal(out, text)
    assert.ok(held.reduce((sum, n) => sum + n, 0) / held.length <= 2)
    assert.ok((sorted[Math.floor(sorted.length * 0.95)] as number) <= 8)
  }
})

test('a reply that ends inside a secret lets nothing of it out', async () => {
  assert.equal((await h.output(chunk(`key: ghp_${RANDOM}${RANDOM}`, 5))).text, 'key: [GITHUB_TOKEN]')
  assert.equal((await h.output(chunk('-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEAabcdefg', 5))).text, '[PRIVATE_KEY]')
})
