import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { apiError, chat, chunks, delta, hangUp, stream } from '../../../core/testing/index.ts'
import { keyLimit, startBudget, toldOf, words } from './rig.ts'

const reply = (n: number, prompt = 8) => ({ choices: [{ content: words(n) }], usage: { prompt, completion: n } })
const silent = (n: number) => ({ choices: [{ content: words(n) }], usage: null })

for (const streamed of [false, true]) {
  describe(`budget: tokens (stream: ${streamed})`, () => {
    it('charges what the provider says', async (t) => {
      const rig = await startBudget(t, keyLimit('tokens', 10_000))
      const first = await rig.send('Hello', { stream: streamed, reply: reply(20) })
      assert.deepEqual([toldOf(first)[0]?.spent, toldOf(first)[0]?.left], [28, 9972])
      assert.equal(first.service?.usage_estimated, undefined)
      assert.equal(first.usage === undefined, streamed, 'nobody asked for the usage chunk')
      const second = await rig.send('Hello', { stream: streamed, reply: reply(5) })
      assert.equal(toldOf(second)[0]?.spent, 41)
    })

    it('estimates usage that the provider does not report, and marks it', async (t) => {
      const rig = await startBudget(t, keyLimit('tokens', 10_000))
      const { service } = await rig.send('Hello', { stream: streamed, reply: silent(300) })
      assert.equal(service?.usage_estimated, true)
      assert.deepEqual(toldOf({ service })[0]?.spent, 308)
    })

    it('lowers the maximum of the provider to what is left', async (t) => {
      const rig = await startBudget(t, keyLimit('tokens', 108))
      const { sent, status } = await rig.send('Hello', { stream: streamed, reply: reply(10) })
      assert.equal(status, 200)
      assert.equal(sent?.body.max_completion_tokens, 100)
      const second = await rig.send({ max_tokens: 500 }, { stream: streamed, reply: reply(10) })
      assert.equal(second.sent?.body.max_tokens, 108 - 18 - 8)
      const third = await rig.send({ max_tokens: 4 }, { stream: streamed, reply: reply(4) })
      assert.equal(third.sent?.body.max_tokens, 4, 'what fits is left alone')
    })

    it('refuses when the prompt and a few tokens do not fit', async (t) => {
      const rig = await startBudget(t, keyLimit('tokens', 20))
      const { status, error, events, sent } = await rig.send('Hello', { stream: streamed })
      assert.equal(status, 403)
      assert.equal(sent, undefined)
      assert.equal(error?.code, 'budget_exceeded')
      assert.deepEqual([error?.limit, error?.spent, error?.left, error?.scope], [20, 0, 20, 'key'])
      assert.match(String(error?.reason), /it needs at least 24 tokens, and 20 of 20 are left/)
      const [exceeded] = events.filter(({ type }) => type === 'budget.exceeded')
      assert.equal(exceeded?.severity, 'block')
      assert.equal(exceeded?.phase, 'request')
    })

    it('releases what a failed request held', async (t) => {
      const rig = await startBudget(t, keyLimit('tokens', 2_000))
      await rig.send('Hello', { stream: streamed, reply: apiError(500) })
      await rig.send('Hello', { stream: streamed, reply: apiError(400) })
      await rig.send('Hello', { stream: streamed, reply: hangUp() })
      const { service } = await rig.send('Hello', { stream: streamed, reply: reply(1) })
      assert.equal(toldOf({ service })[0]?.spent, 9)
    })
  })
}

describe('budget: tokens of streams', () => {
  it('reserves more for a stream that outgrows its reservation', async (t) => {
    const rig = await startBudget(t, { ...keyLimit('tokens', 5_000), default_completion_tokens: 100 })
    const { choices, service } = await rig.send('Hello', { stream: true, reply: reply(2_000) })
    assert.equal(choices[0]?.finish, 'stop')
    assert.equal(toldOf({ service })[0]?.spent, 2008)
  })

  it('ends a stream with finish reason length when nothing is left', async (t) => {
    const rig = await startBudget(t, { ...keyLimit('tokens', 1_500), default_completion_tokens: 100 })
    const { choices, service, events, done } = await rig.send('Hello', { stream: true, reply: reply(2_700) })
    assert.equal(choices[0]?.finish, 'length')
    assert.ok(done)
    assert.equal(service?.usage_estimated, true)
    const [told] = toldOf({ service })
    assert.ok(told !== undefined && told.spent >= 1_400 && told.spent <= 1_500, JSON.stringify(told))
    assert.equal(events.find(({ type }) => type === 'budget.exceeded')?.phase, 'reply')
    assert.equal(events.at(-1)?.type, 'request.completed')
  })

  for (const reason of ['', 'stop']) {
    it(`ends it there, too, when every event has the finish reason ${JSON.stringify(reason)}`, async (t) => {
      const rig = await startBudget(t, { ...keyLimit('tokens', 300), default_completion_tokens: 100 })
      const events = Array.from({ length: 600 }, () => delta({ content: ' cat' }, 0, reason))
      const { text, service, events: told } = await rig.send('Hello', { stream: true, reply: stream(events) })
      const written = text.split(' cat').length - 1
      assert.ok(written >= 200 && written <= 300, `${written} words for 300 tokens`)
      assert.equal(toldOf({ service })[0]?.left, 0)
      assert.equal(told.find(({ type }) => type === 'budget.exceeded')?.phase, 'reply')
    })
  }

  it('charges a client that leaves for what was written', async (t) => {
    const rig = await startBudget(t, keyLimit('tokens', 10_000))
    const seen = Promise.withResolvers<void>()
    const events = chunks({ choices: [{ content: words(50) }], usage: null }).slice(0, 41)
    const script = stream([...events, () => seen.resolve()], { end: 'hang', done: false })
    const left = await rig.send('Hello', { stream: true, reply: script, leaveAfter: seen.promise })
    assert.equal(left.outcome, 'aborted')
    const after = await rig.send('Hello', { reply: reply(1) })
    assert.equal(toldOf(after)[0]?.spent, 8 + 40 + 9)
  })

  it('passes usage on to a client that asked for it', async (t) => {
    const rig = await startBudget(t, keyLimit('tokens', 10_000))
    const asked = { stream_options: { include_usage: true } }
    const { usage } = await rig.send(asked, { stream: true, reply: chat(reply(3)) })
    assert.deepEqual(usage, { prompt_tokens: 8, completion_tokens: 3, total_tokens: 11 })
  })
})

for (const streamed of [false, true]) {
  describe(`budget: maxima (stream: ${streamed})`, () => {
    const how = { stream: streamed }

    it('cap_unbounded sets a maximum for buffered replies without one', async (t) => {
      const rig = await startBudget(t, { ...keyLimit('tokens', 100_000), cap_unbounded: true })
      const { sent } = await rig.send('Hello', how)
      assert.equal(sent?.body.max_completion_tokens, streamed ? undefined : 1024)
      const own = await rig.send({ max_tokens: 7 }, how)
      assert.deepEqual([own.sent?.body.max_tokens, own.sent?.body.max_completion_tokens], [7, undefined])
    })

    it('refuses a request below min_completion_tokens, or below its own smaller maximum', async (t) => {
      const rig = await startBudget(t, { ...keyLimit('tokens', 30), min_completion_tokens: 20 })
      assert.equal((await rig.send('Hello', { ...how, reply: reply(3) })).sent?.body.max_completion_tokens, 22)
      const refused = await rig.send('Hello', how)
      assert.match(String(refused.error?.reason), /it needs at least 28 tokens, and 19 of 30 are left/)
      assert.equal((await rig.send({ max_tokens: 5 }, { ...how, reply: reply(5) })).sent?.body.max_tokens, 5)
    })
  })
}
