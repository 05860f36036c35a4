/** Tokens that do not spell the text beside them leave in no API, so that no border between two of them hides a value. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chunk, type JsonObject, json, stream } from '../../core/testing/provider.ts'
import { buffered, finish, MODEL, said as saidText } from '../core/engine/dialects/completions/completing.ts'
import { numbered, response, said } from '../core/engine/dialects/responses/responding.ts'
import { type Plugin, running } from '../helpers/core.ts'
import { asking, bearer, type Owner, USER_KEY } from '../helpers/gateway.ts'
import { send } from '../helpers/http.ts'

/** Finds a word that stands alone, as most patterns do. */
const alone: Plugin = {
  lookbehind: 8,
  detect(view) {
    for (const { index } of view.text.matchAll(/\bsecret\b/g))
      view.report({ type: 'word', start: index, end: index + 6, action: 'redact' })
  },
}

const TEXT = 'hello there'
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  'behind a border': ['hello', 'secret'],
  'before a border': ['secret', 'there'],
  'between borders': ['hello', 'secret', 'there'],
  'from a border on, in pieces': ['hello', 'sec', 'ret', 'there'],
  'behind the text': ['hello', ' there', 'x', 'secret'],
  'before the text': ['secret', 'x', 'hello', ' there'],
}

const token = (text: string) => ({
  token: text,
  logprob: -1,
  bytes: [...Buffer.from(text)],
  top_logprobs: [{ token: 'secret', logprob: -2, bytes: null }],
})
const listed = (tokens: readonly string[]) => ({ content: tokens.map(token), refusal: null })
const spelled = (tokens: readonly string[]) => ({
  tokens,
  token_logprobs: tokens.map((_, i) => -i),
  top_logprobs: tokens.map(() => ({ secret: -1 })),
  text_offset: tokens.map((_, i) => i),
})

interface Api {
  readonly body: object
  whole(text: string | null, tokens: readonly string[]): JsonObject
  events(text: string, tokens: readonly string[]): JsonObject[]
  /** The tokens of a whole reply. */
  tokensOf(reply: JsonObject): unknown
}

const AT = { output_index: 0, content_index: 0, item_id: 'msg_a1' }
const partOf = (text: string, tokens: readonly string[]) => ({
  ...{ type: 'output_text', text, annotations: [] },
  logprobs: tokens.map(token),
})

const APIS: Readonly<Record<string, Api>> = {
  'chat/completions': {
    body: asking(),
    whole: (content, tokens) => ({
      ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1793000000, model: 'm' },
      choices: [
        { index: 0, message: { role: 'assistant', content }, logprobs: listed(tokens), finish_reason: 'stop' },
      ] as never,
    }),
    events: (content, tokens) => [
      chunk([{ index: 0, delta: { content }, logprobs: listed(tokens), finish_reason: null }]),
      chunk([{ index: 0, delta: {}, logprobs: null, finish_reason: 'stop' }]),
    ],
    tokensOf: ({ choices }) =>
      (choices as never as [{ logprobs: ReturnType<typeof listed> | null }])[0].logprobs?.content.map(
        (one) => one.token,
      ),
  },
  completions: {
    body: { model: MODEL, prompt: 'Hello' },
    whole: (text, tokens) => buffered([{ text, logprobs: spelled(tokens) }]),
    events: (text, tokens) => [saidText(text, 0, { logprobs: spelled(tokens) }), finish()],
    tokensOf: ({ choices }) =>
      (choices as never as [{ logprobs: ReturnType<typeof spelled> | null }])[0].logprobs?.tokens,
  },
  responses: {
    body: { model: 'm', input: 'Hello' },
    whole: (text, tokens) => response({ output: [{ ...said(text ?? ''), content: [partOf(text ?? '', tokens)] }] }),
    events: (text, tokens) => {
      const item = { ...said(text), content: [partOf(text, tokens)] }
      return numbered([
        { type: 'response.created', response: response({ status: 'in_progress', output: [] }) },
        { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
        { type: 'response.content_part.added', ...AT, part: partOf('', []) },
        { type: 'response.output_text.delta', ...AT, delta: text, logprobs: tokens.map(token) },
        { type: 'response.output_text.done', ...AT, text, logprobs: tokens.map(token) },
        { type: 'response.content_part.done', ...AT, part: item.content[0] },
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response: response({ output: [item] }) },
      ])
    },
    tokensOf: ({ output }) =>
      (output as never as [{ content: [ReturnType<typeof partOf>] }])[0].content[0].logprobs.map((one) => one.token),
  },
}

async function got(
  t: Owner,
  path: string,
  script: Parameters<Awaited<ReturnType<typeof running>>['provider']['reply']>[0],
  more = {},
) {
  const { provider, gateway } = await running(t, [alone])
  provider.reply(script)
  const reply = await send(`${gateway.baseURL}/${path}`, {
    body: { ...APIS[path]?.body, ...more },
    headers: bearer(USER_KEY),
  })
  const text = await reply.text()
  assert.equal(reply.status, 200, text)
  return text
}

describe('tokens that do not spell the text', () => {
  for (const [path, api] of Object.entries(APIS)) {
    for (const [name, tokens] of Object.entries(OTHERS)) {
      it(`hide no value ${name}, in ${path}`, async (t) => {
        const whole = await got(t, path, json(api.whole(TEXT, tokens)))
        const streamed = await got(t, path, stream(api.events(TEXT, tokens), { done: path !== 'responses' }), {
          stream: true,
        })
        for (const text of [whole, streamed]) {
          assert.ok(text.includes(TEXT), text)
          assert.doesNotMatch(text, /"sec|"ret"|115,101,99/)
        }
      })
    }
  }

  it('hide no value in a list of logprobs that chat does not name', async (t) => {
    const { whole, events } = APIS['chat/completions'] as Api
    const plain = (text: string) => ({ ...token(text), top_logprobs: [] })
    const more = { reasoning_content: ['sec', 'ret'].map(plain), tokens: ['sec', 'ret'] }
    const withMore = (body: JsonObject) => {
      const [choice] = body.choices as never as [{ logprobs: object | null }]
      if (choice.logprobs !== null) choice.logprobs = { content: ['hello', ' there'].map(plain), ...more }
      return body
    }
    const tokens = ['hello', ' there']
    const said = await got(t, 'chat/completions', json(withMore(whole(TEXT, tokens))))
    const streamed = await got(t, 'chat/completions', stream(events(TEXT, tokens).map(withMore)), { stream: true })
    for (const text of [said, streamed]) assert.doesNotMatch(text, /"sec|"ret"|115,101,99/)
    assert.match(said, /"token":"hello"/)
  })

  for (const path of ['chat/completions', 'completions']) {
    const { whole, tokensOf } = APIS[path] as Api
    const left = async (t: Owner, text: string | null, ...tokens: string[]) =>
      tokensOf(JSON.parse(await got(t, path, json(whole(text, tokens)))) as JsonObject)

    it(`go alone from a whole reply: an end token, and those of reasoning, in ${path}`, async (t) => {
      assert.deepEqual(await left(t, TEXT, 'hello', ' there', '<end>'), ['hello', ' there'])
      assert.deepEqual(await left(t, TEXT, 'So: ', 'hello', ' there', '.', '</think>', 'hello', ' there', '<end>'), [
        'hello',
        ' there',
      ])
      assert.deepEqual(await left(t, 'a', 'a', '<a>'), ['a'])
      assert.deepEqual(await left(t, '', '<call>', '{}'), [])
      assert.deepEqual(await left(t, 'so \u{1f600}!', 'so ', '\ufffd', '\ufffd', '!', '<end>'), [
        'so ',
        '\ufffd',
        '\ufffd',
        '!',
      ])
    })

    it(`cost no more than their length, in ${path}`, async (t) => {
      const many = 'a'.repeat(1_000_000)
      assert.equal(await left(t, `${many}b`, many, many), undefined)
      assert.equal(await left(t, `b${many}`, many, many), undefined)
    })

    it(`take all with them where none spell it, in ${path}`, async (t) => {
      assert.equal(await left(t, TEXT, 'hello', ' there, you'), undefined)
      assert.equal(await left(t, TEXT, 'x hello', ' there'), undefined)
      assert.equal(await left(t, TEXT), undefined)
    })
  }
})
