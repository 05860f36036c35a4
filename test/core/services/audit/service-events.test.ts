import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { definePlugin, type PluginSpec } from 'governed-gateway'
import type { JsonObject } from '../../../../core/engine/contract/store.ts'
import { chunks, stream } from '../../../../core/testing/provider.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { ADMIN_KEY, asking, barrier, bearer, LIMITED_KEY, post, setup, USER_KEY } from '../../../helpers/gateway.ts'
import { send } from '../../../helpers/http.ts'
import { RawConnection } from '../../../helpers/socket.ts'
import { until } from '../../../helpers/until.ts'
import { Faults, reader, trail } from './faults.ts'

const specs = new Map([['reader', reader]])
const plugins = [{ use: 'reader' }]
const typesOf = (records: readonly JsonObject[]): string[] =>
  records.map(({ type }) => String(type)).filter((type) => type !== 'audit.anchor')

test('refused keys are in the log when the gateway stops, and that it stopped', async (t) => {
  const path = temporaryFolder()
  const { gateway } = await setup(t, { plugins, specs, config: { store: `file:${path}` } })
  for (let i = 0; i < 20; i++) {
    const headers = { authorization: 'Bearer sk-wrong' }
    await (await send(`${gateway.baseURL}/chat/completions`, { body: asking(), headers })).text()
  }
  await gateway.close()
  const records = await trail(path)
  assert.deepEqual(typesOf(records), ['service.started', 'auth.failed', 'service.stopped'])
  assert.equal(records.find(({ type }) => type === 'auth.failed')?.count, 20)
})

test('user keys on admin routes are told with the key, and counted like wrong ones', async (t) => {
  const path = temporaryFolder()
  const { gateway } = await setup(t, { plugins, specs, config: { store: `file:${path}` } })
  const ask = async (key: string) => (await send(`${gateway.url}/api/audit`, { headers: bearer(key) })).status
  for (let i = 0; i < 5; i++) assert.equal(await ask(USER_KEY), 403)
  for (let i = 0; i < 2; i++) assert.equal(await ask(LIMITED_KEY), 403)
  assert.equal(await ask('sk-wrong'), 401)
  assert.equal((await send(`${gateway.url}/api/audit`)).status, 401)
  assert.equal(await ask(ADMIN_KEY), 200)
  await gateway.close()
  const failures = (await trail(path)).filter(({ type }) => type === 'auth.failed')
  assert.deepEqual(
    failures.map(({ reason, code, key_id, count }) => [reason, code, key_id, count]),
    [
      ['admin_required', 'GW_ADMIN_REQUIRED', 'user', 5],
      ['admin_required', 'GW_ADMIN_REQUIRED', 'limited', 2],
      ['invalid_key', 'GW_INVALID_KEY', undefined, 1],
      ['missing_key', 'GW_MISSING_KEY', undefined, 1],
    ],
  )
})

test('no event names a model in which something was found, or is yet to be looked for', async (t) => {
  const path = temporaryFolder()
  const finding = (action: 'detect' | 'redact' | 'block') =>
    definePlugin({
      name: action,
      schema: { type: 'object', additionalProperties: false, properties: {} },
      create: () => ({
        detect(view) {
          const start = view.text.indexOf(`${action}@canary`)
          if (start >= 0) view.report({ type: 'canary', start, end: start + `${action}@canary`.length, action })
        },
      }),
    })
  const actions = ['detect', 'redact', 'block'] as const
  const own = actions.map((action): [string, PluginSpec] => [action, finding(action) as never])
  const { gateway, provider } = await setup(t, {
    plugins: [...plugins, ...actions.map((use) => ({ use }))],
    specs: new Map([...specs, ...own]),
    config: { store: `file:${path}` },
  })
  const ask = async (key: string, model: string) =>
    (await send(`${gateway.baseURL}/chat/completions`, { body: asking('Hi', { model }), headers: bearer(key) })).text()
  for (const action of actions) await ask(USER_KEY, `gpt ${action}@canary`)
  await ask(LIMITED_KEY, 'gpt redact@canary')
  await ask(USER_KEY, 'claude@20240620')
  await gateway.close()
  const records = (await trail(path)).filter(({ type }) =>
    /^(request\.(completed|blocked|rejected))$/.test(String(type)),
  )
  assert.deepEqual(
    records.map(({ type, model }) => [type, model]),
    [
      ['request.completed', '[REDACTED]'],
      ['request.completed', '[REDACTED]'],
      ['request.blocked', '[REDACTED]'],
      ['request.rejected', '[REDACTED]'],
      ['request.completed', 'claude@20240620'],
    ],
  )
  assert.doesNotMatch(JSON.stringify(await trail(path)), /@canary/)
  assert.equal(provider.requests.length, 3)
})

test('events keep their order and share writes while the store is slow', async (t) => {
  const path = temporaryFolder()
  const faults = new Faults(t)
  const { gateway } = await setup(t, { plugins, specs, config: { store: `file:${path}` } })
  await barrier(gateway)
  const before = faults.calls.filter(({ name }) => name === 'append').length
  faults.begin('wait', 'append')
  const ids: unknown[] = []
  // A known key on an unreadable body: an event that belongs to no exchange.
  for (let i = 0; i < 50; i++) {
    const headers = { ...bearer(USER_KEY), 'content-type': 'text/plain' }
    const reply = await send(`${gateway.baseURL}/chat/completions`, { body: 'no', headers })
    assert.equal(reply.status, 415)
    ids.push(reply.headers['x-request-id'])
  }
  faults.end()
  await gateway.close()
  const records = (await trail(path)).filter(({ type }) => type === 'request.rejected')
  assert.deepEqual(
    records.map(({ request_id }) => request_id),
    ids,
  )
  assert.ok(faults.calls.filter(({ name }) => name === 'append').length - before < 10)
})

for (const durability of ['stored', 'synced', 'relaxed'] as const) {
  for (const streamed of [false, true]) {
    test(`the last byte waits for the last write, unless relaxed (${durability}, stream: ${streamed})`, async (t) => {
      const path = temporaryFolder()
      const faults = new Faults(t)
      const config = { store: `file:${path}`, audit: { durability } }
      const { gateway } = await setup(t, { plugins, specs, config })
      faults.begin('wait', 'end')
      let whole = false
      const asked = post(gateway, asking('Hello', { stream: streamed }))
        .then((reply) => reply.text())
        .then((text) => {
          whole = true
          return text
        })
      await until(() => faults.calls.some(({ name }) => name === 'end'))
      for (let i = 0; i < 5; i++) await barrier(gateway)
      if (durability === 'relaxed') await asked
      else assert.equal(whole, false)
      faults.end()
      await asked
      await gateway.close()
      assert.deepEqual(typesOf(await trail(path)), ['service.started', 'request.completed', 'service.stopped'])
    })
  }
}

test('a stream that runs when the gateway stops ends in the log, before the gateway does', async (t) => {
  const path = temporaryFolder()
  const { gateway, provider } = await setup(t, { plugins, specs, config: { store: `file:${path}` } })
  const go = Promise.withResolvers<void>()
  const [first, ...rest] = chunks('Hello there')
  provider.reply(stream([first as never, go.promise, ...(rest as never[])]))
  const reply = await post(gateway, asking('Hello', { stream: true }))
  await reply.event()
  const closed = gateway.close()
  go.resolve()
  assert.equal((await reply.events()).at(-1), '[DONE]')
  await closed
  assert.deepEqual(typesOf(await trail(path)), ['service.started', 'request.completed', 'service.stopped'])
})

test('a stream that is cut when the time to stop is over was aborted', async (t) => {
  const path = temporaryFolder()
  const config = { store: `file:${path}`, listen: { drain_seconds: 0 } }
  const { gateway, provider } = await setup(t, { plugins, specs, config })
  provider.reply(stream(chunks('Hello there').slice(0, 2), { end: 'hang', done: false }))
  const reply = await post(gateway, asking('Hello', { stream: true }))
  await reply.event()
  await gateway.close()
  reply.destroy()
  const records = await trail(path)
  assert.deepEqual(typesOf(records), ['service.started', 'stream.aborted', 'service.stopped'])
  assert.equal(records.find(({ type }) => type === 'stream.aborted')?.reason, 'gateway_stopped')
})

test('a request of a known key whose body never becomes whole was rejected', async (t) => {
  const path = temporaryFolder()
  const listen = { host: '127.0.0.1', port: 0, request_timeout_seconds: 0.3, headers_timeout_seconds: 0.3 }
  const { gateway } = await setup(t, { plugins, specs, config: { store: `file:${path}`, listen } })
  const begin = async (framing: string, body: string) => {
    const connection = new RawConnection(gateway.port)
    const lines = ['POST /v1/chat/completions HTTP/1.1', 'host: x', `authorization: Bearer ${USER_KEY}`]
    await connection.write(`${[...lines, 'content-type: application/json', framing].join('\r\n')}\r\n\r\n${body}`)
    return connection
  }
  const leaves = await begin('content-length: 1000', '{"model":')
  const early = await begin('transfer-encoding: chunked', '9\r\n{"model":\r\n')
  leaves.destroy()
  await barrier(gateway)
  await early.write('no length\r\n')
  const malformed = await early.reply()
  const late = await (await begin('content-length: 1000', '{"model":')).reply()
  assert.deepEqual([malformed.status, late.status], [400, 408])
  await gateway.close()
  const records = (await trail(path)).filter(({ type }) => type === 'request.rejected')
  assert.deepEqual(
    records.map(({ key_id, status, code }) => [key_id, status, code]),
    [
      ['user', 400, 'bad_request'],
      ['user', 400, 'bad_request'],
      ['user', 408, 'request_timeout'],
    ],
  )
  assert.deepEqual(
    records.slice(1).map(({ request_id }) => request_id),
    [malformed, late].map(({ headers }) => headers['x-request-id']),
  )
})

test('a reload that brings or takes the reader does so for what begins after it', async (t) => {
  const path = temporaryFolder()
  const config = { store: `file:${join(path, 'data')}` }
  const { provider, gateway } = await setup(t, { folder: path, specs, config })
  const hello = async (content: string) => (await post(gateway, asking('Hi', { model: content }))).text()
  /** Held by the provider while the config changes. */
  const across = async (name: string, change: () => Promise<void>) => {
    const go = Promise.withResolvers<void>()
    const script = stream([chunks('Hi')[0] as never, go.promise, ...(chunks('Hi').slice(1) as never[])])
    provider.reply(script)
    const reply = await post(gateway, asking('Hi', { model: name, stream: true }))
    await reply.event()
    await change()
    go.resolve()
    await reply.events()
  }
  await hello('unread')
  await across('begun-unread', () => gateway.reload({ plugins: [{ use: 'reader' }] }))
  await hello('read')
  await across('begun-read', () => gateway.reload())
  await gateway.close()
  const records = await trail(join(path, 'data'))
  const models = records.filter(({ type }) => type === 'request.completed').map(({ model }) => model)
  assert.deepEqual(models, ['read', 'begun-read'])
})
