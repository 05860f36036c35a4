import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chat } from '../../../core/testing/index.ts'
import { keyLimit, startBudget, toldOf } from './rig.ts'

const flags = (value: string) => ({ headers: { 'x-service-flags': value } })
const used = (completion: number) => ({ choices: [{ content: 'Fine' }], usage: { prompt: 8, completion } })
const loose = { key: { flags_allow: ['budget=*'] } }

describe('budget: flag', () => {
  it('warn lets pass and counts, and reports what enforce would do', async (t) => {
    const rig = await startBudget(t, keyLimit('tokens', 20), loose)
    const { status, sent, service, events } = await rig.send('Hello', { ...flags('budget=warn'), reply: used(90) })
    assert.equal(status, 200)
    assert.equal(sent?.body.max_completion_tokens, undefined)
    assert.deepEqual([toldOf({ service })[0]?.spent, toldOf({ service })[0]?.left], [98, 0])
    assert.deepEqual(
      events.filter(({ type }) => type === 'policy.would_block').map(({ policy }) => policy),
      ['budget'],
    )
    assert.equal(events.filter(({ type }) => type === 'budget.exceeded').length, 0)
    assert.equal((await rig.send('Hello')).status, 403, 'the next one without the flag pays for it')
  })

  it('off lets pass and counts, without an event', async (t) => {
    const rig = await startBudget(t, keyLimit('requests', 1), loose)
    for (let i = 0; i < 3; i++) {
      const { status, service, headers, events } = await rig.send('Hello', { ...flags('budget=off'), stream: i === 1 })
      assert.equal(status, 200)
      assert.deepEqual(
        events.map(({ type }) => type),
        ['flags.loosened', 'request.completed'],
      )
      assert.equal(service?.budget, undefined)
      assert.equal(headers['x-ratelimit-limit-requests'], undefined)
    }
    const { status, error } = await rig.send('Hello')
    assert.deepEqual([status, error?.spent], [403, 3])
  })

  it('is refused when the key may not loosen it', async (t) => {
    const rig = await startBudget(t, keyLimit('requests', 1))
    const { status, error } = await rig.send('Hello', flags('budget=off'))
    assert.deepEqual([status, error?.code], [403, 'flag_not_permitted'])
  })

  for (const stream of [false, true]) {
    it(`a number caps prompt and reply of this request (stream: ${stream})`, async (t) => {
      const rig = await startBudget(t, {})
      const { sent, status } = await rig.send('Hello', { ...flags('budget=108'), stream, reply: used(3) })
      assert.deepEqual([status, sent?.body.max_completion_tokens], [200, 100])
      const two = await rig.send({ n: 2, max_tokens: 400 }, { ...flags('budget=108'), stream })
      assert.equal(two.sent?.body.max_tokens, 50)
      const none = await rig.send('Hello', { ...flags('budget=10'), stream })
      assert.deepEqual([none.status, none.error?.code, none.error?.limit], [403, 'budget_exceeded', 10])
      assert.equal(none.sent, undefined)
    })
  }

  it('a number holds beside the limits, and reserves no more than it allows', async (t) => {
    const rig = await startBudget(t, keyLimit('tokens', 60))
    const { sent, service } = await rig.send('Hello', { ...flags('budget=58'), reply: used(50) })
    assert.equal(sent?.body.max_completion_tokens, 50)
    assert.equal(toldOf({ service })[0]?.left, 2)
  })
})

describe('budget: modes', () => {
  it('monitor and off of a request change nothing: usage is always governed', async (t) => {
    const rig = await startBudget(t, keyLimit('requests', 0), { key: { flags_allow: ['mode=*'] } })
    for (const mode of ['monitor', 'off']) assert.equal((await rig.send('Hello', flags(`mode=${mode}`))).status, 403)
  })

  it('an entry that monitors refuses nothing', async (t) => {
    const options = { ...keyLimit('usd', 0) }
    const rig = await startBudget(t, options, { entry: { mode: 'monitor' } })
    const { status, events } = await rig.send('Hello', { ...flags('budget=5') })
    assert.equal(status, 200)
    assert.ok(events.filter(({ type }) => type === 'policy.would_block').length > 0)
    assert.equal(events.filter(({ type }) => type === 'budget.exceeded').length, 0)
  })

  it('a dry run reserves nothing', async (t) => {
    const rig = await startBudget(t, keyLimit('requests', 1))
    assert.equal((await rig.send('Hello', flags('dry_run=true'))).status, 200)
    assert.equal((await rig.send('Hello')).status, 200)
    assert.equal((await rig.send('Hello')).status, 403)
  })

  for (const [status, type] of [
    [429, 'insufficient_quota'],
    [402, 'insufficient_quota'],
  ] as const) {
    it(`refuses with ${status} where the operator wants it`, async (t) => {
      const rig = await startBudget(t, { ...keyLimit('requests', 0), status })
      const reply = await rig.send('Hello')
      assert.deepEqual([reply.status, reply.error?.type, reply.error?.code], [status, type, type])
      assert.equal(reply.headers['x-should-retry'], 'false')
      assert.equal(reply.error?.limit, 0)
    })
  }
})

describe('budget: what is told', () => {
  it('service and headers say what is left', async (t) => {
    const limits = [
      { scope: 'key', unit: 'requests', limit: 10, window: 'day' },
      { scope: 'global', unit: 'tokens', limit: 5000, window: { rolling: '1h' } },
      { scope: 'team', unit: 'tokens', limit: 1, window: 'day' },
    ]
    const rig = await startBudget(t, { limits })
    const { service, headers } = await rig.send('Hello', { reply: chat(used(2)) })
    const [requests, tokens, ...rest] = toldOf({ service })
    assert.deepEqual(rest, [], 'the key has no team')
    assert.deepEqual(
      { ...requests, resets_at: undefined },
      { id: 'key_requests_day', scope: 'key', unit: 'requests', limit: 10, spent: 1, left: 9, resets_at: undefined },
    )
    assert.deepEqual([tokens?.id, tokens?.spent, tokens?.left], ['global_tokens_1h', 10, 4990])
    const told = ['limit', 'remaining', 'reset'].map((what) => headers[`x-ratelimit-${what}-requests`])
    assert.deepEqual(told.slice(0, 2), ['10', '9'])
    assert.match(String(told[2]), /^(\d+h)?(\d+m)?\d+s$/)
    assert.equal(headers['x-ratelimit-limit-tokens'], '5000')
  })

  it('thresholds are reported once per window, and only the highest of a jump', async (t) => {
    const rig = await startBudget(t, keyLimit('tokens', 1000))
    const thresholds = () => rig.events.filter(({ type }) => type === 'budget.threshold')
    for (const completion of [500, 342, 10]) await rig.send('Hello', { reply: chat(used(completion)) })
    await settled(rig)
    assert.deepEqual(
      thresholds().map(({ percent, spent, severity }) => [percent, spent, severity]),
      [[80, 858, 'detection']],
    )
    await rig.send('Hello', { reply: chat(used(150)) })
    await settled(rig)
    assert.deepEqual(
      thresholds().map(({ percent }) => percent),
      [80, 100],
    )
  })
})

/** What goes to the store in the background comes before what is asked for after it. */
async function settled(rig: { url: string; apiKey: string }): Promise<void> {
  await fetch(`${rig.url}/api/budgets`, { headers: { authorization: `Bearer ${rig.apiKey}` } }).then((r) => r.text())
}
