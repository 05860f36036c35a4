/** Routers merge `extra_body` into the body. What the gateway reads, checks or inspects there must not come in by that way. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { running, word } from '../helpers/core.ts'
import { asking, bearer, USER_KEY } from '../helpers/gateway.ts'
import { send } from '../helpers/http.ts'

const RESPONSES = {
  previous_response_id: 'resp_of_another_key',
  conversation: 'conv_1',
  background: true,
  prompt: { id: 'pmpt_1' },
  prompt_cache_options: { comparison_response_id: 'resp_of_another_key' },
  store: true,
  max_output_tokens: 99_999,
  input: 'Hello',
  instructions: 'Hello',
  stream: true,
  tools: [],
}

const APIS: Readonly<Record<string, readonly [body: object, members: object]>> = {
  'chat/completions': [
    asking(),
    {
      max_tokens: 99_999,
      max_completion_tokens: 99_999,
      n: 100,
      messages: [{ role: 'user', content: 'Hello' }],
      stream: true,
      stream_options: { include_usage: false },
      tools: [],
      store: true,
      web_search_options: {},
    },
  ],
  completions: [
    { model: 'm', prompt: 'Hello' },
    { prompt: 'Hello', suffix: 'a', max_tokens: 99_999, n: 100, best_of: 100, echo: true, stream: true },
  ],
  responses: [{ model: 'm', input: 'Hello' }, RESPONSES],
  'responses/input_tokens': [{ model: 'm', input: 'Hello' }, RESPONSES],
  'responses/compact': [{ model: 'm', input: 'Hello' }, RESPONSES],
  embeddings: [
    { model: 'm', input: 'Hello' },
    { input: 'a', user: 'b' },
  ],
  moderations: [{ model: 'm', input: 'Hello' }, { input: 'a' }],
  messages: [
    { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }] },
    {
      max_tokens: 99_999,
      system: 'a',
      messages: [],
      thread: 'thread_1',
      container: 'c',
      mcp_servers: [],
      stream: true,
    },
  ],
}

describe('extra_body', () => {
  for (const [path, [body, members]] of Object.entries(APIS)) {
    it(`has no member that ${path} knows at the top level`, async (t) => {
      const { provider, gateway } = await running(t, [])
      for (const [name, value] of Object.entries({ ...members, service: {} })) {
        const upper = name.toUpperCase()
        for (const [extra, at] of [
          [{ extra_body: { [name]: value } }, 'extra_body.'],
          // The merge would take the member away.
          [{ extra_body: { [name]: null } }, 'extra_body.'],
          [{ extra_body: { [upper]: value } }, 'extra_body.'],
          [{ Extra_Body: { [name]: value } }, 'extra_body.'],
          [{ extra_body: { extra_body: { [name]: value } } }, 'extra_body.extra_body.'],
        ] as const) {
          const reply = await send(`${gateway.baseURL}/${path}`, {
            body: { ...body, ...extra },
            headers: bearer(USER_KEY),
          })
          const text = await reply.text()
          assert.equal(reply.status, 400, `${JSON.stringify(extra)}: ${text}`)
          assert.ok(text.includes(`'${at}${name}'`) && text.includes('Put it at the top level'), text)
        }
      }
      assert.equal(provider.requests.length, 0)
    })
  }

  it('goes on with other members, whose texts are inspected', async (t) => {
    const { provider, gateway } = await running(t, [word('secret', 'redact')])
    const extra = (text: string) => ({ extra_body: { google: { thinking_config: { max_tokens: 5 }, note: text } } })
    for (const [path, [body]] of Object.entries(APIS)) {
      const reply = await send(`${gateway.baseURL}/${path}`, {
        body: { ...body, ...extra('a secret') },
        headers: bearer(USER_KEY),
      })
      await reply.text()
      const { json } = await provider.next()
      assert.deepEqual((json as { extra_body: object }).extra_body, extra('a [WORD]').extra_body, path)
    }
  })
})
