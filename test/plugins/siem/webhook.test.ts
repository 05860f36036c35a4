import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { bytes, respond } from 'governed-gateway/testing'
import { Webhook } from 'standardwebhooks'
import { collect, eventsOf, exporting, has } from './helpers.ts'

test('every event of an exchange arrives, with source and environment', async (t) => {
  const { receiver, ask } = await exporting(t, {
    source_name: 'gw-1',
    environment: 'test',
    auth_token: 'shared-secret',
  })
  await ask()
  const events = await collect(receiver, has('request.completed'))
  assert.deepEqual(
    events.map(({ type }) => type),
    ['service.started', 'request.completed'],
  )
  for (const event of events) {
    assert.equal(event.source_name, 'gw-1')
    assert.equal(event.environment, 'test')
    assert.match(event.id, /^[0-9a-f-]{36}$/)
    assert.equal(typeof event.seq, 'number')
  }
  for (const { headers, method, url } of receiver.requests) {
    assert.deepEqual([method, url], ['POST', '/hook'])
    assert.equal(headers.authorization, 'Bearer shared-secret')
    assert.equal(headers['content-type'], 'application/json')
    assert.match(String(headers['idempotency-key']), /^batch_[0-9a-f]{32}$/)
  }
})

test('a batch is sent again with the same id until the receiver takes it', async (t) => {
  const { receiver, ask } = await exporting(t, { exclude_event_types: ['service.*'] })
  receiver.reply(respond(503), respond(429, '', { 'retry-after': '0' }))
  await ask()
  const first = await receiver.next()
  const second = await receiver.next()
  const third = await receiver.next()
  assert.equal(second.headers['idempotency-key'], first.headers['idempotency-key'])
  assert.equal(third.headers['idempotency-key'], first.headers['idempotency-key'])
  assert.deepEqual(third.json, first.json)
  await ask()
  assert.notEqual((await receiver.next()).headers['idempotency-key'], first.headers['idempotency-key'])
})

test('a batch is sent again with the same id after a 200 that breaks off', async (t) => {
  const { receiver, ask } = await exporting(t, { exclude_event_types: ['service.*'] })
  receiver.reply(bytes('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nx'))
  await ask()
  const [first, second] = [await receiver.next(), await receiver.next()]
  assert.equal(second.headers['idempotency-key'], first.headers['idempotency-key'])
  assert.deepEqual(second.json, first.json)
})

test('a batch of the next process has another id, though the log begins anew', async (t) => {
  const named = { config: { instance: 'gw-1' } }
  const first = await exporting(t, {}, named)
  const one = await first.receiver.next()
  await first.gateway.close()
  const two = await (await exporting(t, {}, named)).receiver.next()
  const places = [one, two].map((request) => eventsOf(request).map(({ type, seq, instance }) => [type, seq, instance]))
  assert.deepEqual(places[0], places[1])
  assert.notEqual(two.headers['idempotency-key'], one.headers['idempotency-key'])
})

test('a signed batch verifies, also when it is compressed', async (t) => {
  const secret = `whsec_${Buffer.from('0123456789abcdef01234567').toString('base64')}`
  for (const signing_secret of [secret, 'any text at all']) {
    const { receiver } = await exporting(t, { signing_secret, compression: 'gzip' })
    const { headers, body } = await receiver.next()
    assert.equal(headers['content-encoding'], 'gzip')
    const hook = signing_secret === secret ? new Webhook(secret) : new Webhook(signing_secret, { format: 'raw' })
    const verified = hook.verify(gunzipSync(body).toString(), headers as Record<string, string>)
    assert.equal((verified as { type: string }[])[0]?.type, 'service.started')
    assert.equal(headers['webhook-id'], headers['idempotency-key'])
  }
})

test('how the token is presented and events are framed can be chosen', async (t) => {
  const destination_options = { auth_header: 'X-Api-Key', auth_scheme: '', framing: 'lines' }
  const { receiver } = await exporting(t, { auth_token: 'key', destination_options })
  const { headers, text } = await receiver.next()
  assert.equal(headers['x-api-key'], 'key')
  assert.equal(headers.authorization, undefined)
  assert.equal(headers['content-type'], 'application/x-ndjson')
  assert.equal(JSON.parse(text.trimEnd()).type, 'service.started')
})

test('batches hold at most buffer_size events, in order', async (t) => {
  const { receiver, ask } = await exporting(t, { buffer_size: 3, flush_interval_seconds: 0.2 })
  for (let i = 0; i < 7; i++) await ask()
  const events = await collect(receiver, has('request.completed', 7))
  assert.deepEqual(
    events.map(({ seq }) => seq),
    [1, 2, 3, 4, 5, 6, 7, 8],
  )
  assert.ok(receiver.requests.every((request) => eventsOf(request).length <= 3))
  for (const request of receiver.requests) {
    assert.equal(request.headers['x-event-count'], String(eventsOf(request).length))
  }
})

test('PUT, GET and test with a real receiver', async (t) => {
  const { receiver, admin } = await exporting(t, { enabled: false }, { config: { instance: 'gw-7' } })
  const put = await admin('PUT', '', { auth_token: 'a-secret', severity_filter: 'block' })
  assert.equal(put.status, 200)
  assert.deepEqual([put.body.auth_token, put.body.auth_token_set], ['********', true])
  const sent = await admin('POST', '/test')
  const { latency_ms, ...result } = sent.body
  assert.deepEqual(result, { ok: true, status: 200, error: null })
  assert.ok(latency_ms >= 0)
  const request = await receiver.next()
  assert.equal(eventsOf(request)[0]?.type, 'test')
  assert.equal(request.headers.authorization, 'Bearer a-secret')
  assert.equal(eventsOf(request)[0]?.instance, 'gw-7')
  receiver.reply(respond(500, 'a stack trace that nobody else should see'))
  const failed = await admin('POST', '/test')
  assert.deepEqual([failed.body.ok, failed.body.status, failed.body.error], [false, 500, 'http_500'])
  assert.ok(!JSON.stringify(failed.body).includes('stack trace'))
})
