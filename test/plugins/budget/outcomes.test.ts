import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import OpenAI from 'openai'
import { chat, chunks, hang, json, stream } from '../../../core/testing/index.ts'
import { startBundled } from '../../helpers/bundled.ts'
import { keyLimit, policy, startBudget, toldOf } from './rig.ts'

const LIMIT = keyLimit('tokens', 100_000)
const done = chat({ choices: [{ content: 'ok' }], usage: { prompt: 8, completion: 1 } })
type Rig = Awaited<ReturnType<typeof startBudget>>

/** What was spent before: a request of 9 tokens more tells. */
async function spent(rig: Rig): Promise<number> {
  return (toldOf(await rig.send('Hello', { reply: done }))[0]?.spent ?? Number.NaN) - 9
}

for (const streamed of [false, true]) {
  describe(`budget: what an outcome costs (stream: ${streamed})`, () => {
    it('a client that leaves before the reply began pays for the prompt', async (t) => {
      const rig = await startBudget(t, LIMIT)
      const arrived = rig.provider.next()
      const { outcome } = await rig.send('Hello', { stream: streamed, reply: hang(), leaveAfter: arrived })
      assert.equal(outcome, 'aborted')
      assert.equal(await spent(rig), 8)
    })

    it('a provider that is too slow has worked on the prompt', async (t) => {
      const rig = await startBudget(t, LIMIT, { upstream: { first_byte_timeout_seconds: 0.2 } })
      const { status } = await rig.send('Hello', { stream: streamed, reply: hang() })
      assert.equal(status, 504)
      assert.equal(await spent(rig), 8)
    })

    it('a provider that cannot be reached costs nothing', async (t) => {
      const config = {
        upstreams: { gone: { url: 'http://127.0.0.1:1/v1' } },
        routes: [{ model: 'gone', to: ['gone'] }],
      }
      const rig = await startBudget(t, LIMIT, { config })
      const { status } = await rig.send({ model: 'gone' }, { stream: streamed })
      assert.equal(status, 502)
      const headers = { authorization: `Bearer ${rig.apiKey}` }
      const listed = (await (await fetch(`${rig.url}/api/budgets`, { headers })).json()) as { budgets: object[] }
      assert.partialDeepStrictEqual(listed.budgets, [{ id: 'key_tokens_month', spent: 0, reserved: 0 }])
    })

    it('an error with status 200 costs nothing', async (t) => {
      const rig = await startBudget(t, LIMIT)
      const { status } = await rig.send('Hello', { stream: streamed, reply: json({ error: { message: 'Busy' } }) })
      assert.equal(status, 502)
      assert.equal(await spent(rig), 0)
    })

    it('an error before anything was said costs nothing, one after the first text does not', async (t) => {
      const error = { error: { message: 'Overloaded', type: 'server_error', code: null, param: null } }
      const rig = await startBudget(t, LIMIT)
      const first = await rig.send('Hello', { stream: true, reply: stream([error], { done: false }) })
      assert.equal(first.status, 502)
      assert.equal(await spent(rig), 0)
      const said = chunks({ choices: [{ content: 'one two red cat' }] }).slice(0, 4)
      await rig.send('Hello', { stream: true, reply: stream([...said, error], { done: false }) })
      assert.ok((await spent(rig)) > 8)
    })

    it('a request that a policy blocks costs nothing, a reply that one blocks what it came to', async (t) => {
      const asked = await startBudget(t, LIMIT, { with: ['flags', policy('input')] })
      assert.equal((await asked.send('forbidden', { stream: streamed })).status, 403)
      assert.equal(await spent(asked), 0)
      const answered = await startBudget(t, LIMIT, { with: ['flags', policy('output')] })
      const reply = { choices: [{ content: 'this is forbidden' }], usage: null }
      const { outcome } = await answered.send('Hello', { stream: streamed, reply })
      assert.equal(outcome, 'blocked')
      assert.equal(await spent(answered), 11)
    })
  })
}

describe('budget: what the end of a stream costs', () => {
  it('charges the received part when the provider breaks off', async (t) => {
    const rig = await startBudget(t, LIMIT)
    const script = stream(chunks({ choices: [{ content: 'one two red cat' }] }).slice(0, 4), {
      end: 'close',
      done: false,
    })
    const { outcome } = await rig.send('Hello', { stream: true, reply: script })
    assert.equal(outcome, 'upstream_failed')
    assert.equal(await spent(rig), 8 + 3)
  })
})

describe('budget: through the OpenAI SDK', () => {
  const yaml = (more: string) => `
plugins:
  - use: flags
  - use: budget
    options: { limits: [{ scope: key, unit: requests, limit: 1, window: month }]${more} }
`
  const ask = { model: 'gpt-test', messages: [{ role: 'user' as const, content: 'Hello' }] }

  it('gives a readable error without retries', async (t) => {
    const { client, provider } = await startBundled(t, yaml(''))
    await client.chat.completions.create(ask)
    await assert.rejects(client.chat.completions.create(ask, { maxRetries: 2 }), (error) => {
      assert.ok(error instanceof OpenAI.PermissionDeniedError)
      assert.equal(error.code, 'budget_exceeded')
      assert.match(error.message, /The budget of this key does not allow it: its only request is spent or reserved/)
      return true
    })
    assert.equal(provider.requests.length, 1)
  })

  it('is a RateLimitError of OpenAI where the operator wants it', async (t) => {
    const { client } = await startBundled(t, yaml(', status: 429'))
    await client.chat.completions.create(ask)
    let tries = 0
    const counted = client.withOptions({
      maxRetries: 2,
      fetch: (url, init) => {
        tries += 1
        return fetch(url, init)
      },
    })
    await assert.rejects(counted.chat.completions.create(ask), (error) => {
      assert.ok(error instanceof OpenAI.RateLimitError)
      assert.equal(error.type, 'insufficient_quota')
      return true
    })
    assert.equal(tries, 1)
  })
})

describe('budget: a model of several names', () => {
  for (const streamed of [false, true]) {
    it(`has one meter (stream: ${streamed})`, async (t) => {
      const provider = {
        routes: [
          { model: 'fast*', to: ['provider'], rename: 'gpt-test' },
          { model: '*', to: ['provider'] },
        ],
      }
      const limits = [{ scope: 'model', match: ['gpt-test'], unit: 'requests', limit: 2, window: 'day' }]
      const rig = await startBudget(t, { limits }, { config: provider })
      const statuses: number[] = []
      for (const model of ['fast', 'fast-1', 'gpt-test', 'fast', 'other'])
        statuses.push((await rig.send({ model }, { stream: streamed })).status)
      assert.deepEqual(statuses, [200, 200, 403, 403, 200])
    })
  }

  it('has one meter in every case of letters', async (t) => {
    const limits = [
      { scope: 'model', match: ['gpt-test'], unit: 'requests', limit: 2, window: 'day' },
      { scope: 'model', match: ['Vendor/*'], unit: 'requests', limit: 1, window: 'day', id: 'vendor' },
    ]
    const rig = await startBudget(t, { limits })
    const statuses: number[] = []
    for (const model of ['gpt-test', 'GPT-Test', 'gpt-tesT', 'vendor/m', 'VENDOR/M', 'other'])
      statuses.push((await rig.send({ model })).status)
    assert.deepEqual(statuses, [200, 200, 403, 200, 403, 200])
  })
})
