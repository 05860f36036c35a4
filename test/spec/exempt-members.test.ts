import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { definePlugin } from 'governed-gateway'
import { chunks, completion, json, stream } from 'governed-gateway/testing'
import { asking, post, type Setup, setup } from '../helpers/gateway.ts'

/** A card and a key, each where the API has an id, an enum, a number or media. */
const CARD = '4111111111111111'
const KEY = 'AKIAQ3EGRIXTNO5ZKLPV'

/** Finds both wherever they stand, so that whatever leaves was never shown to it. */
const finder = definePlugin({
  name: 'finder',
  schema: { type: 'object', properties: {}, additionalProperties: false },
  create: () => ({
    detect(view) {
      for (const value of [CARD, KEY]) {
        const start = view.text.indexOf(value)
        if (start >= 0) view.report({ type: 'found', start, end: start + value.length, action: 'block' })
      }
    },
  }),
})

const call = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })
const history = (id: string, resultOf = id) =>
  asking('Hello', {
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: null, tool_calls: [call(id)] },
      { role: 'tool', tool_call_id: resultOf, content: 'ok' },
    ],
  })
const image = (url: string) => asking([{ type: 'image_url', image_url: { url } }])

describe('members that look technical', () => {
  const owner: (() => Promise<void>)[] = []
  let parts: Setup
  before(async () => {
    parts = await setup(
      { after: (fn) => void owner.push(fn) },
      {
        plugins: [{ use: 'finder' }],
        specs: new Map([['finder', finder as never]]),
      },
    )
  })
  after(async () => {
    for (const fn of owner) await fn()
  })

  for (const value of [CARD, KEY]) {
    const requests: [string, Record<string, unknown>][] = [
      ['a tool call id', history(value)],
      ['the end of a tool call id', history(`call_${value}`)],
      ['tool_call_id', history('call_1', value)],
      ['service_tier', asking('Hello', { service_tier: value })],
      ['reasoning_effort', asking('Hello', { reasoning_effort: value })],
      ['a role', { model: 'gpt-test', messages: [{ role: value, content: 'Hello' }] }],
      ['a parameter of a data url', image(`data:image/png;name=${value};base64,${'iVBORw0KGgo'.repeat(10)}`)],
      ['the type of a data url', image(`data:image/${value};base64,${'iVBORw0KGgo'.repeat(10)}`)],
      ['what only looks like an image', image(`${value} `.repeat(60).trim().replaceAll(' ', '/'))],
      ['the format of sound', asking([{ type: 'input_audio', input_audio: { data: 'UklG', format: value } }])],
      [
        'the sound itself',
        asking([{ type: 'input_audio', input_audio: { data: `${value}/`.repeat(9), format: 'wav' } }]),
      ],
    ]
    for (const [name, body] of requests) {
      it(`${name} of a request does not carry ${value === CARD ? 'a card' : 'a key'}`, async () => {
        for (const streamed of [false, true]) {
          const from = parts.provider.requests.length
          await (await post(parts.gateway, { ...body, stream: streamed })).text()
          for (const { text } of parts.provider.requests.slice(from)) assert.ok(!text.includes(value), text)
        }
      })
    }

    const places: [string, (event: Record<string, unknown>) => object][] = [
      ['id', (event) => ({ ...event, id: value })],
      ['the end of id', (event) => ({ ...event, id: `chatcmpl-${value}` })],
      ['model', (event) => ({ ...event, model: value })],
      ['system_fingerprint', (event) => ({ ...event, system_fingerprint: value })],
      ['service_tier', (event) => ({ ...event, service_tier: value })],
      ['obfuscation', (event) => ({ ...event, obfuscation: value })],
      ['finish_reason', (event) => withChoice(event, { finish_reason: value })],
      ['role', (event) => withInner(event, { role: value })],
      ['a tool call id', (event) => withInner(event, { tool_calls: [{ index: 0, ...call(`call_${value}`) }] })],
      ['a name without a value', (event) => ({ ...event, [value]: null })],
      ['a name in a choice without a value', (event) => withChoice(event, { [value]: null })],
      ['a name in a message without a value', (event) => withInner(event, { [value]: null })],
      ['a name in a part', (event) => withInner(event, { content: [{ type: 'text', text: 'x', [value]: null }] })],
      [
        'a name in a call',
        (event) => withInner(event, { tool_calls: [{ index: 0, ...call('call_1'), [value]: null }] }),
      ],
      ['a name in probabilities', (event) => withChoice(event, { logprobs: { [value]: null } })],
      ['a probability', (event) => withInner(withChoice(event, probabilitiesOf(Number(CARD))), { content: 'x' })],
      [
        'reasoning data',
        (event) => withInner(event, { reasoning_details: [{ type: 'x', data: `${value} `.repeat(9) }] }),
      ],
    ]
    for (const [name, put] of places) {
      it(`${name} of a reply does not carry ${value === CARD ? 'a card' : 'a key'}`, async () => {
        parts.provider.reply(json(put(completion('Hello') as never)))
        const buffered = await (await post(parts.gateway, asking())).text()
        assert.ok(!buffered.includes(value), buffered)
        parts.provider.reply(stream(chunks('Hello there').map((event) => put(event as never) as never)))
        const streamed = await (await post(parts.gateway, asking('Hello', { stream: true }))).text()
        assert.ok(!streamed.includes(value), streamed)
      })
    }
  }

  it('what providers really send leaves as it came', async () => {
    const told = { id: 'chatcmpl-9f3b1c2d4e5f60718293a4b5c6d7e8f9', model: 'gpt-4o-2024-08-06' }
    const events = chunks('Hello there').map((event) => ({ ...(event as object), ...told }))
    parts.provider.reply(stream(events))
    const text = await (await post(parts.gateway, asking('Hello', { stream: true }))).text()
    assert.ok(text.includes('chatcmpl-9f3b1c2d4e5f60718293a4b5c6d7e8f9'))
    assert.ok(text.includes('gpt-4o-2024-08-06'))
  })
})

type Event = Record<string, unknown>
const probabilitiesOf = (logprob: number) => ({ logprobs: { content: [{ token: 'x', logprob, bytes: null }] } })
const withChoice = (event: Event, more: object): Event => ({
  ...event,
  choices: (event.choices as Event[]).map((choice) => ({ ...choice, ...more })),
})
const withInner = (event: Event, more: object): Event => ({
  ...event,
  choices: (event.choices as Event[]).map((choice) => {
    const name = 'message' in choice ? 'message' : 'delta'
    return { ...choice, [name]: { ...(choice[name] as object), ...more } }
  }),
})
