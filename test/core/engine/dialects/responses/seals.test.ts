/** Encrypted content goes on as it is; what else stands in its place is inspected. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type JsonObject, json, stream } from '../../../../../core/testing/provider.ts'
import { running, word } from '../../../../helpers/core.ts'
import { ADMIN_KEY, bearer, type Setup, setup, USER_KEY } from '../../../../helpers/gateway.ts'
import { send } from '../../../../helpers/http.ts'
import { KEYS, SEAL, WORDED } from '../../../../helpers/seals.ts'
import { numbered, respond, response, said } from './responding.ts'

const KINDS = ['reasoning', 'compaction'] as const
const item = (type: string, encrypted_content: string) => ({
  type,
  id: 'rs_a1',
  ...(type === 'reasoning' ? { summary: [] } : {}),
  encrypted_content,
})
const payroll = word('payroll')
const secrets = { plugins: [{ use: 'secrets' }] }

for (const kind of KINDS) {
  describe(`encrypted_content of ${kind}`, () => {
    it('passes in both directions if it is a seal', async (t) => {
      const { gateway, provider } = await running(t, [payroll])
      provider.reply(json(response({ output: [item(kind, SEAL), said('ok')] })))
      assert.ok((await (await respond(gateway, { input: [item(kind, SEAL)] })).text()).includes(SEAL))
      assert.ok(JSON.stringify(provider.requests[0]?.json as JsonObject).includes(SEAL))
    })

    it('is rewritten where it is words, in both directions', async (t) => {
      const { gateway, provider } = await running(t, [payroll])
      for (const [name, text] of Object.entries(WORDED)) {
        provider.reply(json(response({ output: [item(kind, text), said('ok')] })))
        const reply = await respond(gateway, { input: [item(kind, text)] })
        assert.equal(reply.status, 200)
        assert.ok(!(await reply.text()).includes(text), name)
        assert.ok(!JSON.stringify(provider.requests.at(-1)?.json as JsonObject).includes(text), name)
      }
    })

    it('takes no key to the provider or to the client', async (t) => {
      const { gateway, provider } = await setup(t, secrets)
      for (const [name, key] of Object.entries(KEYS)) {
        await (await respond(gateway, { input: [item(kind, key)] })).text()
        assert.equal(provider.requests.length, 0, name)
      }
      for (const [name, key] of Object.entries(KEYS)) {
        provider.reply(json(response({ output: [item(kind, key), said('ok')] })))
        const reply = await respond(gateway, {})
        assert.equal(reply.status, 200)
        assert.ok(!(await reply.text()).includes(key), name)
      }
    })

    it('is rewritten in a stream, however its bytes are cut', async (t) => {
      const { gateway, provider } = await running(t, [payroll])
      const done = (text: string) => [
        { type: 'response.created', response: response({ status: 'in_progress' }) },
        { type: 'response.output_item.added', output_index: 0, item: item(kind, text) },
        { type: 'response.output_item.done', output_index: 0, item: item(kind, text) },
        { type: 'response.completed', response: response({ output: [item(kind, text)] }) },
      ]
      for (const text of [SEAL, ...Object.values(WORDED)]) {
        const events = done(text).map((data, i) => ({ ...data, sequence_number: i }))
        provider.reply(stream(events as never, { done: false, split: 'byte' }))
        const reply = await respond(gateway, { stream: true })
        assert.equal(reply.status, 200)
        assert.equal((await reply.text()).includes(text), text === SEAL, text)
      }
    })
  })
}

const RULE = { name: 'no-falcon', keywords: ['Project Falcon'], action: 'block' }
const CUT = SEAL.slice(0, -8)
const OTHER = [...SEAL].reverse().join('')

describe('seals of a key', () => {
  const flags = { plugins: [{ use: 'flags' }, { use: 'policy', options: { rules: [RULE] } }] }
  const strict = (key: string) => ({ headers: { ...bearer(key), 'x-service-flags': 'mode=strict' } })
  const replay = async ({ gateway, provider }: Setup, key: string, ...seals: string[]) => {
    provider.otherwise(json(response({ output: [said('ok')] })))
    const reply = await respond(gateway, { input: seals.map((seal) => item('reasoning', seal)) }, strict(key))
    const { service } = (await reply.json()) as { service?: { warnings?: string[] } }
    return { status: reply.status, warnings: service?.warnings }
  }
  const reasoned = { ...item('reasoning', SEAL), summary: [] }

  for (const [form, script] of [
    ['buffered', json(response({ output: [reasoned, said('ok')] }))],
    [
      'streamed',
      stream(
        numbered([
          { type: 'response.created', response: response({ status: 'in_progress' }) },
          { type: 'response.output_item.added', output_index: 0, item: { ...reasoned, encrypted_content: CUT } },
          { type: 'response.output_item.done', output_index: 0, item: reasoned },
          { type: 'response.completed', response: response({ output: [reasoned] }) },
        ]),
        { split: 'byte', done: false },
      ),
    ],
  ] as const) {
    it(`are allowed in strict when they return to it, and those of others are refused, ${form}`, async (t) => {
      const parts = await setup(t, flags)
      parts.provider.reply(script)
      const body = { store: false, include: ['reasoning.encrypted_content'], stream: form === 'streamed' }
      await (await respond(parts.gateway, body)).text()
      assert.deepEqual(await replay(parts, USER_KEY, SEAL, SEAL), { status: 200, warnings: undefined })
      const before = parts.provider.requests.length
      for (const [key, ...seals] of [
        [ADMIN_KEY, SEAL],
        [USER_KEY, OTHER],
        [USER_KEY, SEAL, OTHER],
        [USER_KEY, CUT],
      ] as const) {
        assert.equal((await replay(parts, key, ...seals)).status, 422)
      }
      assert.equal(parts.provider.requests.length, before)
    })
  }

  it('are not those that the client sent itself', async (t) => {
    const parts = await setup(t, flags)
    const { gateway, provider } = parts
    provider.reply(json(response({ output: [reasoned, said('ok')] })))
    await (await respond(gateway, { input: [reasoned] })).text()
    provider.reply(json({ object: 'list', data: [reasoned], has_more: false }))
    const page = await send(`${gateway.baseURL}/responses/resp_a1/input_items`, {
      method: 'GET',
      headers: bearer(USER_KEY),
    })
    assert.equal(page.status, 200)
    await page.text()
    assert.equal((await replay(parts, USER_KEY, SEAL)).status, 422)
  })
})
