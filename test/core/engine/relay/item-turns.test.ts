/** Texts that grow at one place, of several items, calls, members or forms: some clients tell them apart. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Dialect } from '../../../../core/engine/dialects/dialect.ts'
import { responses } from '../../../../core/engine/dialects/responses/dialect.ts'
import { bounded, type StreamRig, streamOf, word } from '../../../helpers/core.ts'

type Event = Record<string, unknown>
interface Api {
  readonly dialect?: Dialect
  readonly body?: object
  readonly first: Event
  readonly last: Event
}
const chunk = (delta: object, finish_reason: string | null = null): Event => ({
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason }],
})
const CHAT: Api = { first: chunk({ role: 'assistant' }), last: chunk({}, 'stop') }
const response = { id: 'resp_a1', object: 'response', model: 'm', output: [] as object[] }
const RESPONSES: Api = {
  dialect: responses,
  body: { model: 'm', stream: true, input: 'hi' },
  first: { type: 'response.created', response: { ...response, status: 'in_progress' } },
  last: { type: 'response.completed', response: { ...response, status: 'completed' } },
}

async function told(
  { dialect, body, first, last }: Api,
  events: readonly Event[],
  plugin = word('a secret'),
): Promise<StreamRig> {
  const rig = await streamOf([plugin], { ...(dialect && { dialect }), ...(body && { body }) })
  for (const event of [first, ...events, last]) if (!rig.response.closed) rig.say(event)
  if (!rig.response.closed && dialect === undefined) rig.say('[DONE]')
  else if (!rig.response.closed) rig.end()
  return rig
}

const call = (id: string, args: string, index?: number | null): Event =>
  chunk({ tool_calls: [{ ...(index !== undefined && { index }), id, function: { name: '', arguments: args } }] })
const delta = (type: string, item_id: string, text: string, more: object = {}): Event => ({
  type: `response.${type}.delta`,
  item_id,
  delta: text,
  ...more,
})
const done = (id: string, more: object = {}): Event => ({
  type: 'response.output_item.done',
  item: { id, type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello', annotations: [] }] },
  ...more,
})

/** Two texts at one place; `at` tells a piece of the first or the second. */
const PLACES: Readonly<Record<string, { readonly api: Api; readonly at: (second: boolean, piece: string) => Event }>> =
  {
    'calls with one index': { api: CHAT, at: (second, piece) => call(second ? 'call_b' : 'call_a', piece, 0) },
    'calls without an index': { api: CHAT, at: (second, piece) => call(second ? 'call_b' : 'call_a', piece) },
    'calls, one without an index': {
      api: CHAT,
      at: (second, piece) => call(second ? 'call_b' : 'call_a', piece, second ? undefined : 0),
    },
    'reasoning in two members': {
      api: CHAT,
      at: (second, piece) => chunk({ [second ? 'reasoning' : 'reasoning_content']: piece }),
    },
    'texts of two items without an index': {
      api: RESPONSES,
      at: (second, piece) => delta('output_text', second ? 'msg_b' : 'msg_a', piece),
    },
    'texts of two items with one index': {
      api: RESPONSES,
      at: (second, piece) => delta('output_text', second ? 'msg_b' : 'msg_a', piece, { output_index: 0 }),
    },
    'arguments of two items with one index': {
      api: RESPONSES,
      at: (second, piece) => delta('function_call_arguments', second ? 'fc_b' : 'fc_a', piece, { output_index: 0 }),
    },
  }
const SECRET = /a sec.*ret b/s
/** The provider's end of a stream. */
const WHOLE = /"finish_reason":"stop"|"type":"response\.completed"/

describe('two texts at one place', () => {
  for (const [name, { api, at }] of Object.entries(PLACES)) {
    it(`may follow each other: ${name}`, async () => {
      const rig = await told(api, [at(false, 'one '), at(false, 'two '), at(true, 'three '), at(true, 'a secret b')])
      assert.match(rig.response.body, WHOLE)
      assert.match(rig.response.body, /three/)
      assert.doesNotMatch(rig.response.body, /a secret/)
    })

    it(`do not take turns: ${name}`, async () => {
      const rig = await told(api, [at(false, 'so a sec'), at(true, 'Hello '), at(false, 'ret b '), at(true, 'there ')])
      assert.doesNotMatch(rig.response.body, WHOLE)
      assert.doesNotMatch(rig.response.body, SECRET)
    })
  }
})

describe('a text beside an item that ends', () => {
  const CASES: Readonly<Record<string, readonly Event[]>> = {
    'arguments, at its index': [
      delta('function_call_arguments', 'fc_a', 'so a sec', { output_index: 0 }),
      done('msg_b', { output_index: 0 }),
      delta('function_call_arguments', 'fc_a', 'ret b', { output_index: 0 }),
    ],
    'a text, known from its citation': [
      delta('output_text', 'msg_b', 'so a sec', { output_index: 1, content_index: 0 }),
      {
        type: 'response.output_text.annotation.added',
        ...{ output_index: 0, content_index: 0, annotation_index: 0, item_id: 'msg_a' },
        annotation: { type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 0, end_index: 1 },
      },
      done('msg_a', { output_index: 0 }),
      delta('output_text', 'msg_b', 'ret b', { output_index: 1, content_index: 0 }),
    ],
    'a text, in the place of a reasoning': [
      delta('output_text', 'msg_b', 'so a sec', { output_index: 1, content_index: 0 }),
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { id: 'rs_a', type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'Well' }] },
      },
      done('msg_a', { output_index: 0 }),
      delta('output_text', 'msg_b', 'ret b', { output_index: 1, content_index: 0 }),
    ],
  }
  for (const [name, events] of Object.entries(CASES))
    it(`does not go on behind it: ${name}`, async () => {
      const rig = await told(RESPONSES, events)
      assert.doesNotMatch(rig.response.body, WHOLE)
      assert.doesNotMatch(rig.response.body, SECRET)
    })
})

describe('the elements of a list that grows', () => {
  const detail = (index: number | undefined, text: string) => ({ type: 'reasoning.text', index, text })
  const details = (...elements: object[]) => chunk({ reasoning_details: elements })
  const nested = (outer: number, inner: number, text: string) =>
    chunk({ blocks: [{ index: outer, list: [{ index: inner, text }] }] })
  const FORMS: Readonly<Record<string, readonly Event[]>> = {
    'in two events': [details(detail(0, 'so a sec')), details(detail(1, 'ret b'))],
    'in one event': [details(detail(0, 'so a sec'), detail(1, 'ret b'))],
    'the first without an index': [details(detail(undefined, 'so a sec')), details(detail(0, 'ret b'))],
    'the second without an index': [details(detail(0, 'so a sec')), details(detail(undefined, 'ret b'))],
    'of lists in lists': [nested(0, 0, 'so a sec'), nested(0, 1, 'ret b')],
    'of several lists in lists': [nested(0, 1, 'so a sec'), nested(1, 0, 'ret b')],
  }
  for (const [name, events] of Object.entries(FORMS))
    it(`are read as one: ${name}`, async () => {
      const rig = await told(CHAT, events)
      assert.match(rig.response.body, WHOLE)
      assert.doesNotMatch(rig.response.body, /ret b/)
    })

  it('are read one by one', async () => {
    const pieces = [...'so a secret b'].map((sign) => details(detail(0, sign)))
    for (const between of [detail(1, 'x'), detail(1, 'so '), detail(0.5, 'x')]) {
      const rig = await told(
        CHAT,
        pieces.flatMap((piece) => [piece, details(between)]),
      )
      assert.match(rig.response.body, WHOLE)
      const choices = rig.chunks.flatMap((event) => (event as { choices: { delta: Event }[] }).choices)
      const said = choices.flatMap(
        ({ delta: { reasoning_details = [] } }) => reasoning_details as { index: number; text?: string }[],
      )
      const first = said.filter(({ index }) => index === 0).map(({ text }) => text)
      assert.equal(first.join(''), 'so [WORD] b')
    }
  })
})

it('two choices with the same index in one event are refused', async () => {
  const choice = (content: string) => ({ index: 0, delta: { content }, finish_reason: null })
  const both = { object: 'chat.completion.chunk', choices: [choice('so a sec'), choice('x')] }
  const rig = await told(CHAT, [both, chunk({ content: 'ret b' })])
  assert.doesNotMatch(rig.response.body, WHOLE)
  assert.doesNotMatch(rig.response.body, /so a|ret b/)
})

it('a text that the API does not know is also read without what stood before it at other places', async () => {
  for (const pieces of [['secret', ' b'], ['sec', 'ret', ' b'], [...'secret b']]) {
    const note = (output_index: number, text: string) => ({ type: 'response.note.delta', output_index, delta: text })
    const rig = await told(RESPONSES, [note(0, 'words'), ...pieces.map((one) => note(1, one))], bounded('secret'))
    const said = rig.chunks.map((event) => event as Event).filter(({ output_index }) => output_index === 1)
    assert.doesNotMatch(said.map((event) => event.delta).join(''), /secret/)
    assert.match(rig.response.body, WHOLE)
  }
})

it('ids that are new in every event, or that only deltas have, are no turns', async () => {
  const items: Readonly<Record<string, (i: number) => string>> = {
    new: (i) => `msg_${i}`,
    'of deltas': () => 'chatcmpl_1',
  }
  for (const id of Object.values(items)) {
    const begun = { ...(done('msg_a', { output_index: 0 }) as { item: object }).item, content: [] }
    const rig = await told(RESPONSES, [
      { type: 'response.output_item.added', output_index: 0, item: begun },
      ...['so a sec', 'ret b ', 'there'].map((text, i) => delta('output_text', id(i), text, { output_index: 0 })),
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { ...begun, content: [{ type: 'output_text', text: 'so a secret b there', annotations: [] }] },
      },
    ])
    assert.match(rig.response.body, WHOLE)
    assert.match(rig.response.body, /\[WORD\] b there/)
    assert.doesNotMatch(rig.response.body, SECRET)
  }
})
