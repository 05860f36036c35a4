import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import {
  apiError,
  chunks,
  hang,
  type JsonObject,
  type PluginResult,
  type PluginSetup,
  startPlugin,
  stream,
  testPlugin,
} from 'governed-gateway/testing'
import { duration } from '../../../plugins/ratelimit/headers.ts'
import ratelimit from '../../../plugins/ratelimit/index.ts'

type Limit = Record<string, unknown>

async function start(t: TestContext, limits: readonly Limit[], setup: PluginSetup = {}) {
  const gateway = await startPlugin(ratelimit, { ...setup, options: { limits, default_completion_tokens: 10 } })
  t.after(() => gateway.close())
  return gateway
}

const statusesOf = (results: readonly PluginResult[]) => results.map(({ status }) => status).sort()
const exceeded = (result: PluginResult) => result.events.filter(({ type }) => type === 'ratelimit.exceeded')

it('ratelimit refuses for a window at most when the clock is set back by days, or forward', async (t) => {
  const days = 2 * 86_400_000
  const start0 = Date.now()
  t.mock.timers.enable({ apis: ['Date'], now: start0 })
  const gateway = await start(t, [{ scope: 'key', requests_per_minute: 1 }])
  const status = async (now: number): Promise<number> => {
    t.mock.timers.setTime(now)
    const { status, headers } = await gateway.send('Hello')
    const wait = Number(headers['retry-after'] ?? 1)
    assert.ok(wait >= 1 && wait <= 61, `retry-after ${wait}`)
    return status
  }
  assert.deepEqual([await status(start0), await status(start0)], [200, 429])
  const back = start0 - days
  assert.deepEqual([await status(back), await status(back + 30_000)], [429, 429])
  assert.deepEqual([await status(back + 92_000), await status(back + 92_000)], [200, 429])
  assert.deepEqual([await status(start0 + days), await status(start0 + days)], [200, 429])
})

for (const streamed of [false, true]) {
  describe(`ratelimit, stream: ${streamed}`, () => {
    const how = { stream: streamed }

    it('lets exactly the limit through, however many ask at once', async (t) => {
      const gateway = await start(t, [{ scope: 'key', requests_per_minute: 7 }])
      const results = await Promise.all(Array.from({ length: 50 }, () => gateway.send('Hello', how)))
      assert.deepEqual(statusesOf(results), [...Array(7).fill(200), ...Array(43).fill(429)])
      assert.equal(gateway.provider.requests.length, 7)
    })

    it('answers 429 in the form of OpenAI, says when to try again, and records it', async (t) => {
      const gateway = await start(t, [{ name: 'apps', scope: 'key', requests_per_minute: 1 }])
      const first = await gateway.send('Hello', how)
      assert.equal(first.headers['x-ratelimit-limit-requests'], '1')
      assert.equal(first.headers['x-ratelimit-remaining-requests'], '0')
      for (const refused of [await gateway.send('Hello', how), await gateway.send('Hello', how)]) {
        assert.equal(refused.status, 429)
        assert.equal(refused.error?.code, 'rate_limit_exceeded')
        assert.match(String(refused.error?.message), /^Rate limit reached for this key: 1 requests per minute/)
        const wait = Number(refused.headers['retry-after'])
        assert.ok(wait >= 1 && wait <= 62, `retry-after ${wait}`)
        assert.equal(refused.headers['x-ratelimit-remaining-requests'], '0')
        assert.match(String(refused.headers['x-ratelimit-reset-requests']), /^(\d+m)?[\d.]+m?s$/)
        const [event] = exceeded(refused)
        assert.deepEqual(
          [event?.limit, event?.scope, event?.unit, event?.severity],
          ['apps', 'key', 'requests', 'action'],
        )
        assert.equal(refused.events.at(-1)?.type, 'request.rejected')
      }
    })

    it('counts what the model used, not what was estimated', async (t) => {
      const gateway = await start(t, [{ scope: 'global', tokens_per_minute: 1000 }])
      await gateway.send({ max_tokens: 900 }, how)
      const prompt = Math.ceil(Buffer.byteLength('Hello') / 4)
      const second = await gateway.send({ max_tokens: 900 }, how)
      assert.equal(second.status, 200, 'the first was settled')
      const used = 1000 - Number(second.headers['x-ratelimit-remaining-tokens']) - prompt - 900
      assert.ok(used > 0 && used < 100, `${used} tokens were used`)
    })

    it('returns unused tokens, and counts the request', async (t) => {
      const gateway = await start(t, [{ scope: 'key', tokens_per_minute: 100, requests_per_minute: 3 }])
      const failed = await gateway.send({ max_tokens: 90 }, { ...how, reply: apiError(500) })
      assert.equal(failed.status, 500)
      const next = await gateway.send({ max_tokens: 90 }, { ...how, reply: 'Hello' })
      assert.equal(next.status, 200)
      assert.equal(next.headers['x-ratelimit-remaining-requests'], '1')
    })

    it('uses the count of budget when the provider reports none, also when the client disconnects', async (t) => {
      const limits = [{ scope: 'key', tokens_per_minute: 10_000 }]
      const budget = {
        use: 'budget',
        options: { limits: [{ scope: 'key', unit: 'tokens', limit: 1e9, window: 'day' }] },
      }
      const gateway = await start(t, limits, { with: [budget] })
      const untold = { choices: [{ content: 'one two red cat' }], usage: null }
      await gateway.send({ max_tokens: 5000 }, { ...how, reply: untold })
      await gateway.send({ max_tokens: 5000 }, { ...how, reply: hang(), leaveAfter: gateway.provider.next() })
      const third = await gateway.send({ max_tokens: 5000 }, { ...how, reply: untold })
      assert.equal(third.headers['x-ratelimit-remaining-tokens'], String(10_000 - (8 + 4) - 8 - 5002))
    })

    it('counts no request that a budget refuses', async (t) => {
      const budget = {
        use: 'budget',
        options: { limits: [{ scope: 'key', unit: 'requests', limit: 1, window: 'day' }] },
      }
      const gateway = await start(t, [{ scope: 'key', requests_per_minute: 2 }], { with: [budget] })
      const statuses: number[] = []
      for (let i = 0; i < 4; i++) statuses.push((await gateway.send('Hello', how)).status)
      assert.deepEqual(statuses, [200, 403, 403, 403])
    })

    it('holds in every mode and for blocked requests', async (t) => {
      const limits = [{ scope: 'key', requests_per_minute: 2 }]
      const policy = { use: 'policy', options: { rules: [{ keywords: ['forbidden'] }] } }
      const gateway = await start(t, limits, { with: [policy] })
      assert.deepEqual(
        [
          await gateway.send('forbidden', how),
          await gateway.send('forbidden', how),
          await gateway.send('Hello', how),
        ].map(({ status }) => status),
        [403, 403, 429],
      )
    })

    it('refuses dry runs and blocked requests that are too many, though no model is called', async (t) => {
      const policy = { use: 'policy', options: { rules: [{ keywords: ['forbidden'] }] } }
      const dry = { ...how, headers: { 'x-service-flags': 'dry_run=true' } }
      for (const [request, options, status] of [
        ['forbidden', how, 403],
        ['Hello', dry, 200],
      ] as const) {
        const gateway = await start(t, [{ scope: 'key', requests_per_minute: 2 }], { with: ['flags', policy] })
        const results: PluginResult[] = []
        for (let i = 0; i < 4; i++) results.push(await gateway.send(request, options))
        assert.deepEqual(
          results.map((one) => one.status),
          [status, status, 429, 429],
        )
        assert.equal(gateway.provider.requests.length, 0)
        assert.equal(exceeded(results[2] as PluginResult).length, 1)
      }
    })

    it('only records when its entry is monitored', async (t) => {
      const gateway = await start(t, [{ scope: 'key', requests_per_minute: 1 }], { entry: { mode: 'monitor' } })
      await gateway.send('Hello', how)
      for (let i = 0; i < 3; i++) {
        const next = await gateway.send('Hello', how)
        assert.equal(next.status, 200)
        assert.equal(next.events.filter(({ type }) => type === 'policy.would_block').length, 1)
        assert.deepEqual(exceeded(next), [], 'nothing was refused')
      }
    })
  })
}

describe('ratelimit', () => {
  it('frees a stream when it ends, also when the client leaves', async (t) => {
    const gateway = await start(t, [{ scope: 'key', concurrent_streams: 1 }])
    const { promise: open, resolve: finish } = Promise.withResolvers<void>()
    const [role, ...rest] = chunks('Hello there')
    const reply = stream([role as JsonObject, () => open, ...rest])
    const { promise: seen, resolve: leave } = Promise.withResolvers<void>()
    const first = gateway.send('Hello', { stream: true, reply, leaveAfter: seen })
    await gateway.provider.next()
    const second = await gateway.send('Hello', { stream: true, reply: 'Hello' })
    assert.equal(second.status, 429)
    assert.match(String(second.error?.message), /1 streams at the same time/)
    assert.equal((await gateway.send('Hello', { stream: false })).status, 200, 'buffered requests are no streams')
    leave()
    await first
    finish()
    assert.equal((await gateway.send('Hello', { stream: true })).status, 200)
  })

  it('keeps one count for each model, key and team', async (t) => {
    const limits = [
      { scope: 'model', requests_per_minute: 1, models: ['gpt-*'] },
      { scope: 'team', requests_per_minute: 3 },
    ]
    const gateway = await start(t, limits, { key: { team: 'web' } })
    const asked = ['gpt-a', 'gpt-a', 'gpt-b', 'other', 'other']
    const statuses: number[] = []
    for (const model of asked) statuses.push((await gateway.send({ model })).status)
    assert.deepEqual(statuses, [200, 429, 200, 200, 429])
  })

  it('keeps one count for a model in every case of letters', async (t) => {
    const gateway = await start(t, [{ scope: 'model', requests_per_minute: 1, models: ['Gpt-*'] }])
    const statuses: number[] = []
    for (const model of ['gpt-a', 'GPT-A', 'gpt-b']) statuses.push((await gateway.send({ model })).status)
    assert.deepEqual(statuses, [200, 429, 200])
  })

  it('does nothing without limits', async () => {
    await testPlugin(ratelimit, {
      check: ({ headers }) => assert.equal(headers['x-ratelimit-limit-requests'], undefined),
    })
  })

  it('refuses two limits of one name, and a limit without a number', async () => {
    const named = { name: 'a', scope: 'key', requests_per_minute: 1 }
    await assert.rejects(
      startPlugin(ratelimit, { options: { limits: [named, named] } }),
      /limits\[1\]\.name: two of the limits are named 'a'/,
    )
    await assert.rejects(startPlugin(ratelimit, { options: { limits: [{ scope: 'key' }] } }), /limits\[0\]/)
  })

  it('writes durations as OpenAI does', () => {
    const cases: [number, string][] = [
      [-5, '0ms'],
      [20, '20ms'],
      [7660, '7.66s'],
      [59_999, '60s'],
      [60_000, '1m0s'],
    ]
    for (const [ms, text] of cases) assert.equal(duration(ms), text)
  })
})
