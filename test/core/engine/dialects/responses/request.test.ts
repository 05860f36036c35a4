/** Requests: every text is offered, edits keep the rest, and shapes that no server accepts are refused. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { json } from '../../../../../core/testing/provider.ts'
import { type Plugin, running, word } from '../../../../helpers/core.ts'
import { fixture, respond, response, said } from './responding.ts'

const seen = (): { plugin: Plugin; texts: string[] } => {
  const texts: string[] = []
  return { texts, plugin: { lookbehind: 0, detect: (view) => void texts.push(view.text) } }
}

const sent = async (plugins: readonly Plugin[], t: Parameters<typeof running>[0], body: object) => {
  const { provider, gateway } = await running(t, plugins)
  provider.reply(json(response({ output: [said('ok')] })))
  const reply = await respond(gateway, body)
  return {
    reply,
    sent: reply.status === 200 ? ((await provider.next()).json as Record<string, never>) : undefined,
    answer: await reply.json(),
  }
}

describe('a request for a response', () => {
  it('offers every text of every item, and reaches the provider as it is', async (t) => {
    const {
      $headers: _,
      $query: __,
      previous_response_id: ___,
      conversation: ____,
      ...body
    } = JSON.parse(fixture('all-items.request.json'))
    delete body.prompt_cache_options
    // What names stored content needs an owner; another test has it.
    body.input = body.input.filter(
      (item: { type?: string; role?: string }) => item.role ?? item.type?.replace('item_reference', ''),
    )
    const { plugin, texts } = seen()
    const { sent: got } = await sent([plugin], t, { ...body, stream: false })
    assert.deepEqual(got, { ...body, stream: false })
    const marked: string[] = []
    const walk = (value: unknown): void => {
      if (typeof value === 'string') {
        if (value.endsWith('text')) marked.push(value)
      } else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) walk(inner)
    }
    walk(body)
    assert.ok(marked.length > 40)
    for (const text of marked) {
      if (text === 'input_text' || text === 'output_text' || text === 'summary_text' || text === 'reasoning_text')
        continue
      assert.ok(
        texts.some((one) => one.includes(text.normalize('NFKC')) || text.includes(one)),
        `not offered: ${text}`,
      )
    }
    for (const text of ['anna.berg@example.com', 'approval argument text', 'mcp argument text']) {
      assert.ok(
        texts.some((one) => one.includes(text)),
        `not offered: ${text}`,
      )
    }
  })

  it('never offers the token of an MCP server, and sends it on', async (t) => {
    const { plugin, texts } = seen()
    const tools = [
      {
        type: 'mcp',
        server_label: 'crm',
        server_url: 'https://c.example',
        authorization: 'tok-1',
        headers: { 'x-key': 'tok-2' },
      },
    ]
    const { sent: got } = await sent([plugin], t, { tools })
    assert.deepEqual(got?.tools, tools)
    assert.ok(!texts.some((text) => text.includes('tok-')))
  })

  it('is redacted in strings, parts, arguments and outputs', async (t) => {
    const input = [
      { role: 'user', content: 'a secret' },
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'a sec' },
          { type: 'input_text', text: 'ret b' },
        ],
      },
      { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{"a":"secret","n":1}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'the secret' },
    ]
    const { sent: got } = await sent([word('secret')], t, { input, instructions: 'secret' })
    assert.doesNotMatch(JSON.stringify(got), /secret|"ret b"/)
    const items = got?.input as unknown as { arguments: string }[]
    assert.equal(items[2]?.arguments, '{"a":"[WORD]","n":1}')
    const { sent: plain } = await sent([word('secret')], t, { input: 'my secret' })
    assert.equal(plain?.input, 'my [WORD]')
  })

  it('gets notes before its instructions, and a cap', async (t) => {
    const notes: Plugin = {
      apply: (hooks) => {
        hooks.block.tap('notes', (x) => {
          x.request.addSystemNote('first')
          x.request.addSystemNote('last')
          x.request.capOutputTokens(50)
        })
      },
    }
    for (const [asked, instructions] of [
      [{}, 'last\n\nfirst'],
      [{ instructions: null }, 'last\n\nfirst'],
      [{ instructions: 'my secret' }, 'last\n\nfirst\n\nmy [WORD]'],
    ] as const) {
      const { sent: got } = await sent([word('secret'), notes], t, asked)
      assert.equal(got?.instructions, instructions)
      assert.equal(got?.max_output_tokens, 50)
    }
    const { sent: low } = await sent([notes], t, { max_output_tokens: 20 })
    assert.equal(low?.max_output_tokens, 20)
    const { sent: high } = await sent([notes], t, { max_output_tokens: 2000 })
    assert.equal(high?.max_output_tokens, 50)
  })

  for (const [name, body, param] of [
    ['no model', { model: '' }, 'model'],
    ['input that is a number', { input: 5 }, 'input'],
    ['an item that is a text', { input: ['x'] }, 'input[0]'],
    ['a name in another case', { Input: 'x' }, 'Input'],
    ['an item with a name in another case', { input: [{ role: 'user', Content: 'x' }] }, 'input[0].Content'],
    ['background', { background: true }, 'background'],
    ['instructions that are a list', { instructions: [] }, 'instructions'],
    ['a stream that is a word', { stream: 'yes' }, 'stream'],
    ['no room for an answer', { max_output_tokens: 0 }, 'max_output_tokens'],
  ] as const) {
    it(`is refused with ${name}`, async (t) => {
      const { reply, answer } = await sent([], t, body)
      assert.equal(reply.status, 400)
      assert.equal((answer.error as { param: string }).param, param)
    })
  }
})
