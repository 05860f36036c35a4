/** Copies of requests to a second upstream, whose replies nobody gets. On real sockets. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { GovernanceEvent } from '../../../../core/engine/contract/plugin.ts'
import {
  apiError,
  bytes,
  chat,
  chunks,
  hang,
  hangUp,
  json,
  type Provider,
  startProvider,
  stream,
} from '../../../../core/testing/provider.ts'
import { type Plugin, type Running, running, word } from '../../../helpers/core.ts'
import { ADMIN_KEY, asking, barrier, bearer, post, setup } from '../../../helpers/gateway.ts'
import { send } from '../../../helpers/http.ts'
import { until } from '../../../helpers/until.ts'

interface Options {
  mirror?: object
  /** More members of the second upstream. */
  second?: object
  route?: object
  plugins?: readonly Plugin[]
  upstream?: Record<string, unknown>
}

type Parts = Running & { second: Provider; ask: (content?: unknown, more?: object) => ReturnType<typeof post> }

const entry = (url: string, { second, mirror, route }: Options) => ({
  upstreams: { second: { url, key: 'second-key', ...second } },
  routes: [{ model: '*', to: ['scripted'], mirror: { upstream: 'second', share: 1, ...mirror }, ...route }],
})

async function rig(t: TestContext, options: Options = {}, form: object = {}): Promise<Parts> {
  const second = await startProvider()
  t.after(() => second.close())
  const { plugins = [word('needle')], upstream = {} } = options
  const parts = await running(t, plugins, { upstream, config: entry(second.url, options) })
  return { ...parts, second, ask: (content, more) => post(parts.gateway, asking(content, { ...form, ...more })) }
}

const mirrored = async ({ gateway }: Pick<Running, 'gateway'>): Promise<Record<string, number>> => {
  const reply = await send(`${gateway.url}/api/upstreams`, { headers: bearer(ADMIN_KEY) })
  const { upstreams } = (await reply.json()) as { upstreams: { name: string; mirrored?: Record<string, number> }[] }
  return upstreams.find(({ name }) => name === 'second')?.mirrored ?? {}
}

const counted = (parts: Pick<Running, 'gateway'>, result: string, times = 1) =>
  until(async () => (await mirrored(parts))[result] === times)

const STREAM = { stream: true }

describe('a mirror', () => {
  for (const form of [{}, STREAM]) {
    it(`gets what the first upstream got, with its own key and model: ${JSON.stringify(form)}`, async (t) => {
      const parts = await rig(t, { mirror: { model: 'canary' } }, form)
      parts.second.reply(chat('It has a needle and a needle'))
      parts.provider.reply(chat('Nothing here'))
      const reply = await parts.ask('A needle of the client', { temperature: 0.5 })
      const text = await reply.text()
      assert.match(text, /Nothing/)
      assert.doesNotMatch(text, /It has/)
      const [first, copy] = [await parts.provider.next(), await parts.second.next()]
      assert.deepEqual({ ...(copy.json as object), model: 'gpt-test' }, first.json)
      assert.equal((copy.json as { model: string }).model, 'canary')
      assert.doesNotMatch(copy.body.toString(), /needle/)
      assert.equal(copy.headers.authorization, 'Bearer second-key')
      const event = await parts.next('upstream.mirrored')
      const { mirror, mirror_model, upstream, result, status, request_id, key_id, tokens } = event
      assert.deepEqual(
        { mirror, mirror_model, upstream, result, status, key_id },
        {
          ...{ mirror: 'second', mirror_model: 'canary', upstream: 'scripted', result: 'completed' },
          ...{ status: 200, key_id: 'user' },
        },
      )
      assert.equal(request_id, reply.headers['x-request-id'])
      assert.deepEqual(event.detections, [{ type: 'word', count: 2, action: 'redact', direction: 'output' }])
      assert.ok(Number.isInteger(event.latency_ms) && Number.isInteger(event.first_byte_ms))
      assert.equal(tokens === undefined, form === STREAM)
      assert.doesNotMatch(JSON.stringify(event), /It has|needle/)
      await parts.next('request.completed')
      const types = parts.events().map(({ type }) => type)
      assert.equal(types.filter((type) => type === 'upstream.mirrored').length, 1)
      assert.equal(types.filter((type) => type === 'request.completed').length, 1)
      assert.ok(!types.includes('response.redacted'))
      assert.deepEqual(await mirrored(parts), { completed: 1 })
    })

    it(`neither delays nor fails the reply: ${JSON.stringify(form)}`, async (t) => {
      const parts = await rig(t, { mirror: { max_concurrent: 9 } }, form)
      const bad: readonly (readonly [ReturnType<typeof hang>, Partial<GovernanceEvent>])[] = [
        [apiError(500), { result: 'failed', status: 500 }],
        [apiError(401), { result: 'failed', status: 401, code: 'upstream_denied' }],
        [apiError(429, {}, { 'retry-after-ms': '0' }), { result: 'failed', status: 429 }],
        [json({ odd: true }), { result: 'failed', status: 200 }],
        [bytes('HTTP/1.1 200 OK\r\n\r\nnothing'), { result: 'failed', status: 200 }],
        [hangUp('reset'), { result: 'failed', code: 'upstream_disconnected' }],
        [stream(chunks('cut off'), { done: false, end: 'reset' }), { result: 'failed', status: 200 }],
      ]
      for (const [script, told] of bad) {
        parts.second.reply(script)
        assert.match(await (await parts.ask()).text(), /Hello/)
        const event = await parts.next('upstream.mirrored')
        const own = Object.fromEntries(Object.keys(told).map((name) => [name, event[name]]))
        assert.deepEqual(own, told)
        assert.equal((await parts.next('request.completed')).status, 200)
        await until(async () => parts.second.open === 0)
      }
    })

    it(`goes on when the client leaves, and ends with its own time: ${JSON.stringify(form)}`, async (t) => {
      const parts = await rig(t, { mirror: { timeout_seconds: 30 } }, form)
      t.mock.timers.enable({ apis: ['setTimeout'] })
      parts.provider.reply(hang())
      parts.second.reply(hang())
      const leave = new AbortController()
      const reply = post(parts.gateway, asking('Hello', form), { signal: leave.signal })
      reply.catch(() => {})
      const [first, copy] = [await parts.provider.next(), await parts.second.next()]
      leave.abort()
      assert.equal(await first.closed, 'aborted')
      await parts.next('stream.aborted')
      await barrier(parts.gateway)
      assert.equal(parts.second.open, 1)
      t.mock.timers.tick(30_000)
      assert.equal(await copy.closed, 'aborted')
      const { result, code, status } = await parts.next('upstream.mirrored')
      assert.deepEqual([result, code, status], ['failed', 'upstream_timeout', undefined])
    })

    it(`tells what a policy would have blocked: ${JSON.stringify(form)}`, async (t) => {
      const parts = await rig(t, { plugins: [word('needle', 'block')] }, form)
      parts.provider.reply(chat('Nothing here'))
      parts.second.reply(chat('It has a needle'))
      assert.equal((await parts.ask()).status, 200)
      const { result, policy, detections } = await parts.next('upstream.mirrored')
      assert.deepEqual([result, policy], ['blocked', 'p0/word'])
      assert.deepEqual(detections, [{ type: 'word', count: 1, action: 'block', direction: 'output' }])
      await parts.next('request.completed')
      assert.ok(!parts.events().some(({ type }) => type === 'response.blocked'))
    })
  }

  it('gets no text above its ceiling, nor of another region or shape', async (t) => {
    const raise: Plugin = {
      apply: (hooks) => hooks.classify.tap('p0', (x) => x.raise('INTERNAL', 'test')),
    }
    const above = await rig(t, { plugins: [raise], second: { max_classification: 'PUBLIC' } })
    await (await above.ask()).text()
    await counted(above, 'above_ceiling')
    assert.equal(above.second.requests.length, 0)
    for (const second of [{ region: 'us' }, { shapes: ['embeddings'] }]) {
      const elsewhere = await rig(t, { second, upstream: { region: 'eu' } })
      await (await post(elsewhere.gateway, asking('Hello'), { headers: { 'x-service-region': 'eu' } })).text()
      assert.deepEqual(await mirrored(elsewhere), {})
      assert.equal(elsewhere.second.requests.length, 0)
    }
  })

  it('gets its share, only so many at a time, and nothing large', async (t) => {
    const parts = await rig(t, { mirror: { max_concurrent: 1, max_bytes: 2048, share: 0.25 } })
    const dice = [0.1, 0.2, 0.25, 0.9, 0.24]
    t.mock.method(Math, 'random', () => dice.shift() ?? 1)
    const rest = Promise.withResolvers<void>()
    parts.second.reply(async (x) => {
      await x.wait(rest.promise)
      await chat('late')(x)
    })
    await (await parts.ask()).text()
    await parts.second.next()
    await (await parts.ask()).text()
    await (await parts.ask()).text()
    await (await parts.ask()).text()
    await (await parts.ask('x'.repeat(3000))).text()
    assert.deepEqual(await mirrored(parts), { full: 1, too_large: 1 })
    rest.resolve()
    await counted(parts, 'completed')
  })

  it('gets a large request as it was sent, too', async (t) => {
    const parts = await rig(t)
    await (await parts.ask(`${'word '.repeat(40_000)}needle`)).text()
    const [first, copy] = [await parts.provider.next(), await parts.second.next()]
    assert.deepEqual(copy.json, first.json)
    assert.doesNotMatch(copy.body.toString(), /needle/)
    await counted(parts, 'completed')
  })

  it('changes no breaker of clients, and gets nothing while one is open', async (t) => {
    const breaker = { failures: 1, open_seconds: 60 }
    const parts = await rig(t, { second: { breaker } })
    parts.second.reply(apiError(500))
    await (await parts.ask()).text()
    await counted(parts, 'failed')
    await (await parts.ask()).text()
    await counted(parts, 'unavailable')
    assert.ok(!parts.events().some(({ type }) => type === 'upstream.opened'))
    assert.equal(parts.second.requests.length, 1)
  })

  it('ends at once when the gateway stops', async (t) => {
    const parts = await rig(t)
    parts.second.reply(hang())
    await (await parts.ask()).text()
    const copy = await parts.second.next()
    await parts.gateway.close()
    assert.equal(await copy.closed, 'aborted')
    assert.equal((await parts.next('upstream.mirrored')).result, 'aborted')
  })

  it('runs only the taps that inspect or count', async (t) => {
    const ran: string[] = []
    const taps = (governs: 'content' | 'usage', countsMirrors: boolean): Plugin => ({
      ...{ governs, countsMirrors },
      apply(hooks) {
        for (const hook of ['preRequest', 'classify', 'block', 'onChunk', 'postResponse'] as const) {
          hooks[hook].tap('p', ((...args: { mirrorOf?: string }[]) => {
            if (args.at(-1)?.mirrorOf !== undefined) ran.push(`${governs} ${countsMirrors} ${hook}`)
          }) as never)
        }
        hooks.block.tap({ name: 'p', stage: 100 }, (x) => {
          if (x.mirrorOf !== undefined) ran.push(`${governs} ${countsMirrors} final`)
        })
      },
    })
    const parts = await rig(t, { plugins: [taps('content', false), taps('usage', false), taps('usage', true)] })
    await (await parts.ask()).text()
    await counted(parts, 'completed')
    const ending = ['usage true final', 'content false onChunk', 'usage true onChunk', 'usage true postResponse']
    assert.deepEqual(ran, ending)
  })
})

describe('what a mirror uses', () => {
  const budget = (limit: number) => ({
    use: 'budget',
    options: {
      limits: [
        { id: 'tokens', scope: 'key', unit: 'tokens', limit, window: 'month' },
        { id: 'requests', scope: 'key', unit: 'requests', limit: 100, window: 'month' },
      ],
    },
  })
  const spent = async (url: string) => {
    const reply = await send(`${url}/api/budgets`, { headers: bearer(ADMIN_KEY) })
    const { budgets } = (await reply.json()) as { budgets: { id: string; spent: number; reserved: number }[] }
    return Object.fromEntries(budgets.map(({ id, spent: used, reserved }) => [id, [used, reserved]]))
  }

  for (const form of [{}, STREAM]) {
    it(`counts against the tokens of the key, not against its requests: ${JSON.stringify(form)}`, async (t) => {
      const second = await startProvider()
      t.after(() => second.close())
      const { gateway, provider } = await setup(t, {
        plugins: [{ use: 'metrics', options: { models: ['gpt-*', 'canary'] } }, budget(1e6), { use: 'usage' }],
        config: entry(second.url, { mirror: { model: 'canary' } }),
      })
      const said = (content: string, prompt: number, completion: number) =>
        chat({ choices: [{ content }], usage: { prompt, completion } })
      provider.reply(said('one', 10, 5))
      second.reply(said('two', 100, 50))
      await (await post(gateway, asking('Hello', form))).text()
      await counted({ gateway }, 'completed')
      assert.deepEqual(await spent(gateway.url), { tokens: [165, 0], requests: [1, 0] })
      const report = await send(`${gateway.url}/api/usage?by=model`, { headers: bearer(ADMIN_KEY) })
      const { usage } = (await report.json()) as { usage: Record<string, unknown>[] }
      const [first, copy] = ['gpt-test', 'canary'].map((model) => usage.find((row) => row.model === model))
      assert.deepEqual([first?.requests, first?.prompt_tokens, first?.completion_tokens], [1, 10, 5])
      assert.deepEqual([copy?.requests, copy?.prompt_tokens, copy?.completion_tokens], [0, 100, 50])
      const page = await (await send(`${gateway.url}/metrics`)).text()
      const tokens = page.split('\n').filter((line) => line.startsWith('gateway_tokens_total{direction="input"'))
      assert.deepEqual(
        tokens.map((line) => line.slice(line.indexOf('model='))),
        ['model="gpt-*"} 10', 'model="canary"} 100'],
      )
    })
  }

  it('is not sent when the budget has no room', async (t) => {
    const second = await startProvider()
    t.after(() => second.close())
    const { gateway, provider } = await setup(t, { plugins: [budget(200)], config: entry(second.url, {}) })
    provider.reply(hang())
    const leave = new AbortController()
    const reply = post(gateway, asking('Hello', { max_tokens: 190 }), { signal: leave.signal })
    reply.catch(() => {})
    await provider.next()
    await counted({ gateway }, 'refused')
    assert.equal(second.requests.length, 0)
    leave.abort()
    assert.ok(!gateway.log.some(({ event }) => (event as GovernanceEvent)?.type === 'upstream.mirrored'))
  })
})
