/** A large event of a stream is read and walked in turns, with the same result as a small one. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chatCompletions } from '../../../../core/engine/dialects/chat-completions/dialect.ts'
import type { Dialect } from '../../../../core/engine/dialects/dialect.ts'
import { messages } from '../../../../core/engine/dialects/messages/dialect.ts'
import { responses } from '../../../../core/engine/dialects/responses/dialect.ts'
import type { EventTexts, StreamDialect } from '../../../../core/engine/dialects/stream.ts'
import { disconnected } from '../../../../core/engine/upstreams/provider-error.ts'
import type { Steps } from '../../../../core/engine/util/steps.ts'
import { chunk, delta } from '../../../../core/testing/provider.ts'
import { type Plugin, type StreamRig, streamOf, word } from '../../../helpers/core.ts'
import { ALL } from '../../../helpers/rounds.ts'

const maxEvent = 32 * 1024 * 1024
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))
const at = (content: string) => delta({ content })
const finish = delta({}, 0, 'stop')
const said = (i: number) => (i % 100 === 7 ? `a secret ${i}` : `a word ${i}`)

interface Shape {
  readonly dialect: Dialect
  readonly body: object
  /** Texts of an event that is read in turns. */
  readonly many: number
  /** Events around one with texts that do not grow. */
  stream(count: number): readonly object[]
}

const SHAPES: Readonly<Record<string, Shape>> = {
  'chat completions': {
    dialect: chatCompletions,
    many: 4000,
    body: { model: 'm', stream: true, messages: [{ role: 'user', content: 'hi' }] },
    stream: (count) => [
      at('before '),
      {
        ...chunk([{ index: 0, delta: { content: 'in it ' }, finish_reason: null }] as never),
        prompt_filter_results: times(count, (i) => ({ odd: said(i), sum: 1234567.5 + i })),
      },
      at('behind'),
      finish,
    ],
  },
  messages: {
    dialect: messages,
    many: 2000,
    body: { model: 'm', max_tokens: 9, stream: true, messages: [{ role: 'user', content: 'hi' }] },
    stream: (count) => [
      {
        type: 'message_start',
        message: {
          ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] },
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      },
      {
        type: 'content_block_start',
        index: 0,
        content_block: {
          type: 'web_search_tool_result',
          tool_use_id: 'srvtoolu_1',
          content: [
            ...times(count, (i) => ({ type: 'web_search_result', url: `https://example.org/${i}`, title: said(i) })),
            ...times(3, (i) => ({ type: 'text', text: `part ${i}` })),
          ],
        },
      },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'no secret' } },
      { type: 'content_block_stop', index: 1 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ],
  },
  responses: {
    dialect: responses,
    many: 2000,
    body: { model: 'm', stream: true, store: false, input: 'hi' },
    stream: (count) => {
      const response = {
        id: 'resp_1',
        object: 'response',
        created_at: 1,
        model: 'm',
        status: 'in_progress',
        output: [],
      }
      const item = {
        ...{ id: 'fs_1', type: 'file_search_call', status: 'completed', queries: ['q'] },
        results: times(count, (i) => ({ file_id: `file-${i}`, filename: `report ${i}`, score: 0.5, text: said(i) })),
      }
      const content = [{ type: 'output_text', text: 'no secret', annotations: [] }]
      const answer = { id: 'msg_1', type: 'message', role: 'assistant', content }
      return [
        { type: 'response.created', response },
        { type: 'response.output_item.added', output_index: 0, item: { ...item, results: [] } },
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.output_item.done', output_index: 1, item: answer },
        {
          type: 'response.completed',
          response: {
            ...response,
            status: 'completed',
            output: [item, answer],
            metadata: Object.fromEntries(times(count, (i) => [`key_${i}`, said(i + 1)])),
          },
        },
      ]
    },
  },
}

const framed = (events: readonly object[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
const framesFor = (dialect: Dialect, events: readonly object[]): string =>
  framed(events) + (dialect === chatCompletions ? 'data: [DONE]\n\n' : '')

/** The bytes to the client, without the gateway's own member. */
const told = (rig: StreamRig): string => rig.response.body.replace(/"service":\{[^}]*(?:\{[^}]*\})*[^}]*\}/g, '')

for (const [nth, [name, { dialect, body, many, stream }]] of Object.entries(SHAPES).entries()) {
  describe(`a large event of ${name}`, () => {
    const [large, small] = [stream(many), stream(3)]

    it('leaves rewritten, in order with those around it, and others go on in between', async () => {
      assert.ok(large.some((event) => JSON.stringify(event).length > 128 * 1024))
      const rig = await streamOf([word('secret')], { dialect, body, maxEvent })
      rig.feed(framesFor(dialect, large)).end()
      let turns = 0
      for (; !rig.response.closed; turns++) await new Promise(setImmediate)
      assert.ok(turns > 8, `${turns} turns`)
      assert.equal(rig.x.reply.outcome, 'completed')
      // The words without a finding leave as they came.
      const expected = framesFor(dialect, large).replaceAll('secret', '[WORD]')
      const texts = (body: string) => body.match(/(?:a word|a \S+|part|no \S+|before|in it|behind)(?: \d+)?/g)
      assert.deepEqual(texts(told(rig)), texts(expected))
    })

    it('is the same wherever the bytes are cut', async () => {
      const bytes = Buffer.from(framesFor(dialect, large))
      const bodies = new Set<string>()
      for (const size of [bytes.length, 70_000, 16_384 + 1]) {
        const rig = await streamOf([word('secret')], { dialect, body, maxEvent })
        for (let from = 0; from < bytes.length; from += size) rig.feed(bytes.subarray(from, from + size))
        rig.end()
        await rig.over
        bodies.add(told(rig).replace(/"latency_ms":\d+/g, ''))
      }
      assert.equal(bodies.size, 1)
    })

    it('leaves as it came with no plugins', async () => {
      const rig = await streamOf([], { dialect, body, maxEvent })
      rig.feed(framesFor(dialect, large)).end()
      await rig.over
      assert.deepEqual(
        rig.payloads.filter((payload) => payload !== '[DONE]'),
        large.map((event) => JSON.stringify(event)),
      )
    })

    it('has the same texts as in one step', () => {
      const both = [large, small].map((events) => {
        const [plain, stepped] = [openedBy(dialect), openedBy(dialect)]
        let pauses = 0
        for (const event of events) {
          const data = JSON.stringify(event)
          const expected = shown(plain, plain.walk(plain.read(data, false) as never))
          const { texts, steps } = counted(stepped.walkInSteps(stepped.read(data, false, event as never) as never))
          pauses += steps
          assert.ok(shown(stepped, texts) === expected)
        }
        return pauses
      })
      assert.ok((both[0] as number) > 0 && both[1] === 0, both.join())
    })

    it('has no more complete texts than one event may have', () => {
      const opened = openedBy(dialect)
      const walk = (event: object) =>
        counted(opened.walkInSteps(opened.read(JSON.stringify(event), false, event as never) as never))
      assert.throws(() => stream(35_000).map(walk), /too many texts|more than 65536 JSON values/)
    })

    it('ends with an error in whichever turn the connection to the provider breaks', async () => {
      const frames = framesFor(dialect, large.slice(0, -1))
      // Each turn is met in one of the three shapes.
      for (let turn = ALL ? 0 : nth; turn < 12; turn += ALL ? 1 : 3) {
        const rig = await streamOf([word('secret')], { dialect, body, maxEvent })
        rig.feed(frames)
        for (let i = 0; i < turn; i++) await new Promise(setImmediate)
        rig.reply.onError(disconnected())
        await rig.over
        assert.equal(rig.x.reply.outcome, 'upstream_failed', `turn ${turn}`)
      }
    })

    it('is read no further when the client leaves', async () => {
      let calls = 0
      const counts: Plugin = { apply: (hooks) => hooks.onChunk.tap('counts', () => void calls++) }
      const rig = await streamOf([counts], { dialect, body, maxEvent })
      rig.feed(framesFor(dialect, large))
      const before = calls
      rig.response.close()
      for (let i = 0; i < 50; i++) await new Promise(setImmediate)
      assert.equal(calls, before)
      assert.equal(rig.x.reply.outcome, 'aborted')
    })

    it('blocks', async () => {
      const rig = await streamOf([word('secret', 'block')], { dialect, body, maxEvent })
      rig.feed(framesFor(dialect, large)).end()
      await rig.over
      assert.equal(rig.x.reply.outcome, 'blocked')
      assert.doesNotMatch(rig.response.body, /secret/)
    })
  })
}

const openedBy = (dialect: Dialect): StreamDialect =>
  dialect.openStream({
    ...{ choices: 1, includeUsage: false, stripsUsage: false, governs: true },
    asked: { tree: {}, json: {} },
  })

function shown(stream: StreamDialect, { pieces, tools, fixed, settled, ended }: EventTexts): string {
  const texts = [pieces, tools, fixed?.fields, fixed?.joined, settled, ended, [...stream.uninspected]]
  return JSON.stringify(texts)
}

function counted(steps: Steps<EventTexts>): { texts: EventTexts; steps: number } {
  for (let count = 0; ; count++) {
    const { done, value } = steps.next()
    if (done === true) return { texts: value, steps: count }
  }
}

describe('a large event', () => {
  const filler = (length: number) => `"${'a, '.repeat(length / 3)}"`

  it('that repeats a member is sent as the gateway reads it', async () => {
    const rig = await streamOf([word('secret')], { maxEvent })
    const first = `{"choices":[{"index":0,"delta":{"content":"secret 1","odd":${filler(200_000)},"content":"a secret 2"}}]}`
    rig.say(first, finish, '[DONE]').end()
    await rig.over
    assert.equal(rig.text(), 'a [WORD] 2')
    assert.doesNotMatch(rig.response.body, /secret/)
  })

  it('that is no JSON is a failure of the provider', async () => {
    const rig = await streamOf([word('secret')], { maxEvent })
    rig.say(`{"choices":[{"index":0,"delta":{"content":${filler(200_000)}}]}`, finish, '[DONE]').end()
    await rig.over
    assert.equal(rig.response.status, 502)
  })

  for (const [what, event] of Object.entries({
    'more members than one object may have': chunk([
      { index: 0, delta: {}, finish_reason: null, ...Object.fromEntries(times(65_537, (i) => [`m${i}`, i])) },
    ] as never),
    'choices that nobody asked for': chunk(
      times(3000, (index) => ({ index, delta: { content: 'a long word '.repeat(5) }, finish_reason: null })) as never,
    ),
    'more texts than can be looked at': {
      ...chunk([]),
      prompt_filter_results: times(66_000, () => 'abc'),
    },
    'more values that may grow than can be looked at': delta({ odd: times(40_000, () => 'abc') }),
  })) {
    it(`with ${what} is refused`, async () => {
      const rig = await streamOf([word('secret')], { maxEvent })
      rig.say(event, finish, '[DONE]').end()
      await rig.over
      assert.equal(rig.response.status, 502)
      assert.equal(rig.x.reply.outcome, 'upstream_failed')
    })
  }

  it('is lost with its text when the provider dies meanwhile', async () => {
    const rig = await streamOf([word('secret')], { maxEvent })
    rig.say(at('Well, '), (SHAPES['chat completions'] as Shape).stream(4000)[1] as object).end()
    await rig.over
    assert.ok(!rig.done)
    assert.equal(rig.chunks.at(-1)?.error?.type, 'upstream_error')
  })
})
