import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type PluginCase, testPlugin } from 'governed-gateway/testing'
import secrets from '../../../plugins/secrets/index.ts'
import { FORMS } from '../../helpers/rounds.ts'

const run = (plugin: typeof secrets, options: object, testCase: PluginCase = {}) =>
  testPlugin(plugin, { options, ...testCase })

// Put together at run time: no key-shaped string stands in the repository.
const GITHUB = `ghp_${'abcdEFGH1234ijklMNOP5678qrstUVWX9012'}`
const RANDOM = 'a8F5kQ167z44fP9e6Wxc827Rt9Bv3Ny'
const LINES = Array.from({ length: 24 }, (_, i) => `MIIEpAIBAAKCAQEA7bq1GkvV4WJdPqBAbL0KZx9Q2mVtE8yR5uT1wS4oXcN7h+${i}`)
const KEY = `-----BEGIN PRIVATE KEY-----\n${LINES.join('\n')}\n-----END PRIVATE KEY-----`

describe('secrets in a gateway', () => {
  it('refuses a prompt with a key, tells the type and keeps the value to itself', async () => {
    await run(
      secrets,
      {},
      {
        request: `Why is ${GITHUB} refused?`,
        expect: {
          outcome: 'blocked',
          status: 403,
          label: 'RESTRICTED',
          reason: 'The request holds a secret (github_token) in messages[0].content.',
          detections: { github_token: 1 },
          events: ['secret.detected', 'request.blocked'],
          sent: null,
        },
        check: ({ error, events }) => assert.ok(!JSON.stringify([error, events]).includes(GITHUB)),
      },
    )
  })

  it('redacts a prompt when told so', async () => {
    await run(
      secrets,
      { input: 'redact' },
      {
        variants: ['buffered'],
        request: `password: hunter2 and ${GITHUB}`,
        expect: {
          outcome: 'completed',
          detections: { password: 1, github_token: 1 },
          events: ['secret.detected', 'request.redacted'],
          sent: { messages: [{ role: 'user', content: 'password: [PASSWORD] and [GITHUB_TOKEN]' }] },
        },
      },
    )
  })

  it('joins no message to a value that says it is none, but to a password that is cut', async () => {
    const messages = (...said: string[]) => said.map((content) => ({ role: 'user' as const, content }))
    for (const first of [
      'pw: u8Array',
      'password = \\w{8}$',
      'token: $CI_JOB_TOKEN',
      'pw: 100000kW',
      'api_key: SecretStr',
    ])
      await run(
        secrets,
        {},
        { request: { messages: messages(first, 'GC2882-8062x9') }, variants: FORMS, expect: { outcome: 'completed' } },
      )
    await run(
      secrets,
      {},
      { request: { messages: messages('password: Rk7', '#qW2x9') }, expect: { outcome: 'blocked' } },
    )
  })

  it('redacts a reply, whole and in any pieces', async () => {
    await run(
      secrets,
      {},
      {
        reply: `Use password: hunter2.`,
        expect: {
          text: 'Use password: [PASSWORD].',
          events: ['secret.detected', 'response.redacted'],
        },
      },
    )
  })

  it('swallows a private key, whole and in any pieces', async () => {
    await run(
      secrets,
      {},
      {
        variants: ['buffered', 'bytes'],
        reply: `Here:\n${KEY}\nDone.`,
        expect: { text: 'Here:\n[PRIVATE_KEY]\nDone.', detections: { private_key: 1 } },
      },
    )
  })

  it('blocks a reply when told so', async () => {
    await run(
      secrets,
      { output: 'block' },
      {
        variants: ['buffered', 'bytes'],
        reply: `It is ${GITHUB}, yes.`,
        expect: { outcome: 'blocked', events: ['response.blocked'] },
      },
    )
  })

  it('finds the values of tool arguments by their names and keeps the arguments valid', async () => {
    const call = (args: object) => ({
      id: 'call_1',
      type: 'function',
      function: { name: 'login', arguments: JSON.stringify(args) },
    })
    const messages = [
      { role: 'user', content: 'log in' },
      { role: 'assistant', content: null, tool_calls: [call({ user: 'bob', password: 'hunter2', port: 5432 })] },
      { role: 'tool', tool_call_id: 'call_1', content: 'ok' },
    ]
    await run(
      secrets,
      { input: 'redact' },
      {
        variants: ['buffered'],
        request: { messages },
        check: ({ sent }) => {
          const body = sent?.body as { messages: { tool_calls?: ReturnType<typeof call>[] }[] }
          const args = JSON.parse(body.messages[1]?.tool_calls?.[0]?.function.arguments ?? '') as unknown
          assert.deepEqual(args, { user: 'bob', password: '[PASSWORD]', port: 5432 })
        },
      },
    )
  })

  it('finds values below a label in arguments and other members, of requests and replies', async () => {
    const args = { auth: { password: ['a', 'hunter2'] }, login: { password: { value: 'hunter2' } }, stop: ['hunter2'] }
    const clean = {
      auth: { password: ['a', '[PASSWORD]'] },
      login: { password: { value: '[PASSWORD]' } },
      stop: ['hunter2'],
    }
    const call = { id: 'call_1', type: 'function', function: { name: 'login', arguments: JSON.stringify(args) } }
    const messages = [
      { role: 'user', content: 'log in' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: 'ok' },
    ]
    await run(
      secrets,
      { input: 'redact' },
      {
        request: { messages, x_vendor: args },
        variants: FORMS,
        check: ({ sent }) => {
          const body = sent?.body as { messages: { tool_calls?: (typeof call)[] }[]; x_vendor: unknown }
          assert.deepEqual(JSON.parse(body.messages[1]?.tool_calls?.[0]?.function.arguments ?? ''), clean)
          assert.deepEqual(body.x_vendor, clean)
        },
      },
    )
    await run(
      secrets,
      {},
      {
        reply: { choices: [{ toolCalls: [{ name: 'login', arguments: JSON.stringify(args) }] }] },
        variants: FORMS,
        check: ({ choices }) => assert.deepEqual(JSON.parse(choices[0]?.toolCalls?.[0]?.arguments ?? ''), clean),
      },
    )
  })

  it('finds values that a neighbour names, in either order, in lists and below, of requests and replies', async () => {
    const of = (secret: string) => ({
      env: [
        { name: 'CLIENT_SECRET', value: secret },
        { value: secret, name: 'CLIENT_SECRET' },
        { name: 'COLOUR', value: RANDOM },
      ],
      headers: [['X-Secret', secret], { key: 'x-client-secret', type: 'text', value: secret }],
      raw: ['Host', RANDOM, 'X-Secret', secret],
      args: ['run', '--client-secret', secret, '--name', RANDOM],
      stack: { ParameterKey: 'AppSecret', ParameterValue: secret },
      attribute: { key: 'app.colour', value: { stringValue: RANDOM } },
      span: { key: 'app.secret', value: { stringValue: secret } },
    })
    const call = {
      id: 'call_1',
      type: 'function',
      function: { name: 'deploy', arguments: JSON.stringify(of(RANDOM)) },
    }
    const messages = [
      { role: 'user', content: 'deploy' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: 'ok' },
    ]
    await run(
      secrets,
      { input: 'redact' },
      {
        variants: ['buffered'],
        request: { messages, x_vendor: of(RANDOM) },
        check: ({ sent }) => {
          const body = sent?.body as { messages: { tool_calls?: (typeof call)[] }[]; x_vendor: unknown }
          assert.deepEqual(JSON.parse(body.messages[1]?.tool_calls?.[0]?.function.arguments ?? ''), of('[SECRET]'))
          assert.deepEqual(body.x_vendor, of('[SECRET]'))
        },
      },
    )
    await run(
      secrets,
      {},
      {
        variants: FORMS,
        reply: { choices: [{ toolCalls: [{ name: 'deploy', arguments: JSON.stringify(of(RANDOM).env) }] }] },
        check: ({ choices }) =>
          assert.deepEqual(JSON.parse(choices[0]?.toolCalls?.[0]?.arguments ?? ''), of('[SECRET]').env),
      },
    )
  })

  it('only records under monitor', async () => {
    await run(
      secrets,
      {},
      {
        variants: ['buffered'],
        entry: { mode: 'monitor' },
        request: `Why is ${GITHUB} refused?`,
        expect: { outcome: 'completed', detections: { github_token: 1 }, events: ['policy.would_block'] },
      },
    )
  })

  it('takes the flag: tighter for everybody, looser only for keys that may', async () => {
    const one = { variants: ['buffered'], with: ['flags'] } as const
    await run(
      secrets,
      { input: 'detect' },
      { ...one, headers: { 'x-service-flags': 'secrets=block' }, request: GITHUB, expect: { outcome: 'blocked' } },
    )
    await run(
      secrets,
      {},
      { ...one, headers: { 'x-service-flags': 'secrets=off' }, request: GITHUB, expect: { status: 403, sent: null } },
    )
    await run(
      secrets,
      {},
      {
        ...one,
        key: { flags_allow: ['secrets=off'] },
        headers: { 'x-service-flags': 'secrets=off' },
        request: GITHUB,
        expect: { outcome: 'completed', detections: {} },
      },
    )
  })
})
