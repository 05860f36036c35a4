/** Signatures and encrypted data go on as they are; what else stands in their place is inspected. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { messages } from '../../../../../core/engine/dialects/messages/dialect.ts'
import { type JsonObject, json } from '../../../../../core/testing/provider.ts'
import { running, word } from '../../../../helpers/core.ts'
import { setup } from '../../../../helpers/gateway.ts'
import { blockStart, blockStop, delta, message, said, whole } from '../../../../helpers/messages.ts'
import { KEYS, SEAL, WORDED } from '../../../../helpers/seals.ts'
import { ask, request, streamed } from './messaging.ts'

const search = (more: object) => ({
  type: 'web_search_tool_result',
  tool_use_id: 'srvtoolu_01A1',
  content: [{ type: 'web_search_result', title: 'A', url: 'https://a.example', ...more }],
})

/** Each place of a seal, and how many seals are counted there. */
const PLACES: readonly (readonly [string, (seal: string) => object, number])[] = [
  ['thinking.signature', (signature) => ({ type: 'thinking', thinking: 'Hm.', signature }), 0],
  ['redacted_thinking.data', (data) => ({ type: 'redacted_thinking', data }), 1],
  [
    'encrypted_index',
    (encrypted_index) => ({
      type: 'text',
      text: 'Yes.',
      citations: [{ type: 'web_search_result_location', cited_text: 'Yes', encrypted_index }],
    }),
    0,
  ],
  ['encrypted_content', (encrypted_content) => search({ encrypted_content }), 1],
  [
    'compaction.encrypted_content',
    (encrypted_content) => ({ type: 'compaction', content: 'Short.', encrypted_content }),
    1,
  ],
]
const turn = (block: object) =>
  request({
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: [block, { type: 'text', text: 'Yes.' }] },
      { role: 'user', content: 'Go on.' },
    ],
  })
const payroll = word('payroll')
const secrets = { plugins: [{ use: 'secrets' }] }

for (const [place, block, count] of PLACES) {
  describe(place, () => {
    it('is not offered to plugins if it is a seal, and counted as it should be', () => {
      const { fields, uninspected } = messages.readRequest(Buffer.from(JSON.stringify(turn(block(SEAL))))).fields()
      assert.ok(!fields.some(({ text }) => text.includes(SEAL.slice(0, 20))))
      assert.equal(uninspected.get('encrypted') ?? 0, count)
    })

    it('stops a request with a key', async (t) => {
      const { gateway, provider } = await setup(t, secrets)
      for (const [name, key] of Object.entries(KEYS)) {
        const reply = await ask(gateway, turn(block(key)))
        assert.ok(reply.status >= 400, `${name}: ${reply.status}`)
        await reply.text()
      }
      assert.equal(provider.requests.length, 0)
    })

    it('does not take a key to the client', async (t) => {
      const parts = await setup(t, secrets)
      for (const [name, key] of Object.entries(KEYS)) {
        parts.provider.reply(json(message([block(key), { type: 'text', text: 'Yes.' }])))
        const buffered = await (await ask(parts.gateway)).text()
        assert.ok(!buffered.includes(key), name)
      }
    })

    it('is rewritten where it is words, in both directions', async (t) => {
      const parts = await running(t, [payroll])
      for (const [name, text] of Object.entries(WORDED)) {
        parts.provider.reply(json(message([block(text), { type: 'text', text: 'Yes.' }])))
        const got = await (await ask(parts.gateway, turn(block(text)))).text()
        assert.ok(!got.includes(text), name)
        assert.ok(!JSON.stringify(parts.provider.requests.at(-1)?.json as JsonObject).includes(text), name)
      }
    })
  })
}

describe('a streamed seal', () => {
  const signed = (signature: string) => [
    blockStart(0, { type: 'thinking', thinking: '', signature: '' }),
    delta(0, { type: 'thinking_delta', thinking: 'Hm.' }),
    delta(0, { type: 'signature_delta', signature }),
    blockStop(0),
  ]
  const begun = (block: object) => [blockStart(0, block), blockStop(0)]
  const cited = (encrypted_index: string) => [
    blockStart(0, { type: 'text', text: '' }),
    said('Yes.'),
    delta(0, { type: 'citations_delta', citation: { type: 'web_search_result_location', encrypted_index } }),
    blockStop(0),
  ]
  const ways: readonly (readonly [string, (seal: string) => ReturnType<typeof signed>])[] = [
    ['signature_delta', signed],
    ['citations_delta', cited],
    ...PLACES.map(([place, block]) => [place, (seal: string) => begun(block(seal))] as const),
  ]
  for (const [name, blocks] of ways) {
    it(`passes unchanged, and anything else does not: ${name}`, async (t) => {
      const parts = await running(t, [payroll])
      const { raw: clean } = await streamed(parts, whole([blocks(SEAL)]))
      assert.ok(clean.includes(SEAL))
      for (const text of Object.values(WORDED)) {
        for (const split of ['event', 'byte'] as const) {
          const { raw: got } = await streamed(parts, whole([blocks(text)]), {}, split)
          assert.ok(got !== '' && !got.includes(text), got)
        }
      }
      const keys = await setup(t, secrets)
      for (const key of Object.values(KEYS)) {
        const { raw: got } = await streamed(keys as never, whole([blocks(key)]), {}, 'byte')
        assert.ok(got !== '' && !got.includes(key), got)
      }
    })
  }
})

it('a thinking block whose signature is rewritten is not sent to the provider', async (t) => {
  const { provider, gateway } = await running(t, [payroll])
  const block = { type: 'thinking', thinking: 'the payroll', signature: WORDED.path }
  provider.otherwise(json(message('fine')))
  await (await ask(gateway, turn(block))).text()
  const alone = request({
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: [block] },
      { role: 'user', content: 'Go on.' },
    ],
  })
  await (await ask(gateway, alone)).text()
  const [first, second] = provider.requests.map(({ json: sent }) => (sent as { messages: JsonObject[] }).messages[1])
  assert.deepEqual(first?.content, [{ type: 'text', text: 'Yes.' }])
  assert.deepEqual(second?.content, [{ type: 'thinking', thinking: '', signature: '' }])
})
