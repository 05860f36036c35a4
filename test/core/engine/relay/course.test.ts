/** What happens until an upstream answers: retries, other upstreams, other keys, and waits. On real sockets. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sessionFact } from '../../../../core/engine/contract/facts.ts'
import type { Exchange } from '../../../../core/engine/contract/plugin.ts'
import { apiError, chat, hang, hangUp, type Provider, startProvider } from '../../../../core/testing/provider.ts'
import { type Plugin, type Running, running } from '../../../helpers/core.ts'
import { ADMIN_KEY, asking, bearer, LIMITED_KEY, type Owner, post } from '../../../helpers/gateway.ts'
import { type Reply, send } from '../../../helpers/http.ts'
import { until } from '../../../helpers/until.ts'

const FAST_RETRY = { first_wait_seconds: 0.001, max_wait_seconds: 0.002 }
const NEVER = { first_wait_seconds: 60, max_wait_seconds: 60 }

interface Options {
  upstream?: object
  /** More upstreams beside `scripted`, by name. */
  others?: Readonly<Record<string, object>>
  route?: object
  plugins?: Plugin[]
}

type Parts = Running & { others: Record<string, Provider>; ask: (more?: object) => Promise<Reply> }

async function course(
  t: Owner,
  { upstream, others = {}, route, plugins = [] }: Options,
  stream: boolean,
): Promise<Parts> {
  const providers: Record<string, Provider> = {}
  const upstreams: Record<string, object> = {}
  for (const [name, options] of Object.entries(others)) {
    const provider = await startProvider()
    t.after(() => provider.close())
    providers[name] = provider
    upstreams[name] = { url: provider.url, key: `${name}-key`, ...options }
  }
  const to = ['scripted', ...Object.keys(others)]
  const parts = await running(t, plugins, {
    config: { upstreams, routes: [{ model: '*', to, ...route }] },
    ...(upstream && { upstream: upstream as Record<string, unknown> }),
  })
  return { ...parts, others: providers, ask: (more) => post(parts.gateway, asking('Hello', { stream, ...more })) }
}

interface Status {
  name: string
  state: string
  failures_in_row: number
  open_requests?: number
  waiting?: number
  keys_resting?: number
}

async function statusOf({ gateway }: Running): Promise<Status[]> {
  const reply = await send(`${gateway.url}/api/upstreams`, { headers: bearer(ADMIN_KEY) })
  return ((await reply.json()) as { upstreams: Status[] }).upstreams
}

/** The keys that a provider was asked with. */
const keysOf = ({ requests }: Provider) => requests.map(({ headers }) => headers.authorization?.slice('Bearer '.length))

for (const stream of [false, true]) {
  describe(`a retry, ${stream ? 'streamed' : 'buffered'}`, () => {
    for (const status of [408, 429, 500, 503, 529]) {
      it(`follows ${status}, and client and audit are told`, async (t) => {
        const parts = await course(t, { route: { retry: FAST_RETRY } }, stream)
        parts.provider.reply(apiError(status), apiError(status))
        const reply = await parts.ask()
        assert.equal(reply.status, 200)
        assert.match(await reply.text(), /provider/)
        assert.equal(reply.headers['x-service-attempts'], '3')
        const failed = { upstream: 'scripted', result: String(status) }
        const { attempts, upstream } = await parts.next('request.completed')
        assert.deepEqual([attempts, upstream], [[failed, failed, { ...failed, result: '200' }], 'scripted'])
      })
    }

    it('ends with the last failure', async (t) => {
      const parts = await course(t, { route: { retry: { ...FAST_RETRY, attempts: 1 } } }, stream)
      parts.provider.reply(apiError(500), apiError(503, { message: 'second' }))
      const reply = await parts.ask()
      assert.deepEqual([reply.status, reply.headers['x-service-attempts']], [503, '2'])
      assert.match(await reply.text(), /second/)
      assert.equal(parts.provider.requests.length, 2)
    })

    it('follows a failure to connect', async (t) => {
      const parts = await course(
        t,
        { upstream: { url: 'http://127.0.0.1:1/v1' }, route: { retry: FAST_RETRY } },
        stream,
      )
      const reply = await parts.ask()
      assert.deepEqual([reply.status, reply.headers['x-service-attempts']], [502, '3'])
      assert.match(await reply.text(), /upstream_unreachable/)
    })

    for (const [name, script] of [
      ['400', apiError(400)],
      ['401', apiError(401)],
      ['409', apiError(409)],
      ['504, which may have been charged', apiError(504)],
      ['a closed connection, which may have been charged', hangUp()],
      ['a reset, which may have been charged', hangUp('reset')],
      ['a provider that advises against it', apiError(503, {}, { 'x-should-retry': 'false' })],
      ['a long Retry-After', apiError(503, {}, { 'retry-after': '600' })],
      ['a Retry-After of years', apiError(429, {}, { 'retry-after': '99999999' })],
    ] as const) {
      it(`does not follow ${name}`, async (t) => {
        const parts = await course(t, { route: { retry: FAST_RETRY } }, stream)
        parts.provider.reply(script)
        const reply = await parts.ask()
        assert.notEqual(reply.status, 200)
        assert.equal(parts.provider.requests.length, 1)
        assert.equal(reply.headers['x-service-attempts'], undefined)
      })
    }

    for (const [name, script] of [
      ['504', apiError(504)],
      ['a reset', hangUp('reset')],
    ] as const) {
      it(`follows ${name} if the operator accepts two charges`, async (t) => {
        const parts = await course(t, { route: { retry: FAST_RETRY, may_charge_twice: true } }, stream)
        parts.provider.reply(script)
        assert.equal((await parts.ask()).status, 200)
      })
    }

    it('waits for a short Retry-After even if another upstream is idle', async (t) => {
      const parts = await course(t, { others: { second: {} }, route: { retry: FAST_RETRY } }, stream)
      parts.provider.reply(apiError(429, {}, { 'retry-after-ms': '1' }))
      assert.equal((await parts.ask()).status, 200)
      assert.deepEqual([parts.provider.requests.length, parts.others.second?.requests.length], [2, 0])
    })

    it('goes elsewhere for a long one, and so do later requests', async (t) => {
      const parts = await course(t, { others: { second: {} }, route: { retry: FAST_RETRY } }, stream)
      parts.provider.reply(apiError(429, {}, { 'retry-after': '600' }))
      for (const attempts of ['2', undefined, undefined]) {
        const reply = await parts.ask()
        assert.deepEqual([reply.status, reply.headers['x-service-attempts']], [200, attempts])
      }
      assert.deepEqual([parts.provider.requests.length, parts.others.second?.requests.length], [1, 3])
    })

    it('is given up when the client leaves during the wait', async (t) => {
      const parts = await course(t, { route: { retry: NEVER } }, stream)
      parts.provider.reply(apiError(503))
      const client = new AbortController()
      const body = asking('Hello', { stream })
      const reply = post(parts.gateway, body, { signal: client.signal }).catch(() => undefined)
      await until(async () => (await statusOf(parts))[0]?.failures_in_row === 1)
      client.abort()
      await reply
      const { attempts } = await parts.next('stream.aborted')
      assert.deepEqual(attempts, [{ upstream: 'scripted', result: '503' }])
      assert.equal(parts.provider.requests.length, 1)
    })
  })

  describe(`keys of an upstream, ${stream ? 'streamed' : 'buffered'}`, () => {
    it('take turns, and one with 429 rests', async (t) => {
      const parts = await course(t, { upstream: { key: undefined, keys: ['k1', 'k2', 'k3'] } }, stream)
      parts.provider.reply(chat('one'), apiError(429, {}, { 'retry-after': '600' }))
      for (let i = 0; i < 4; i++) assert.equal((await parts.ask()).status, 200)
      assert.deepEqual(keysOf(parts.provider), ['k1', 'k2', 'k3', 'k1', 'k3'])
      assert.equal((await statusOf(parts))[0]?.keys_resting, 1)
    })

    it('are each asked once, then the client gets the 429', async (t) => {
      const parts = await course(t, { upstream: { key: undefined, keys: ['k1', 'k2'] } }, stream)
      parts.provider.otherwise(apiError(429, {}, { 'retry-after': '600' }))
      const reply = await parts.ask()
      assert.deepEqual([reply.status, reply.headers['retry-after'], keysOf(parts.provider)], [429, '600', ['k1', 'k2']])
    })
  })

  describe(`max_concurrent, ${stream ? 'streamed' : 'buffered'}`, () => {
    const one = { max_concurrent: 1, max_waiting: 2 }

    it('lets the others wait, keys in turn, and refuses with Retry-After beyond', async (t) => {
      const parts = await course(t, { upstream: one }, stream)
      const { promise: held, resolve: go } = Promise.withResolvers<void>()
      parts.provider.reply(async (exchange) => {
        await held
        return chat('first')(exchange)
      })
      const ask = (key: string, user: string) =>
        post(parts.gateway, asking('Hello', { stream, user }), { headers: bearer(key) })
      const first = parts.ask({ user: 'a1' })
      await parts.provider.next()
      const second = parts.ask({ user: 'a2' })
      await until(async () => (await statusOf(parts))[0]?.waiting === 1)
      const third = ask(LIMITED_KEY, 'b1')
      await until(async () => (await statusOf(parts))[0]?.waiting === 2)
      const refused = await parts.ask()
      assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '1'])
      assert.equal(((await refused.json()) as { error: { code: string } }).error.code, 'upstream_busy')
      assert.equal((await parts.next('request.rejected')).code, 'upstream_busy')
      go()
      for (const reply of await Promise.all([first, second, third])) {
        assert.equal(reply.status, 200)
        await reply.text()
      }
      assert.equal(parts.provider.requests.length, 3)
      await until(async () => (await statusOf(parts))[0]?.open_requests === 0)
    })

    it('sends what does not fit to the next upstream', async (t) => {
      const parts = await course(t, { upstream: one, others: { second: {} } }, stream)
      parts.provider.reply(hang())
      const client = new AbortController()
      const body = asking('Hello', { stream })
      const held = post(parts.gateway, body, { signal: client.signal }).catch(() => undefined)
      await parts.provider.next()
      assert.equal((await parts.ask()).status, 200)
      assert.equal(parts.others.second?.requests.length, 1)
      client.abort()
      await held
    })

    it('has its seat back when a client leaves, with an answer or in the queue', async (t) => {
      const parts = await course(t, { upstream: one }, stream)
      parts.provider.reply(hang())
      const clients = [new AbortController(), new AbortController()]
      const asked = clients.map(({ signal }) =>
        post(parts.gateway, asking('Hello', { stream }), { signal }).catch(() => undefined),
      )
      await until(async () => (await statusOf(parts))[0]?.waiting === 1)
      for (const client of clients) client.abort()
      await Promise.all(asked)
      await until(async () => (await statusOf(parts))[0]?.open_requests === 0)
      assert.equal((await parts.ask()).status, 200)
      assert.equal(parts.provider.requests.length, 2)
    })
  })

  describe(`labels, ${stream ? 'streamed' : 'buffered'}`, () => {
    for (const balance of ['order', 'weighted'] as const) {
      it(`are judged again for the next attempt, balance ${balance}`, async (t) => {
        let raise = () => {}
        const late: Plugin = {
          apply(hooks) {
            hooks.block.tap('late', (x: Exchange) => {
              raise = () => x.raise('RESTRICTED', 'late')
            })
          },
        }
        const ceiling = { max_classification: 'INTERNAL' }
        const to = ['scripted', { upstream: 'second', priority: 1 }, { upstream: 'third', priority: 1 }]
        const parts = await course(
          t,
          { others: { second: ceiling, third: ceiling }, plugins: [late], route: { to, balance, retry: FAST_RETRY } },
          stream,
        )
        parts.provider.reply((exchange) => {
          raise()
          return apiError(500)(exchange)
        })
        // The upstream without a ceiling is tried again; the others never see the request.
        assert.equal((await parts.ask()).status, 200)
        assert.deepEqual(
          ['second', 'third'].map((name) => parts.others[name]?.requests.length),
          [0, 0],
        )
      })
    }
  })
}

describe('a breaker', () => {
  const opens = { failures: 2, open_seconds: 3600, max_open_seconds: 3600 }

  it('keeps requests from a dead upstream, and events and the status route tell', async (t) => {
    const parts = await course(t, { upstream: { breaker: opens }, others: { second: {} } }, false)
    parts.provider.otherwise(apiError(500))
    for (const attempts of ['2', '2', undefined, undefined]) {
      const reply = await parts.ask()
      assert.deepEqual([reply.status, reply.headers['x-service-attempts']], [200, attempts])
    }
    assert.equal(parts.provider.requests.length, 2)
    const { upstream, reason, failures, severity } = await parts.next('upstream.opened')
    assert.deepEqual([upstream, reason, failures, severity], ['scripted', 'failures_in_row', 2, 'detection'])
    const states = (await statusOf(parts)).map(({ name, state }) => [name, state])
    assert.deepEqual(states, [
      ['scripted', 'open'],
      ['second', 'closed'],
    ])
    assert.equal((await send(`${parts.gateway.url}/health/ready`)).status, 200)
  })

  it('tries again with one request, and closes', async (t) => {
    const soon = { failures: 1, open_seconds: 0.001, max_open_seconds: 0.001 }
    const parts = await course(t, { upstream: { breaker: soon }, others: { second: {} } }, false)
    parts.provider.reply(apiError(500))
    assert.equal((await parts.ask()).status, 200)
    await until(async () => {
      await (await parts.ask()).text()
      return parts.provider.requests.length > 1
    })
    assert.equal((await parts.next('upstream.closed')).upstream, 'scripted')
  })

  it('of the only upstream changes nothing', async (t) => {
    const parts = await course(t, { upstream: { breaker: { ...opens, failures: 1 } } }, false)
    parts.provider.reply(apiError(500))
    assert.equal((await parts.ask()).status, 500)
    assert.equal((await statusOf(parts))[0]?.state, 'open')
    assert.equal((await parts.ask()).status, 200)
    assert.equal((await statusOf(parts))[0]?.state, 'closed')
  })

  it('with a health check needs no request of a client', async (t) => {
    const check = { path: '/healthy', interval_seconds: 0.05 }
    const upstream = { breaker: { ...opens, failures: 1 }, health_check: check }
    const parts = await course(t, { upstream, others: { second: {} } }, false)
    let status = 500
    parts.provider.otherwise((exchange) =>
      exchange.request.method === 'GET' ? apiError(status)(exchange) : chat('back')(exchange),
    )
    await parts.next('upstream.opened')
    await (await parts.ask()).text()
    assert.ok(parts.provider.requests.every(({ url, method }) => method === 'GET' && url === '/v1/healthy'))
    assert.equal(keysOf(parts.provider)[0], 'sk-test-upstream-key-0123456789')
    status = 404
    await parts.next('upstream.closed')
    assert.match(await (await parts.ask()).text(), /back/)
  })
})

describe('balance', () => {
  const all = { second: {}, third: {} }
  const asked = (parts: Parts) =>
    [parts.provider, ...Object.values(parts.others)].map(({ requests }) => requests.length)

  it('by load sends requests where fewest are open', async (t) => {
    const parts = await course(t, { others: all, route: { balance: 'least_busy' } }, false)
    const { promise: held, resolve: go } = Promise.withResolvers<void>()
    for (const provider of [parts.provider, ...Object.values(parts.others)]) {
      provider.otherwise(async (exchange) => {
        await held
        return chat('ok')(exchange)
      })
    }
    const replies = Array.from({ length: 12 }, () => parts.ask())
    await until(() => asked(parts).reduce((a, b) => a + b) === 12)
    go()
    for (const reply of await Promise.all(replies)) assert.equal(reply.status, 200)
    assert.ok(Math.max(...asked(parts)) <= 7, asked(parts).join())
  })

  it('with sticky keeps each session at one upstream, and moves it only while that fails', async (t) => {
    const sessions: Plugin = {
      governs: 'usage',
      provides: [sessionFact],
      apply(hooks) {
        hooks.preRequest.tap('s', (x: Exchange) => {
          x.facts.set(sessionFact, { id: String(x.request.headers['x-test-session']), turnIndex: 0 })
        })
      },
    } as Plugin
    const route = { balance: 'weighted', sticky: 'session' }
    const parts = await course(t, { others: all, plugins: [sessions], route }, false)
    const turn = async (session: string) => {
      const reply = await post(parts.gateway, asking(), { headers: { 'x-test-session': session } })
      assert.equal(reply.status, 200)
      await reply.text()
      return (await parts.next('request.completed')).upstream as string
    }
    const homes = new Map<string, string>()
    for (const session of ['s1', 's2', 's3', 's4', 's5', 's6']) homes.set(session, await turn(session))
    assert.ok(new Set(homes.values()).size > 1)
    for (const [session, home] of homes) assert.equal(await turn(session), home)
    const [session, home] = [...homes].find(([, name]) => name !== 'scripted') ?? []
    const provider = parts.others[home as string] as Provider
    provider.reply(apiError(500))
    assert.notEqual(await turn(session as string), home)
    assert.equal(await turn(session as string), home)
  })
})
