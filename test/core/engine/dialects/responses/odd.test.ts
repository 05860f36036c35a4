/** Texts in places where no server should put them. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { json } from '../../../../../core/testing/provider.ts'
import { running, word } from '../../../../helpers/core.ts'
import { message, numbered, respond, response, said, streamed } from './responding.ts'

const SECRET = 'secret'
const tokens = [{ token: SECRET, logprob: -1 }]
const at = { item_id: 'msg_a1', output_index: 0, content_index: 0 }

it('an odd event of a stream does not leak', async (t) => {
  const parts = await running(t, [word(SECRET)])
  const [created, added, partAdded, ...rest] = message(['fine'])
  for (const odd of [
    { type: 'response.in_progress', response: response({ output: [said(SECRET)] }) },
    { type: 'response.in_progress', response: response({ output: SECRET }) },
    { type: 'response.in_progress', response: response({ output: [SECRET], output_text: SECRET }) },
    { type: 'response.in_progress', response: SECRET },
    { type: 'response.output_text.done', ...at, logprobs: tokens },
    { type: 'response.output_text.delta', ...at, delta: 'x', logprobs: tokens },
    { type: 'response.output_text.delta', ...at, delta: [SECRET] },
    { type: 'response.function_call_arguments.delta', ...at, output_index: 3, delta: 'x', logprobs: SECRET },
    { type: 'response.function_call_arguments.delta', ...at, output_index: 3, delta: { a: SECRET } },
    { type: 'response.content_part.done', ...at, part: { type: 'refusal', refusal: 'x', logprobs: tokens } },
    {
      type: 'response.reasoning_summary_part.done',
      ...at,
      summary_index: 0,
      part: { type: 'summary_text', text: 'x', logprobs: tokens },
    },
    {
      type: 'response.output_item.done',
      output_index: 5,
      item: { type: 'message', content: [{ type: 'output_text', logprobs: tokens }] },
    },
    { type: 'response.output_item.done', output_index: 5, item: SECRET },
    {
      type: 'response.output_text.annotation.added',
      ...at,
      annotation_index: 0,
      annotation: { type: 'x', title: SECRET },
    },
    { type: 'response.web_search_call.searching', ...at, note: SECRET },
    { type: SECRET, text: 'x' },
    { type: 'keepalive', note: SECRET },
  ]) {
    const events = numbered([created, added, partAdded, odd, ...rest] as object[])
    const { text } = await streamed(parts, events)
    assert.doesNotMatch(text, /secret/, JSON.stringify(odd))
  }
})

it('odd members of a reply and of a request do not leak', async (t) => {
  const { provider, gateway } = await running(t, [word(SECRET)])
  for (const output of [
    [{ type: 'message', content: [{ type: 'output_text', logprobs: tokens }] }],
    [{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'x', logprobs: tokens }] }],
    [{ type: 'message', content: SECRET }],
    [SECRET],
  ]) {
    provider.reply(json(response({ output })))
    assert.doesNotMatch(await (await respond(gateway)).text(), /secret/, JSON.stringify(output))
  }
  provider.reply(json(response({ output: [said('ok')] })))
  const content = [{ type: 'output_text', text: 'x', logprobs: tokens }]
  await (await respond(gateway, { input: [{ role: 'assistant', content }] })).text()
  assert.doesNotMatch(JSON.stringify(provider.requests.at(-1)?.json), /secret/)
})
