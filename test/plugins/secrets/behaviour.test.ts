import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it, test } from 'node:test'
import plugin from '../../../plugins/secrets/index.ts'
import { harness } from '../../helpers/detector.ts'

// Put together at run time: no key-shaped string stands in the repository.
const AWS = `AKIA${'IOSFODNN7EXAMPLE'}`
const GITHUB = `ghp_${'abcdEFGH1234ijklMNOP5678qrstUVWX9012'}`
const RANDOM = 'a8F5kQ167z44fP9e6Wxc827Rt9Bv3Ny'

const plain = harness(plugin as never)
const redacting = harness(plugin as never, { input: 'redact' })

test('a request with a key is blocked; the reason names the type and never the value', async () => {
  const { blocked, level, findings } = await plain.input(`Why is ${AWS} refused?`)
  assert.equal(blocked?.type, 'aws_access_key_id')
  assert.equal(blocked?.reason, 'The request holds a secret (aws_access_key_id) in messages[0].content.')
  assert.equal(level, 'RESTRICTED')
  assert.deepEqual(findings, [
    { plugin: 'secrets', type: 'aws_access_key_id', direction: 'input', action: 'block', count: 1 },
  ])
})

test('an AWS key without a digit, as one in thirty is, is a key; capitals that spell an example are none', async () => {
  const text = `Use AKIA${'JCDSWCMYWQENTSSB'} or ASIA${'QLHVPBRNDYOFWKGC'}, not AKIAYOURACCESSKEYIDX.`
  const whole = 'Use [AWS_ACCESS_KEY_ID] or [AWS_ACCESS_KEY_ID], not AKIAYOURACCESSKEYIDX.'
  assert.equal((await plain.output([text])).text, whole)
  assert.equal((await plain.output([...text])).text, whole)
})

test('three letters of such a word are no example: one key in a thousand has them', async () => {
  for (const key of [`AKIA${'JCDKEYSWMYWQNTSB'}`, `AKIA${'TESTQLHVPBRNDYOW'}`]) {
    assert.equal((await plain.output([`Use ${key} now`])).text, 'Use [AWS_ACCESS_KEY_ID] now')
    assert.equal((await plain.output([...`Use ${key} now`])).text, 'Use [AWS_ACCESS_KEY_ID] now')
  }
})

test('a reply with a key is redacted', async () => {
  const { text, blocked } = await plain.output([`Use ${GITHUB}.`])
  assert.equal(text, 'Use [GITHUB_TOKEN].')
  assert.equal(blocked, undefined)
})

for (const [notation, text, want] of [
  ['an assignment', `api_key = "${RANDOM}"`, 'api_key = "[API_KEY]"'],
  ['JSON', `{"client_secret":"${RANDOM}"}`, '{"client_secret":"[SECRET]"}'],
  ['JSON in a string', `{\\"client_secret\\": \\"${RANDOM}\\"}`, '{\\"client_secret\\": \\"[SECRET]\\"}'],
  ['YAML', `service:\n  token: ${RANDOM}\n`, 'service:\n  token: [TOKEN]\n'],
  [
    'the environment',
    `AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY`,
    'AWS_SECRET_ACCESS_KEY=[AWS_SECRET_ACCESS_KEY]',
  ],
  ['a command line', `deploy --token ${RANDOM} --fast`, 'deploy --token [TOKEN] --fast'],
  ['a typed declaration', `const apiKey: string = '${RANDOM}'`, "const apiKey: string = '[API_KEY]'"],
  ['a call', `setenv("API_TOKEN", "${RANDOM}")`, 'setenv("API_TOKEN", "[TOKEN]")'],
  ['an element', '<password>S3cr3t!x</password>', '<password>[PASSWORD]</password>'],
  [
    'a sentence',
    'The password for the shop is Tr0ub4dor&3, do not share it.',
    'The password for the shop is [PASSWORD], do not share it.',
  ],
  ['German', 'Das Passwort lautet Katze2024!', 'Das Passwort lautet [PASSWORD]'],
  ['Chinese', '密码是Xyz12345。', '密码是[PASSWORD]。'],
  ['Japanese', 'パスワードはabc123です', 'パスワードは[PASSWORD]です'],
  [
    'a connection string',
    'Server=x;User Id=sa;Password=Xyz123;Database=y',
    'Server=x;User Id=sa;Password=[PASSWORD];Database=y',
  ],
  ['a cell of CSV', `1,"api_key: ""${RANDOM}""",x`, '1,"api_key: ""[API_KEY]""",x'],
  [
    'a cell of CSV in JSON in JSON',
    `\\\\\\"password: \\\\\\"\\\\\\"x9Q2mVtE8yR5\\\\\\"\\\\\\"`,
    `\\\\\\"password: \\\\\\"\\\\\\"[PASSWORD]\\\\\\"\\\\\\"`,
  ],
  ['a long string', `api_key = """${RANDOM}"""`, 'api_key = """[API_KEY]"""'],
  ['an empty string', `api_key: "", note: "${RANDOM}"`, `api_key: "", note: "${RANDOM}"`],
  ['a URL', 'postgres://admin:s3cr3tPw@db.example.com/app', 'postgres://admin:[URL_CREDENTIALS]@db.example.com/app'],
  ['a bearer header', `Authorization: Bearer ${RANDOM}`, 'Authorization: Bearer [BEARER_TOKEN]'],
  ['a basic header', 'Authorization: Basic dXNlcjpwYXNzd29yZA==', 'Authorization: Basic [BASIC_CREDENTIALS]'],
  ['another scheme', `Authorization: Token ${RANDOM}`, 'Authorization: Token [AUTHORIZATION]'],
  [
    'a key between label and value',
    `password for ${AWS} is hunter23`,
    'password for [AWS_ACCESS_KEY_ID] is [PASSWORD]',
  ],
  ['a labelled value with a known format', `openai key: ${GITHUB}`, 'openai key: [GITHUB_TOKEN]'],
] as const) {
  test(`finds a value in ${notation}`, async () => {
    assert.equal((await redacting.input(text)).text, want)
    // In a stream nothing is read twice that stands in front of a key.
    if (!text.includes(AWS)) assert.equal((await redacting.output([...text])).text, want)
  })
}

test('a private key goes as a whole, with its headers and markers', async () => {
  const lines = ['MIIEpAIBAAKCAQEA7bq1GkvV4WJdPqBAbL0K', 'Zx9Q2mVtE8yR5uT1wS4oXcN7hJ6fD3gK+a/b', 'q8s=']
  const body = `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF\n\n${lines.join('\n')}\n-----END RSA PRIVATE KEY-----`
  const { text, findings } = await redacting.input(`before\n${body}\nafter`)
  assert.equal(text, 'before\n[PRIVATE_KEY]\nafter')
  assert.equal(findings[0]?.count, 1)
})

test('a private key is found behind the numbers of its lines', async () => {
  const lines = [
    '-----BEGIN PRIVATE KEY-----',
    'MIIEpAIBAAKCAQEA7bq1GkvV4WJdPqBAbL0K',
    '-----END PRIVATE KEY-----',
    'x',
  ]
  for (const sign of ['\t', ': ', ' | ', ') ']) {
    const text = lines.map((line, at) => `${String(at + 9).padStart(6)}${sign}${line}`).join('\n')
    const want = `     9${sign}[PRIVATE_KEY]\n    12${sign}x`
    assert.equal((await redacting.input(text)).text, want)
    assert.equal((await redacting.output([...text])).text, want)
  }
})

test('a private key is found whose first letter is one of another script', async () => {
  const text = '-----BEGIN PRIVATE KEY-----\n\u0440/MIIEpAIBAAKCAQEA7bq1GkvV4WJdPqBAbL0K\n-----END PRIVATE KEY-----'
  assert.equal((await redacting.input(text)).text, '[PRIVATE_KEY]')
  assert.equal((await redacting.output([...text])).text, '[PRIVATE_KEY]')
})

test('text after an unfinished private key is kept', async () => {
  const { text } = await redacting.input(
    '-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bq1GkvV4WJdPqBAbL0K\nHope this helps, and good luck.',
  )
  assert.equal(text, '[PRIVATE_KEY]\nHope this helps, and good luck.')
})

test('the name of a tool argument labels its value', async () => {
  const place = { channel: 'tool_arguments', member: 'db_password' } as const
  assert.equal((await redacting.input('hunter2', place)).text, '[PASSWORD]')
  assert.equal((await redacting.input('hunter2', { ...place, member: 'nickname' })).text, 'hunter2')
})

test('a name beside a value labels it, if it names a secret', async () => {
  const place = { channel: 'tool_arguments', member: 'value', beside: 'DB_PASSWORD' } as const
  assert.equal((await redacting.input('hunter2', place)).text, '[PASSWORD]')
  assert.equal((await redacting.output([...'hunter2'], place)).text, '[PASSWORD]')
  for (const beside of ['--password', 'X-Password', '#password', 'input[name="password"]', 'Password field', 'pw'])
    assert.equal((await redacting.input('hunter2', { ...place, member: 'args', beside })).text, '[PASSWORD]', beside)
  for (const beside of ['NICKNAME', 'Please tell me what the password is', '- password'])
    assert.equal((await redacting.input('hunter2', { ...place, beside })).text, 'hunter2', beside)
  assert.equal((await redacting.input('hunter2', { ...place, member: 'pwd', beside: 'a' })).text, '[PASSWORD]')
})

test('members of a container of secrets are secrets, but for ids and the like', async () => {
  const token = 'a8F5kQ167z44fP9e6Wxc827Rt9Bv3NyL'
  const at = (container: string, member: string) =>
    redacting.input(token, { channel: 'tool_arguments', member, within: [container] })
  for (const [container, member] of [
    ['api_keys', 'stripe'],
    ['secrets', 'crm'],
    ['tokens', 'prod'],
    ['credentials', 'key'],
  ] as const)
    assert.match((await at(container, member)).text, /^\[[A-Z_]+\]$/, container)
  for (const [container, member] of [
    ['tokens', 'user_id'],
    ['credentials', 'provider'],
    ['secrets', 'createdAt'],
    ['tokenizer', 'model'],
  ] as const)
    assert.equal((await at(container, member)).text, token, container)
})

test('a member that names a secret counts before what stands beside it', async () => {
  const place = { channel: 'tool_arguments', member: 'api_key', beside: 'secret/data/app' } as const
  assert.equal((await redacting.input('a8F5kQ167z44fP9e6Wxc827Rt9Bv3NyL', place)).text, '[API_KEY]')
})

describe('a labelled value below its label', () => {
  const place = { channel: 'tool_arguments', member: 'value', within: ['current', 'db_password'] } as const
  it('is found by the nearest meaningful name', async () => {
    assert.equal((await redacting.input('hunter2', place)).text, '[PASSWORD]')
    assert.equal((await redacting.output([...'hunter2'], { ...place, channel: 'other' })).text, '[PASSWORD]')
    for (const within of [['nickname', 'password'], ['current'], []])
      assert.equal((await redacting.input('hunter2', { ...place, within })).text, 'hunter2')
    assert.equal((await redacting.input('hunter2', { ...place, member: 'nickname' })).text, 'hunter2')
  })
  for (const text of [
    '{"password":["hunter2"]}',
    '{"password": [\n  "hunter2"\n]}',
    '{"password":{"value":"hunter2"}}',
    '{"password": {\n "data" : ["hunter2"]}}',
    '{\\"password\\":[\\"hunter2\\"]}',
    "password = ['hunter2']",
  ]) {
    it(`is found in ${JSON.stringify(text)}, in any pieces`, async () => {
      const expected = text.replace('hunter2', '[PASSWORD]')
      assert.equal((await redacting.input(text)).text, expected)
      assert.equal((await redacting.output([text])).text, expected)
      assert.equal((await redacting.output([...text])).text, expected)
      for (let at = 1; at < text.length; at++) {
        assert.equal((await redacting.output([text.slice(0, at), text.slice(at)])).text, expected)
      }
    })
  }
  for (const text of [
    '{"tokens":["The","quick","brownFox"],"stop":["END2","###4"]}',
    '{"password":["This password is too short: 8 characters."]}',
    "'password' => ['required', 'min:8', 'max:255']",
    '{"token":{"type":"bearer","data":"application/json"}}',
    '{"key":{"value":"Blue42 is a colour"}}',
  ]) {
    it(`is not seen in ${text}`, async () => {
      assert.equal((await redacting.input(text)).text, text)
    })
  }
})

test('a type can be switched off or get another action', async () => {
  const own = harness(plugin as never, { kinds: { aws_access_key_id: 'off', github_token: 'detect' } })
  assert.equal((await own.input(AWS)).findings.length, 0)
  const { text, blocked, findings } = await own.input(GITHUB)
  assert.equal(text, GITHUB)
  assert.equal(blocked, undefined)
  assert.equal(findings[0]?.action, 'detect')
})

test('allowed values pass, in clear or by hash', async () => {
  const hash = createHash('sha256').update(GITHUB).digest('hex')
  const own = harness(plugin as never, { allow: [AWS, `sha256:${hash}`] })
  assert.deepEqual((await own.input(`${AWS} ${GITHUB}`)).findings, [])
  assert.equal((await own.input(`${AWS.slice(0, -1)}F`)).blocked?.type, 'aws_access_key_id')
})

test('own patterns have a type and an action of their own', async () => {
  const own = harness(plugin as never, {
    patterns: [{ type: 'ticket', pattern: '\\bTCK-[0-9]{4,8}\\b', action: 'redact' }],
  })
  const { text, blocked } = await own.input('see TCK-12345 and XTCK-1234')
  assert.equal(text, 'see [TICKET] and XTCK-1234')
  assert.equal(blocked, undefined)
})

test('min_entropy and labelled', async () => {
  const value = 'abab1212abab1212'
  assert.equal(
    (await harness(plugin as never, { input: 'redact', min_entropy: 1 }).input(`token: "${value}"`)).text,
    'token: "[TOKEN]"',
  )
  assert.equal(
    (await harness(plugin as never, { input: 'redact', min_entropy: 3 }).input(`token: "${value}"`)).text,
    `token: "${value}"`,
  )
  assert.deepEqual((await harness(plugin as never, { labelled: false }).input(`password: hunter2`)).findings, [])
})

test('flag off inspects nothing, detect lowers every action, block raises it', async () => {
  assert.deepEqual((await harness(plugin as never, {}, { secrets: 'off' }).input(AWS)).findings, [])
  const lowered = harness(plugin as never, { kinds: { jwt: 'redact' } }, { secrets: 'detect' })
  assert.equal((await lowered.input(AWS)).findings[0]?.action, 'detect')
  assert.equal((await lowered.output([`Use ${GITHUB}.`])).text, `Use ${GITHUB}.`)
  const lifted = harness(
    plugin as never,
    { input: 'detect', kinds: { github_token: 'redact', aws_access_key_id: 'off' } },
    { secrets: 'block' },
  )
  assert.equal((await lifted.input(GITHUB)).blocked?.type, 'github_token')
  assert.equal((await lifted.output(['Use ', GITHUB, ' now'])).blocked?.type, 'github_token')
  assert.deepEqual((await lifted.input(AWS)).findings, [])
})

test('a secret is never offered for tokenising', () => {
  assert.ok(!JSON.stringify(plugin.schema).includes('tokenize'))
  assert.ok(!JSON.stringify(plugin.flags).includes('tokenize'))
})

test('disguised spellings that the normalised view resolves are found and wholly replaced', async () => {
  assert.equal(
    (await redacting.input('postgres://bob:s3cr3tPw%40db.example.com/x')).text,
    'postgres://bob:[URL_CREDENTIALS]%40db.example.com/x',
  )
  const wide = [...AWS].map((char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)).join('')
  assert.equal((await redacting.input(`key ${wide}.`)).text, 'key [AWS_ACCESS_KEY_ID].')
})
