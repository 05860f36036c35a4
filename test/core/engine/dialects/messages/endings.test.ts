/** How a message ends: errors that SDKs know, and streams that agents do not ask for again. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Usage } from '../../../../../core/engine/contract/plugin.ts'
import { hangUp, json, raw, type Step, stream } from '../../../../../core/testing/provider.ts'
import { type Plugin, running, strict, word } from '../../../../helpers/core.ts'
import type { Owner } from '../../../../helpers/gateway.ts'
import {
  begin,
  blockStart,
  blockStop,
  end,
  event,
  finish,
  message,
  said,
  textBlock,
  whole,
} from '../../../../helpers/messages.ts'
import { ask, type Event, fixture, request, streamed, together } from './messaging.ts'

const blocks = word('secret', 'block')
const CLEAN = 'All is well and nothing here needs a closer look. '.repeat(8)
const open = (...pieces: string[]): Step[] => [
  begin(),
  blockStart(0, { type: 'text', text: '' }),
  ...pieces.map((piece) => said(piece)),
]

describe('a message that a policy blocks', () => {
  for (const how of ['request', 'buffered', 'streamed'] as const) {
    it(`before its first byte is 403 of the API's own form: ${how}`, async (t) => {
      const { gateway, provider } = await running(t, [blocks])
      const content = how === 'request' ? 'a secret' : 'Hello'
      if (how === 'buffered') provider.reply(json(message('a secret')))
      else provider.reply(stream(whole([textBlock(['a secret'])]), { done: false }))
      const reply = await ask(gateway, request({ stream: how === 'streamed', messages: [{ role: 'user', content }] }))
      const body = (await reply.json()) as unknown as Event
      assert.deepEqual([reply.status, reply.headers['x-should-retry']], [403, 'false'])
      assert.deepEqual(
        [body.type, body.error?.type, body.error?.details],
        ['error', 'permission_error', { error_code: 'policy_block' }],
      )
      assert.match(body.error?.message ?? '', /^Blocked by policy: /)
      assert.equal(body.request_id, reply.headers['request-id'])
      assert.equal(body.service?.action, 'block')
    })
  }

  for (const [name, verdict, status, type] of [
    ['for its costs', { status: 429, code: 'insufficient_quota', type: 'insufficient_quota' }, 429, 'rate_limit_error'],
    ['for its bill', { status: 402 }, 402, 'billing_error'],
  ] as const) {
    it(`${name} has the status that clients know`, async (t) => {
      const stops: Plugin = { apply: (hooks) => hooks.block.tap('s', () => ({ reason: 'no', ...verdict })) }
      const { gateway, events } = await running(t, [stops])
      const reply = await ask(gateway)
      const body = (await reply.json()) as unknown as Event
      assert.deepEqual([reply.status, body.error?.type], [status, type])
      assert.equal(events().at(-1)?.status, status)
    })
  }

  it('in the middle ends with an error event, and nothing more', async (t) => {
    const {
      status,
      text,
      error,
      service,
      raw: bytes,
      events,
    } = await streamed(await running(t, [blocks]), [...open(CLEAN, 'a secret'), blockStop(0), finish(), end()])
    assert.deepEqual([status, text, error?.type], [200, CLEAN, 'permission_error'])
    assert.deepEqual(error?.details, { error_code: 'policy_block' })
    assert.equal((service as { blocked?: boolean } | undefined)?.blocked, true)
    assert.equal(events.at(-1)?.type, 'error')
    assert.doesNotMatch(bytes, /a secret/)
  })

  it('in the middle may end like a refusal of the model', async (t) => {
    const parts = await running(t, [blocks], { config: { stream: { block_signal: 'finish_reason' } } })
    const {
      text,
      blocks: got,
      stop,
      ended,
      events,
    } = await streamed(parts, [...open(CLEAN, 'a secret'), finish(), end()])
    assert.deepEqual([text, got[0]?.stopped, stop, ended], [CLEAN, true, 'refusal', true])
    const { delta } = events.at(-2) as Event
    assert.match((delta as { stop_details: { explanation: string } }).stop_details.explanation, /^Blocked by policy: /)
  })
})

describe('a message that a plugin cuts', () => {
  it('ends like one at its token limit', async (t) => {
    const cuts: Plugin = {
      apply: (hooks) =>
        hooks.onChunk.tap('c', (views, x) => {
          if (views.some((view) => view.text.includes('enough'))) x.reply.truncate()
        }),
    }
    const {
      blocks: got,
      stop,
      ended,
      service,
    } = await streamed(await running(t, [cuts]), [...open('a ', 'enough'), () => new Promise(() => {})])
    assert.deepEqual([got[0]?.stopped, stop, ended], [true, 'max_tokens', true])
    assert.ok(service !== undefined)
  })
})

describe('a provider that fails', () => {
  const exchanges = fixture('side.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  for (const { name, response } of exchanges.filter((one: { name: string }) => /^error|^thinking/.test(one.name))) {
    it(`is told: ${name}`, async (t) => {
      const { gateway, provider } = await running(t, [word('secret')])
      const text = JSON.stringify(response.body, null, 1)
      const { status } = response
      provider.reply(json(text, { status, headers: { 'request-id': 'req_011CSHoEeqs5C35K2UUqR7Fy' } }))
      const reply = await ask(gateway, request())
      const got = await reply.text()
      if (status === 401) return assert.deepEqual([reply.status, JSON.parse(got).error.type], [403, 'permission_error'])
      const id = reply.headers['request-id'] as string
      assert.match(id, /^req_[0-9a-f-]{36}$/)
      assert.deepEqual([reply.status, got], [status, text.replace(/"req_\w+"/, JSON.stringify(id))])
    })
  }

  it('has its words inspected', async (t) => {
    const { gateway, provider } = await running(t, [word('secret')])
    const body = { type: 'error', error: { type: 'invalid_request_error', message: 'no secret' }, request_id: 'req_1' }
    provider.reply(
      json(body, { status: 400 }),
      json({ ...body, error: { ...body.error, details: { a: ['secret'] } } }, { status: 400 }),
    )
    const first = await ask(gateway)
    const own = { ...body, request_id: first.headers['request-id'] }
    assert.equal(await first.text(), JSON.stringify(own).replace('secret', '[WORD]'))
    assert.doesNotMatch(await (await ask(gateway)).text(), /secret/)
  })

  it('with a body of another form is told in the form of the API', async (t) => {
    const { gateway, provider } = await running(t, [word('secret')])
    provider.reply(json({ error: { message: 'no', type: 'x', code: 'y' } }, { status: 404 }), hangUp())
    const first = (await (await ask(gateway)).json()) as unknown as Event
    assert.deepEqual([first.type, first.error?.type, first.error?.message], ['error', 'not_found_error', 'no'])
    const second = await ask(gateway)
    assert.deepEqual([second.status, ((await second.json()) as unknown as Event).error?.type], [502, 'api_error'])
  })

  for (const [name, steps, options] of [
    ['an error event', [event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } })], {}],
    [
      'an error without its name',
      [raw('data: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n')],
      {},
    ],
    [
      'an error of another API',
      [raw('event: error\ndata: {"error":{"message":"Overloaded","type":"overloaded_error"}}\n\n')],
      {},
    ],
    ['an end in the middle of a block', [], {}],
    ['a cut connection', [], { end: 'close' }],
    ['a reset connection', [], { end: 'reset' }],
    ['half an event', [raw('event: content_block_delta\ndata: {"type":"content_bl')], {}],
  ] as const) {
    it(`in the middle ends with an error event: ${name}`, async (t) => {
      const { gateway, provider } = await running(t, [word('secret')])
      provider.reply(stream([...open(CLEAN, 'sec'), ...steps], { done: false, ...options }))
      const reply = await ask(gateway, request({ stream: true }))
      const { text, error, ended } = together(await reply.text())
      assert.ok(text.startsWith(CLEAN) && !text.includes('sec'), text)
      assert.equal(error?.type, /error/.test(name) ? 'overloaded_error' : 'api_error')
      assert.ok(ended)
    })
  }

  it('before its first event is still an error of HTTP', async (t) => {
    const parts = await running(t, [word('secret')])
    const { status, body } = await streamed(parts, [
      event('ping'),
      event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }),
    ])
    assert.deepEqual([status, body?.error?.type], [502, 'overloaded_error'])
  })

  for (const [name, steps] of [
    ['a block before the message', [blockStart(0, { type: 'text', text: '' })]],
    ['a delta without a block', [begin(), said('x')]],
    ['a delta of another block', [...open('a'), said('x', 1)]],
    ['a delta of a block that ended', [begin(), ...textBlock(['a']), said('x')]],
    ['a block that skips an index', [begin(), ...textBlock(['a'], 1)]],
    [
      'a block with an index of text',
      [begin(), event('content_block_start', { index: '0', content_block: { type: 'text', text: '' } })],
    ],
    ['a block that begins twice', [begin(), ...textBlock(['a']), ...textBlock(['x'])]],
    ['a second message', [...open('a'), begin()]],
    ['text after the stop reason', [begin(), ...textBlock(['a']), finish(), ...textBlock(['x'], 1)]],
    ['a block that is no object', [begin(), event('content_block_start', { index: 0, content_block: 'x' })]],
    ['an event without a type', [begin(), raw('data: {"index":0}\n\n')]],
    ['an event whose type is a line', [begin(), raw('data: {"type":"a\\nb"}\n\n')]],
    ['data that is no JSON', [begin(), raw('data: x\n\n')]],
  ] as const) {
    it(`is not passed on when it breaks the order: ${name}`, async (t) => {
      const { status, error, raw: text } = await streamed(await running(t, [word('secret')]), [...steps, end()])
      assert.ok(status === 502 || error?.type === 'api_error', text)
      assert.doesNotMatch(text, /"x"/)
    })
  }
})

describe('the end of a stream', () => {
  it('that lacks the last event gets it', async (t) => {
    const { ended, stop } = await streamed(await running(t, [word('secret')]), [begin(), ...textBlock(['a']), finish()])
    assert.deepEqual([ended, stop], [true, 'end_turn'])
  })

  const counted = { usage: { input_tokens: 5, output_tokens: 7 } }
  for (const [name, steps, expected] of [
    ['only in the first event', [begin({ stop_reason: 'end_turn', ...counted }), ...textBlock(['a'])], 'end_turn'],
    [
      'in the first event, with an empty last one',
      [
        begin({ stop_reason: 'stop_sequence', stop_sequence: 'secret' }),
        ...textBlock(['a']),
        event('message_delta', { delta: {}, ...counted }),
      ],
      'stop_sequence',
    ],
    [
      'nowhere, with null in its place',
      [begin(), ...textBlock(['a']), event('message_delta', { delta: null, ...counted })],
      null,
    ],
    ['nowhere', [begin(), ...textBlock(['a']), finish(null)], null],
  ] as const) {
    it(`leaves the client what it was told: a reason ${name}`, async (t) => {
      const { ended, stop, usage, service, events } = await streamed(await running(t, [word('secret')]), [
        ...steps,
        end(),
      ])
      assert.deepEqual([ended, stop, usage.output_tokens, service?.action !== undefined], [true, expected, 7, true])
      const sequence = expected === 'stop_sequence' ? '[WORD]' : null
      assert.equal(events.at(-2)?.delta?.stop_sequence, sequence)
    })
  }

  it('may have a mark of another API behind it, and blocks without an end', async (t) => {
    const steps = [
      ...open('a sec'),
      blockStart(1, { type: 'text', text: '' }),
      said('ret', 1),
      finish(),
      end(),
      raw('data: [DONE]\n\n'),
    ]
    const { text, ended } = await streamed(await running(t, [word('secret')]), steps)
    assert.deepEqual([text, ended], ['a [WORD]', true])
  })

  it('is one end, however it is spelled', async (t) => {
    const odd = raw('data: { "x": 1, "type" : "message_stop" }\n\n')
    const { ended, text } = await streamed(await running(t, []), [
      begin(),
      ...textBlock(['a message_stop']),
      finish(),
      odd,
    ])
    assert.deepEqual([ended, text], [true, 'a message_stop'])
  })

  const counts = { input_tokens: 10, cache_creation_input_tokens: 20, cache_read_input_tokens: 30 }
  /** Usage as plugins see it. */
  const counting = async (t: Owner) => {
    const seen: (Usage | undefined)[] = []
    const reads: Plugin = {
      apply: (hooks) =>
        hooks.postResponse.tap('u', (x) => {
          seen.push(x.reply.usage)
        }),
    }
    return { ...(await running(t, [word('secret'), reads])), seen }
  }

  it('tells usage with what was cached, and cumulative counts once', async (t) => {
    const parts = await counting(t)
    const later = { input_tokens: 12, output_tokens: 9, cache_read_input_tokens: null }
    await streamed(parts, [
      begin({ usage: { ...counts, output_tokens: 1 } }),
      ...textBlock(['a']),
      event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: later }),
      end(),
    ])
    assert.deepEqual(parts.seen, [{ prompt: 62, completion: 9, cached: 30, cacheWrite: 20, estimated: false }])
    assert.deepEqual(parts.events().at(-1)?.tokens, { prompt: 62, completion: 9 })
  })

  it('of a buffered message tells usage, too; wrong or no counts are none', async (t) => {
    const parts = await counting(t)
    for (const usage of [{ ...counts, output_tokens: 9 }, { ...counts, output_tokens: -1 }, null]) {
      parts.provider.reply(json(message('a', { usage })))
      await (await ask(parts.gateway)).text()
    }
    assert.deepEqual(parts.seen, [
      { prompt: 60, completion: 9, cached: 30, cacheWrite: 20, estimated: false },
      undefined,
      undefined,
    ])
  })

  it('is kept alive by a ping', async (t) => {
    const parts = await running(t, [word('secret')], { config: { stream: { keep_alive_seconds: 1 } } })
    const go = Promise.withResolvers<void>()
    parts.provider.reply(stream([begin(), go.promise, ...textBlock(['a']), finish(), end()], { done: false }))
    const reply = await ask(parts.gateway, request({ stream: true }))
    const first = String(await reply.read())
    assert.equal(first, 'event: ping\ndata: {"type":"ping"}\n\n')
    go.resolve()
    assert.equal(together(first + (await reply.text())).text, 'a')
  })
})

describe('a buffered message', () => {
  it('is redacted in every block, and keeps the form of inputs and signatures', async (t) => {
    const { gateway, provider } = await running(t, [word('anna.berg@example.com')])
    provider.reply(json(fixture('buffered.json')))
    const got = (await (await ask(gateway)).json()) as { content: unknown[] }
    const from = JSON.parse(fixture('buffered.json').replaceAll('anna.berg@example.com', '[WORD]'))
    assert.deepEqual(got.content, from.content)
  })

  it('has edited thinking emptied if it is signed, and redacted if not', async (t) => {
    const { gateway, provider } = await running(t, [word('secret')])
    const signature = 'EqQBCgIYAhIkMTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Aa9'
    const thinking = (more: object) => ({ type: 'thinking', thinking: 'a secret', ...more })
    provider.reply(json(message([thinking({ signature }), thinking({}), { type: 'text', text: 'b' }])))
    const got = (await (await ask(gateway)).json()) as { content: { thinking: string; signature?: string }[] }
    assert.deepEqual(
      got.content.map((block) => [block.thinking, block.signature]),
      [
        ['', signature],
        ['a [WORD]', undefined],
        [undefined, undefined],
      ],
    )
  })

  it('is blocked in strict mode if it has what cannot be inspected', async (t) => {
    const { gateway, provider } = await running(t, [strict, word('secret')])
    provider.reply(json(message([{ type: 'redacted_thinking', data: `${'aB3'.repeat(20)}` }])))
    assert.equal((await ask(gateway)).status, 403)
  })
})
