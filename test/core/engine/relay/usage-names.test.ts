/** A server may put anything into the names of `usage`, so only those of the APIs and of well-known servers leave unseen. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { JsonObject } from '../../../../core/engine/json/strict.ts'
import { json, stream } from '../../../../core/testing/provider.ts'
import { type Plugin, type Running, running } from '../../../helpers/core.ts'
import { bearer, USER_KEY } from '../../../helpers/gateway.ts'
import { send } from '../../../helpers/http.ts'

const CHAT = { id: 'chatcmpl-a1', object: 'chat.completion', created: 1, model: 'm' }
const COUNTED = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
const chatOf = (usage: JsonObject) => ({
  ...CHAT,
  choices: [{ index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }],
  usage,
})
const chunkOf = (delta: object, more: object = {}, usage?: JsonObject) => ({
  ...CHAT,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
  ...(usage && { usage }),
})
const message = (usage: JsonObject, content: object[] = []) => ({
  ...{ id: 'msg_01', type: 'message', role: 'assistant', model: 'm', content, stop_reason: null, stop_sequence: null },
  usage: { input_tokens: 1, output_tokens: 1, ...usage },
})
const response = (status: string, usage: object | null) => ({
  ...{ id: 'resp_a1', object: 'response', created_at: 1, status, model: 'm', output: [], error: null, usage },
})
const spent = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }

type Case = readonly [path: string, body: object, reply: (usage: JsonObject) => ReturnType<typeof json>]
const chat = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }
const CASES: Readonly<Record<string, Case>> = {
  'a chat completion': ['/chat/completions', chat, (usage) => json(chatOf({ ...COUNTED, ...usage }))],
  'details of a chat completion': [
    '/chat/completions',
    chat,
    (usage) => json(chatOf({ ...COUNTED, completion_tokens_details: usage })),
  ],
  'a streamed chat completion': [
    '/chat/completions',
    { ...chat, stream: true, stream_options: { include_usage: true } },
    (usage) =>
      stream([
        chunkOf({ role: 'assistant', content: 'x' }),
        chunkOf({}, { finish_reason: 'stop' }, { ...COUNTED, ...usage }),
        '[DONE]',
      ]),
  ],
  'a response': [
    '/responses',
    { model: 'm', input: 'hi' },
    (usage) => json(response('completed', { ...spent, output_tokens_details: usage })),
  ],
  'a streamed response': [
    '/responses',
    { model: 'm', input: 'hi', stream: true },
    (usage) =>
      stream([
        { type: 'response.created', sequence_number: 0, response: response('in_progress', null) },
        { type: 'response.completed', sequence_number: 1, response: response('completed', { ...spent, ...usage }) },
      ]),
  ],
  'a message': [
    '/messages',
    { ...chat, max_tokens: 9 },
    (usage) => json({ ...message(usage), stop_reason: 'end_turn' }),
  ],
  'a streamed message': [
    '/messages',
    { ...chat, max_tokens: 9, stream: true },
    (usage) =>
      stream([
        { type: 'message_start', message: message({}) },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x' } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1, ...usage } },
        { type: 'message_stop' },
      ]),
  ],
}

describe('a member name of usage', () => {
  const owner: (() => Promise<void>)[] = []
  let parts: Running
  let seen: string[] = []
  before(async () => {
    const looks: Plugin = {
      lookbehind: 0,
      detect(view) {
        seen.push(view.text)
        const start = view.text.indexOf('falcon')
        if (start >= 0) view.report({ type: 'word', start, end: start + 'falcon'.length, action: 'redact' })
      },
    }
    parts = await running({ after: (fn) => void owner.push(fn) }, [looks])
  })
  after(async () => {
    for (const fn of owner) await fn()
  })
  const reply = async ([path, body, script]: Case, usage: JsonObject): Promise<string> => {
    seen = []
    parts.provider.reply(script(usage))
    const answer = await send(`${parts.gateway.baseURL}${path}`, { body, headers: bearer(USER_KEY) })
    return answer.text()
  }

  for (const [name, one] of Object.entries(CASES)) {
    it(`does not leave if it is forbidden: ${name}`, async () => {
      const text = await reply(one, { project_falcon: 4, falcon: 1 })
      assert.ok(!text.includes('falcon'), text)
      assert.ok(seen.some((view) => view.includes('project_falcon')))
    })

    it(`is not inspected if the API has it: ${name}`, async () => {
      const text = await reply(one, { cached_tokens: 7, prompt_cache_hit_tokens: 8 })
      assert.match(text, /"cached_tokens":7/)
      assert.ok(!seen.some((view) => view.includes('_tokens')), seen.join())
    })
  }
})
