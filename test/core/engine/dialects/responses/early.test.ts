/** Texts that a provider tells before their deltas: each client reads one text, and none is lost. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accumulateResponse } from 'openai/lib/responses/ResponseAccumulator'
import { redacting } from '../../../../helpers/core.ts'
import { type Event, message, numbered, response, said, streamed, together } from './responding.ts'

const TEXT = 'my secret is out'
const CLEAN = 'my [WORD] is out'
const begun = (text: string) => ({ ...said(text), status: 'in_progress' })
const call = (args: string) => ({
  id: 'fc_1',
  type: 'function_call',
  call_id: 'call_1',
  name: 'save',
  status: 'in_progress',
  arguments: args,
})

/** The events of a message whose item begins with this text. */
const filled = (deltas: readonly string[], early: string, text = deltas.join('')) =>
  message(deltas, { text }).map((event) =>
    event.type === 'response.output_item.added' ? { ...event, item: begun(early) } : event,
  )
const without = (events: readonly Event[], ...types: RegExp[]) =>
  numbered(events.filter(({ type }) => !types.some((some) => some.test(type))))
const deltasOf = (events: readonly Event[]): string => [...together(events).deltas.values()].join('')
const ofSdk = (events: readonly Event[]) => {
  let snapshot: ReturnType<typeof accumulateResponse> | undefined
  for (const event of events) snapshot = accumulateResponse(event, snapshot)
  return snapshot?.output_text
}

describe('a text that the event tells which begins its item', () => {
  for (const [name, early] of [
    ['the same text', TEXT],
    ['its first half', 'my sec'],
    ['less than the first delta', 'my'],
  ] as const) {
    it(`is told by its deltas alone: ${name}`, async () => {
      const parts = await redacting('secret')
      const { events } = await streamed(parts, filled(['my sec', 'ret is out'], early))
      assert.equal(events[1].item.content[0].text, '')
      assert.equal(deltasOf(events), CLEAN)
      assert.equal(together(events).output[0].content[0].text, CLEAN)
    })
  }

  it('becomes a delta if its deltas go on behind it', async () => {
    const parts = await redacting('secret')
    const { events } = await streamed(parts, without(filled(['ret is', ' out'], 'my sec', TEXT), /part\.added/))
    assert.equal(events[1].item.content[0].text, '')
    assert.equal(deltasOf(events), CLEAN)
    assert.equal(ofSdk(events), CLEAN)
    assert.equal(together(events).output[0].content[0].text, CLEAN)
  })

  it('becomes a delta if there is none', async () => {
    const parts = await redacting('secret')
    const { events } = await streamed(parts, without(filled([], TEXT, TEXT), /part\.added/))
    assert.deepEqual([...together(events).deltas], [['response.output_text.0.0..', CLEAN]])
    assert.equal(ofSdk(events), CLEAN)
  })

  it('is not lost if no later event tells it', async () => {
    const parts = await redacting('secret')
    const events = without(filled([], TEXT, TEXT), /part\./, /text\.done/, /item\.done/)
    const last = { type: 'response.completed', response: response({ output: [] }) }
    const { events: got } = await streamed(parts, numbered([...events.slice(0, -1), last]))
    assert.equal(deltasOf(got), CLEAN)
  })

  it('comes before a text that follows it', async () => {
    const parts = await redacting('secret')
    const item = (text: string, id: string) => ({ ...said(text), id })
    const { events } = await streamed(
      parts,
      numbered([
        { type: 'response.created', response: response({ status: 'in_progress' }) },
        { type: 'response.output_item.added', output_index: 0, item: item('my sec', 'msg_a1') },
        { type: 'response.output_item.added', output_index: 1, item: item('', 'msg_a2') },
        { type: 'response.output_text.delta', item_id: 'msg_a2', output_index: 1, content_index: 0, delta: 'ret is' },
        { type: 'response.output_item.done', output_index: 0, item: item('my sec', 'msg_a1') },
        { type: 'response.output_item.done', output_index: 1, item: item('ret is', 'msg_a2') },
        {
          type: 'response.completed',
          response: response({ output: [item('my sec', 'msg_a1'), item('ret is', 'msg_a2')] }),
        },
      ]),
    )
    assert.equal(deltasOf(events), 'my [WORD] is')
    assert.equal(ofSdk(events), 'my [WORD] is')
  })

  it('of a part is told by deltas, too', async () => {
    const parts = await redacting('secret')
    const events = message([], { text: TEXT }).map((event) =>
      event.type === 'response.content_part.added' ? { ...event, part: { type: 'output_text', text: TEXT } } : event,
    )
    const { events: got } = await streamed(parts, events)
    assert.equal(got[2].part.text, '')
    assert.equal(deltasOf(got), CLEAN)
  })
})

it('a refusal of two parts whose events have no index is told once', async () => {
  const parts = await redacting('secret')
  const [first, rest] = ['my sec', 'ret is out']
  const refusal = { type: 'refusal', refusal: rest }
  const item = { ...said(first), content: [{ type: 'output_text', text: first, annotations: [] }, refusal] }
  const at = { item_id: 'msg_a1' }
  for (const began of [refusal, { ...refusal, refusal: '' }]) {
    for (const deltas of [[rest], ['ret', ' is out']]) {
      const { events } = await streamed(
        parts,
        numbered([
          { type: 'response.created', response: response({ status: 'in_progress' }) },
          { type: 'response.output_item.added', item: { ...item, status: 'in_progress' } },
          { type: 'response.output_text.delta', ...at, delta: first },
          { type: 'response.output_text.done', ...at, text: first },
          { type: 'response.content_part.added', ...at, part: began },
          ...deltas.map((delta) => ({ type: 'response.refusal.delta', ...at, delta })),
          { type: 'response.refusal.done', ...at, refusal: rest },
          { type: 'response.output_item.done', item },
          { type: 'response.completed', response: response({ output: [item] }) },
        ]),
      )
      assert.equal(deltasOf(events), CLEAN)
      assert.equal(events.at(-1).type, 'response.completed')
    }
  }
})

it('a response so far is left out where it tells text', async () => {
  const parts = await redacting('secret')
  const events = message(['my sec', 'ret is out'])
  const soFar = {
    type: 'response.in_progress',
    response: response({ status: 'in_progress', output: [said('my sec')] }),
  }
  const { events: got } = await streamed(parts, numbered([...events.slice(0, 4), soFar, ...events.slice(4)]))
  assert.ok(got.every(({ type }) => type !== 'response.in_progress'))
  assert.equal(deltasOf(got), CLEAN)
  assert.equal(ofSdk(got), CLEAN)
})

it('the first event with the response has no output with text', async () => {
  const parts = await redacting('secret')
  const [, ...events] = message(['my sec', 'ret is out'])
  const first = { type: 'response.created', response: response({ status: 'in_progress', output: [said('my sec')] }) }
  const { events: got } = await streamed(parts, numbered([first, ...events]))
  assert.deepEqual(got[0].response.output, [])
  assert.equal(ofSdk(got), CLEAN)
})

describe('arguments that the event tells which begins their call', () => {
  const args = JSON.stringify({ note: TEXT })
  const at = { item_id: 'fc_1', output_index: 0 }
  const events = (deltas: readonly string[], early: string) =>
    numbered([
      { type: 'response.created', response: response({ status: 'in_progress' }) },
      { type: 'response.output_item.added', output_index: 0, item: call(early) },
      ...deltas.map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
      { type: 'response.output_item.done', output_index: 0, item: call(args) },
      { type: 'response.completed', response: response({ output: [call(args)] }) },
    ])
  for (const [name, deltas, early] of [
    ['whole, without deltas', [], args],
    ['whole, and again in deltas', [args.slice(0, 14), args.slice(14)], args],
    ['as an empty object', [args.slice(0, 14), args.slice(14)], '{}'],
  ] as const) {
    it(`are told by deltas: ${name}`, async () => {
      const parts = await redacting('secret')
      const { events: got } = await streamed(parts, events(deltas, early))
      assert.equal(got[1].item.arguments, '')
      assert.equal(got[1].item.name, 'save')
      assert.deepEqual(JSON.parse(deltasOf(got)), { note: CLEAN })
      assert.deepEqual(JSON.parse(together(got).items[0].arguments), { note: CLEAN })
    })
  }
})

it('texts of items whose events alternate are told once, by their own deltas', async () => {
  const parts = await redacting('secret')
  const args = JSON.stringify({ note: TEXT })
  const other = { ...call(args), id: 'fc_2', call_id: 'call_2' }
  const told = (item: object, output_index: number) => ({ type: 'response.output_item.added', output_index, item })
  const ended = (item: object, output_index: number) => ({ type: 'response.output_item.done', output_index, item })
  const delta = (item_id: string, output_index: number, delta: string) => ({
    ...{ type: 'response.function_call_arguments.delta', item_id, output_index, delta },
  })
  const { events } = await streamed(
    parts,
    numbered([
      { type: 'response.created', response: response({ status: 'in_progress' }) },
      ...[told(begun(TEXT), 0), told(call(args), 1), told(other, 2)],
      ...[delta('fc_2', 2, args), ended(other, 2), delta('fc_1', 1, args), ended(call(args), 1)],
      { type: 'response.output_text.delta', item_id: 'msg_a1', output_index: 0, content_index: 0, delta: TEXT },
      ended(said(TEXT), 0),
      { type: 'response.completed', response: response({ output: [said(TEXT), call(args), other] }) },
    ]),
  )
  const texts = [0, 1, 2].map((at) => deltasOf(events.filter(({ output_index }) => output_index === at)))
  assert.deepEqual([texts[0], ...texts.slice(1).map((text) => JSON.parse(text).note)], [CLEAN, CLEAN, CLEAN])
  assert.equal(ofSdk(events), CLEAN)
})

it('a text of an item without an id is told by its deltas', async () => {
  const parts = await redacting('secret')
  const events = filled(['my sec', 'ret is out'], TEXT).map((event: Event) => {
    const { item_id, ...rest } = event
    if (rest.item !== undefined) rest.item = { ...rest.item, id: undefined }
    return rest
  })
  const { events: got } = await streamed(parts, events)
  assert.equal(got[1].item.content[0].text, '')
  assert.equal(deltasOf(got), CLEAN)
  assert.equal(got.at(-1).type, 'response.completed')
})

it('what no deltas tell stays in the event that begins its item', async () => {
  const parts = await redacting('secret')
  const search = { id: 'ws_1', type: 'web_search_call', status: 'in_progress', action: { type: 'search', query: TEXT } }
  const { events } = await streamed(
    parts,
    numbered([
      { type: 'response.created', response: response({ status: 'in_progress' }) },
      { type: 'response.output_item.added', output_index: 0, item: search },
      { type: 'response.completed', response: response({ output: [search] }) },
    ]),
  )
  assert.equal(events[1].item.action.query, CLEAN)
})

it('deltas of what an event told whole, and did not begin, end the response', async () => {
  const parts = await redacting('secret')
  const operation = { type: 'update_file', path: 'a.ts', diff: 'my sec' }
  const item = { id: 'ap_1', type: 'apply_patch_call', call_id: 'call_1', status: 'in_progress', operation }
  const { text } = await streamed(
    parts,
    numbered([
      { type: 'response.created', response: response({ status: 'in_progress' }) },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.apply_patch_call_operation_diff.delta', item_id: 'ap_1', output_index: 0, delta: 'ret is' },
      { type: 'response.output_item.done', output_index: 0, item },
    ]),
  )
  assert.doesNotMatch(text, /ret is/)
  assert.match(text, /GW_UPSTREAM_INVALID|upstream_invalid|invalid/)
})

it('a text that the response so far has twice stays redacted when its deltas come before these events leave', async () => {
  const parts = await redacting('secret')
  const output = [{ stdout: TEXT, stderr: '', outcome: { type: 'exit', exit_code: 0 } }]
  const item = { id: 'sh_1', type: 'shell_call_output', call_id: 'call_1', status: 'in_progress', output }
  const soFar = { type: 'response.in_progress', response: response({ status: 'in_progress', output: [item] }) }
  const { events, text } = await streamed(
    parts,
    numbered([
      { type: 'response.created', response: response({ status: 'in_progress' }) },
      soFar,
      // May go on as a value, so that it waits, and what comes behind it does.
      { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 1, content_index: 0, delta: 'so sec' },
      soFar,
      { type: 'response.output_item.added', output_index: 0, item: { ...item, output: [] } },
      ...['my sec', 'ret is', ' out'].map((stdout) => ({
        type: 'response.shell_call_output_content.delta',
        item_id: 'sh_1',
        output_index: 0,
        command_index: 0,
        delta: { stdout },
      })),
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: response({ output: [item] }) },
    ]),
  )
  assert.doesNotMatch(text, /secret/)
  const told = events.filter(({ type }) => type === 'response.in_progress')
  assert.deepEqual(
    told.map((event) => event.response.output[0].output[0].stdout),
    [CLEAN, CLEAN],
  )
})
