/** What a request for a message says, and what of it goes on. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Stage } from '../../../../../core/engine/contract/plugin.ts'
import { messages } from '../../../../../core/engine/dialects/messages/dialect.ts'
import { type JsonObject, json } from '../../../../../core/testing/provider.ts'
import { type Plugin, running, strict, word } from '../../../../helpers/core.ts'
import { bearer, type Owner, USER_KEY } from '../../../../helpers/gateway.ts'
import { send } from '../../../../helpers/http.ts'
import { message, SIGNATURE } from '../../../../helpers/messages.ts'
import { ask, recorded, request, WORD } from './messaging.ts'

const redacts = word(WORD)

/** Every text of a body as the plugins see it. */
const fieldsOf = (body: object) => messages.readRequest(Buffer.from(JSON.stringify(body))).fields()

/** What the provider got, and what the client got back. */
async function asked(t: Owner, plugins: readonly Plugin[], body: unknown) {
  const { provider, gateway, events } = await running(t, plugins)
  provider.otherwise(json(message('fine')))
  const reply = await ask(gateway, body)
  const got = await reply.json()
  const [sent] = provider.requests
  return {
    status: reply.status,
    got,
    sent: sent?.json as JsonObject,
    body: sent?.body.toString(),
    events,
    headers: reply.headers,
  }
}

const blocks = (...content: object[]) => request({ messages: [{ role: 'user', content }] })

describe('a request for a message', () => {
  it('offers every text of every block once', () => {
    const body = recorded('all-blocks')
    const texts = fieldsOf(body)
      .fields.filter(({ place }) => place === 'value')
      .map(({ text }) => text)
    const marked = new Set<string>()
    const find = (value: unknown): void => {
      if (typeof value === 'string') {
        if (/\btext$/.test(value) && value !== 'text') marked.add(value)
      } else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) find(inner)
    }
    find(body)
    assert.ok(marked.size >= 27, String(marked.size))
    for (const text of marked) assert.equal(texts.filter((one) => one === text).length, 1, text)
    assert.ok(texts.includes('metadata text'), 'JSON in the id of the user is read')
  })

  it('counts what cannot be inspected', () => {
    const kinds = Object.fromEntries(fieldsOf(recorded('all-blocks')).uninspected)
    for (const kind of ['image', 'file', 'encrypted', 'container', 'mcp_server'])
      assert.ok((kinds[kind] ?? 0) > 0, kind)
  })

  it('of an agent passes byte for byte', async (t) => {
    const text = JSON.stringify(recorded('claude-code'), null, 1)
    const { status, body } = await asked(t, [redacts], text.replace('"stream": true', '"stream": false'))
    assert.deepEqual([status, body], [200, text.replace('"stream": true', '"stream": false')])
  })

  for (const [name, more, find] of [
    ['a system prompt', { system: `To ${WORD}.` }, 'To [WORD].'],
    ['blocks of a system prompt', { system: [{ type: 'text', text: WORD }] }, '[WORD]'],
    ['a message of the system in the middle', { messages: [{ role: 'system', content: WORD }] }, '[WORD]'],
    ['a prefilled answer', { messages: [{ role: 'assistant', content: WORD }] }, '[WORD]'],
    ['the description of a tool', { tools: [{ name: 'a', description: WORD, input_schema: {} }] }, '[WORD]'],
    ['the schema of a tool', { tools: [{ name: 'a', input_schema: { properties: { [WORD]: {} } } }] }, '[WORD]'],
    [
      'a hosted tool',
      { tools: [{ type: 'web_search_20260318', name: 'web_search', blocked_domains: [WORD] }] },
      '[WORD]',
    ],
    ['a choice of tool', { tool_choice: { type: 'tool', name: WORD } }, '[WORD]'],
    ['the id of the user', { metadata: { user_id: WORD } }, '[WORD]'],
    ['a stop sequence', { stop_sequences: [WORD] }, '[WORD]'],
    [
      'a schema for the output',
      { output_config: { format: { type: 'json_schema', schema: { title: WORD } } } },
      '[WORD]',
    ],
    ['a member that nobody knows', { vendor: { [WORD]: 1 } }, '[WORD]'],
    [
      'instructions for compaction',
      { context_management: { edits: [{ type: 'compact_20260112', instructions: WORD }] } },
      '[WORD]',
    ],
    ['the name of an MCP server', { mcp_servers: [{ type: 'url', name: WORD, url: 'https://x.example' }] }, '[WORD]'],
  ] as const) {
    it(`is redacted in ${name}`, async (t) => {
      const { status, body, got } = await asked(t, [redacts], request(more))
      assert.equal(status, 200)
      assert.ok(!body?.includes(WORD) && body?.includes(find), body)
      assert.equal((got.service as JsonObject).action, 'redact')
    })
  }

  for (const [name, block] of [
    ['text', { type: 'text', text: WORD }],
    ['a document as text', { type: 'document', source: { type: 'text', media_type: 'text/plain', data: WORD } }],
    [
      'a document as blocks',
      { type: 'document', source: { type: 'content', content: [{ type: 'text', text: WORD }] } },
    ],
    ['a document as a string', { type: 'document', source: { type: 'content', content: WORD } }],
    ['the title of a document', { type: 'document', title: WORD, source: { type: 'file', file_id: 'file_011' } }],
    ['the address of a picture', { type: 'image', source: { type: 'url', url: `https://x.example/${WORD}` } }],
    ['a search result', { type: 'search_result', source: 'x', title: 'y', content: [{ type: 'text', text: WORD }] }],
    ['a tool result', { type: 'tool_result', tool_use_id: 'toolu_01A1', content: WORD }],
    [
      'blocks of a tool result',
      { type: 'tool_result', tool_use_id: 'toolu_01A1', content: [{ type: 'text', text: WORD }] },
    ],
    [
      'a document in a tool result',
      { type: 'tool_result', content: [{ type: 'document', source: { type: 'text', data: WORD } }] },
    ],
    ['the input of a call', { type: 'tool_use', id: 'toolu_01A1', name: 'a', input: { deep: [{ er: WORD }] } }],
    ['a key of the input of a call', { type: 'tool_use', id: 'toolu_01A1', name: 'a', input: { [WORD]: 1 } }],
    [
      'the result of a hosted tool',
      {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_01A',
        content: [{ type: 'web_search_result', title: WORD }],
      },
    ],
    [
      'the output of code',
      { type: 'bash_code_execution_tool_result', content: { type: 'bash_code_execution_result', stdout: WORD } },
    ],
    ['a quote', { type: 'text', text: 'x', citations: [{ type: 'char_location', cited_text: WORD }] }],
    ['unsigned thinking', { type: 'thinking', thinking: WORD }],
    ['an unknown block', { type: 'new_kind', deep: [{ er: WORD }] }],
    ['the type of a block', { type: WORD }],
    ['data that is no secret of the provider', { type: 'redacted_thinking', data: WORD }],
    ['an id that is none', { type: 'tool_result', tool_use_id: WORD, content: 'x' }],
  ] as const) {
    it(`is redacted in ${name}`, async (t) => {
      const { status, body } = await asked(t, [redacts], blocks(block))
      assert.equal(status, 200)
      assert.ok(!body?.includes(WORD) && /\[WORD\]/.test(body ?? ''), body)
    })
  }

  it('is redacted over two blocks of a message, and over two messages', async (t) => {
    const [a, b] = [WORD.slice(0, 9), WORD.slice(9)]
    const parts = await asked(
      t,
      [redacts],
      blocks({ type: 'text', text: `at ${a}` }, { type: 'text', text: `${b} now` }),
    )
    assert.doesNotMatch(JSON.stringify(parts.sent.messages), /anna\.berg.*@example/)
    const { sent } = await asked(
      t,
      [redacts],
      request({
        messages: [
          { role: 'user', content: `at ${a}` },
          { role: 'user', content: `${b} now` },
        ],
      }),
    )
    assert.doesNotMatch(JSON.stringify(sent.messages), /anna\.berg/)
  })

  it('keeps JSON in the id of the user', async (t) => {
    const user_id = JSON.stringify({ device_id: WORD, session_id: 's1' })
    const { sent } = await asked(t, [redacts], request({ metadata: { user_id } }))
    assert.deepEqual(JSON.parse((sent.metadata as JsonObject).user_id as string), {
      device_id: '[WORD]',
      session_id: 's1',
    })
  })

  it('loses a signed thinking block with a finding, and keeps the others byte for byte', async (t) => {
    const signed = (thinking: string) => ({ type: 'thinking', thinking, signature: SIGNATURE })
    const turn = (...content: object[]) =>
      request({
        messages: [
          { role: 'user', content: 'Hello' },
          { role: 'assistant', content },
          { role: 'user', content: 'Go on.' },
        ],
      })
    const text = { type: 'text', text: 'Yes.' }
    const { sent } = await asked(t, [redacts], turn(signed('a'), signed(`b ${WORD}`), text, signed(`c ${WORD}`)))
    assert.deepEqual(sent.messages, turn(signed('a'), text).messages)
    const only = await asked(t, [redacts], turn(signed(`b ${WORD}`)))
    assert.deepEqual(only.sent.messages, turn(signed('')).messages)
  })

  it('is the same for the provider every time', async (t) => {
    const { provider, gateway } = await running(t, [redacts])
    const other = await running(t, [redacts])
    const body = JSON.stringify(
      request({ system: [{ type: 'text', text: `a\\u00e9 ${WORD}` }], temperature: 1.0 }),
      null,
      1,
    )
    for (const parts of [{ provider, gateway }, { provider, gateway }, other]) {
      parts.provider.reply(json(message('fine')))
      await (await ask(parts.gateway, body)).text()
    }
    const sent = [...provider.requests, ...other.provider.requests].map(({ body: bytes }) => bytes.toString())
    assert.equal(sent.length, 3)
    assert.deepEqual(new Set(sent), new Set([body.replaceAll(WORD, '[WORD]')]))
  })

  it('is capped, with its thinking', async (t) => {
    const cap = (tokens: number): Plugin => ({
      governs: 'usage',
      apply: (hooks) => hooks.preRequest.tap('c', (x) => x.request.capOutputTokens(tokens)),
    })
    const thinking = { type: 'enabled', budget_tokens: 4000 }
    const body = request({ max_tokens: 8000, thinking })
    const lower = await asked(t, [cap(2000)], body)
    assert.deepEqual([lower.sent.max_tokens, lower.sent.thinking], [2000, { ...thinking, budget_tokens: 1999 }])
    const small = await asked(t, [cap(100)], body)
    assert.deepEqual([small.sent.max_tokens, small.sent.thinking], [100, { type: 'disabled' }])
    const large = await asked(t, [cap(10_000)], body)
    assert.deepEqual(large.sent, body)
  })

  it('carries notes behind the system prompt', async (t) => {
    const notes: Plugin = {
      apply: (hooks) =>
        hooks.preRequest.tap('n', (x) => {
          x.request.addSystemNote('one')
          x.request.addSystemNote('two')
        }),
    }
    const system = async (given: unknown) => (await asked(t, [redacts, notes], request({ system: given }))).sent.system
    assert.equal(await system(undefined), 'two\n\none')
    assert.equal(await system(null), 'two\n\none')
    assert.equal(await system(`Ask ${WORD}.`), 'Ask [WORD].\n\ntwo\n\none')
    const block = (text: string) => ({ type: 'text', text })
    assert.deepEqual(await system([block(WORD)]), [block('[WORD]'), block('two'), block('one')])
  })

  it('is answered by a plugin in its own form', async (t) => {
    const answers: Plugin = {
      apply: (hooks) => hooks.block.tap({ name: 'a', stage: Stage.Final }, (x) => x.answer('Not today.')),
    }
    const { got, headers } = await asked(t, [answers], request())
    assert.deepEqual(
      [got.content, got.stop_reason, got.type],
      [[{ type: 'text', text: 'Not today.' }], 'end_turn', 'message'],
    )
    assert.equal(headers['request-id'], headers['x-request-id'])
  })

  it('has messages and a prompt for plugins', async (t) => {
    const seen: unknown[] = []
    const reads: Plugin = {
      apply: (hooks) =>
        hooks.preRequest.tap('r', (x) => {
          const { messages: told, prompt } = x.request
          seen.push(told, prompt.texts, prompt.media.length, prompt.tools, prompt.messages)
        }),
    }
    const body = request({
      system: 'Be brief.',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Hi' },
            { type: 'image', source: { type: 'base64', data: 'x' } },
          ],
        },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'a', input: { b: 1 } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'done' }] },
      ],
    })
    await asked(t, [reads], body)
    assert.deepEqual(seen[0], [
      { role: 'system', texts: ['Be brief.'], callArguments: [] },
      { role: 'user', texts: ['Hi'], callArguments: [] },
      { role: 'assistant', texts: [], callArguments: ['{"b":1}'] },
      { role: 'tool', texts: ['done'], callArguments: [] },
    ])
    assert.deepEqual(seen.slice(1), [['Be brief.', 'Hi', 'a', '{"b":1}', 'done'], 1, 1, 3])
  })

  it('is refused where the gateway cannot answer for it', async (t) => {
    const { gateway, provider } = await running(t, [redacts])
    for (const [more, status, type] of [
      [{ messages: [] }, 400, 'invalid_request_error'],
      [{ messages: [{ role: 'user', content: 5 }] }, 400, 'invalid_request_error'],
      [{ Messages: [] }, 400, 'invalid_request_error'],
      [{ max_tokens: 0 }, 400, 'invalid_request_error'],
      [{ system: [{ type: 'text', Text: 'x' }] }, 400, 'invalid_request_error'],
      [{ thread: { type: 'continue', previous_message_id: 'msg_01a' } }, 403, 'permission_error'],
      [{ fallbacks: [{ model: 'other' }] }, 400, 'invalid_request_error'],
    ] as const) {
      const reply = await ask(gateway, request(more))
      const body = (await reply.json()) as { type: string; error: { type: string }; request_id: string }
      assert.deepEqual([reply.status, body.type, body.error.type], [status, 'error', type])
      assert.equal(body.request_id, reply.headers['request-id'])
    }
    assert.equal(provider.requests.length, 0)
  })

  it('with content that cannot be inspected is refused in strict mode, so that agents do not ask again', async (t) => {
    const body = blocks({ type: 'image', source: { type: 'file', file_id: 'file_011' } })
    const { status, got } = await asked(t, [strict, redacts], body)
    assert.deepEqual([status, (got.error as JsonObject).type], [403, 'permission_error'])
  })
})

describe('a request for the number of tokens', () => {
  const { max_tokens: _, ...body } = request({ messages: [{ role: 'user', content: `To ${WORD}` }] })

  it('is inspected, and costs nothing', async (t) => {
    const { provider, gateway, events } = await running(t, [redacts])
    provider.reply(json({ input_tokens: 24 }))
    const url = `${gateway.baseURL}/messages/count_tokens?beta=true`
    const reply = await send(url, { body, headers: { 'x-api-key': USER_KEY } })
    assert.equal(((await reply.json()) as { input_tokens: number }).input_tokens, 24)
    const [sent] = provider.requests
    assert.equal(sent?.url, '/v1/messages/count_tokens')
    assert.deepEqual((sent as { json: JsonObject }).json.messages, [{ role: 'user', content: 'To [WORD]' }])
    assert.deepEqual(events().at(-1)?.tokens, { prompt: 0, completion: 0 })
  })

  it('takes no message for an answer, and gives none', async (t) => {
    const { provider, gateway } = await running(t, [redacts])
    provider.reply(json(message('fine')), json({ input_tokens: 24 }))
    const counted = await send(`${gateway.baseURL}/messages/count_tokens`, { body, headers: bearer(USER_KEY) })
    assert.equal(counted.status, 502)
    assert.equal((await ask(gateway)).status, 502)
  })
})
