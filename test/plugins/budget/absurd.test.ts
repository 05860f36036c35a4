/** What no provider and no client should say, and some do. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chunks, stream } from '../../../core/testing/index.ts'
import { keyLimit, startBudget, toldOf, words } from './rig.ts'

const MAX = Number.MAX_SAFE_INTEGER
const ABSURD = [
  { prompt: MAX, completion: MAX },
  { prompt: 8, completion: 1_000_000_001 },
  { prompt: -1, completion: 5 },
  { prompt: '5', completion: '7' },
  { prompt: 1.5, completion: 2 },
  { prompt: null, completion: 3 },
  { prompt: 0, completion: 0 },
]

for (const streamed of [false, true]) {
  describe(`budget: what cannot be (stream: ${streamed})`, () => {
    it('ignores impossible usage, and counts the reply', async (t) => {
      const rig = await startBudget(t, keyLimit('tokens', 1_000_000))
      for (const [i, usage] of ABSURD.entries()) {
        const reply = { choices: [{ content: words(20) }], usage } as never
        const { status, service, events } = await rig.send('Hello', { stream: streamed, reply })
        assert.equal(status, 200)
        assert.deepEqual([toldOf({ service })[0]?.spent, service?.usage_estimated], [28 * (i + 1), true])
        assert.equal(events.at(-1)?.type, 'request.completed')
      }
    })

    it('the largest maximum that a request may name is taken for a long reply', async (t) => {
      const prices = [{ model: '*', input: 1_000_000, output: 1_000_000 }]
      for (const [unit, limit] of [
        ['tokens', 1000],
        ['usd', 1000],
      ] as const) {
        const rig = await startBudget(t, { ...keyLimit(unit, limit), prices })
        const { status, sent } = await rig.send({ max_tokens: MAX, n: 128 }, { stream: streamed })
        assert.deepEqual([status, sent?.body.max_tokens], [403, undefined], 'there is no room for 128 choices')
        const one = await rig.send({ max_tokens: MAX }, { stream: streamed })
        assert.deepEqual([one.status, one.sent?.body.max_tokens], [200, 1000 - 8])
      }
    })
  })
}

describe('budget: usage of a part of a stream', () => {
  const LIMIT = keyLimit('tokens', 10_000)
  /** The first event tells usage, as some providers do; no other does. */
  const events = (n: number, usage: object = { prompt_tokens: 12, completion_tokens: 1, total_tokens: 13 }) =>
    chunks({ choices: [{ content: words(n) }], usage: null }).map((one, i) => (i === 0 ? { ...one, usage } : one))
  const probe = { choices: [{ content: 'ok' }], usage: { prompt: 8, completion: 1 } }

  it('is not used as that of the whole stream', async (t) => {
    const rig = await startBudget(t, LIMIT)
    const { service, events: told } = await rig.send('Hello', { stream: true, reply: stream(events(40)) })
    assert.deepEqual([toldOf({ service })[0]?.spent, service?.usage_estimated], [12 + 40, true])
    assert.deepEqual(told.at(-1)?.tokens, { prompt: 12, completion: 40 })
  })

  it('does not make a client that leaves, or a provider that breaks off, free', async (t) => {
    const rig = await startBudget(t, LIMIT)
    const seen = Promise.withResolvers<void>()
    const left = stream([...events(50).slice(0, 41), () => seen.resolve()], { end: 'hang', done: false })
    assert.equal((await rig.send('Hello', { stream: true, reply: left, leaveAfter: seen.promise })).outcome, 'aborted')
    assert.equal(toldOf(await rig.send('Hello', { reply: probe }))[0]?.spent, 12 + 40 + 9)
    const cut = stream(events(50).slice(0, 21), { end: 'close', done: false })
    assert.equal((await rig.send('Hello', { stream: true, reply: cut })).outcome, 'upstream_failed')
    assert.equal(toldOf(await rig.send('Hello', { reply: probe }))[0]?.spent, 61 + 12 + 20 + 9)
  })

  it('charges a stream that the budget ends', async (t) => {
    const rig = await startBudget(t, { ...keyLimit('tokens', 500), default_completion_tokens: 100 })
    const { choices, service } = await rig.send('Hello', { stream: true, reply: stream(events(2000)) })
    assert.equal(choices[0]?.finish, 'length')
    assert.ok((toldOf({ service })[0]?.spent ?? 0) >= 490, JSON.stringify(service))
  })

  it('is exact when it runs along and a client leaves', async (t) => {
    const rig = await startBudget(t, LIMIT)
    const seen = Promise.withResolvers<void>()
    const running = chunks({ choices: [{ content: words(50) }], usage: null })
      .slice(0, 31)
      .map((one, i) => ({ ...one, usage: { prompt_tokens: 12, completion_tokens: i * 2, total_tokens: 12 + i * 2 } }))
    const reply = stream([...running, () => seen.resolve()], { end: 'hang', done: false })
    await rig.send('Hello', { stream: true, reply, leaveAfter: seen.promise })
    assert.equal(toldOf(await rig.send('Hello', { reply: probe }))[0]?.spent, 12 + 60 + 9)
  })
})

describe('budget: a cap that the provider does not keep', () => {
  const flags = { headers: { 'x-service-flags': 'budget=108' } }
  const reply = { choices: [{ content: words(2000) }], usage: null }

  it('ends a stream by length', async (t) => {
    const rig = await startBudget(t, {})
    for (const request of [{}, { max_tokens: 60 }]) {
      const { choices, service, done, events } = await rig.send(request, { ...flags, stream: true, reply })
      assert.equal(choices[0]?.finish, 'length')
      assert.ok(done)
      assert.ok((choices[0]?.content ?? '').split(' ').length <= 140)
      assert.equal(service?.usage_estimated, true)
      const tokens = events.at(-1)?.tokens as { completion: number } | undefined
      assert.ok((tokens?.completion ?? 0) >= 100, JSON.stringify(tokens))
    }
  })

  it('does not end a stream of about the maximum length', async (t) => {
    const rig = await startBudget(t, {})
    const { choices } = await rig.send('Hello', {
      ...flags,
      stream: true,
      reply: { ...reply, choices: [{ content: words(120) }] },
    })
    assert.equal(choices[0]?.finish, 'stop')
  })

  it('lets a request pass that asks for more than the model can write', async (t) => {
    const rig = await startBudget(t, {})
    for (const stream of [false, true]) {
      const headers = { 'x-service-flags': 'budget=1000000' }
      const { status, sent } = await rig.send({ model: 'gpt-4o' }, { headers, stream })
      assert.deepEqual([status, sent?.body.max_completion_tokens], [200, undefined])
    }
  })
})
