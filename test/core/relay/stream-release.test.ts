import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { chunk, chunks, delta, every } from '../../../core/testing/provider.ts'
import { type Plugin, type StreamRig, streamOf, word } from '../../helpers/core.ts'

const text = (content: string, index = 0) => delta({ content }, index)
const finish = (index = 0, reason = 'stop') => delta({}, index, reason)
const json = (event: object) => JSON.stringify(event)
const looks: Plugin = { holdBack: 0, detect: () => {} }
const finishes = (rig: StreamRig) =>
  rig.chunks
    .flatMap(({ choices }) => choices ?? [])
    .flatMap(({ index, finish_reason }) => (finish_reason ? [index] : []))
/** Holds everything of one choice until it is let go. */
function hold(choice: number): { plugin: Plugin; release: () => void } {
  const go = Promise.withResolvers<void>()
  const plugin: Plugin = {
    holdBack: 0,
    maxHold: 100_000,
    timeoutMs: 60_000,
    apply(hooks) {
      let asked = false
      hooks.onChunk.tap('hold', (views) => {
        for (const view of views) {
          if (view.choice !== choice || asked || view.channel.startsWith('tool')) continue
          asked = true
          view.hold(0, go.promise)
        }
      })
    },
  }
  return { plugin, release: () => go.resolve() }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('an untouched stream', () => {
  it('has the same payloads in the same order, each as soon as it came', async () => {
    const rig = await streamOf([looks])
    const said = chunks({ choices: [{ content: 'one two', reasoning: 'hm so' }, { content: 'un deux' }] })
    const spoken = said.filter(({ choices }) => !json(choices as object).includes('"stop"'))
    spoken.forEach((event, i) => {
      rig.say(event)
      // The first two only open an answer; they wait for something to say.
      if (i > 1) assert.deepEqual(rig.payloads, spoken.slice(0, i + 1).map(json))
    })
    rig.say(finish(0)).say(finish(1)).say('[DONE]')
    assert.deepEqual(rig.payloads.slice(0, -2), [...spoken, finish(0)].map(json))
  })

  it('is payload-identical behind any hold of a single text', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 12 }),
      fc.nat({ max: 40 }),
      async (pieces, holdBack) => {
        const rig = await streamOf([{ detect: () => {}, holdBack }])
        for (const piece of pieces) rig.say(text(piece))
        rig.say(finish()).say('[DONE]')
        assert.deepEqual(
          rig.payloads.slice(0, -2),
          pieces.map((piece) => json(text(piece))),
        )
      },
    )
    await fc.assert(property, { numRuns: 100 })
  })

  it('keeps an event with several texts whole where nothing is held', async () => {
    const both = delta({ role: 'assistant', content: 'a', reasoning_content: 'b' })
    const rig = await streamOf([looks])
    rig.say(both)
    assert.deepEqual(rig.payloads, [json(both)])
  })
})

describe('an event with several texts, one of them held', () => {
  it('is divided: no text waits for another, and nothing of it is lost', async () => {
    const rig = await streamOf([word('secret')])
    const event: Record<string, unknown> = {
      ...chunk([
        { index: 0, delta: { role: 'assistant', content: 'a sec', reasoning_content: 'free' }, finish_reason: null },
        { index: 1, delta: { content: 'also free' }, finish_reason: null },
      ]),
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    }
    rig.say(event)
    assert.equal(rig.text('reasoning_content'), 'free')
    assert.equal(rig.text('content', 1), 'also free')
    assert.equal(rig.text(), '')
    rig.say(text('ond')).say(finish(0), finish(1), '[DONE]')
    assert.equal(rig.text(), 'a second')
    assert.equal(rig.chunks.filter(({ usage }) => usage).length, 1)
    for (const { id, object, created, model, choices } of rig.chunks) {
      assert.deepEqual([id, object, created, model], [event.id, event.object, event.created, event.model])
      for (const { index } of choices ?? []) assert.ok(index === 0 || index === 1)
    }
  })

  it('does not show in one part what was rewritten in another', async () => {
    const rig = await streamOf([word('secret')])
    rig.say({
      ...chunk([
        {
          index: 0,
          delta: { content: 'a sec', reasoning_content: 'free', note: { about: ['secret'] } },
          finish_reason: null,
          extra: 'a secret',
        },
      ]),
      provider: 'the secret one',
      citations: [{ title: 'secret', n: 1 }],
      model: 'a secret model',
    })
    rig.say(text('ond')).say(finish(), '[DONE]')
    assert.ok(!rig.response.body.includes('secret'), rig.response.body)
    assert.equal(rig.text(), 'a second')
    assert.equal(rig.text('reasoning_content'), 'free')
    const whole = rig.chunks.find(({ provider }) => provider !== undefined)
    assert.equal(whole?.provider, 'the [WORD] one')
    assert.deepEqual(whole?.citations, [{ title: '[WORD]', n: 1 }])
  })

  it('keeps the parts of a deep text together with their kind', async () => {
    const rig = await streamOf([word('secret')])
    const details = [
      { type: 'reasoning.text', text: 'a sec', index: 0, signature: 'x'.repeat(80) },
      { type: 'reasoning.text', text: 'free', index: 1 },
    ]
    rig.say(delta({ reasoning_details: details }))
    rig.say(delta({ reasoning_details: [{ type: 'reasoning.text', text: 'ret', index: 0 }] }))
    rig.say(finish(), '[DONE]')
    assert.ok(!/sec|ret"/.test(rig.response.body), rig.response.body)
    const parts = rig.chunks.flatMap(
      ({ choices }) =>
        (choices?.[0]?.delta?.reasoning_details ?? []) as {
          index: number
          type: string
          text?: string
          signature?: string
        }[],
    )
    const of = (n: number) =>
      parts
        .filter(({ index }) => index === n)
        .map(({ text: piece }) => piece ?? '')
        .join('')
    assert.deepEqual([of(0), of(1)], ['a [WORD]', 'free'])
    assert.ok(parts.every(({ type }) => type === 'reasoning.text'))
    assert.equal(parts.filter(({ signature }) => signature !== undefined).length, 1)
  })

  it('goes on with a tool call and its role in parts of their own', async () => {
    const { plugin, release } = hold(0)
    const rig = await streamOf([plugin])
    const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }
    rig.say(delta({ role: 'assistant', content: 'text', tool_calls: [call] })).say(finish(0, 'tool_calls'), '[DONE]')
    assert.deepEqual(finishes(rig), [])
    release()
    await rig.over
    assert.equal(rig.text(), 'text')
    const calls = rig.chunks.flatMap(({ choices }) => (choices?.[0]?.delta?.tool_calls ?? []) as object[])
    assert.deepEqual(calls, [call])
    assert.deepEqual(finishes(rig), [0])
  })
})

describe('one choice', () => {
  it('is never delayed by the hold of another', async () => {
    const { plugin, release } = hold(0)
    const rig = await streamOf([plugin])
    rig
      .say(text('held', 0), text('free', 1))
      .say(text(' still', 0))
      .say(text(' here', 1))
      .say(finish(1))
      .say(text(' end', 0))
    assert.equal(rig.text('content', 1), 'free here')
    assert.equal(rig.text('content', 0), '')
    release()
    await turn()
    assert.equal(rig.text('content', 0), 'held still end')
    rig.say(finish(0), '[DONE]')
    assert.deepEqual(finishes(rig).sort(), [0, 1])
  })

  it('is not taken for finished because another finished in the same event', async () => {
    const rig = await streamOf([word('secret')])
    rig.say(
      chunk([
        { index: 0, delta: { content: 'x' }, finish_reason: 'stop' },
        { index: 1, delta: { content: 'a sec' }, finish_reason: null },
      ]),
    )
    rig.say(text('ret', 1)).say(finish(1), '[DONE]')
    assert.equal(rig.text('content', 1), 'a [WORD]')
    assert.ok(!rig.response.body.includes('sec'))
  })

  it('finishes only behind all of its texts', async () => {
    const { plugin, release } = hold(0)
    const rig = await streamOf([plugin])
    rig.say(text('held')).say(finish()).say('[DONE]')
    assert.equal(rig.response.body, '')
    release()
    await rig.over
    assert.deepEqual(rig.payloads.slice(0, 1), [json(text('held'))])
    assert.deepEqual(finishes(rig), [0])
    assert.ok(rig.done)
  })
})

describe('a long event', () => {
  it('gives its safe front when that is long, and its finish and usage only once, at the end', async () => {
    const first = Promise.withResolvers<void>()
    const second = Promise.withResolvers<void>()
    const plugin: Plugin = {
      holdBack: 0,
      maxHold: 100_000,
      apply(hooks) {
        hooks.onChunk.tap('p', (views) => {
          for (const view of views) {
            if (view.offset > 0) continue
            view.hold(300, first.promise)
            view.hold(700, second.promise)
          }
        })
      },
    }
    const rig = await streamOf([plugin])
    const long = 'x'.repeat(1000)
    rig.say(
      { ...delta({ role: 'assistant', content: long }, 0, 'stop'), usage: { prompt_tokens: 1, completion_tokens: 2 } },
      '[DONE]',
    )
    assert.equal(rig.text().length, 300)
    first.resolve()
    await turn()
    assert.equal(rig.text().length, 700)
    assert.deepEqual(finishes(rig), [])
    second.resolve()
    await rig.over
    assert.equal(rig.text(), long)
    assert.deepEqual(finishes(rig), [0])
    assert.equal(rig.chunks.filter(({ usage }) => usage).length, 1)
  })

  it('waits as a whole when its safe front is short', async () => {
    const rig = await streamOf([{ holdBack: 64, detect: () => {} }])
    rig.say(text('x'.repeat(300)))
    assert.equal(rig.response.body, '')
    rig.say(text('x'.repeat(64)))
    assert.equal(rig.chunks.length, 1)
    const other = await streamOf([{ holdBack: 64, detect: () => {} }])
    other.say(text('x'.repeat(320)))
    assert.equal(other.text().length, 256)
  })

  it('five megabytes long goes through', async () => {
    const rig = await streamOf([word('secret')], { maxEvent: 32 * 1024 * 1024 })
    const long = `${'abcdefg '.repeat(700_000)}secret`
    rig.say(text(long)).say(finish(), '[DONE]')
    assert.equal(rig.text().length, long.length)
    assert.ok(rig.text().endsWith('[WORD]'))
  })
})

describe('what repeats or points into a text', () => {
  const token = (t: string) => ({
    token: t,
    logprob: -1,
    bytes: null,
    top_logprobs: [{ token: 'other', logprob: -2, bytes: null }],
  })
  const probable = (content: string, more: object = {}) =>
    chunk([
      {
        index: 0,
        delta: { content },
        logprobs: { content: [token(content)], refusal: null },
        finish_reason: null,
        ...more,
      },
    ])

  it('token probabilities stay with an untouched text, without alternatives', async () => {
    const rig = await streamOf([word('secret')])
    rig.say(probable('hello'))
    const { logprobs } = (rig.chunks[0]?.choices?.[0] ?? {}) as {
      logprobs: { content: { top_logprobs: unknown[]; token: string }[] }
    }
    assert.equal(logprobs.content[0]?.token, 'hello')
    assert.deepEqual(logprobs.content[0]?.top_logprobs, [])
  })

  it('token probabilities go with a rewritten text', async () => {
    const rig = await streamOf([word('secret')])
    rig.say(probable('a sec')).say(probable('ret')).say(finish(), '[DONE]')
    assert.equal(rig.text(), 'a [WORD]')
    assert.ok(!/sec|ret"/.test(rig.response.body), rig.response.body)
  })

  it('token probabilities go with a rewritten tool call, and in any shape', async () => {
    const rig = await streamOf([word('secret')])
    const call = { index: 0, function: { arguments: '{"a":"secret"}' } }
    rig.say(
      chunk([
        { index: 0, delta: { tool_calls: [call] }, logprobs: { content: [token('secret')] }, finish_reason: null },
      ]),
    )
    rig.say(chunk([{ index: 0, delta: { content: 'secret' }, logprobs: ['secret'], finish_reason: null }]))
    rig.say(finish(), '[DONE]')
    assert.ok(!rig.response.body.includes('secret'), rig.response.body)
  })

  it('citations go once the text they point into was rewritten, even earlier', async () => {
    const cite = delta({
      annotations: [
        { type: 'url_citation', url_citation: { start_index: 0, end_index: 3, url: 'https://x.org', title: 'X' } },
      ],
    })
    const clean = await streamOf([word('secret')])
    clean.say(text('hello ')).say(cite).say(finish(), '[DONE]')
    assert.ok(clean.payloads.includes(json(cite)))
    const rewritten = await streamOf([word('secret')])
    rewritten.say(text('a secret ')).say(cite).say(finish(), '[DONE]')
    assert.deepEqual(
      rewritten.chunks.flatMap(({ choices }) => (choices?.[0]?.delta?.annotations as unknown[]) ?? []),
      [],
    )
  })

  it('what repeats from event to event is rewritten in each', async () => {
    const rig = await streamOf([word('secret')])
    for (const content of ['a', 'b', 'c', 'd']) rig.say({ ...text(content), provider: 'a secret' })
    rig.say(finish(), '[DONE]')
    assert.ok(!rig.response.body.includes('secret'))
    assert.equal(rig.chunks.filter(({ provider }) => provider === 'a [WORD]').length, 4)
  })
})

describe('usage and service', () => {
  const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 }
  const wants = (x: { request: { wantUsage(): void } }) => x.request.wantUsage()

  it('usage that only we asked for never reaches the client', async () => {
    const rig = await streamOf([looks], { prepare: wants })
    for (const event of chunks('one two', { usage: true })) rig.say(event)
    rig.say('[DONE]')
    assert.ok(!rig.response.body.includes('usage'))
    assert.deepEqual(rig.x.reply.usage, { prompt: 9, completion: 3, estimated: false })
    assert.ok(rig.chunks.at(-1)?.service)
    assert.equal(rig.chunks.at(-1)?.choices?.[0]?.finish_reason, 'stop')
  })

  it('usage that the client asked for comes last and carries the service', async () => {
    const rig = await streamOf([looks], { prepare: wants, more: { stream_options: { include_usage: true } } })
    for (const event of chunks('one two', { usage: true })) rig.say(event)
    rig.say('[DONE]')
    const last = rig.chunks.at(-1)
    assert.deepEqual([last?.choices, last?.usage], [[], usage])
    assert.ok(last?.service)
    assert.equal(rig.chunks.filter(({ service }) => service).length, 1)
  })

  it('usage on the finish chunk, or on every chunk, is stripped from there', async () => {
    const rig = await streamOf([looks], { prepare: wants })
    rig.say({ ...text('a'), usage }).say({ ...finish(), usage }, '[DONE]')
    assert.ok(!rig.response.body.includes('usage'))
    assert.equal(rig.text(), 'a')
  })

  it('the service rides on the last of several finishes', async () => {
    const rig = await streamOf([looks])
    rig.say(text('a', 0), text('b', 1)).say(finish(1)).say(finish(0)).say('[DONE]')
    assert.deepEqual(
      rig.chunks.map(({ service }) => service !== undefined),
      [false, false, false, true],
    )
    assert.deepEqual(finishes(rig), [1, 0])
  })

  it('a service of the provider is none of ours', async () => {
    const rig = await streamOf([looks])
    rig.say({ ...text('a'), service: { blocked: false, classification: 'x' } }).say(finish(), '[DONE]')
    assert.ok(!rig.response.body.includes('"classification":"x"'))
    assert.equal(rig.chunks.filter(({ service }) => service).length, 1)
  })
})

describe('a tool call', () => {
  const head = (index = 0, choice = 0) =>
    delta(
      { tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name: 'send', arguments: '' } }] },
      choice,
    )
  const piece = (args: string, index = 0, choice = 0) =>
    delta({ tool_calls: [{ index, function: { arguments: args } }] }, choice)
  const argumentsOf = (rig: StreamRig, index = 0) =>
    rig.chunks
      .flatMap(
        ({ choices }) =>
          (choices?.[0]?.delta?.tool_calls ?? []) as { index: number; function?: { arguments?: string } }[],
      )
      .filter((call) => call.index === index)
      .map((call) => call.function?.arguments ?? '')
      .join('')

  it('is held whole until its choice finishes, and leaves as it came', async () => {
    const rig = await streamOf([looks])
    const said = [head(), ...every(3)('{"to":"Jo","n":1}').map((part) => piece(part))]
    for (const event of said) rig.say(event)
    assert.equal(rig.response.body, '')
    rig.say(finish(0, 'tool_calls'))
    assert.deepEqual(rig.payloads, said.map(json))
    rig.say('[DONE]')
    assert.deepEqual(finishes(rig), [0])
  })

  it('is inspected decoded, however it is cut', async () => {
    const args = JSON.stringify({ to: 'a "secret" \u00e9', list: ['x', { secret: 'y' }] })
    const spelled = args.replace('secret', '\\u0073ecret')
    for (const size of [1, 2, 5, 100]) {
      const rig = await streamOf([word('secret')])
      rig.say(head())
      for (const part of every(size)(spelled)) rig.say(piece(part))
      rig.say(finish(0, 'tool_calls'), '[DONE]')
      assert.deepEqual(JSON.parse(argumentsOf(rig)), { to: 'a "[WORD]" é', list: ['x', { '[WORD]': 'y' }] })
      assert.ok(!rig.response.body.includes('ecret'))
    }
  })

  it('keeps a redacted number valid', async () => {
    const card: Plugin = {
      detect(view) {
        if (view.text === '4111111111111111') view.report({ type: 'card', start: 0, end: 16, action: 'redact' })
      },
    }
    const rig = await streamOf([card])
    rig.say(head()).say(piece('{"n": 4111111111111111 }')).say(finish(), '[DONE]')
    assert.equal(argumentsOf(rig), '{"n": "[CARD]" }')
  })

  it('that is no JSON is one text, and is blocked when redacting would make something else of it', async () => {
    const rig = await streamOf([word('secret')])
    rig.say(head()).say(piece('{"a":"secret')).say(finish(0, 'length'), '[DONE]')
    assert.equal(argumentsOf(rig), '{"a":"[WORD]')
    const fixing: Plugin = {
      detect(view) {
        if (view.text === '{"a":1,}') view.report({ type: 'x', start: 6, end: 7, action: 'redact', replace: ' ' })
      },
    }
    const blocked = await streamOf([fixing])
    blocked.say(head()).say(piece('{"a":1,}')).say(finish(), '[DONE]')
    assert.equal(blocked.response.status, 403)
    const breaking: Plugin = {
      detect(view) {
        const at = view.text.indexOf('"b"')
        if (at >= 0 && view.text.startsWith('{')) view.report({ type: 'x', start: at, end: at + 1, action: 'redact' })
      },
    }
    const broken = await streamOf([breaking])
    broken.say(head()).say(piece('{"a":1,"a":"b"}')).say(finish(), '[DONE]')
    assert.equal(broken.response.status, 403, 'what a lenient client reads must not break')
  })

  it('name, custom input and function call are inspected likewise', async () => {
    const rig = await streamOf([word('secret')])
    rig.say(delta({ tool_calls: [{ index: 0, id: 'a', type: 'custom', custom: { name: 'the_sec', input: '' } }] }))
    rig.say(delta({ tool_calls: [{ index: 0, custom: { name: 'ret', input: 'echo sec' } }] }))
    rig.say(delta({ tool_calls: [{ index: 0, custom: { input: 'ret' } }] }))
    rig
      .say(delta({ function_call: { name: 'f', arguments: '{"a":"sec' } }))
      .say(delta({ function_call: { arguments: 'ret"}' } }))
    rig.say(finish(), '[DONE]')
    assert.ok(!/sec|ret"/.test(rig.response.body), rig.response.body)
    assert.ok(rig.response.body.includes('the_[WORD]'))
    assert.ok(rig.response.body.includes('echo [WORD]'))
  })

  it('in two choices goes with its own choice', async () => {
    const rig = await streamOf([looks])
    rig
      .say(head(0, 0))
      .say(head(0, 1))
      .say(piece('{}', 0, 1))
      .say(finish(1, 'tool_calls'))
    assert.ok(rig.payloads.every((payload) => !payload.includes('"index":0,"delta"')))
    rig.say(piece('{}', 0, 0)).say(finish(0, 'tool_calls'), '[DONE]')
    assert.equal(rig.payloads.filter((payload) => payload.includes('tool_calls":[')).length, 4)
  })

  it('does not hold back the text beside it', async () => {
    const rig = await streamOf([looks])
    rig.say(head()).say(text('meanwhile'))
    assert.equal(rig.text(), 'meanwhile')
  })

  it('longer than a megabyte is blocked', async () => {
    const rig = await streamOf([looks])
    rig.say(text('x')).say(head())
    const part = 'a'.repeat(1000)
    for (let i = 0; i < 1100 && !rig.response.closed; i++) rig.say(piece(part))
    assert.equal(rig.chunks.at(-1)?.error?.type, 'policy_block')
    assert.ok(rig.source.aborted)
  })

  it('of many fragments costs no more for each', async () => {
    const rig = await streamOf([looks])
    rig.say(head())
    const began = performance.now()
    for (let i = 0; i < 30_000; i++) rig.say(piece('"a",'))
    rig.say(finish(), '[DONE]')
    assert.ok(performance.now() - began < 8_000, `${performance.now() - began} ms`)
    assert.equal(argumentsOf(rig).length, 120_000)
  })
})
