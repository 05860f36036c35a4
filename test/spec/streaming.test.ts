/**
 * What a client gets for everything that a provider was seen to send: transparent without plugins, and equally so with
 * a detector that finds nothing.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  azurePreamble,
  chat,
  chunks,
  comment,
  type Described,
  delta,
  every,
  named,
  raw,
  type Script,
  type Step,
  type StreamOptions,
  stream,
} from '../../core/testing/provider.ts'
import { asking, barrier, post, setup } from '../helpers/gateway.ts'
import { type Seen, seenStream } from '../helpers/replies.ts'
import { some } from '../helpers/rounds.ts'
import { ask, asPayloads, forEachConfig, TEXT, withoutService } from '../helpers/streams.ts'

/** Asserts that a stream of the provider reaches the client with the same payloads, in order, and `[DONE]` last. */
function passes(name: string, script: () => Script, expected: readonly string[], more: object = {}): void {
  forEachConfig(name, async (t, plugins) => {
    const parts = await setup(t, { plugins })
    const reply = await ask(parts, script(), more)
    assert.equal(reply.status, 200)
    assert.equal(reply.headers['content-encoding'], undefined)
    const events = await reply.events()
    assert.equal(reply.complete, true)
    assert.deepEqual(plugins.length === 0 ? events : withoutService(events), [...expected, '[DONE]'])
  })
}

const plain = chunks(TEXT)
const payloadsOfPlain = asPayloads(plain)

describe('streaming: framing', () => {
  const framings: Record<string, StreamOptions> = {
    'event by event': {},
    'all in one piece': { split: 'whole' },
    'byte by byte': { split: 'byte' },
    'cut at random': { split: { seed: 11, max: 40 } },
    'CRLF line ends': { eol: '\r\n' },
    'CRLF line ends, byte by byte': { eol: '\r\n', split: 'byte' },
    'CR line ends': { eol: '\r' },
    'no space after the colon': { space: false },
    'a byte order mark': { bom: true },
    'a byte order mark, byte by byte': { bom: true, split: 'byte' },
    'no blank line at the end': { finalBlankLine: false },
    'no [DONE] after the finish': { done: false },
    'no [DONE] and no blank line at the end': { done: false, finalBlankLine: false },
    gzip: { encoding: 'gzip' },
    deflate: { encoding: 'deflate' },
    brotli: { encoding: 'br' },
    'gzip, byte by byte': { encoding: 'gzip', split: 'byte' },
  }
  for (const [name, options] of Object.entries(framings)) passes(name, () => stream(plain, options), payloadsOfPlain)

  passes(
    'comments and empty blocks',
    () => {
      const steps = plain.flatMap((step, at): Step[] =>
        at % 3 === 0 ? [comment('PROCESSING'), raw('\n\n'), step] : [step],
      )
      return stream([comment('hello'), ...steps, comment('bye')])
    },
    payloadsOfPlain,
  )

  passes(
    'fields other than data',
    () => {
      const [first, ...rest] = plain
      return stream([
        raw('retry: 10\n\n'),
        raw('id: 1\nunknown: x\n'),
        first!,
        named('chunk', rest[0]),
        ...rest.slice(1),
      ])
    },
    payloadsOfPlain,
  )

  for (const seed of some([1, 2, 3, 4, 5, 6, 7, 8], 3)) {
    passes(
      `seed ${seed}`,
      () => stream(plain, { split: { seed, max: 3 * seed }, eol: seed % 2 ? '\n' : '\r\n' }),
      payloadsOfPlain,
    )
  }

  forEachConfig('several data lines in one event become one', async (t, plugins) => {
    const parts = await setup(t, { plugins })
    const reply = await ask(parts, stream(plain.map((step) => JSON.stringify(step, null, 2))))
    const events = await reply.events() // Fails on more than one line for an event.
    assert.equal(events.pop(), '[DONE]')
    assert.deepEqual(
      withoutService(events).map((event) => JSON.parse(event)),
      plain,
    )
  })

  forEachConfig('nothing follows [DONE], and nothing is waited for', async (t, plugins) => {
    const parts = await setup(t, { plugins })
    const late = delta({ content: 'late' })
    const events = await (await ask(parts, stream([...plain, '[DONE]', late], { done: false, end: 'hang' }))).events()
    assert.deepEqual(withoutService(events), [...payloadsOfPlain, '[DONE]'])
  })
})

describe('streaming: contents', () => {
  passes('reasoning and content', () => chat({ choices: [{ reasoning: TEXT, content: 'So.' }] }), [
    ...asPayloads(chunks({ choices: [{ reasoning: TEXT, content: 'So.' }] })),
  ])

  passes('usage that was asked for', () => chat(TEXT), asPayloads(chunks(TEXT, { usage: true })), {
    stream_options: { include_usage: true },
  })

  const azure = azurePreamble()
  passes('the first event of Azure', () => stream([azure, ...plain]), asPayloads([azure, ...plain]))

  const odd =
    '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-test","choices":[{"index":0,"delta":{"content":"caf\\u00e9 \\/"},"finish_reason":null}],"obfuscation":"x7","vendor":{"n":1.50,"big":12345678901234567890}}'
  passes('escapes, digits and members that nobody knows', () => stream([odd, ...plain]), [odd, ...payloadsOfPlain])

  const long = delta({ content: 'x'.repeat(5 * 1024 * 1024) })
  passes('an event of 5 MB', () => stream([plain[0]!, long, plain.at(-1)!], { split: 'whole' }), [
    payloadsOfPlain[0]!,
    JSON.stringify(long),
    payloadsOfPlain.at(-1)!,
  ])

  const bare = plain.slice(0, -1)
  // Governance has no chunk to ride on, so it gets one, which speaks of a choice that went on, where there is one.
  const unended: [string, typeof bare, object[]][] = [
    ['of a choice', bare, [{ index: 0, delta: {}, finish_reason: null }]],
    ['of anything', [], []],
  ]
  for (const [what, sent, choices] of unended) {
    forEachConfig(`[DONE] without a finish ${what}: the provider said that it is done`, async (t, plugins) => {
      const parts = await setup(t, { plugins })
      const reply = await ask(parts, stream(sent))
      const events = await reply.events()
      assert.equal(reply.complete, true)
      assert.equal(events.pop(), '[DONE]')
      if (plugins.length > 0) {
        const { service, ...own } = JSON.parse(events.pop() ?? '') as { service: { classification: string } }
        assert.equal(service.classification, 'PUBLIC')
        const { id = '', created = 0, model = '' } = sent[0] ?? {}
        assert.deepEqual(own, { id, object: 'chat.completion.chunk', created, model, choices })
      }
      assert.deepEqual(events, asPayloads(sent))
    })
  }

  for (const at of [0, 6]) {
    forEachConfig(`invalid UTF-8 becomes U+FFFD, after ${at} deltas`, async (t, plugins) => {
      const parts = await setup(t, { plugins })
      const broken = Buffer.from(`data: ${JSON.stringify(delta({ content: 'a#b' }))}\n\n`)
      broken[broken.indexOf('#')] = 0xff
      const before = Array.from({ length: at }, () => delta({ content: 'x' }))
      const reply = await ask(parts, stream([plain[0]!, ...before, raw(broken), plain.at(-1)!]))
      const seen = seenStream(reply.status, await reply.events()) // Fails on bytes that are not UTF-8.
      assert.equal(seen.choices[0]?.content, `${'x'.repeat(at)}a\uFFFDb`)
      assert.ok(seen.done)
    })
  }

  // With several fields the order of their events may differ; what each field says may not.
  const several: Record<string, Described> = {
    'two choices, interleaved': { choices: [{ content: TEXT }, { content: 'Short.', finish: 'length' }] },
    'tool calls in fragments': {
      choices: [
        {
          toolCalls: [
            { name: 'get_weather', arguments: '{"city":"São Paulo","note":"a \\"b\\" \\u00e9"}' },
            { name: 'log', arguments: 'not { json' },
          ],
        },
      ],
    },
    'a refusal beside content': { choices: [{ content: 'Well, ', refusal: 'I cannot do that.' }] },
  }
  for (const [name, description] of Object.entries(several)) {
    forEachConfig(name, async (t, plugins) => {
      const parts = await setup(t, { plugins })
      const events = await (await ask(parts, chat(description, { pieces: every(3) }), { n: 2 })).events()
      const expected = asPayloads(chunks(description, { pieces: every(3) }))
      if (plugins.length === 0) assert.deepEqual(events, [...expected, '[DONE]'])
      const essence = ({ choices, done }: Seen) => ({ choices, done })
      assert.deepEqual(essence(seenStream(200, events)), essence(seenStream(200, [...expected, '[DONE]'])))
    })
  }
})

describe('streaming: pace', () => {
  for (const plugins of [[], [{ use: 'sessions' }, { use: './plugins/observer.ts' }]]) {
    it(`each event is sent on as soon as it came, ${plugins.length === 0 ? 'without plugins' : 'with an observer'}`, async (t) => {
      const parts = await setup(t, { plugins })
      const steps = chunks('one two three four')
      const gates = steps.map(() => Promise.withResolvers<void>())
      // Under inspection the status waits for the first text, so that an early block is a real 403.
      if (plugins.length > 0) gates[0]!.resolve()
      const reply = await ask(parts, stream(steps.flatMap((step, at): Step[] => [step, gates[at]!.promise])))
      for (const [at, step] of steps.entries()) {
        // The finish waits for what follows it: usage or the end. Where a block is still possible, the role waits for
        // the first text: until then a block can be a plain 403.
        const waits = at === steps.length - 1 || (at === 0 && plugins.length > 0)
        if (waits) gates[at]!.resolve()
        assert.deepEqual(withoutService([(await reply.event()) ?? 'the end']), [JSON.stringify(step)])
        gates[at]!.resolve()
      }
      assert.equal(await reply.event(), '[DONE]')
      assert.equal(await reply.event(), undefined)
    })
  }

  forEachConfig('silence is filled with comments', async (t, plugins) => {
    const parts = await setup(t, { plugins, config: { stream: { keep_alive_seconds: 0.05 } } })
    const gate = Promise.withResolvers<void>()
    const reply = await ask(parts, stream([gate.promise, ...plain]))
    assert.equal((await reply.read())?.toString(), ': keep-alive\n\n')
    gate.resolve()
    assert.deepEqual(withoutService(await reply.events()), [...payloadsOfPlain, '[DONE]'])
  })

  forEachConfig('a client that stops reading holds back the provider', async (t, plugins) => {
    const parts = await setup(t, { plugins })
    const state = { written: 0 }
    const event = delta({ content: 'x'.repeat(60_000) })
    function* endless(): Generator<Step> {
      for (; state.written < 2000; state.written += 1) yield event
    }
    const reply = await ask(parts, stream(endless(), { done: false }))
    // The provider writes until every buffer on the way is full, and then no more.
    let before = -1
    for (let still = 0; still < 20; still = state.written === before ? still + 1 : 0) {
      before = state.written
      await new Promise((resolve) => setImmediate(resolve))
      await barrier(parts.gateway)
    }
    assert.ok(state.written < 1000, `the gateway took in ${state.written * 60} KB that nobody read`)
    const first = await reply.event()
    assert.ok(first)
    reply.destroy()
    assert.equal(await (await parts.provider.next()).closed, 'aborted')
  })

  forEachConfig('a client that goes away ends the call to the provider', async (t, plugins) => {
    const parts = await setup(t, { plugins })
    const reply = await ask(parts, stream([...chunks(TEXT.repeat(3)).slice(0, -1)], { done: false, end: 'hang' }))
    await reply.event()
    reply.destroy()
    assert.equal(await (await parts.provider.next()).closed, 'aborted')
    await parts.provider.idle()
  })

  forEachConfig('a client that goes away before the first byte ends the call to the provider', async (t, plugins) => {
    const parts = await setup(t, { plugins })
    for (const streamed of [true, false]) {
      parts.provider.reply(async (exchange) => {
        await exchange.request.closed
      })
      const leave = new AbortController()
      const asked = post(parts.gateway, asking('Hi', { stream: streamed }), { signal: leave.signal })
      const request = await parts.provider.next()
      leave.abort()
      await assert.rejects(asked)
      assert.equal(await request.closed, 'aborted')
    }
  })
})
