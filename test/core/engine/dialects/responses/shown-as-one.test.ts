/** Texts that some client shows as one, though they are of several items or kinds, and texts that only seem to be one. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { json, stream } from '../../../../../core/testing/provider.ts'
import { redacting } from '../../../../helpers/core.ts'
import { eventsOf, numbered, respond, response, said, streamed } from './responding.ts'

const created = { type: 'response.created', response: response({ status: 'in_progress' }) }

interface Piece {
  readonly kind: 'output_text' | 'refusal' | 'summary'
  readonly text: string
}

const partOf = ({ kind, text }: Piece) =>
  kind === 'refusal' ? { type: 'refusal', refusal: text } : { type: kind === 'summary' ? 'summary_text' : kind, text }

const itemOf = (piece: Piece, i: number) =>
  piece.kind === 'summary'
    ? { id: `rs_a${i}`, type: 'reasoning', summary: [partOf(piece)] }
    : { id: `msg_a${i}`, type: 'message', role: 'assistant', status: 'completed', content: [partOf(piece)] }

/** One item for each text. */
function eventsFor(pieces: readonly Piece[]) {
  const events = pieces.flatMap((piece, output_index) => {
    const item = itemOf(piece, output_index)
    const name = piece.kind === 'summary' ? 'reasoning_summary_text' : piece.kind
    const at = { item_id: item.id, output_index, content_index: 0, summary_index: 0 }
    const whole = piece.kind === 'refusal' ? { refusal: piece.text } : { text: piece.text }
    const begun = piece.kind === 'summary' ? { ...item, summary: [] } : { ...item, content: [] }
    return [
      { type: 'response.output_item.added', output_index, item: begun },
      { type: `response.${name}.delta`, ...at, delta: piece.text },
      { type: `response.${name}.done`, ...at, ...whole },
      { type: 'response.output_item.done', output_index, item },
    ]
  })
  return numbered([
    created,
    ...events,
    { type: 'response.completed', response: response({ output: pieces.map(itemOf) }) },
  ])
}

/** What a client shows of these kinds, from the deltas and from the last event. */
function shown(text: string, kinds: RegExp) {
  const events = eventsOf(text)
  const deltas = events.filter(({ type }) => type.endsWith('.delta') && kinds.test(type)).map(({ delta }) => delta)
  const items = events.at(-1).response.output as { content?: object[]; summary?: object[] }[]
  const parts = items.flatMap(({ content = [], summary = [] }) => [...content, ...summary]) as {
    type: string
    text?: string
    refusal?: string
  }[]
  const last = parts.filter(({ type }) => kinds.test(type)).map(({ text: words, refusal }) => words ?? refusal)
  return [deltas.join(''), last.join('')]
}

const SAID = /output_text|refusal/
const THOUGHT = /summary/

const halves = (first: Piece['kind'], second: Piece['kind']): Piece[] => [
  { kind: first, text: 'my sec' },
  { kind: second, text: 'ret is' },
]

describe('a value cut over', () => {
  for (const { name, kinds, pieces, streamedAs } of [
    {
      name: 'a text and a refusal',
      kinds: SAID,
      pieces: halves('output_text', 'refusal'),
    },
    {
      name: 'a refusal and a text',
      kinds: SAID,
      pieces: halves('refusal', 'output_text'),
    },
    {
      name: 'two summaries',
      kinds: THOUGHT,
      pieces: halves('summary', 'summary'),
    },
    {
      name: 'two summaries with a text between them',
      kinds: THOUGHT,
      pieces: [
        { kind: 'summary', text: 'my sec' },
        { kind: 'output_text', text: 'so' },
        { kind: 'summary', text: 'ret is' },
      ],
      // The first part has left before the text, so only the second one goes.
      streamedAs: 'my sec[WORD] is',
    },
  ] satisfies { name: string; kinds: RegExp; pieces: Piece[]; streamedAs?: string }[]) {
    it(`${name} is redacted in a stream`, async () => {
      const parts = await redacting('secret')
      const { text } = await streamed(parts, eventsFor(pieces))
      for (const whole of shown(text, kinds)) assert.equal(whole, streamedAs ?? 'my [WORD] is')
    })

    it(`${name} is redacted in a buffered response`, async () => {
      const { provider, gateway } = await redacting('secret')
      provider.reply(json(response({ output: pieces.map(itemOf) })))
      const { output } = JSON.parse(await (await respond(gateway)).text())
      const frame = `data: ${JSON.stringify({ type: 'response.completed', response: { output } })}\n\n`
      assert.equal(shown(frame, kinds)[1], 'my [WORD] is')
    })
  }
})

for (const [first, second] of [
  ['refusal', 'output_text'],
  ['output_text', 'refusal'],
  ['output_text', 'output_text'],
] as const) {
  it(`a value cut over ${first} and ${second} of one item without indexes is redacted in every copy`, async () => {
    const parts = await redacting('secret')
    const pieces = halves(first, second)
    const content = pieces.map(partOf)
    const item = { id: 'msg_a1', type: 'message', role: 'assistant', content }
    const isTwo = first !== second
    const deltas = pieces.map(({ kind, text }) => ({ type: `response.${kind}.delta`, item_id: item.id, delta: text }))
    const { text } = await streamed(
      parts,
      numbered([
        created,
        { type: 'response.output_item.added', item: { ...item, content: [] } },
        ...(isTwo ? deltas : []),
        { type: 'response.output_item.done', item },
        { type: 'response.completed', response: response({ output: [item] }) },
      ]),
    )
    const done = eventsOf(text).find(({ type }) => type === 'response.output_item.done')
    const told = done.item.content.map((part: { text?: string; refusal?: string }) => part.text ?? part.refusal)
    assert.equal(told.join(''), 'my [WORD] is')
    assert.deepEqual(shown(text, SAID), [isTwo ? 'my [WORD] is' : '', 'my [WORD] is'])
    const { service } = eventsOf(text).at(-1).response
    assert.equal(service.detections[0].count, 1)
  })
}

it('a value is redacted if its first part has left before the second one comes', async () => {
  const { provider, gateway } = await redacting('secret')
  const events = eventsFor([
    { kind: 'summary', text: 'my sec' },
    { kind: 'output_text', text: 'so ' },
    { kind: 'summary', text: 'ret is' },
  ])
  const at = events.findIndex(({ output_index: output }) => output === 2)
  const arrived = Promise.withResolvers<void>()
  provider.reply(stream([...events.slice(0, at), arrived.promise, ...events.slice(at)], { done: false }))
  const reply = await respond(gateway, { stream: true })
  let text = ''
  for (let bytes = await reply.read(); bytes; bytes = await reply.read()) {
    text += bytes
    if (text.includes('"so ')) arrived.resolve()
  }
  assert.deepEqual(shown(text, THOUGHT), ['my sec[WORD] is', 'my sec[WORD] is'])
})

it('words of two texts that only stand side by side stay', async () => {
  const parts = await redacting('secret')
  const pieces: Piece[] = [
    { kind: 'summary', text: 'a secret' },
    { kind: 'output_text', text: 'so' },
    { kind: 'summary', text: 'secret or not' },
  ]
  const { text } = await streamed(parts, eventsFor(pieces))
  assert.deepEqual(shown(text, THOUGHT), ['a [WORD][WORD] or not', 'a [WORD][WORD] or not'])
  const { service } = eventsOf(text).at(-1).response
  assert.equal(service.detections[0].count, 2)
})

it('a text of two kinds at one place ends the reply: its copies would tell both as one', async () => {
  const parts = await redacting('secret')
  const at = { item_id: 'msg_a1', output_index: 0, content_index: 0 }
  const whole = 'my secret is'
  for (const [first, second] of [
    ['output_text', 'reasoning_text'],
    ['reasoning_text', 'output_text'],
  ]) {
    const { text } = await streamed(
      parts,
      numbered([
        created,
        { type: `response.${first}.delta`, ...at, delta: 'my sec' },
        { type: `response.${second}.delta`, ...at, delta: 'ret is' },
        { type: 'response.output_text.done', ...at, text: whole },
        { type: 'response.completed', response: response({ output: [said(whole)] }) },
      ]),
    )
    assert.match(text, /"error"/)
    assert.doesNotMatch(text, /secret/)
  }
})

it('a text that begins in another event is also read by itself', async () => {
  const parts = await redacting('secret')
  const at = { item_id: 'msg_a1', output_index: 0, content_index: 0 }
  const begun = said('a secret')
  for (const event of [
    { type: 'response.in_progress', response: response({ output: [begun] }) },
    { type: 'response.output_item.added', output_index: 0, item: begun },
    { type: 'response.content_part.added', ...at, part: { type: 'output_text', text: 'a secret' } },
  ]) {
    const { text } = await streamed(
      parts,
      numbered([
        created,
        event,
        { type: 'response.output_text.delta', ...at, delta: 'ly kept' },
        { type: 'response.completed', response: response({ output: [said('secretly kept')] }) },
      ]),
    )
    const told = JSON.stringify(eventsOf(text)[1])
    assert.doesNotMatch(told, /secret/, told)
  }
})

it('an account number in the padding is found', async () => {
  const parts = await redacting('DE89370400440532013000')
  const at = { item_id: 'msg_a1', output_index: 0, content_index: 0 }
  const { text } = await streamed(
    parts,
    numbered([
      created,
      { type: 'response.output_text.delta', ...at, delta: 'so', obfuscation: 'DE89370400440532013000' },
      { type: 'response.completed', response: response({ output: [said('so')] }) },
    ]),
  )
  assert.doesNotMatch(text, /DE89/)
})

describe('a text that an event told before its deltas', () => {
  const first: Piece = { kind: 'refusal', text: 'my sec' }
  const second: Piece = { kind: 'output_text', text: 'ret is' }
  const third: Piece = { kind: 'output_text', text: ' mine' }
  const early = {
    type: 'response.in_progress',
    response: response({ status: 'in_progress', output: [itemOf(first, 0), itemOf(second, 1)] }),
  }
  const begun = { type: 'response.output_item.added', output_index: 1, item: itemOf(second, 1) }
  const beginOf = (events: readonly object[]) =>
    events.findIndex((event) => 'output_index' in event && event.output_index === 1)
  for (const [name, told] of [
    ['in the item that begins', begun],
    ['in the response so far', early],
  ] as const) {
    it(`is read behind the text before it, too: ${name}`, async () => {
      const parts = await redacting('secret')
      const events = eventsFor([first, second, third])
      const at = beginOf(events)
      const rest = events.slice(name === 'in the item that begins' ? at + 1 : at)
      parts.provider.reply(stream(numbered([...events.slice(0, at), told, ...rest])))
      const text = await (await respond(parts.gateway, { stream: true })).text()
      for (const words of shown(text, SAID)) assert.doesNotMatch(words as string, /secret|ret is/)
      assert.match(shown(text, SAID)[0] as string, / is mine$/)
    })
  }

  it('reads what follows it behind the deltas', async () => {
    const parts = await redacting('secret')
    const said: Piece[] = [first, { kind: 'output_text', text: 're' }, { kind: 'output_text', text: 't is' }]
    const events = eventsFor(said)
    const at = beginOf(events)
    const other = { ...begun, item: itemOf({ kind: 'output_text', text: 'Other' }, 1) }
    parts.provider.reply(stream(numbered([...events.slice(0, at), other, ...events.slice(at + 1)])))
    const text = await (await respond(parts.gateway, { stream: true })).text()
    assert.doesNotMatch(shown(text, SAID)[0] as string, /secret/)
  })

  it('is one text with its other deltas where it comes between them', async () => {
    const parts = await redacting('secret')
    const events = eventsFor([{ kind: 'output_text', text: 'my secret is' }])
    const at = events.findIndex(({ type }) => String(type).endsWith('.delta'))
    const delta = (text: string) => ({ ...events[at], delta: text })
    const told = {
      ...early,
      response: response({ output: [itemOf({ kind: 'output_text', text: 'my secret is' }, 0)] }),
    }
    const cut = [...events.slice(0, at), delta('my sec'), told, delta('ret is'), ...events.slice(at + 1)]
    parts.provider.reply(stream(numbered(cut)))
    const text = await (await respond(parts.gateway, { stream: true })).text()
    for (const words of shown(text, SAID)) assert.equal(words, 'my [WORD] is')
  })
})
