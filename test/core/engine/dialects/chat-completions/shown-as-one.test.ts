/** Content and refusal, which some clients show as one text. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { delta, json, stream } from '../../../../../core/testing/provider.ts'
import { redacting } from '../../../../helpers/core.ts'
import { asking, post, type Setup, setup } from '../../../../helpers/gateway.ts'
import { payloads } from '../../../../helpers/http.ts'

type Spoken = string | Record<string, string | number> | (string | Record<string, string | number>)[]
type Said = { content?: Spoken; refusal?: Spoken }

const ask = async (parts: Setup, deltas: readonly Said[]) => {
  parts.provider.reply(stream([...deltas.map((said) => delta({ ...said })), delta({}, 0, 'stop')]))
  const reply = await post(parts.gateway, asking('Hello', { stream: true }))
  const text = await reply.text()
  return { status: reply.status, text, payloads: payloads(text) }
}

/** A buffered reply with this message. */
async function buffered({ provider, gateway }: Setup, said: object): Promise<string> {
  const message = { role: 'assistant', ...said }
  provider.reply(
    json({ id: 'chatcmpl-1', object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }] }),
  )
  return (await post(gateway)).text()
}
const messageOf = (reply: string) => (JSON.parse(reply) as { choices: [{ message: Said }] }).choices[0].message

const spoken = (said: Spoken): string => {
  if (typeof said === 'string') return said
  if (Array.isArray(said)) return said.map(spoken).join('')
  return Object.entries(said)
    .map(([member, value]) => (member === 'text' || member === 'refusal' ? value : ''))
    .join('')
}
const whole = ({ content = '', refusal = '' }: Said): string => spoken(content) + spoken(refusal)

/** As the AI SDK shows it. */
const shown = (events: readonly string[]): string =>
  events
    .filter((payload) => payload !== '[DONE]')
    .flatMap((payload) => (JSON.parse(payload) as { choices?: { delta: Said }[] }).choices ?? [])
    .map(({ delta: said }) => whole(said))
    .join('')

const text = (said: string) => ({ type: 'text', text: said })
const no = (said: string) => ({ type: 'refusal', refusal: said })

describe('a value cut over content and refusal', () => {
  const streams: readonly [name: string, deltas: readonly Said[]][] = [
    ['content, then refusal', [{ content: 'my sec' }, { refusal: 'ret is' }]],
    ['refusal, then content', [{ refusal: 'my sec' }, { content: 'ret is' }]],
    ['both in one event', [{ content: 'my sec', refusal: 'ret is' }]],
    ['both in one event, the other way round', [{ refusal: 'ret is', content: 'my sec' }]],
    ['a list as refusal', [{ content: 'my sec' }, { refusal: ['ret is'] }]],
    ['a list of refusals, one by one', [{ content: 'my sec' }, { refusal: [no('ret')] }, { refusal: [no(' is')] }]],
    [
      'lists with indexes',
      [{ content: [{ index: 1, ...text('my sec') }] }, { refusal: [{ index: 0, ...no('ret is') }] }],
    ],
    ['an object as refusal', [{ content: 'my sec' }, { refusal: { text: 'ret is' } }]],
    ['a refusal among the parts', [{ content: [text('my sec')] }, { content: [no('ret is')] }]],
    ['a refusal before the parts', [{ content: [no('my sec')] }, { content: [text('ret is')] }]],
    ['a refusal among the parts that goes on behind them', [{ content: [no('my sec')] }, { refusal: 'ret is' }]],
    [
      'silent turns',
      [
        { content: [] },
        { refusal: '' },
        { content: 'my ' },
        { refusal: [[]], content: 'sec' } as unknown as Said,
        { refusal: [no('')] },
        { content: 'ret' },
        { refusal: {} },
        { content: [text('')] },
        { refusal: ' is' },
        { content: [text('')] },
      ],
    ],
    [
      'in small pieces',
      [...[...'my sec'].map((content) => ({ content })), ...[...'ret is'].map((refusal) => ({ refusal }))],
    ],
  ]
  for (const [name, deltas] of streams) {
    it(`is redacted in a stream: ${name}`, async () => {
      const { status, payloads: events } = await ask(await redacting('secret'), deltas)
      assert.equal(status, 200)
      assert.equal(shown(events), 'my [WORD] is')
    })
  }

  it('is redacted to its end where it is long, and only the second part shows it', async (t) => {
    const token = [{ alg: 'RS512', typ: 'JWT' }, { sub: 'x1y2'.repeat(90) }]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .concat('Zk3q9RvB7w'.repeat(68))
      .join('.')
    const redacting = [{ use: 'secrets', options: { output: 'redact' } }]
    for (const size of [9, 60, 2000]) {
      const { provider, gateway } = await setup(t, { plugins: redacting })
      const pieces = token.match(new RegExp(`.{1,${size}}`, 'g'))!.map((refusal) => ({ refusal }))
      const { payloads: events } = await ask({ provider, gateway } as Setup, [{ content: 'abc' }, ...pieces])
      assert.equal(shown(events), 'abc[JWT]')
    }
  })

  const messages: readonly Said[] = [
    { refusal: 'ret is', content: 'my sec' },
    { refusal: 'ret is', content: [text('my '), text('sec')] },
    { refusal: ['ret is'], content: 'my sec' },
    { refusal: [no('ret'), no(' is')], content: 'my sec' },
    { refusal: [text('ret is')], content: [text('my sec')] },
    { refusal: { type: 'refusal', refusal: 'ret is' }, content: { text: 'my sec', type: 'text' } },
    { refusal: [no('my sec'), no('ret is')] },
    { content: [no('my sec'), text('ret is')] },
    { content: [text('my sec'), no('ret is')] },
    { content: [no('my '), no('sec')], refusal: 'ret is' },
    { content: [text('my '), no('sec'), text('ret is')] },
    { content: [no('my sec'), text('ret'), no(' is')] },
    { content: [text('my '), no('sec')], refusal: 'ret is' },
    { content: [no('my '), text('sec')], refusal: 'ret is' },
    { content: [text('my '), no('s'), text('e'), no('c'), text('ret'), no(' is')] },
  ]
  for (const said of messages) {
    it(`is redacted at once: ${JSON.stringify(said)}`, async () => {
      const { payloads: events } = await ask(await redacting('secret'), [said])
      assert.equal(shown(events), 'my [WORD] is')
    })

    it(`is redacted in a buffered reply: ${JSON.stringify(said)}`, async () => {
      assert.equal(whole(messageOf(await buffered(await redacting('secret'), said))), 'my [WORD] is')
    })
  }
})

it('each is also read by itself, and a value counts once', async () => {
  const {
    status,
    payloads: events,
    text,
  } = await ask(await redacting('secret'), [{ content: 'a secret' }, { refusal: 'secret or not' }])
  assert.equal(status, 200)
  assert.equal(shown(events), 'a [WORD][WORD] or not')
  assert.match(text, /"count":2/)
})

it('content that goes on behind a refusal is invalid: clients that show one of them would join what stands around the other', async () => {
  const deltas = [{ content: 'my sec' }, { refusal: 'no ' }, { content: 'ret is' }]
  const { text } = await ask(await redacting('secret'), deltas)
  assert.match(text, /"code":"upstream_invalid_response"|"error"/)
  assert.doesNotMatch(text, /ret is/)
})

describe('an event with an answer in which content and refusal take turns', () => {
  const turning: Said = { content: [text('my sec'), no(' - '), text('ret is')] }
  const read = (events: readonly string[]) =>
    events
      .filter((payload) => payload !== '[DONE]')
      .flatMap((payload) => (JSON.parse(payload) as { choices?: { index: number; delta: Said }[] }).choices ?? [])

  for (const [name, said, seen] of [
    ['texts around a refusal', turning, 'my [WORD] -  is'],
    ['refusals around a text', { content: [no('my sec'), text(' - '), no('ret is')] }, 'my [WORD] -  is'],
    ['a refusal behind all of them', { content: [no('my sec'), text(' - ')], refusal: 'ret is' }, 'my [WORD] -  is'],
    ['nothing to find', { content: [text('Well, '), no('no'), text(', now.')] }, 'Well, no, now.'],
  ] as const)
    it(`is read as a buffered reply is, in both ways that clients show it: ${name}`, async () => {
      const parts = await redacting('secret')
      assert.equal(whole(messageOf(await buffered(parts, said))), seen)
      const { payloads: events } = await ask(parts, [{ content: '' }, said as Said, {}])
      assert.equal(shown(events), seen)
    })

  it('is not shown where a value in it blocks', async (t) => {
    const { provider, gateway } = await setup(t, {
      plugins: [{ use: 'policy', options: { rules: [{ name: 'kw', keywords: ['secret'], action: 'block' }] } }],
    })
    provider.reply(stream([delta(turning as never), delta({}, 0, 'stop')]))
    const sent = await (await post(gateway, asking('Hello', { stream: true }))).text()
    assert.match(sent, /"action":"block"/)
    assert.doesNotMatch(sent, /my sec|ret is/)
  })

  it('loses the probabilities of the tokens that it no longer says', async () => {
    const { provider, gateway } = await redacting('secret')
    const token = { token: 'sec', logprob: -1, bytes: [115, 101, 99], top_logprobs: [] }
    const choice = { index: 0, delta: turning, logprobs: { content: [token], refusal: null }, finish_reason: null }
    const event = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [choice] }
    provider.reply(stream([event as never, delta({}, 0, 'stop')]))
    const sent = await (await post(gateway, asking('Hello', { stream: true }))).text()
    assert.match(sent, /my \[WORD\]/)
    assert.doesNotMatch(sent, /"sec"/)
  })

  it('is one of several answers, each by itself', async () => {
    const { provider, gateway } = await redacting('secret')
    provider.reply(
      stream([
        delta({ content: 'One sec' }, 1),
        delta(turning as never, 0),
        delta({ content: 'ret more' }, 1),
        delta({}, 0, 'stop'),
        delta({}, 1, 'stop'),
      ]),
    )
    const events = payloads(await (await post(gateway, { ...asking('Hello', { stream: true }), n: 2 })).text())
    const of = (answer: number) =>
      read(events)
        .filter(({ index }) => index === answer)
        .map(({ delta: said }) => whole(said))
        .join('')
    assert.equal(of(0), 'my [WORD] -  is')
    assert.equal(of(1), 'One [WORD] more')
  })

  for (const [name, deltas] of [
    ['goes on', [turning, { content: 'ret' }]],
    ['goes on with a refusal', [turning, { refusal: 'ret' }]],
    ['goes on in the same way', [turning, turning]],
    ['began before', [{ content: 'my sec' }, turning]],
  ] as const)
    it(`is invalid where its answer ${name}`, async () => {
      const { provider, gateway } = await redacting('secret')
      provider.reply(stream([...deltas.map((said) => delta(said as never)), delta({}, 0, 'stop')]))
      const sent = await (await post(gateway, asking('Hello', { stream: true }))).text()
      assert.match(sent, /"code":"upstream_invalid_response"/)
      assert.doesNotMatch(sent, /sec|ret/)
    })
})

describe('what a server adds to a refusal, or to content beside one, is read as a part of it in a buffered reply', () => {
  const messages: readonly [said: object, shown: RegExp][] = [
    [{ content: 'my sec', refusal: [{ reason: 'ret is' }] }, /"content":"my \[WORD\]".*"reason":" is"/],
    [{ content: 'my sec', refusal: [{ content: [{ text: 'ret is' }] }] }, /"content":"my \[WORD\]".*"text":" is"/],
    [{ refusal: [{ text: 'my sec', more: 'ret is' }] }, /"text":"my \[WORD\]".*"more":" is"/],
    [{ content: { text: 'my sec', x: 'ret is' }, refusal: 'no' }, /"text":"my \[WORD\]".*"x":" is"/],
    [{ content: [{ ...text('my sec'), x: ' and ' }], refusal: 'ret is' }, /"text":"my \[WORD\]".*"refusal":" is"/],
    [{ content: 'my sec', refusal: { refusal: 'ret is', note: 'no' } }, /"content":"my \[WORD\]".*"refusal":" is"/],
    [{ content: 'Hi ', refusal: [{ note: 'my sec' }, { note: 'ret is' }] }, /"note":"my \[WORD\]".*"note":" is"/],
  ]
  for (const [said, shows] of messages) {
    it(JSON.stringify(said), async () => {
      assert.match(await buffered(await redacting('secret'), said), shows)
    })
  }
})

it('harmless content and refusal arrive as they were said', async () => {
  const deltas = [{ content: 'Well, ' }, { content: 'now. ' }, { refusal: 'I cannot ' }, { refusal: 'do that.' }]
  const { payloads: events } = await ask(await redacting('secret'), deltas)
  assert.equal(shown(events), 'Well, now. I cannot do that.')
})

describe('a role that is no word of the API is read as a whole in each event', () => {
  const roles = (events: readonly string[]) =>
    events
      .filter((payload) => payload !== '[DONE]')
      .flatMap((payload) => (JSON.parse(payload) as { choices?: { delta: { role?: string } }[] }).choices ?? [])
      .flatMap(({ delta: { role } }) => role ?? [])
  const said = (names: readonly string[]) => names.map((role) => ({ role, content: 'Hi' }))
  for (const names of [
    ['a', 'secret'],
    ['secret', 'secret'],
    ['secret', 'secret', 'secret', 'secret'],
    ['bot', 'secret', 'bot'],
    ['assistant', 'secret'],
  ]) {
    it(`in a stream: ${names.join(', ')}`, async () => {
      const { payloads: events } = await ask(await redacting('secret'), said(names))
      assert.deepEqual(
        roles(events),
        names.map((name) => name.replace('secret', '[WORD]')),
      )
    })

    it(`in a buffered reply: ${names.join(', ')}`, async () => {
      const { provider, gateway } = await redacting('secret')
      const choices = said(names).map((message, index) => ({ index, message, finish_reason: 'stop' }))
      provider.reply(json({ id: 'chatcmpl-1', object: 'chat.completion', choices }))
      const reply = await post(gateway, { ...asking('Hello'), n: choices.length })
      const { choices: sent } = (await reply.json()) as unknown as { choices: { message: { role: string } }[] }
      assert.deepEqual(
        sent.map(({ message: { role } }) => role),
        names.map((name) => name.replace('secret', '[WORD]')),
      )
    })
  }

  it('and is blocked there', async (t) => {
    const { provider, gateway } = await setup(t, {
      plugins: [{ use: 'policy', options: { rules: [{ name: 'kw', keywords: ['secret'], action: 'block' }] } }],
    })
    provider.reply(stream([...said(['a', 'secret']).map((one) => delta(one)), delta({}, 0, 'stop')]))
    const text = await (await post(gateway, asking('Hello', { stream: true }))).text()
    assert.match(text, /"action":"block"/)
    assert.doesNotMatch(text, /secret/)
  })

  it('without a cut of its event', async () => {
    const { payloads: events } = await ask(await redacting('secret'), said(['bot', 'bot', 'bot']))
    assert.deepEqual(roles(events), ['bot', 'bot', 'bot'])
    assert.equal(shown(events), 'HiHiHi')
    assert.equal(events.filter((payload) => payload.includes('Hi')).length, 3)
  })
})

it('texts of a list that a server adds are one text, buffered as in a stream', async () => {
  const { provider, gateway } = await redacting('secret')
  const halves = [text('my sec'), text('ret is')]
  for (const message of [
    { content: [{ type: 'thinking', thinking: halves }, text('Hi')] },
    { content: [...halves.map((half) => ({ type: 'thinking', thinking: [half] })), text('Hi')] },
    { content: 'Hi', reasoning_details: halves },
  ]) {
    provider.reply(json({ id: 'chatcmpl-1', object: 'chat.completion', choices: [{ index: 0, message }] }))
    const reply = await (await post(gateway)).text()
    assert.match(reply, /"text":"my \[WORD\]".*"text":" is"/)
    provider.reply(stream([delta(message as never), delta({}, 0, 'stop')]))
    const streamed = await (await post(gateway, asking('Hello', { stream: true }))).text()
    assert.match(streamed, /"my \[WORD\]"/)
    assert.doesNotMatch(streamed, /"my sec"|ret/)
  }
})
