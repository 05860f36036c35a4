/** Texts in places where no server should put them. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { json } from '../../../../../core/testing/provider.ts'
import { bounded, type Plugin, running, word } from '../../../../helpers/core.ts'
import { framesOf, message, numbered, respond, response, said, streamed, together } from './responding.ts'

const SECRET = 'secret'
const tokens = [{ token: SECRET, logprob: -1 }]
const at = { item_id: 'msg_a1', output_index: 0, content_index: 0 }

const created = { type: 'response.created', response: response({ status: 'in_progress' }) }
const completed = { type: 'response.completed', response: response() }

it('an odd event of a stream does not leak', async (t) => {
  const parts = await running(t, [word(SECRET)])
  const [begun, added, partAdded, ...rest] = message(['fine'])
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
    const events = numbered([begun, added, partAdded, odd, ...rest] as object[])
    const { text } = await streamed(parts, events)
    assert.doesNotMatch(text, /secret/, JSON.stringify(odd))
  }
})

/** Parts of two texts, each cut, that come in turns; clients put each of them together. */
const inTurns = (kind: string, first: object, second: object, pieces: readonly string[]) =>
  pieces.map((delta, i) => ({ type: `response.${kind}.delta`, ...(i % 2 === 0 ? first : second), delta }))

it('a text that goes on behind a later one ends the reply', async (t) => {
  const parts = await running(t, [word(SECRET)])
  const first = { item_id: 'x_1', output_index: 0, content_index: 0, summary_index: 0 }
  for (const second of [
    { ...first, output_index: 1 },
    { ...first, content_index: 1, summary_index: 1 },
  ]) {
    for (const kind of ['output_text', 'refusal', 'reasoning_text', 'reasoning_summary_text']) {
      for (const aside of ['and', 'a "b" ']) {
        const odd = inTurns(kind, first, second, ['my sec', aside, 'ret is'])
        const { text } = await streamed(parts, numbered([created, ...odd, completed]))
        assert.match(text, /"error"/)
        assert.doesNotMatch(text, /ret/)
      }
    }
  }
})

/** Ways in which events tell the text of a message, and the indexes of two places. */
const TOLD: Readonly<Record<string, (at: object, text: string) => object[]>> = {
  deltas: (at, delta) => [{ type: 'response.output_text.delta', ...at, delta }],
  refusals: (at, delta) => [{ type: 'response.refusal.delta', ...at, delta }],
  reasoning: (at, delta) => [{ type: 'response.reasoning_text.delta', ...at, delta }],
  summaries: (at, delta) => [{ type: 'response.reasoning_summary_text.delta', ...at, delta }],
  'ends of texts': (at, text) => [{ type: 'response.output_text.done', ...at, text }],
  parts: (at, text) => [{ type: 'response.content_part.done', ...at, part: { type: 'output_text', text } }],
  items: (at, text) => [
    {
      type: 'response.output_item.done',
      ...at,
      item: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text, annotations: [] }] },
    },
  ],
}
/** An event, or a body if none has left. */
const FAILED = /"type":"error"|"error":\{/
const AT = { item_id: 'x_1', output_index: 0, content_index: 0, summary_index: 0 }
const BEHIND = [
  { ...AT, item_id: 'x_2', output_index: 1 },
  { ...AT, output_index: 10, item_id: 'x_10' },
  { ...AT, content_index: 1, summary_index: 1 },
]
for (const [how, tell] of Object.entries(TOLD)) {
  it(`a text in front of one that was told, by its indexes, ends the reply: ${how}`, async (t) => {
    const parts = await running(t, [word(SECRET)])
    for (const second of how === 'items' ? BEHIND.slice(0, 2) : BEHIND) {
      const order = (...events: object[][]) => numbered([created, ...events.flat(), completed])
      const { text } = await streamed(parts, order(tell(second, 'cret is'), tell(AT, 'my se')))
      assert.match(text, FAILED, JSON.stringify(second))
      assert.doesNotMatch(text, /my se/)
      const inOrder = await streamed(parts, order(tell(AT, 'no '), tell(second, 'words')))
      assert.match(inOrder.text, /words/)
      assert.doesNotMatch(inOrder.text, FAILED)
    }
  })
}

it('a second text without an index of its own ends the reply', async (t) => {
  const parts = await running(t, [word(SECRET)])
  const odd = ['my sec', 'ret', ' is'].flatMap((text) => [
    { type: 'response.output_text.delta', output_index: 0, delta: text },
    { type: 'response.output_text.done', output_index: 0, text },
  ])
  const { text } = await streamed(parts, numbered([created, ...odd, completed]))
  assert.match(text, /"error"/)
  assert.doesNotMatch(text, /ret/)
})

it('ends of texts that differ from their deltas are read one behind the other', async (t) => {
  const parts = await running(t, [word(SECRET)])
  const odd = ['my sec', 'ret', ' is'].flatMap((text, content_index) => [
    { type: 'response.output_text.delta', output_index: 0, content_index, delta: 'x' },
    { type: 'response.output_text.done', output_index: 0, content_index, text },
  ])
  const { events } = await streamed(parts, numbered([created, ...odd, completed]))
  const ends = events.filter(({ type }) => type.endsWith('.done')).map(({ text }) => text)
  assert.equal(ends.join(''), 'my [WORD] is')
})

it('an index that is no whole number ends the reply', async (t) => {
  const parts = await running(t, [word('never')])
  for (const index of ['0', -1, 0.5, {}]) {
    for (const name of ['output_index', 'content_index']) {
      const odd = { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'x', [name]: index }
      const { status } = await streamed(parts, numbered([created, odd, completed]))
      assert.equal(status, 502)
    }
  }
})

it('texts of several kinds may come in turns', async (t) => {
  const parts = await running(t, [word(SECRET)])
  const odd = ['my sec', 'ret is'].flatMap((delta) =>
    ['output_text', 'reasoning_summary_text'].map((kind, output_index) => ({
      type: `response.${kind}.delta`,
      output_index,
      delta,
    })),
  )
  const { events } = await streamed(parts, numbered([created, ...odd, completed]))
  assert.equal(events.at(-1).type, 'response.completed')
  const { deltas } = together(events)
  assert.deepEqual([...deltas.values()], ['my [WORD] is', 'my [WORD] is'])
})

for (const [name, first, second] of [
  ['index', { output_index: 0, item_id: 'it_1' }, { output_index: 1, item_id: 'it_2' }],
  ['id', { item_id: 'it_1' }, { item_id: 'it_2' }],
  [
    'part',
    { output_index: 0, item_id: 'it_1', content_index: 0 },
    { output_index: 0, item_id: 'it_2', content_index: 1 },
  ],
] as const) {
  for (const split of ['event', 'byte', 'whole'] as const) {
    it(`texts of unknown events grow with their item, told by its ${name}, by ${split}`, async (t) => {
      const parts = await running(t, [word(SECRET)])
      const deltas = ['my sec', 'my se', 'ret is', 'cret is'].map((delta, i) =>
        i % 2 === 0 ? { ...first, delta } : { ...second, delta },
      )
      const notes = ['my sec', 'my se', 'ret is', 'cret is'].map((note, i) => ({
        ...(i % 2 === 0 ? first : second),
        note,
      }))
      const odd = [
        ...deltas.map((one) => ({ type: 'response.hologram.delta', ...one })),
        ...notes.map((one) => ({ type: 'response.function_call_arguments.delta', delta: '', ...one })),
      ]
      const { text, events } = await streamed(parts, numbered([created, ...odd, completed]), { split })
      assert.equal(events.at(-1).type, 'response.completed', text)
      for (const member of ['delta', 'note']) {
        for (const { item_id } of [first, second]) {
          const joined = events.map((event) => (event.item_id === item_id ? (event[member] ?? '') : '')).join('')
          assert.equal(joined, 'my [WORD] is')
        }
      }
    })
  }
}

it('texts of unknown events leave in the order in which they came', async (t) => {
  const parts = await running(t, [word(SECRET)])
  const odd = ['my sec', 'aside ', 'ond', ' note'].map((delta, i) => ({
    type: 'response.hologram.delta',
    output_index: i % 2,
    delta,
  }))
  for (const split of ['event', 'byte', 'whole'] as const) {
    const { events } = await streamed(parts, numbered([created, ...odd, completed]), { split })
    assert.equal(events.map(({ delta = '' }) => delta).join(''), 'my secaside ond note')
  }
})

it('a number that goes on with a text is a part of it', async (t) => {
  const parts = await running(t, [word('12345678')])
  const odd = ['pay 1234', 5678, ' now'].map((delta) => ({ type: 'response.output_text.delta', ...at, delta }))
  const { text } = await streamed(parts, numbered([created, ...odd, completed]))
  assert.doesNotMatch(text, /5678/)
})

it('a text of an unknown event is one of its item, though the next one begins with a letter', async (t) => {
  const parts = await running(t, [bounded(SECRET)])
  const odd = ['my sec', 'ret', 's'].map((piece, i) => ({ output_index: i >> 1, delta: piece, note: piece }))
  for (const type of ['response.hologram.delta', 'response.function_call_arguments.delta']) {
    const told = odd.map((one) => ({ type, ...one, ...(type.includes('arguments') && { delta: '' }) }))
    const { events } = await streamed(parts, numbered([created, ...told, completed]))
    assert.equal(events.map(({ note = '' }) => note).join(''), 'my [WORD]s')
  }
})

it('a text of an unknown event goes on behind what its item began with', async (t) => {
  const parts = await running(t, [word(SECRET)])
  const item = {
    type: 'response.output_item.added',
    output_index: 0,
    item: { id: 'it_1', type: 'hologram', caption: 'my sec' },
  }
  const told = { type: 'response.hologram.delta', output_index: 0, caption: 'ret is' }
  const { text } = await streamed(parts, numbered([created, item, told, completed]))
  assert.doesNotMatch(text, /ret is/)
})

it('texts of unknown events are also read over two items', async (t) => {
  const parts = await running(t, [word(SECRET)])
  const odd = ['my sec', 'ret is'].map((delta, output_index) => ({
    type: 'response.hologram.delta',
    output_index,
    delta,
  }))
  const { text } = await streamed(parts, numbered([created, ...odd, completed]))
  assert.doesNotMatch(text, /ret is/)
})

it('an event whose type is spelt with escapes keeps its name', async (t) => {
  const parts = await running(t, [word('never')])
  const escaped = message(['fine']).map(
    (event) => `event: ${event.type}\ndata: ${JSON.stringify(event).replace('"type"', '"\\u0074ype"')}\n\n`,
  )
  const { text } = await streamed(parts, escaped.join(''))
  assert.equal(
    framesOf(text).every(({ name, data }) => name === data.type),
    true,
  )
})

it('an unknown event keeps its name', async (t) => {
  const parts = await running(t, [word(SECRET)])
  for (const type of ['response.output_text.v2', 'response.mcp-call.Started', 'Heartbeat']) {
    for (const split of ['event', 'whole'] as const) {
      const { text } = await streamed(parts, numbered([created, { type, note: 'x' }, completed]), { split })
      assert.match(text, new RegExp(`\nevent: ${type}\ndata: \\{"type":"${type}"`))
    }
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

it('members that events tell again are one text, once they change', async (t) => {
  const parts = await running(t, [word(SECRET)])
  for (const event of [
    (piece: string) => ({ type: 'response.in_progress', response: response({ model: piece }) }),
    (piece: string) => ({ type: 'response.in_progress', response: response({ usage: { note: piece } }) }),
    (piece: string) => ({ type: 'response.in_progress', response: response({ metadata: { note: piece } }) }),
    (piece: string) => ({ type: 'response.web_search_call.searching', output_index: 1, item_id: piece }),
    (piece: string) => ({ type: 'response.audio.delta', delta: piece }),
  ]) {
    const odd = ['my-sec', 'my-sec', 'r', 'et-is'].map((piece) => event(piece))
    const { events, text } = await streamed(parts, numbered([created, ...odd, completed]))
    assert.match(text, /response.completed/)
    const told = JSON.stringify(events).replaceAll('my-secret', '')
    assert.match(told, /my-sec/)
    assert.doesNotMatch(told, /"r"|"et-is"/)
    assert.match(told, /"-is"/)
  }
})

it('a member of a call that is told again is also all of it', async (t) => {
  const alone: Plugin = {
    lookbehind: 0,
    detect: (view) => {
      for (const { index } of view.text.matchAll(/\bsecret\b/g))
        view.report({ type: 'word', start: index, end: index + SECRET.length, action: 'redact' })
    },
  }
  const parts = await running(t, [alone])
  const words = { id: 'fc_1e29190ab965bea41606a02e', call_id: 'call_995f85336cd4dd1e56fa772a', status: 'completed' }
  for (const type of ['function_call', 'shell_call', 'mcp_approval_request', 'computer_call']) {
    for (const member of ['id', 'call_id', 'status'] as const) {
      for (const first of [true, false]) {
        const item = { ...words, type, name: 'find', arguments: '{}' }
        const odd = { ...item, [member]: SECRET }
        const told = [first ? odd : item, first ? item : odd].map((one, i) => ({
          type: `response.output_item.${i === 0 ? 'added' : 'done'}`,
          output_index: 0,
          item: one,
        }))
        const { text } = await streamed(parts, numbered([created, ...told, completed]))
        assert.doesNotMatch(text, /"secret"/, `${type} ${member} ${first}`)
      }
    }
  }
})
