/** Streamed completions are held, rewritten and ended as those of chat are. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { Stage } from '../../../../../core/engine/contract/plugin.ts'
import { apiError, json, raw, type Split, type Step, stream } from '../../../../../core/testing/provider.ts'
import { type Plugin, type Running, running, word } from '../../../../helpers/core.ts'
import { barrier, type Owner } from '../../../../helpers/gateway.ts'
import { cuts } from '../../../../helpers/text.ts'
import { complete, finish, MODEL, said, spelled, type Told, together } from './completing.ts'

const redacts = word('secret')
const fixture = readFileSync(new URL('../../../../fixtures/openai/completions.sse', import.meta.url), 'utf8')

interface How {
  readonly split?: Split
  readonly done?: boolean
  readonly more?: object
  readonly config?: Readonly<Record<string, unknown>>
}

async function asked(parts: Running, steps: readonly Step[], { split = 'event', done = true, more = {} }: How = {}) {
  parts.provider.reply(stream(steps, { split, done }))
  const reply = await complete(parts.gateway, { stream: true, ...more })
  if (reply.status !== 200) return { status: reply.status, ...together([await reply.text()]), raw: '' }
  const text = await reply.text()
  const payloads = text.split('\n\n').flatMap((block) => (block.startsWith('data: ') ? [block.slice(6)] : []))
  return { status: 200, ...together(payloads), raw: text }
}

const streamed = async (t: Owner, plugins: readonly Plugin[], steps: readonly Step[], how: How = {}) =>
  asked(await running(t, plugins, how.config === undefined ? {} : { config: how.config }), steps, how)

describe('a streamed completion', () => {
  for (const split of ['event', 'byte', 'whole'] as const) {
    it(`is transparent without plugins, read by ${split}`, async (t) => {
      const how = { split, done: false, more: { prompt: ['a', 'b'], stream_options: { include_usage: true } } }
      const { raw: text } = await streamed(t, [], [raw(fixture)], how)
      assert.equal(text, fixture)
    })

    it(`keeps its choices apart, with finishes and usage, read by ${split}`, async (t) => {
      const how = { split, done: false, more: { prompt: ['a', 'b'], stream_options: { include_usage: true } } }
      const plugins = [word('anna.berg@example.com'), word('555 0143')]
      const { texts, finishes, usage, service, done } = await streamed(t, plugins, [raw(fixture)], how)
      assert.deepEqual(texts, [' Write to [WORD].', ' Call +1 202 [WORD].'])
      assert.deepEqual([finishes, done, service?.action], [['stop', 'length'], true, 'redact'])
      assert.deepEqual(usage, { prompt_tokens: 9, completion_tokens: 18, total_tokens: 27 })
    })
  }

  it('is redacted wherever a value is cut over events', async (t) => {
    const parts = await running(t, [redacts])
    for (const [before, after] of cuts('the secret is out')) {
      const { texts, finishes, raw: text } = await asked(parts, [said(before), said(after), finish()])
      assert.deepEqual([texts, finishes], [['the [WORD] is out'], ['stop']])
      assert.doesNotMatch(text, /secret/)
    }
  })

  it('is redacted with the finish in the event of the last text, and letter by letter', async (t) => {
    const parts = await running(t, [redacts])
    const letters = [...'a secret'].map((letter) => said(letter))
    for (const steps of [
      [said('a sec'), said('ret', 0, { finish_reason: 'length' })],
      [said('a secret', 0, { finish_reason: 'length' })],
      [...letters, finish(0, 'length')],
      [said('a sec'), { ...said('ret'), usage: { prompt_tokens: 1, completion_tokens: 2 } }, finish(0, 'length')],
    ]) {
      const { texts, finishes, events } = await asked(parts, steps)
      assert.deepEqual([texts, finishes], [['a [WORD]'], ['length']])
      for (const choice of events.flatMap(({ choices }) => choices ?? [])) assert.equal(typeof choice.text, 'string')
    }
  })

  it('holds in the middle what may become a value, and sends the rest', async (t) => {
    const parts = await running(t, [redacts])
    const [there, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const steps = [said('clear '), said('sec'), () => there.resolve(), go.promise, said('ond'), finish()]
    parts.provider.reply(stream(steps))
    const reply = await complete(parts.gateway, { stream: true })
    const got = [(await reply.event()) as string]
    const reading = reply.event().then((event) => got.push(event as string))
    await there.promise
    await barrier(parts.gateway)
    assert.deepEqual(together(got).texts, ['clear '])
    go.resolve()
    await reading
    assert.deepEqual(together([...got, ...(await reply.events())]).texts, ['clear second'])
  })

  it('lets one choice go on while another waits', async (t) => {
    const parts = await running(t, [redacts])
    const go = Promise.withResolvers<void>()
    const both = { ...said('sec'), choices: [said('sec'), said('free', 1)].flatMap(({ choices }) => choices) }
    parts.provider.reply(stream([both, go.promise, said('ond'), finish(0), finish(1)]))
    const reply = await complete(parts.gateway, { stream: true, n: 2 })
    const first = await reply.event()
    assert.deepEqual(together([first as string]).texts.filter(Boolean), ['free'])
    go.resolve()
    const { texts, finishes } = together([first as string, ...(await reply.events())])
    assert.deepEqual(
      [texts, finishes],
      [
        ['second', 'free'],
        ['stop', 'stop'],
      ],
    )
  })

  it('is cut into events of the API, where one ends several choices', async (t) => {
    const ends = [said('sec', 0, { finish_reason: 'stop' }), said('free', 1, { finish_reason: 'length' })]
    const both = { ...said(''), choices: ends.flatMap(({ choices }) => choices) }
    const { events, texts, finishes } = await streamed(t, [redacts], [both], { more: { n: 2 } })
    assert.deepEqual(
      [texts, finishes],
      [
        ['sec', 'free'],
        ['stop', 'length'],
      ],
    )
    for (const choice of events.flatMap(({ choices }) => choices ?? [])) assert.equal(typeof choice.text, 'string')
  })

  it('keeps probabilities that spell the text of their event, without alternatives', async (t) => {
    const event = said(' no — thing', 0, { logprobs: spelled(' no', ' ', 'bytes:\\xe2\\x80', 'bytes:\\x94', ' thing') })
    const { events, raw: text } = await streamed(t, [redacts], [event, finish()])
    const { tokens } = (events[0]?.choices?.[0]?.logprobs ?? {}) as { tokens?: unknown[] }
    assert.equal(tokens?.length, 5)
    assert.doesNotMatch(text, /alternative/)
  })

  for (const [name, logprobs] of Object.entries({
    'other tokens': spelled('sec', 'ret'),
    'another form': { content: [{ token: 'secret' }] },
    'a member that nobody knows': { ...spelled('x'), vendor: 'secret' },
    'a text': 'secret',
    'a list': ['secret'],
    'a place that is a text': { ...spelled('x'), text_offset: ['secret'] },
    'a place as long as a card': { ...spelled('x'), text_offset: [4111111111111111] },
  })) {
    it(`loses probabilities with ${name}`, async (t) => {
      const { texts, events } = await streamed(t, [redacts], [said('x', 0, { logprobs }), finish()])
      assert.deepEqual([texts, events[0]?.choices?.[0]?.logprobs], [['x'], null])
    })
  }

  it('loses the ids of the tokens of what was rewritten', async (t) => {
    const event = (text: string, ...token_ids: number[]) => said(text, 0, { token_ids })
    const { raw: text } = await streamed(
      t,
      [redacts],
      [event('a ', 64), event('sec', 325), event('ret ', 1189), finish()],
    )
    assert.match(text, /"token_ids":\[64\]/)
    assert.doesNotMatch(text, /[[,](?:325|1189)\b/)
  })

  it('loses the probabilities of what was rewritten, in every event of it', async (t) => {
    const parts = await running(t, [redacts])
    for (const [before, after] of cuts('a secret b')) {
      const steps = [before, after].map((text) => said(text, 0, { logprobs: spelled(...text) }))
      const { texts, raw: text } = await asked(parts, [...steps, finish()])
      assert.deepEqual(texts, ['a [WORD] b'])
      const kept = [...text.matchAll(/"tokens":\[([^\]]*)\]/g)].map(([, all]) => all?.replace(/[",]/g, '') ?? '')
      assert.doesNotMatch(kept.join(''), /s?ecre?|cret|et/)
    }
  })

  for (const [name, steps] of Object.entries({
    'a member of the event': [
      { ...said('x'), note: 'sec' },
      { ...said('y'), note: 'ret' },
    ],
    'a member of the choice': [said('x', 0, { note: 'sec' }), said('y', 0, { note: 'ret' })],
    'the name of a member': [said('x', 0, { secret: 1 })],
    'a delta': [said('', 0, { delta: { content: 'sec' } }), said('', 0, { delta: { content: 'ret' } })],
    'a message': [said('', 0, { message: { content: 'the secret' } })],
    parts: [said('', 0, { text: [{ text: 'sec' }] }), said('', 0, { text: [{ text: 'ret' }] })],
    'a finish reason': [said('x', 0, { finish_reason: 'secret' })],
  })) {
    it(`is inspected in ${name}`, async (t) => {
      const { status, raw: text } = await streamed(t, [redacts], [...steps, finish()])
      assert.equal(status, 200)
      assert.doesNotMatch(text, /secret/)
      assert.doesNotMatch(text, /"sec"[\s\S]*"ret"/)
    })
  }

  it('is blocked before its first byte as an error', async (t) => {
    const { status, error } = await streamed(t, [word('secret', 'block')], [said('secret'), finish()])
    assert.deepEqual([status, error?.code], [403, 'permission_denied'])
  })

  for (const split of ['event', 'byte'] as const) {
    it(`is blocked in the middle as an error event, read by ${split}`, async (t) => {
      const parts = await running(t, [word('secret', 'block')])
      const go = Promise.withResolvers<void>()
      const late = [said('all is well. '), said('sec'), said('ret'), finish()]
      parts.provider.reply(stream([said('clear '), go.promise, ...late], { split }))
      const reply = await complete(parts.gateway, { stream: true })
      const first = await reply.event()
      go.resolve()
      const payloads = [first as string, ...(await reply.events())]
      const { texts, finishes, error, done } = together(payloads)
      assert.deepEqual([error?.code, done, finishes], ['permission_denied', true, [null]])
      assert.match(texts[0] ?? '', /^clear /)
      assert.doesNotMatch(payloads.join(''), /secret|"sec/)
      assert.equal(parts.events().at(-1)?.type, 'response.blocked')
    })
  }

  it('is blocked in the middle with a finish reason, where the config says so', async (t) => {
    const go = Promise.withResolvers<void>()
    const parts = await running(t, [word('secret', 'block')], { config: { stream: { block_signal: 'finish_reason' } } })
    parts.provider.reply(stream([said('clear '), go.promise, said('secret'), finish()]))
    const reply = await complete(parts.gateway, { stream: true })
    const first = await reply.event()
    go.resolve()
    const { events, finishes, done } = together([first as string, ...(await reply.events())])
    assert.deepEqual([finishes, done], [['content_filter'], true])
    const end = events.at(-1) as Told & { object: string; model: string }
    assert.deepEqual(
      [end.object, end.model, end.choices?.[0]],
      ['text_completion', MODEL, { index: 0, text: '', logprobs: null, finish_reason: 'content_filter' }],
    )
  })

  it('goes on behind a finish, and is told so', async (t) => {
    const { texts, events } = await streamed(t, [redacts], [said('a'), finish(), said(' secret'), finish()])
    assert.deepEqual(texts, ['a [WORD]'])
    assert.ok(events.at(-1)?.service)
  })

  it('that ends without a finish looks like no success', async (t) => {
    const parts = await running(t, [redacts])
    const cut = await asked(parts, [said('a')], { done: false })
    assert.deepEqual([cut.error?.code, cut.done], ['upstream_disconnected', false])
    const bare = await asked(parts, [said('a')])
    assert.equal((bare.events.at(-1) as { object?: string }).object, 'text_completion')
    assert.deepEqual([bare.done, typeof bare.service], [true, 'object'])
  })

  it('may not speak of an answer that nobody asked for', async (t) => {
    const { status } = await streamed(t, [redacts], [said('x', 1), finish(1)])
    assert.equal(status, 502)
  })

  it('has usage asked for by the gateway alone taken out', async (t) => {
    const wants: Plugin = {
      governs: 'usage',
      apply: (hooks) => hooks.preRequest.tap('u', (x) => x.request.wantUsage()),
    }
    const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 }
    const last = { ...said(''), choices: [], usage }
    const parts = await running(t, [wants])
    const steps = [{ ...said('x'), usage: null }, { ...finish(), usage: null }, last]
    const { events, usage: seen } = await asked(parts, steps)
    assert.equal(seen, undefined)
    assert.ok(events.every((event) => !('usage' in event)))
    const sent = parts.provider.requests[0]?.json as { stream_options?: unknown }
    assert.deepEqual(sent.stream_options, { include_usage: true })
    assert.deepEqual(parts.events().at(-1)?.tokens, { prompt: 3, completion: 4 })
  })

  it('is cut by a plugin as a model does that has used up its tokens', async (t) => {
    const cuts: Plugin = {
      governs: 'usage',
      apply: (hooks) => hooks.onChunk.tap('c', (_views, x) => x.reply.truncate()),
    }
    const { finishes, done } = await streamed(t, [cuts], [said('a'), said('b'), finish()])
    assert.deepEqual([finishes, done], [['length'], true])
  })

  it('passes on what the provider says of an error, before its first byte and in the middle', async (t) => {
    const parts = await running(t, [redacts])
    parts.provider.reply(apiError(429, { message: 'no secret', code: 'rate_limit_exceeded' }))
    const reply = await complete(parts.gateway, { stream: true })
    const told = (await reply.json()) as Told
    assert.deepEqual([reply.status, told.error?.message], [429, 'no [WORD]'])
    const late = { error: { message: 'no secret', type: 'server_error', code: 'overloaded' } }
    const { error, done, texts } = await asked(parts, [said('a'), late], { done: false })
    assert.deepEqual([error?.code, error?.message, done, texts], ['overloaded', 'no [WORD]', false, ['a']])
    parts.provider.reply(json({ error: { message: 'busy' } }))
    assert.equal((await complete(parts.gateway, { stream: true })).status, 502)
  })

  it('may come from a plugin, or from the demo model', async (t) => {
    const plugin: Plugin = {
      apply: (hooks) => hooks.block.tap({ name: 'a', stage: Stage.Final }, (x) => x.answer('cached')),
    }
    const own = await streamed(t, [plugin], [], { more: { n: 2, stream_options: { include_usage: true } } })
    assert.deepEqual([own.texts, own.finishes, own.done], [['cached', 'cached'], ['stop', 'stop'], true])
    assert.deepEqual(own.usage, { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 })
    const config = { upstreams: { scripted: { kind: 'demo' } } }
    const more = { prompt: ['a secret', 'two'], n: 2, max_tokens: 64, echo: true }
    const demo = await streamed(t, [redacts], [], { config, more })
    assert.deepEqual(
      demo.texts.map((text) => [text.split('This')[0], text.split('said: ')[1]]),
      ['a [WORD]', 'a [WORD]', 'two', 'two'].map((text) => [text, text]),
    )
    assert.deepEqual([demo.finishes, demo.done], [['stop', 'stop', 'stop', 'stop'], true])
  })
})
