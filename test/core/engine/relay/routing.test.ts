/** Time limits of routes and requests, and which upstream a request prefers. On real sockets. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { chat, chunks, delta, hang, type Provider, startProvider, stream } from '../../../../core/testing/provider.ts'
import { type Plugin, type Running, running, word } from '../../../helpers/core.ts'
import { assertError } from '../../../helpers/errors.ts'
import { asking, barrier, LIMITED_KEY, post, USER_KEY } from '../../../helpers/gateway.ts'
import type { SendOptions } from '../../../helpers/http.ts'

type Parts = Running & { second: Provider; ask: (more?: object, options?: SendOptions) => ReturnType<typeof post> }

interface Options {
  upstream?: Record<string, unknown>
  second?: object
  route?: object
  to?: readonly string[]
  config?: object
  plugins?: readonly Plugin[]
}

async function rig(t: TestContext, options: Options, form: object = {}): Promise<Parts> {
  const { upstream = {}, second: other = {}, route = {}, to = ['scripted', 'second'], config, plugins = [{}] } = options
  const second = await startProvider()
  t.after(() => second.close())
  const parts = await running(t, plugins, {
    upstream,
    config: { upstreams: { second: { url: second.url, ...other } }, routes: [{ model: '*', to, ...route }], ...config },
  })
  return { ...parts, second, ask: (more, sent) => post(parts.gateway, asking('Hello', { ...form, ...more }), sent) }
}

const [role] = chunks('x')
const empty = delta({ content: '' })
const STREAM = { stream: true }

describe('first_token_timeout_seconds', () => {
  const route = { first_token_timeout_seconds: 30 }

  for (const plugins of [[], [word('needle')]]) {
    it(`asks the next upstream while the first sends no text: ${plugins.length} plugins`, async (t) => {
      const parts = await rig(t, { route, plugins }, STREAM)
      t.mock.timers.enable({ apis: ['setTimeout'] })
      parts.provider.reply(stream([role!, empty], { done: false, end: 'hang' }))
      parts.second.reply(stream(chunks('from the second')))
      const reply = parts.ask()
      const first = await parts.provider.next()
      await barrier(parts.gateway)
      t.mock.timers.tick(29_999)
      await barrier(parts.gateway)
      assert.equal(parts.second.requests.length, 0)
      t.mock.timers.tick(1)
      const text = await (await reply).text()
      assert.match(text, /second/)
      assert.match(text, /\[DONE\]/)
      assert.equal(await first.closed, 'aborted')
      const { attempts, upstream } = await parts.next('request.completed')
      assert.equal(upstream, 'second')
      assert.deepEqual(attempts, [
        { upstream: 'scripted', result: 'upstream_timeout' },
        { upstream: 'second', result: '200' },
      ])
    })
  }

  it('without another upstream is 504, before the head and after it', async (t) => {
    const parts = await rig(t, { route, to: ['scripted'] }, STREAM)
    t.mock.timers.enable({ apis: ['setTimeout'] })
    for (const script of [hang(), stream([role!], { done: false, end: 'hang' })]) {
      parts.provider.reply(script)
      const reply = parts.ask()
      const first = await parts.provider.next()
      await barrier(parts.gateway)
      t.mock.timers.tick(30_000)
      await assertError(await reply, 'GW_UPSTREAM_TIMEOUT')
      assert.equal(await first.closed, 'aborted')
    }
  })

  it('does not cut a stream that has begun, nor a buffered reply', async (t) => {
    const parts = await rig(t, { route, plugins: [] })
    t.mock.timers.enable({ apis: ['setTimeout'] })
    for (const form of [STREAM, {}]) {
      const rest = Promise.withResolvers<void>()
      parts.provider.reply(
        form === STREAM
          ? stream([role!, delta({ content: 'begun' }), rest.promise, delta({}, 0, 'stop')])
          : async (x) => {
              await rest.promise
              await chat('begun')(x)
            },
      )
      const reply = parts.ask(form)
      await parts.provider.next()
      if (form === STREAM) await reply
      t.mock.timers.tick(100_000)
      rest.resolve()
      assert.match(await (await reply).text(), /begun/)
    }
    assert.equal(parts.second.requests.length, 0)
  })

  it('gives every event as it came, however the bytes are cut', async (t) => {
    const parts = await rig(t, { route, plugins: [] }, STREAM)
    for (const split of ['whole', 'event', 'byte'] as const) {
      const said = [role!, empty, ...chunks('one two').slice(1)]
      parts.provider.reply(stream(said, { split }))
      const events = await (await parts.ask()).events()
      assert.deepEqual(
        events.slice(0, -1).map((event) => JSON.parse(event)),
        said,
      )
    }
  })

  it('a client that leaves meanwhile ends it', async (t) => {
    const parts = await rig(t, { route }, STREAM)
    parts.provider.reply(stream([role!], { done: false, end: 'hang' }))
    const leave = new AbortController()
    const reply = parts.ask({}, { signal: leave.signal })
    reply.catch(() => {})
    const first = await parts.provider.next()
    await barrier(parts.gateway)
    leave.abort()
    assert.equal(await first.closed, 'aborted')
    assert.equal((await parts.next('stream.aborted')).reason, 'client_disconnected')
    assert.equal(parts.second.requests.length, 0)
  })
})

describe('a limit of the whole reply', () => {
  const asked = (seconds: string) => ({ headers: { 'x-service-timeout': seconds } })

  for (const [name, route, options, ms] of [
    ['of the route', { timeout_seconds: 20 }, {}, 20_000],
    ['of the request', {}, asked('2.5'), 2500],
    ['of the request, shorter than that of the route', { timeout_seconds: 20 }, asked('3'), 3000],
    ['of the route, shorter than that of the request', { timeout_seconds: 20 }, asked('300'), 20_000],
  ] as const) {
    for (const form of [{}, STREAM]) {
      it(`${name} is 504: ${JSON.stringify(form)}`, async (t) => {
        const parts = await rig(t, { route }, form)
        t.mock.timers.enable({ apis: ['setTimeout'] })
        parts.provider.reply(hang())
        const reply = parts.ask({}, options)
        const first = await parts.provider.next()
        t.mock.timers.tick(ms)
        await assertError(await reply, 'GW_UPSTREAM_TIMEOUT')
        assert.equal(await first.closed, 'aborted')
        assert.equal(parts.second.requests.length, 0)
        assert.equal((await parts.next('upstream.failed')).status, 504)
      })
    }
  }

  it('ends a stream that has begun with an error event', async (t) => {
    const parts = await rig(t, { route: { timeout_seconds: 20 }, plugins: [] }, STREAM)
    t.mock.timers.enable({ apis: ['setTimeout'] })
    parts.provider.reply(stream([role!, delta({ content: 'begun' })], { done: false, end: 'hang' }))
    const reply = await parts.ask()
    const first = await parts.provider.next()
    t.mock.timers.tick(20_000)
    const text = await reply.text()
    assert.match(text, /begun.*upstream_timeout/s)
    assert.doesNotMatch(text, /\[DONE\]/)
    assert.equal(await first.closed, 'aborted')
  })

  it('is not felt by a reply that is complete', async (t) => {
    const parts = await rig(t, { route: { timeout_seconds: 20 } })
    assert.equal((await parts.ask({}, asked('5'))).status, 200)
  })

  for (const text of ['0', '-1', '1e3', 'soon', '', '99999', '1,5', 'Infinity', '0.0000']) {
    it(`is no limit: ${JSON.stringify(text)}`, async (t) => {
      const parts = await rig(t, {})
      const error = await assertError(await parts.ask({}, asked(text)), 'GW_INVALID_PARAMETER')
      assert.equal(error.param, 'x-service-timeout')
      assert.equal(parts.provider.requests.length, 0)
    })
  }
})

describe('what a request prefers', () => {
  const secret: Plugin = {
    detect(view) {
      const at = view.text.indexOf('secret')
      if (at >= 0) view.report({ type: 'secret', start: at, end: at + 6, action: 'detect', level: 'RESTRICTED' })
    },
  }
  const hush = { messages: [{ role: 'user', content: 'a secret' }] }

  for (const form of [{}, STREAM]) {
    it(`by its label, and client and audit are told why: ${JSON.stringify(form)}`, async (t) => {
      const prefer = [
        { label: 'INTERNAL', upstreams: ['scripted'] },
        { label: 'RESTRICTED', upstreams: ['second'] },
      ]
      const parts = await rig(t, { route: { prefer }, plugins: [secret] }, form)
      const plain = await (await parts.ask()).text()
      assert.doesNotMatch(plain, /routing/)
      assert.match(await (await parts.ask(hush)).text(), /"routing":"label:RESTRICTED"/)
      assert.deepEqual([parts.provider.requests.length, parts.second.requests.length], [1, 1])
      assert.equal((await parts.next('request.completed')).routing, undefined)
      assert.equal((await parts.next('request.completed')).routing, 'label:RESTRICTED')
    })
  }

  it('does not lift a ceiling, and falls back to the others', async (t) => {
    const prefer = [{ label: 'RESTRICTED', upstreams: ['second'] }]
    const closed = await rig(t, {
      route: { prefer },
      second: { max_classification: 'INTERNAL' },
      plugins: [secret],
    })
    assert.doesNotMatch(await (await closed.ask(hush)).text(), /routing/)
    assert.equal(closed.second.requests.length, 0)
    const gone = await rig(t, { route: { prefer }, second: { url: 'http://127.0.0.1:1/v1' }, plugins: [secret] })
    assert.equal((await gone.ask(hush)).status, 200)
    assert.equal(gone.provider.requests.length, 1)
  })

  it('by cost', async (t) => {
    const parts = await rig(t, { route: { cheapest: true }, upstream: { cost: 3 }, second: { cost: 0.5 } })
    assert.match(await (await parts.ask()).text(), /"routing":"cost"/)
    assert.deepEqual([parts.provider.requests.length, parts.second.requests.length], [0, 1])
  })

  it('by region: that of the request, or that of the key, which a request cannot change', async (t) => {
    const keys = [
      { id: 'user', key: USER_KEY },
      { id: 'eu', key: LIMITED_KEY, region: 'eu' },
    ]
    const parts = await rig(t, { upstream: { region: 'us' }, second: { region: 'eu' }, config: { keys } })
    const from = (region: string) => ({ headers: { 'x-service-region': region } })
    const own = { authorization: `Bearer ${LIMITED_KEY}` }
    assert.match(await (await parts.ask({}, from('eu'))).text(), /"routing":"region:eu"/)
    assert.equal((await parts.ask({}, { headers: own })).status, 200)
    assert.deepEqual([parts.provider.requests.length, parts.second.requests.length], [0, 2])
    await assertError(await parts.ask({}, from('mars')), 'GW_REGION_NOT_SERVED')
    await assertError(await parts.ask({}, from('EU west')), 'GW_INVALID_PARAMETER')
    const other = await parts.ask({}, { headers: { ...own, 'x-service-region': 'us' } })
    await assertError(other, 'GW_INVALID_PARAMETER')
    assert.equal(parts.provider.requests.length, 0)
  })
})
