import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { responses } from '../../../../core/engine/dialects/responses/dialect.ts'
import { chunk, delta } from '../../../../core/testing/provider.ts'
import { type Chunk, type Plugin, type StreamRig, streamOf, word } from '../../../helpers/core.ts'
import { some } from '../../../helpers/rounds.ts'
import { finish } from './deltas.ts'

const choice = (more: object) => chunk([{ index: 0, delta: {}, finish_reason: null, ...more }])
const looks: Plugin = { detect: () => {} }

/** All strings of the events, told by where they stand. */
function grown(rig: StreamRig): Map<string, string> {
  const out = new Map<string, string>()
  const add = (path: string, value: unknown): void => {
    if (typeof value === 'string' || typeof value === 'number') out.set(path, (out.get(path) ?? '') + value)
    else if (Array.isArray(value)) for (const inner of value) add(path, inner)
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) if (key !== 'index') add(`${path}.${key}`, inner)
  }
  for (const { service: _, ...event } of rig.chunks) add('', event)
  return out
}

/** Says one piece of a text in one event. */
const PLACES: Readonly<Record<string, (piece: string, i: number) => object>> = {
  'choices[].text': (piece) => choice({ text: piece }),
  'the message of a choice': (piece) => choice({ message: { role: 'assistant', content: piece } }),
  'a delta that is a text': (piece) => choice({ delta: piece }),
  'parts without an index': (piece) => delta({ content: [{ type: 'text', text: piece }] }),
  'parts that follow each other': (piece, i) => delta({ content: [{ type: 'text', index: i, text: piece }] }),
  'parts that are texts': (piece) => delta({ content: [piece] }),
  'a part, then a text': (piece, i) => delta({ content: i % 2 === 0 ? [{ type: 'text', text: piece }] : piece }),
  'two names of reasoning': (piece, i) => delta(i === 0 ? { reasoning_content: piece } : { reasoning: piece }),
  'an index in digits': (piece, i) => chunk([{ index: (i % 2 === 0 ? '0' : 0) as number, delta: { content: piece } }]),
  'no index': (piece) => chunk([{ delta: { content: piece } } as never]),
  'a member of the event': (piece) => ({ ...delta({}), note: piece }),
  'a list of the event': (piece) => ({ ...delta({}), notes: [{ title: piece }] }),
  'a member of the choice': (piece) => choice({ note: { deep: [piece] } }),
  'a member of the delta': (piece) => delta({ note: piece }),
  'a list of the delta, by index': (piece, i) => delta({ notes: [{ index: i % 2 === 0 ? 3 : '3', text: piece }] }),
  'the title of an annotation': (piece) => delta({ annotations: [{ url_citation: { title: piece } }] }),
  'the address of an annotation': (piece) =>
    delta({ annotations: [{ type: 'url_citation', url_citation: { url: piece } }] }),
  'a member of a tool call': (piece) => delta({ tool_calls: [{ index: 0, note: piece }] }),
  'a member of a function': (piece) => delta({ tool_calls: [{ index: 0, function: { note: piece } }] }),
  'the name of a function': (piece) => delta({ tool_calls: [{ index: 0, function: { name: piece } }] }),
  'arguments that are an object': (piece) =>
    delta({ tool_calls: [{ index: 0, function: { arguments: { a: piece } } }] }),
  'the tool calls of a message': (piece) =>
    choice({ message: { tool_calls: [{ index: 0, function: { arguments: piece } }] } }),
  'the id of the audio': (piece) => delta({ audio: { id: piece } }),
  'a member of the audio': (piece) => delta({ audio: { note: piece } }),
  'a choice that is a text': (piece) => ({ ...delta({}), choices: [piece] }),
}

/** Likewise, in members that most clients replace. */
const REPLACED: Readonly<Record<string, (piece: string, i: number) => object>> = {
  'the usage': (piece) => ({ ...delta({}), usage: { prompt_tokens: 1, completion_tokens: 1, note: piece } }),
  'the name of the model': (piece) => ({ ...delta({ content: 'x' }), model: piece }),
  'the id': (piece) => ({ ...delta({ content: 'x' }), id: piece }),
  'the role': (piece) => delta({ role: piece as never, content: 'x' }),
  'the fingerprint': (piece) => ({ ...delta({}), system_fingerprint: piece }),
  'the reason of a finish': (piece) => choice({ finish_reason: piece }),
  'results of a filter': (piece) => choice({ content_filter_results: { custom: [{ detail: piece }] } }),
}

const VALUE = 'secret'
/** In single characters, and in two pieces in every way. */
const CUTS = [[...VALUE], ...[1, 2, 3, 4, 5].map((at) => [VALUE.slice(0, at), VALUE.slice(at)])]

/** A stream of one choice that says these events. */
async function saidBy(plugin: Plugin, events: readonly object[]): Promise<StreamRig> {
  const rig = await streamOf([plugin], { more: { n: 1 } })
  for (const event of events) rig.say(event)
  return rig.say(finish(), '[DONE]')
}

describe('a value cut over events', () => {
  for (const [row, [name, say]] of Object.entries(PLACES).entries()) {
    it(`is found in ${name}`, async () => {
      for (const pieces of some(CUTS, 3, row)) {
        const rig = await saidBy(word(VALUE), pieces.map(say))
        assert.ok(rig.done, rig.response.body)
        const texts = [...grown(rig).values()].join('\n')
        assert.ok(texts.includes('[WORD]'), texts)
        assert.ok(!texts.replaceAll('[WORD]', '').includes('ret'), texts)
        const blocked = await saidBy(word(VALUE, 'block'), pieces.map(say))
        assert.match(blocked.response.body, /policy_block/)
      }
    })
  }

  for (const [row, [name, say]] of Object.entries(REPLACED).entries()) {
    it(`is found in ${name}, whose first value left`, async () => {
      for (const pieces of some(CUTS, 3, row)) {
        const rig = await saidBy(word(VALUE), pieces.map(say))
        const texts = [...grown(rig).values()].join('\n')
        assert.ok(rig.done, rig.response.body)
        assert.ok(!texts.includes(VALUE), texts)
        const blocked = await saidBy(word(VALUE, 'block'), pieces.map(say))
        assert.match(blocked.response.body, /policy_block/)
      }
    })

    it(`is found in ${name} behind a word of its shape, and behind many events that say the same`, async () => {
      const first = { id: 'chatcmpl-1', model: 'gpt-4o', system_fingerprint: 'fp_1' }
      const same = Array.from({ length: 20 }, () => ({ ...delta({ content: 'a' }), ...first }))
      const rig = await saidBy(word(VALUE), [...same, ...['a sec', 'ret'].map(say)])
      const texts = [...grown(rig).values()].join('\n')
      assert.ok(rig.done, rig.response.body)
      assert.ok(!texts.includes(VALUE), texts)
    })
  }

  for (const [name, say] of Object.entries(REPLACED)) {
    it(`is found in ${name} from its beginning on, whatever the member says before and behind it`, async () => {
      const apart: Plugin = {
        lookbehind: 16,
        detect: (view) => {
          for (const { index } of view.text.matchAll(/(?<!\w)secret(?!\w)/g))
            view.report({ type: 'word', start: index, end: index + 6, action: 'redact' })
        },
      }
      const rig = await saidBy(
        apart,
        ['user', 'sec', 'r', 'et', 'user'].map((piece) => say(piece, 0)),
      )
      const texts = [...grown(rig).values()].join('\n')
      assert.ok(rig.done, rig.response.body)
      assert.ok(texts.includes('user[WORD]user'), texts)
    })
  }

  it('leaves ids and models alone that change with every event', async () => {
    const said = Array.from({ length: 40 }, (_, i) => ({
      ...delta({ content: `word ${i} ` }),
      id: i % 3 === 0 ? `chatcmpl-${i}` : `other ${i}`,
      model: i % 2 === 0 ? 'gpt-4o' : 'gpt-4o-2024-08-06',
      system_fingerprint: `fp_${i}`,
    }))
    const rig = await streamOf([word('secret')])
    for (const event of said) rig.say(event)
    rig.say(finish(), '[DONE]')
    const members = ({ id, model, system_fingerprint }: Chunk) => [id, model, system_fingerprint]
    assert.deepEqual(rig.chunks.slice(0, 40).map(members), said.map(members as never))
    assert.equal(rig.text(), said.map((_, i) => `word ${i} `).join(''))
  })

  it('leaves lists, objects and numbers as they came in members that nobody knows', async () => {
    const states = [
      'queued',
      40,
      ['a', 'b'],
      ['a', 'b', 'c'],
      { at: 1, by: 'x' },
      { at: '2', by: 3 },
      { at: 3, by: 'y' },
      7,
    ]
    const rig = await streamOf([word('secret')])
    for (const x_state of states) rig.say(delta({ content: 'so ', x_state }))
    rig.say(finish(), '[DONE]')
    const told = rig.chunks.flatMap(({ choices = [] }) => choices.map((one) => one.delta?.x_state ?? null))
    assert.deepEqual(
      told.filter((state) => state !== null),
      states,
    )
    assert.equal(rig.text(), 'so '.repeat(states.length))
  })

  it('is found in parts of one event', async () => {
    const rig = await streamOf([word('secret')])
    rig.say(delta({ content: ['a sec', { type: 'text', text: 'ret' }] })).say(finish(), '[DONE]')
    assert.ok(!/sec|ret"/.test(rig.response.body), rig.response.body)
  })

  it('is found in digits that are spelled as numbers', async () => {
    const card: Plugin = {
      lookbehind: 16,
      detect: (view) => {
        const start = view.text.indexOf('4111111111111111')
        if (start >= 0) view.report({ type: 'card', start, end: start + 16, action: 'redact' })
      },
    }
    const rig = await streamOf([card])
    rig
      .say(delta({ content: 41111111 }))
      .say(delta({ content: 11111111 }))
      .say(finish(), '[DONE]')
    assert.ok(rig.response.body.includes('[CARD]'), rig.response.body)
    assert.ok(!rig.response.body.includes('1111111'), rig.response.body)
    for (const spelled of ['41111111111111110e-1', '4111111111111111.0', '4.111111111111111e15']) {
      const odd = await streamOf([card])
      odd.say(JSON.stringify(delta({ content: 12 })).replace('12', spelled)).say(finish(), '[DONE]')
      assert.ok(odd.response.body.includes('[CARD]'), odd.response.body)
    }
    const clean = await streamOf([card])
    const event = delta({ content: 12 })
    clean.say(event).say(finish(), '[DONE]')
    assert.equal(clean.payloads[0], JSON.stringify(event))
  })

  it('is no value where both names of reasoning tell the same', async () => {
    const rig = await streamOf([word('secret')])
    for (const piece of ['a sec', 'ret']) rig.say(delta({ reasoning_content: piece, reasoning: piece }))
    rig.say(finish(), '[DONE]')
    assert.deepEqual([rig.text('reasoning_content'), rig.text('reasoning')], ['a [WORD]', 'a [WORD]'])
  })

  it('ends the reply where a part goes on behind a later one', async () => {
    const rig = await streamOf([looks])
    rig.say(delta({ content: [{ index: 1, text: 'b' }] })).say(delta({ content: [{ index: 0, text: 'a' }] }))
    assert.equal(rig.response.status, 502)
  })
})

describe('a member that repeats with every event', () => {
  const event = (content: string, more: object = { provider: 'Some One' }) => ({ ...delta({ content }), ...more })
  const withMember = ({ provider }: Chunk) => provider !== undefined

  it('holds no text, and is itself held only until it is known to repeat', async () => {
    for (const lookbehind of [0, 64]) {
      const rig = await streamOf([{ detect: () => {}, lookbehind }])
      const words = Array.from({ length: 40 }, (_, i) => `word ${i} `.padEnd(20, '.'))
      for (const [i, content] of words.entries()) {
        rig.say(event(content))
        const lag = lookbehind === 0 ? 0 : 4
        assert.ok(rig.text().length >= (i + 1 - lag) * 20)
        if (i > 8) assert.ok(rig.chunks.filter(withMember).length > i - 6)
      }
      rig.say(finish(), '[DONE]')
      assert.equal(rig.text(), words.join(''))
      assert.equal(rig.chunks.filter(withMember).length, words.length)
      assert.ok(rig.chunks.every((one) => !withMember(one) || one.provider === 'Some One'))
    }
  })

  it('is a text that grows as soon as it says something else', async () => {
    const rig = await streamOf([word('secret')])
    for (let i = 0; i < 20; i++) rig.say(event('a', { provider: 'Some One' }))
    for (const provider of ['sec', 'ret', 'Some One']) rig.say(event('b', { provider }))
    rig.say(finish(), '[DONE]')
    assert.ok(!/"sec|ret"/.test(rig.response.body), rig.response.body)
    assert.equal(rig.text(), `${'a'.repeat(20)}bbb`)
  })

  it('is bounded in number', async () => {
    const rig = await streamOf([looks])
    rig.say(event('x'.repeat(100)))
    // Several at once: each event is weighed against all before it.
    const names = Array.from({ length: 5000 }, (_, i) => [`m${i}`, 'x'])
    while (names.length > 0 && !rig.response.closed) rig.say(delta(Object.fromEntries(names.splice(0, 50))))
    assert.ok(rig.response.closed)
    assert.ok(rig.source.aborted)
  })
})

it('says the id and format of a sound once when its transcript leaves in parts', async () => {
  const rig = await streamOf([{ detect: () => {}, lookbehind: 8 }])
  rig.say(delta({ role: 'assistant', audio: { id: 'audio_68f2', format: 'wav', transcript: 'Here is what we know ' } }))
  rig.say(delta({ audio: { transcript: 'about the harbour.' } }))
  rig.say(finish(), '[DONE]')
  const strings = grown(rig)
  assert.equal(strings.get('.choices.delta.audio.transcript'), 'Here is what we know about the harbour.')
  assert.equal(strings.get('.choices.delta.audio.id'), 'audio_68f2')
  assert.equal(strings.get('.choices.delta.audio.format'), 'wav')
})

it('holds no stream of responses for a long text of its first event that a word may extend', async () => {
  const body = { model: 'm', stream: true, store: false, input: 'hi' }
  const rig = await streamOf([word('secret')], { dialect: responses, body })
  const told = { id: 'resp_1', object: 'response', created_at: 1, model: 'm', output: [], status: 'in_progress' }
  const response = { ...told, instructions: `${'Be kind. '.repeat(2000)}sec` }
  rig.say({ type: 'response.created', response, sequence_number: 0 })
  rig.say({ type: 'response.in_progress', response, sequence_number: 1 })
  const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] }
  rig.say({ type: 'response.output_item.added', output_index: 0, item, sequence_number: 2 })
  const at = { item_id: 'msg_1', output_index: 0, content_index: 0 }
  rig.say({ type: 'response.output_text.delta', ...at, delta: 'Hello ', logprobs: [], sequence_number: 3 })
  for (let i = 0; i < 20; i++) await new Promise(setImmediate)
  assert.match(rig.response.body, /Hello/)
})

describe('a value in an event of responses that has another form than the API', () => {
  const at = { item_id: 'msg_1', output_index: 0, content_index: 0 }
  const EVENTS: Readonly<Record<string, object>> = {
    'a type that is an object': { type: { note: ['a secret'] } },
    'a type that is a list': { type: ['a secret'] },
    'a list where a text ends': { type: 'response.output_text.done', ...at, text: ['a secret'] },
    'a list where arguments end': { type: 'response.function_call_arguments.done', ...at, arguments: [['a secret']] },
    'a name without a value': { type: 'response.output_text.delta', ...at, delta: 'x', 'a secret': null },
    'a name without a value in an unknown event': { type: 'response.new', 'a secret': null },
  }
  for (const [name, event] of Object.entries(EVENTS)) {
    it(`is found in ${name}`, async () => {
      const body = { model: 'm', stream: true, store: false, input: 'hi' }
      const rig = await streamOf([word('secret')], { dialect: responses, body })
      const response = { id: 'resp_1', object: 'response', created_at: 1, model: 'm', output: [], status: 'completed' }
      const item = {
        id: 'fc_1',
        type: 'function_call',
        call_id: 'call_1',
        name: 'f',
        arguments: '{}',
        status: 'completed',
      }
      const ended = { type: 'response.output_item.done', output_index: 0, item }
      rig.say(event, ended, { type: 'response.completed', response })
      assert.ok(rig.response.body.includes('[WORD]'), rig.response.body)
      assert.ok(!rig.response.body.includes('secret'), rig.response.body)
    })
  }
})

describe('a value that stands alone in a member of chat that nobody knows', () => {
  const TEXT = /(?<![a-z])secret(?![a-z])/g
  const guard: Plugin = {
    lookbehind: 1,
    detect(view) {
      for (const { index } of view.text.matchAll(TEXT))
        view.report({ type: 'word', start: index, end: index + 6, action: 'redact' })
      if (!view.final) view.hold(Math.max(0, view.text.length - 7))
    },
  }
  const UNKNOWN = [
    'a member of the event',
    'a list of the event',
    'a member of the choice',
    'a member of the delta',
    'a member of the audio',
    'the id of the audio',
    'a member of a tool call',
    'a member of a function',
    'arguments that are an object',
    'the name of a function',
  ]
  for (const name of UNKNOWN) {
    it(`is found between two other values in ${name}`, async () => {
      const say = PLACES[name] as (piece: string, i: number) => object
      for (const around of ['note', 'x', 'a longer text that says something else']) {
        // Events of one form may be read by a template from the second or third on.
        for (const before of [1, 2, 3, 5]) {
          const rig = await streamOf([guard])
          const pieces = [...Array<string>(before).fill(around), 'secret', around]
          for (const [i, piece] of pieces.entries()) rig.say(say(piece, i))
          rig.say(finish(), '[DONE]')
          assert.ok(rig.done, rig.response.body)
          assert.doesNotMatch(rig.response.body, /secret/)
          assert.match(rig.response.body, /\[WORD\]/)
        }
      }
    })
  }
})
