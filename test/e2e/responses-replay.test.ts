/** Clients that keep the history themselves send output items back as they came. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import OpenAI from 'openai'
import { json, type Script, stream } from '../../core/testing/provider.ts'
import { message, numbered, response, said, USAGE } from '../core/engine/dialects/responses/responding.ts'
import { ADMIN_KEY, type TestGateway, USER_KEY } from '../helpers/gateway.ts'
import { SEAL } from '../helpers/seals.ts'
import { start } from './setup.ts'

const model = 'gpt-test'

const picture = { id: 'ig_a1', type: 'image_generation_call', status: 'completed', result: 'iVBORw0KGgo=' }
const search = { id: 'ws_a1', type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'tides' } }
const call = {
  id: 'fc_a1',
  type: 'function_call',
  call_id: 'call_a1',
  name: 'get_weather',
  arguments: '{}',
  status: 'completed',
}
const thought = (seal?: string) => ({
  id: 'rs_a1',
  type: 'reasoning',
  summary: [{ type: 'summary_text', text: 'Think.' }],
  ...(seal !== undefined && { encrypted_content: seal }),
})

const answer =
  (output: readonly object[]): Script =>
  (exchange) => {
    const whole = response({ output, usage: USAGE })
    if ((exchange.request.json as { stream?: boolean }).stream !== true) return json(whole)(exchange)
    const items = output.flatMap((item, output_index) =>
      ['added', 'done'].map((state) => ({ type: `response.output_item.${state}`, output_index, item })),
    )
    const created = { type: 'response.created', response: response({ status: 'in_progress' }) }
    return stream(numbered([created, ...items, { type: 'response.completed', response: whole }]), { done: false })(
      exchange,
    )
  }

const ok: Script = (exchange) =>
  (exchange.request.json as { stream?: boolean }).stream === true
    ? stream(message(['Fine.']), { done: false })(exchange)
    : json(response({ output: [said('Fine.')], usage: USAGE }))(exchange)

const sdk = ({ baseURL }: TestGateway, apiKey = USER_KEY) =>
  new OpenAI({ baseURL, apiKey, logLevel: 'off', maxRetries: 0 }).responses

type Body = Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, 'stream'>

const ask = async (responses: OpenAI.Responses, body: Body, streamed: boolean) =>
  streamed ? await responses.stream(body).finalResponse() : await responses.create(body)

for (const streamed of [false, true]) {
  describe(`openai: a history of the client, ${streamed ? 'streamed' : 'buffered'}`, () => {
    for (const [name, store, output] of [
      ['stored', undefined, [thought(), call, search, picture]],
      ['not stored, with encrypted reasoning', false, [thought(SEAL), call, search, picture]],
    ] as const) {
      it(`goes on, ${name}`, async (t) => {
        const { provider, gateway } = await start(t)
        const more = store === undefined ? {} : { store }
        provider.reply(answer(output), ok)
        const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'Weather?' }]
        const first = await ask(sdk(gateway), { model, input, ...more }, streamed)
        assert.equal(first.output.length, output.length)
        input.push(...(first.output as OpenAI.Responses.ResponseInput))
        input.push({ type: 'function_call_output', call_id: call.call_id, output: '' })
        assert.equal((await ask(sdk(gateway), { model, input, ...more }, streamed)).output_text, 'Fine.')
        const sent = provider.requests[1]?.json as { input: { id: string }[] } | undefined
        const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id)
        assert.deepEqual(ids(sent?.input.slice(1, -1) ?? []), ids(output))
      })
    }

    it('edits a picture by its id, with the key that made it alone', async (t) => {
      const { provider, gateway } = await start(t)
      provider.reply(answer([picture]), ok)
      await ask(sdk(gateway), { model, input: 'Draw a cat' }, streamed)
      const named = { type: 'image_generation_call', id: picture.id } as OpenAI.Responses.ResponseInputItem
      const body: Body = { model, input: [{ role: 'user', content: 'Make it real' }, named] }
      const foreign = sdk(gateway, ADMIN_KEY)
      await assert.rejects(async () => await ask(foreign, body, streamed), OpenAI.NotFoundError)
      assert.equal(provider.requests.length, 1)
      assert.equal((await ask(sdk(gateway), body, streamed)).output_text, 'Fine.')
    })
  })
}
