/** Encrypted content goes on as it is; what else stands in its place is inspected. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type JsonObject, json, stream } from '../../../../../core/testing/provider.ts'
import { running, word } from '../../../../helpers/core.ts'
import { setup } from '../../../../helpers/gateway.ts'
import { KEYS, SEAL, WORDED } from '../../../../helpers/seals.ts'
import { respond, response, said } from './responding.ts'

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
