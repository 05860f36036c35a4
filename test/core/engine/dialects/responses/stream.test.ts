/** Streamed responses: what is released is the same in every copy of a text. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { stream } from '../../../../../core/testing/provider.ts'
import { redacting, running, word } from '../../../../helpers/core.ts'
import { barrier } from '../../../../helpers/gateway.ts'
import { eventsOf, fixture, framesOf, message, respond, response, said, streamed, together } from './responding.ts'

const OK = ['text', 'tools', 'hosted-tools', 'unicode', 'open-weights', 'refusal']

/** Values in the recorded streams, and how often a client could see each. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  text: ['anna.berg@example.com', '555 0143'],
  tools: ['88-1204', 'Anna Berg', 'customer number', 'find_customer', 'Nord'],
  'hosted-tools': [
    'DE89370400440532013000',
    'anna.berg@example.com',
    '4111 1111 1111 1111',
    'rates.example.org',
    'customers',
  ],
  'open-weights': ['555 0143'],
  refusal: ["someone else's"],
}

/** All copies of each text agree. */
function assertAgrees(events: Parameters<typeof together>[0]): void {
  const { deltas, whole, items, output } = together(events)
  for (const [key, text] of whole) assert.equal(deltas.get(key) ?? '', text, key)
  assert.deepEqual(items, output)
}

describe('a streamed response', () => {
  for (const split of ['event', 'whole'] as const) {
    it(`is transparent without plugins, read by ${split}`, async () => {
      const parts = await redacting()
      for (const name of OK)
        assert.equal((await streamed(parts, fixture(`${name}.sse`), { split })).text, fixture(`${name}.sse`))
    })

    it(`is unchanged where nothing is found, but for the service, read by ${split}`, async () => {
      const parts = await redacting('never there')
      for (const name of OK) {
        const { text } = await streamed(parts, fixture(`${name}.sse`), { split })
        const got = framesOf(text)
        const last = got.at(-1)?.data.response ?? {}
        const { service } = last
        delete last.service
        assert.equal(service.action, 'allow')
        assert.deepEqual(got, framesOf(fixture(`${name}.sse`).replace('data: [DONE]\n\n', '')))
      }
    })
  }

  for (const split of ['event', 'byte', 'whole'] as const) {
    it(`loses a value in every copy, read by ${split}`, async (t) => {
      for (const [name, values] of Object.entries(VALUES)) {
        if (split === 'byte' && name !== 'text') continue
        const parts = await running(
          t,
          values.map((value) => word(value)),
        )
        const { text, events } = await streamed(parts, fixture(`${name}.sse`), { split })
        for (const value of values) assert.ok(!text.includes(value), `${name}: ${value}`)
        assert.match(text, /\[WORD\]/)
        assertAgrees(events)
      }
    })
  }

  it('is redacted wherever a value is cut over deltas', async () => {
    const parts = await redacting('secret')
    const whole = 'the secret is out'
    for (let at = 0; at <= whole.length; at++) {
      const { text, events } = await streamed(parts, message([whole.slice(0, at), whole.slice(at)]))
      assert.doesNotMatch(text, /secret/)
      assertAgrees(events)
      assert.equal(together(events).output[0].content[0].text, 'the [WORD] is out')
    }
    const { events } = await streamed(parts, message([...whole]))
    assertAgrees(events)
    assert.equal(together(events).output[0].content[0].text, 'the [WORD] is out')
  })

  it('finds a value that clients put together from two parts, and from two items', async () => {
    const parts = await redacting('secret')
    const at = (output_index: number, content_index: number) => ({
      item_id: `msg_a${output_index}`,
      output_index,
      content_index,
    })
    const delta = (o: number, c: number, text: string) => ({
      type: 'response.output_text.delta',
      ...at(o, c),
      delta: text,
    })
    const done = (o: number, c: number, text: string) => ({ type: 'response.output_text.done', ...at(o, c), text })
    for (const [o, c] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const first = { ...said('sec'), id: 'msg_a0' }
      const output = o === 0 ? [said('sec', 'ret')] : [first, { ...said('ret'), id: 'msg_a1' }]
      const { text } = await streamed(parts, [
        { type: 'response.created', response: response({ status: 'in_progress' }) },
        delta(0, 0, 'sec'),
        done(0, 0, 'sec'),
        delta(o, c, 'ret'),
        done(o, c, 'ret'),
        { type: 'response.completed', response: response({ output }) },
      ])
      const got = together(eventsOf(text)).output
      const shown = got
        .flatMap(({ content }: { content: { text: string }[] }) => content.map((part) => part.text))
        .join('')
      assert.equal(shown, '[WORD]')
      assert.doesNotMatch(text, /"ret"/)
    }
  })

  it('ends where a text goes on behind a refusal: clients that show only texts would join it to the one before', async () => {
    const parts = await redacting('secret')
    const at = (content_index: number) => ({ item_id: 'msg_a1', output_index: 0, content_index })
    const delta = (index: number, text: string, kind = 'output_text') => ({
      type: `response.${kind}.delta`,
      ...at(index),
      delta: text,
    })
    const created = { type: 'response.created', response: response({ status: 'in_progress' }) }
    const completed = (content: object[]) => ({
      type: 'response.completed',
      response: response({ output: [{ ...said(), content }] }),
    })
    const around = [
      { type: 'output_text', text: 'a sec', annotations: [] },
      { type: 'refusal', refusal: 'I cannot.' },
      { type: 'output_text', text: 'ret b', annotations: [] },
    ]
    const [deltas, onlyLast, differing] = [
      [delta(0, 'a sec'), delta(1, 'I cannot.', 'refusal'), delta(2, 'ret b')],
      [],
      [delta(0, 'fine'), delta(1, 'No.', 'refusal')],
    ]
    for (const before of [deltas, onlyLast, differing]) {
      const { text } = await streamed(parts, [created, ...before, completed(around)] as never)
      assert.doesNotMatch(text, /ret b/)
      assert.match(text, /upstream_invalid_response/)
    }
    const { text } = await streamed(parts, [created, ...deltas.slice(0, 2), completed(around.slice(0, 2))] as never)
    assert.match(text, /I cannot\./)
    assert.match(text, /response\.completed/)
  })

  it('finds a value that texts of the last event make, wherever the events before told them', async () => {
    const parts = await redacting('secret')
    const created = { type: 'response.created', response: response({ status: 'in_progress' }) }
    const item = (text: string) => ({ ...said(), content: [{ type: 'output_text', text, annotations: [] }] })
    const delta = (output_index: number, text: string) => ({
      type: 'response.output_text.delta',
      item_id: `msg_a${output_index}`,
      output_index,
      content_index: 0,
      delta: text,
    })
    const completed = (...texts: string[]) => ({
      type: 'response.completed',
      response: response({ output: texts.map(item) }),
    })
    const [first, second] = ['a sec', 'ret b']
    for (const events of [
      [delta(1, first), delta(2, second), completed(first, second)],
      [delta(0, second), delta(1, first), completed(first, second)],
      [delta(0, first), delta(1, '. '), delta(2, second), completed(first, second)],
      [delta(1, second), completed(first, second)],
      [delta(0, first), completed(first, second)],
      [delta(0, 'fine'), delta(1, second), completed(first, second)],
      [delta(0, first), delta(1, 'fine'), completed(first, second)],
      [completed(first, second)],
    ]) {
      const { text } = await streamed(parts, [created, ...events] as never)
      const shown = framesOf(text)
        .at(-1)
        ?.data.response.output.map((one: ReturnType<typeof item>) => one.content[0]?.text)
      assert.equal(shown.join(''), 'a [WORD] b', JSON.stringify(events))
    }
    const harmless = [created, delta(1, 'One. '), delta(2, 'Two.'), completed('One. ', 'Two.')]
    assert.match((await streamed(parts, harmless as never)).text, /"output":.*One\. .*Two\./)
  })

  it('finds a value that only a later copy has', async () => {
    const parts = await redacting('secret')
    const [created, added, partAdded, ...rest] = message(['fine'], { text: 'a secret' })
    const later = rest.filter(({ type }) => type !== 'response.output_text.delta')
    for (const events of [
      [created, added, partAdded, ...rest],
      [created, added, partAdded, ...later],
      [created, rest.at(-1)],
      message(['fine'], { output: [said('a secret')] }),
    ]) {
      const { status, text } = await streamed(parts, events as never)
      assert.equal(status, 200)
      assert.match(text, /a \[WORD\]/)
      assert.doesNotMatch(text, /secret/)
    }
  })

  it('holds in the middle what may become a value, and sends the rest', async () => {
    const parts = await redacting('secret')
    const go = Promise.withResolvers<void>()
    const there = Promise.withResolvers<void>()
    const steps = message(['clear ', 'sec', 'ond'])
    parts.provider.reply(
      stream([...steps.slice(0, 5), () => there.resolve(), go.promise, ...steps.slice(5)], { done: false }),
    )
    const reply = await respond(parts.gateway, { stream: true })
    const got: string[] = []
    for (let i = 0; i < 4; i++) got.push((await reply.event()) as string)
    assert.match(got.at(-1) as string, /"clear "/)
    const reading = reply.event().then((event) => got.push(event as string))
    await there.promise
    await barrier(parts.gateway)
    assert.equal(got.length, 4)
    go.resolve()
    await reading
    assert.match(got.at(-1) as string, /"sec"/)
    await reply.text()
  })

  it('has its usage counted, and one member service in its last event', async (t) => {
    const parts = await running(t, [word('secret')])
    const { events } = await streamed(parts, message(['fine']))
    const completed = await parts.next('request.completed')
    assert.deepEqual(completed.tokens, { prompt: 9, completion: 3 })
    assert.equal(events.filter((event) => event.response?.service !== undefined).length, 1)
    assert.equal(events.at(-1).response.service.action, 'allow')
  })
})
