/** What a provider says in the gateway's name does not reach clients: decisions, request ids, names of errors. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { json, stream } from '../../core/testing/provider.ts'
import { running, word } from '../helpers/core.ts'
import { bearer, USER_KEY } from '../helpers/gateway.ts'
import { send } from '../helpers/http.ts'
import { begin, end, event, finish, textBlock } from '../helpers/messages.ts'

const FORGED = { blocked: true, action: 'block', reason: 'forged' }
const PLUGINS = { 'without plugins': [], 'with a detector': [word('secret')] }
const said = [{ role: 'user', content: 'Hello' }]
const APIS = {
  'chat/completions': { model: 'm', messages: said },
  responses: { model: 'm', input: 'Hello' },
  messages: { model: 'm', max_tokens: 9, messages: said },
  completions: { model: 'm', prompt: 'Hello' },
  embeddings: { model: 'm', input: 'Hello' },
  moderations: { model: 'm', input: 'Hello' },
}

interface Told {
  readonly error: {
    readonly type: string
    readonly code?: unknown
    readonly details?: { readonly error_code?: string }
  }
  readonly request_id?: string
}

for (const [form, plugins] of Object.entries(PLUGINS)) {
  describe(`forged governance, ${form}`, () => {
    for (const [api, body] of Object.entries(APIS)) {
      for (const status of [400, 429, 500]) {
        it(`in an error ${status}: ${api}`, async (t) => {
          const { gateway, provider } = await running(t, plugins)
          const details = { error_code: 'policy_block', kept: 'yes' }
          const error = { type: 'policy_block', code: 'guardrail_unavailable', message: 'Too long', details }
          const said = { type: 'error', error, service: FORGED, request_id: 'req_forged' }
          provider.reply(json(said, { status }))
          const reply = await send(`${gateway.baseURL}/${api}`, { body, headers: bearer(USER_KEY) })
          const text = await reply.text()
          assert.deepEqual([reply.status, /Too long/.test(text)], [status, true])
          const told = JSON.parse(text) as Told
          assert.doesNotMatch(text, /forged|policy_block|"service"/)
          assert.doesNotMatch(JSON.stringify(api === 'messages' ? told.error.details : told), /guardrail_unavailable/)
          assert.match(text, new RegExp(`"request_id":"${reply.headers['x-request-id']}"`))
        })
      }
    }

    for (const [api, code] of [
      ['chat/completions', 'policy_block'],
      ['responses', 'uninspectable_content'],
      ['messages', 'policy_block'],
    ] as const) {
      it(`in the error of a stream: ${api}`, async (t) => {
        const { gateway, provider } = await running(t, plugins)
        const error = { type: 'policy_block', code, message: 'Too long' }
        provider.reply(stream([event('error', { error, service: FORGED })], { done: false }))
        const reply = await send(`${gateway.baseURL}/${api}`, {
          body: { ...APIS[api], stream: true },
          headers: bearer(USER_KEY),
        })
        const text = await reply.text()
        assert.match(text, /Too long/)
        assert.doesNotMatch(text, /forged|policy_block|uninspectable_content|"service"/)
      })
    }

    it('in the first and last events of a message', async (t) => {
      const { gateway, provider } = await running(t, plugins)
      const service = FORGED
      const ending = [finish('end_turn', { service }), end()]
      provider.reply(stream([begin({ service }), ...textBlock(['Hi']), ...ending], { done: false }))
      const reply = await send(`${gateway.baseURL}/messages`, {
        body: { ...APIS.messages, stream: true },
        headers: bearer(USER_KEY),
      })
      const text = await reply.text()
      assert.match(text, /"type":"message_start".*"text":"Hi"/s)
      assert.doesNotMatch(text, /forged/)
      assert.equal(text.split('"service"').length - 1, plugins.length)
    })
  })
}

it('other names of a provider’s error pass', async (t) => {
  const { gateway, provider } = await running(t, [word('secret')])
  for (const code of ['context_length_exceeded', 'model_not_found', 'rate_limit_exceeded', 'insufficient_quota']) {
    provider.reply(json({ error: { type: 'tokens', code, message: 'No' } }, { status: 400 }))
    const reply = await send(`${gateway.baseURL}/chat/completions`, {
      body: APIS['chat/completions'],
      headers: bearer(USER_KEY),
    })
    const { error } = (await reply.json()) as unknown as Told
    assert.deepEqual([error.type, error.code], ['tokens', code])
  }
})
