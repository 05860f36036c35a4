import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import {
  apiError,
  type PluginResult,
  type PluginSetup,
  startPlugin,
  stream,
  testPlugin,
} from 'governed-gateway/testing'
import sessions from '../../../plugins/sessions/index.ts'
import { FORMS } from '../../helpers/rounds.ts'

async function start(t: TestContext, setup: PluginSetup = {}) {
  const gateway = await startPlugin(sessions, setup)
  t.after(() => gateway.close())
  return gateway
}

const sessionOf = ({ service }: PluginResult) => [service?.session_id, service?.turn_index]
const user = (content: unknown) => ({ role: 'user', content })
const assistant = { role: 'assistant', content: 'Yes?' }
const explicit = (id: string) => ({ headers: { 'x-service-session-id': id } })

describe('sessions: an explicit id', () => {
  it('is taken from the header, and told in body, headers and events', async () => {
    await testPlugin(sessions, {
      ...explicit('chat-1'),
      expect: {
        service: { session_id: 'chat-1', turn_index: 0 },
        headers: { 'x-service-session-id': 'chat-1', 'x-service-turn-index': '0' },
      },
      check: ({ events }) => assert.deepEqual([events[0]?.session_id, events[0]?.turn_index], ['chat-1', 0]),
    })
  })

  it('is taken from the body, which goes on as it was, unless the header has one', async () => {
    const metadata = { session_id: 'm:1', other: 'x' }
    await testPlugin(sessions, {
      request: { metadata },
      expect: { service: { session_id: 'm:1' }, sent: { metadata } },
    })
    await testPlugin(sessions, {
      request: { metadata },
      ...explicit('h.1'),
      expect: { service: { session_id: 'h.1' } },
    })
  })

  it('counts its turns for each key and session', async (t) => {
    const gateway = await start(t)
    const turns = []
    for (const id of ['a', 'a', 'b', 'a']) turns.push(sessionOf(await gateway.send('Same text', explicit(id))))
    assert.deepEqual(turns, [
      ['a', 0],
      ['a', 1],
      ['b', 0],
      ['a', 2],
    ])
  })

  it('must be of plain characters', async () => {
    for (const id of ['me@example.com', 'two words', 'x'.repeat(129), 'ü'.toString(), '']) {
      await testPlugin(sessions, {
        request: { metadata: { session_id: id } },
        variants: FORMS,
        expect: { status: 400, error: { code: 'invalid_parameter', param: 'metadata.session_id' }, sent: null },
      })
    }
    const error = { code: 'invalid_parameter', param: 'X-Service-Session-Id' }
    await testPlugin(sessions, { ...explicit('a, b'), variants: FORMS, expect: { status: 400, error } })
    await testPlugin(sessions, { request: { metadata: { session_id: 7 } }, variants: FORMS, expect: { status: 400 } })
    await testPlugin(sessions, {
      request: { metadata: { session_id: null } },
      variants: FORMS,
      expect: { service: { turn_index: 0 } },
    })
  })
})

describe('sessions: an explicit id that looks like a value', () => {
  const values = [
    'NO9386011117947',
    'DE89370400440532013000',
    '4111-1111-1111-1111',
    'sk-proj-abcdefgh',
    'a1b2'.repeat(6),
  ]
  for (const value of values) {
    it(`is told by its hash alone, the same each time (${value})`, async (t) => {
      const gateway = await start(t)
      const results = [
        await gateway.send('Hi', explicit(value)),
        await gateway.send({ messages: [user('Hi')], metadata: { session_id: value } } as never),
      ]
      const [first, second] = results.map(sessionOf)
      assert.match(String(first?.[0]), /^sess_[0-9a-f]{32}$/)
      assert.deepEqual([second?.[0], second?.[1]], [first?.[0], 1])
      for (const { headers, service, events } of results) {
        assert.equal(headers['x-service-session-id'], first?.[0])
        assert.equal(events[0]?.session_id, first?.[0])
        assert.ok(!JSON.stringify([headers, service, events]).includes(value))
      }
    })
  }
  it('is another one for another id, and plain ones stay', async (t) => {
    const gateway = await start(t)
    const ask = async (id: string) => sessionOf(await gateway.send('Hi', explicit(id)))[0]
    assert.notEqual(await ask('NO9386011117947'), await ask('NO9386011117948'))
    for (const id of ['ticket-7', 'user:42', '0b9f1c2d-4e5f-4a7b-8c9d-0e1f2a3b4c5d']) assert.equal(await ask(id), id)
  })
})

describe("sessions: an SDK's retry", () => {
  const retry = (id: string, count = 1) => ({
    headers: { ...explicit(id).headers, 'x-stainless-retry-count': `${count}` },
  })
  const failing = apiError(500)
  const reply = 'Hello'

  it('is the same turn again after a failure', async (t) => {
    const gateway = await start(t)
    const first = await gateway.send('One', { ...retry('s', 0), reply: failing })
    assert.equal(first.outcome, 'upstream_failed')
    await gateway.send('One', { ...retry('s', 1), reply: failing })
    assert.deepEqual(sessionOf(await gateway.send('One', { ...retry('s', 2), reply })), ['s', 0])
    assert.deepEqual(sessionOf(await gateway.send('Two', { ...explicit('s'), reply })), ['s', 1])
  })

  it('is the same turn again while the first attempt is still under way', async (t) => {
    const gateway = await start(t)
    const arrived = Promise.withResolvers<void>()
    const left = Promise.withResolvers<void>()
    const hanging = stream([() => arrived.resolve()], { end: 'hang', done: false })
    const first = gateway.send('One', { ...retry('s', 0), stream: true, reply: hanging, leaveAfter: left.promise })
    await arrived.promise
    assert.deepEqual(sessionOf(await gateway.send('One', { ...retry('s'), stream: true, reply })), ['s', 0])
    left.resolve()
    assert.equal((await first).outcome, 'aborted')
  })

  it('is a new turn with another body, key, session, or after success', async (t) => {
    const gateway = await start(t)
    await gateway.send('One', { ...retry('s', 0), reply: failing })
    assert.deepEqual(sessionOf(await gateway.send('Other', { ...retry('s'), reply })), ['s', 1])
    assert.deepEqual(sessionOf(await gateway.send('One', { ...retry('t'), reply })), ['t', 0])
    assert.deepEqual(sessionOf(await gateway.send('One', { ...retry('t'), reply })), ['t', 1])
  })
})

describe('sessions: a derived id', () => {
  it('is the same for one conversation, whose user messages are its turns', async (t) => {
    const gateway = await start(t)
    const system = { role: 'system', content: 'Be brief.' }
    const one = await gateway.send({ messages: [system, user('Hi')] })
    const two = await gateway.send({ messages: [system, user('Hi'), assistant, user('And now?')] })
    const [id, turn] = sessionOf(one)
    assert.match(String(id), /^sess_[0-9a-f]{32}$/)
    assert.equal(turn, 0)
    assert.deepEqual(sessionOf(two), [id, 1])
  })

  it('differs with the system text, the first user text and the key', async (t) => {
    const gateway = await start(t)
    const other = await start(t, { key: { id: 'somebody-else' } })
    const requests = [
      { messages: [user('Hi')] },
      { messages: [user('Hi!')] },
      { messages: [{ role: 'system', content: 'Hi' }] },
      { messages: [{ role: 'system', content: 'A' }, user('Hi')] },
      { messages: [{ role: 'developer', content: 'B' }, user('Hi')] },
    ]
    const ids = []
    for (const request of requests) ids.push(sessionOf(await gateway.send(request))[0])
    ids.push(sessionOf(await other.send({ messages: [user('Hi')] }))[0])
    assert.equal(new Set(ids).size, ids.length)
  })

  it('is that of the key alone, also where the gateway remembers how conversations began', async (t) => {
    const inspection = { memo_bytes: 1e6, memo_scope: 'shared', memo_from_bytes: 0 }
    const remembering = await start(t, { config: { inspection } })
    const reading = await start(t, { config: { inspection: { ...inspection, memo_bytes: 0 } } })
    const system = { role: 'system', content: 'Be brief.' }
    const turns = [assistant, user('And now?'), { role: 'tool', tool_call_id: 'a', content: 'Done.' }, user('So?')]
    const conversations = [
      [system, user('Hi'), ...turns],
      [system, assistant, user('Hi'), ...turns],
      [system, { role: 'developer', content: 'More.' }, user('Hi'), system, ...turns],
      [assistant, user('Hi'), user('Hi')],
    ]
    const ids = new Set<unknown>()
    for (const messages of conversations) {
      for (let n = 1; n <= messages.length; n++) {
        for (const key of [remembering.apiKey, remembering.adminKey, remembering.adminKey]) {
          const headers = { authorization: `Bearer ${key}` }
          const request = { messages: messages.slice(0, n) }
          const expected = sessionOf(await reading.send(structuredClone(request), { headers }))
          assert.deepEqual(sessionOf(await remembering.send(request, { headers })), expected)
          ids.add(expected[0])
        }
      }
    }
    // Of each key: before the first message of the user and with it, of which two conversations have the same.
    assert.ok(ids.size >= 2 * conversations.length)
  })

  it('reads messages of parts, and without any text', async (t) => {
    const gateway = await start(t)
    const text = sessionOf(await gateway.send({ messages: [user('Hi')] }))
    const parts = sessionOf(await gateway.send({ messages: [user([{ type: 'text', text: 'Hi' }])] }))
    assert.deepEqual(parts, text)
    const image = user([{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }])
    assert.match(String(sessionOf(await gateway.send({ messages: [image] }))[0]), /^sess_/)
  })
})
