import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { GovernanceEvent } from 'governed-gateway'
import { eventSource } from 'governed-gateway/kit'
import {
  bytes,
  type Receiver,
  type RecordedRequest,
  respond,
  type Script,
  startReceiver,
} from 'governed-gateway/testing'
import { describeCore } from '../../../core/engine/events/description.ts'
import { Egress } from '../../../core/services/egress/egress.ts'
import {
  type Channel,
  formatSettings,
  type Outside,
  type Sent,
  type Written,
} from '../../../plugins/siem/destinations/destination.ts'
import { destinations } from '../../../plugins/siem/destinations/index.ts'
import type { DestinationName } from '../../../plugins/siem/destinations/names.ts'
import type { SiemSettings } from '../../../plugins/siem/settings.ts'
import { fetched } from '../../helpers/fetched.ts'
import { event, idsOf } from './rig.ts'

interface Opened {
  readonly receiver: Receiver
  readonly channel: Channel
  written(events: readonly GovernanceEvent[]): Written[]
  send(items: readonly Written[]): Promise<Sent>
}

async function open(
  t: TestContext,
  destination: DestinationName,
  given: Partial<SiemSettings> = {},
  wrap: (fetch: Outside['fetch'], receiver: Receiver) => Outside['fetch'] = (fetch) => fetch,
): Promise<Opened> {
  const receiver = await startReceiver()
  t.after(() => receiver.close())
  const egress = new Egress([`127.0.0.1:${receiver.port}`])
  t.after(() => egress.close())
  const settings = {
    url: receiver.origin,
    destination,
    auth_token: 'shared-secret',
    format: 'json',
    source_name: 'gw',
    environment: 'test',
    compression: 'none',
    destination_options: {},
    ...given,
  } as SiemSettings
  const kind = destinations[destination]
  const outside = { fetch: wrap(egress.fetch, receiver), connect: egress.connect, timeoutMs: 2000 }
  const channel = kind.open(settings, outside)
  return {
    receiver,
    channel,
    written: (events) =>
      events.map((event) => ({
        id: event.id,
        event,
        text: kind.write({ event }, formatSettings(settings, describeCore)),
        settled: false,
      })),
    send: (items) => channel.send({ id: 'batch_1', items }, new AbortController().signal),
  }
}

const three = (): GovernanceEvent[] => [event(), event('pii.detected', 'detection'), event('request.blocked', 'block')]
const lines = ({ text }: RecordedRequest): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

test('splunk: envelopes one after another, with the token and a channel', async (t) => {
  const { receiver, written, send } = await open(t, 'splunk_hec', { destination_options: { index: 'main' } })
  receiver.reply(respond(200, { text: 'Success', code: 0 }))
  const events = three()
  assert.deepEqual(await send(written(events)), { result: 'delivered', status: 200 })
  const request = await receiver.next()
  assert.equal(request.url, '/services/collector/event')
  assert.equal(request.headers.authorization, 'Splunk shared-secret')
  assert.match(String(request.headers['x-splunk-request-channel']), /^[0-9a-f-]{36}$/)
  const [envelope] = lines(request) as { time: number; index: string; sourcetype: string; event: { id: string } }[]
  assert.equal(envelope?.time, Date.parse(events[0]?.time as string) / 1000)
  assert.deepEqual([envelope?.index, envelope?.sourcetype, envelope?.event.id], ['main', '_json', events[0]?.id])
})

test('splunk: cef is a string, and its answers are understood by their codes', async (t) => {
  const { receiver, written, send } = await open(t, 'splunk_hec', { format: 'cef' })
  const items = written(three())
  const answers: [number, object, Sent['result'], string][] = [
    [401, { text: 'Token is required', code: 2 }, 'auth', 'splunk_2'],
    [403, { text: 'Invalid token', code: 4 }, 'auth', 'splunk_4'],
    [400, { text: 'Incorrect index', code: 7 }, 'rejected', 'splunk_7'],
    [500, { text: 'Internal server error', code: 8 }, 'unavailable', 'splunk_8'],
    [503, { text: 'Server is busy', code: 9 }, 'unavailable', 'splunk_9'],
    [400, { text: 'Data channel is missing', code: 10 }, 'rejected', 'splunk_10'],
    [200, { text: 'HEC is healthy', code: 17 }, 'unavailable', 'splunk_17'],
    [500, { text: 'Success', code: 0 }, 'unavailable', 'splunk_0'],
    [400, { text: 'Invalid data format', code: 6 }, 'rejected', 'splunk_6'],
    [400, { text: 'Invalid data format', code: 6, 'invalid-event-number': 1.5 }, 'rejected', 'splunk_6'],
    [400, { text: 'Invalid data format', code: 6, 'invalid-event-number': 9 }, 'rejected', 'splunk_6'],
  ]
  for (const [status, body, result, error] of answers) {
    receiver.reply(respond(status, body))
    const sent = await send(items)
    assert.deepEqual([sent.result, sent.status, sent.error], [result, status, error])
  }
  const [envelope] = lines(await receiver.next()) as { event: string; sourcetype: string }[]
  assert.match(String(envelope?.event), /^CEF:0\|/)
  assert.equal(envelope?.sourcetype, 'cef')
  receiver.reply(respond(200, '<html>Please log in</html>'))
  assert.deepEqual(await send(items), { result: 'unavailable', status: 200, error: 'unexpected_answer' })
})

test('splunk: one wrong event is named; those before it are in, those behind it are not', async (t) => {
  const { receiver, written, send } = await open(t, 'splunk_hec')
  receiver.reply(respond(400, { text: 'Invalid data format', code: 6, 'invalid-event-number': 1 }))
  assert.deepEqual((await send(written(three()))).each, ['delivered', 'rejected', 'again'])
})

test('a 2xx with an HTML page is no delivery; another 2xx of the receiver is', async (t) => {
  const entra: (fetch: Outside['fetch'], receiver: Receiver) => Outside['fetch'] = (fetch) => async (url, init) =>
    url.includes('login.microsoftonline.com')
      ? fetched(200, '{"access_token":"t","expires_in":3600}')
      : fetch(url, init)
  for (const name of ['datadog', 'loki', 'sentinel'] as const) {
    const { receiver, written, send } = await open(t, name, {}, entra)
    const page = respond(200, '<html>Please log in</html>', { 'content-type': 'text/html' })
    for (const [script, result] of [
      [page, 'unavailable'],
      [respond(200, ''), 'delivered'],
      [respond(202, {}), 'delivered'],
      [respond(204), 'delivered'],
    ] as const) {
      receiver.reply(script)
      assert.equal((await send(written(three()))).result, result, name)
    }
  }
})

test('elastic: creates documents under our ids', async (t) => {
  const { receiver, written, send } = await open(t, 'elastic', { destination_options: { index: 'audit' } })
  receiver.reply(respond(200, { errors: false }))
  const events = three()
  assert.equal((await send(written(events))).result, 'delivered')
  const request = await receiver.next()
  assert.equal(request.url, '/audit/_bulk?filter_path=errors%2Citems.*.status')
  assert.equal(request.headers.authorization, 'ApiKey shared-secret')
  assert.equal(request.headers['content-type'], 'application/x-ndjson')
  assert.ok(request.text.endsWith('\n'))
  const sent = lines(request) as { create?: { _id: string }; '@timestamp'?: string; id?: string }[]
  assert.deepEqual(
    sent.filter((_, i) => i % 2 === 0).map(({ create }) => create?._id),
    idsOf(events),
  )
  assert.deepEqual(
    sent.filter((_, i) => i % 2 === 1).map((document) => [document['@timestamp'], document.id]),
    events.map(({ time, id }) => [time, id]),
  )
})

test('elastic: a 200 may hold failures, each for itself', async (t) => {
  const { receiver, written, send } = await open(t, 'elastic', {
    auth_token: 'user:password',
    destination_options: { auth_scheme: 'Basic' },
  })
  const items = written([...three(), event(), event()])
  const statuses = [201, 409, 400, 429, 503]
  receiver.reply(respond(200, { errors: true, items: statuses.map((status) => ({ create: { status } })) }))
  const sent = await send(items)
  assert.equal(sent.result, 'unavailable')
  assert.deepEqual(sent.each, ['delivered', 'delivered', 'rejected', 'unavailable', 'unavailable'])
  assert.deepEqual([sent.error, sent.rejection], ['item_429', 'item_400'])
  const basic = Buffer.from('user:password').toString('base64')
  assert.equal((await receiver.next()).headers.authorization, `Basic ${basic}`)
  // Too few items, or none: nobody knows what was taken, and our ids make it safe to send all again.
  for (const body of [{ errors: true, items: [] }, {}, 'OK']) {
    receiver.reply(respond(200, body))
    assert.equal((await send(items)).error, 'unexpected_answer')
  }
  receiver.reply(respond(401, { error: { type: 'security_exception' }, status: 401 }))
  assert.equal((await send(items)).result, 'auth')
  receiver.reply(respond(413))
  assert.deepEqual([(await send(items)).status], [413])
})

test('datadog: an array of logs, dated, with tags', async (t) => {
  const { receiver, written, send } = await open(t, 'datadog')
  receiver.reply(respond(202, {}))
  const events = three()
  assert.deepEqual(await send(written(events)), { result: 'delivered', status: 202 })
  const request = await receiver.next()
  assert.equal(request.url, '/api/v2/logs')
  assert.equal(request.headers['dd-api-key'], 'shared-secret')
  const logs = request.json as { message: string; ddtags: string; service: string; date: string }[]
  assert.deepEqual([logs[0]?.ddtags, logs[0]?.service, logs[0]?.date], ['env:test', 'gw', events[0]?.time])
  assert.equal(JSON.parse(logs[0]?.message ?? '').id, events[0]?.id)
  const answers: [number, Sent['result']][] = [
    [400, 'rejected'],
    [403, 'auth'],
    [408, 'unavailable'],
    [413, 'rejected'],
    [429, 'unavailable'],
    [500, 'unavailable'],
  ]
  for (const [status, result] of answers) {
    receiver.reply(respond(status, { errors: [{ status: String(status), title: 'x' }] }))
    assert.equal((await send(written(events))).result, result, String(status))
  }
  assert.equal(destinations.datadog.maxEvents, 1000)
})

const TENANT = '11111111-2222-3333-4444-555555555555'
const sentinelOptions = {
  dcr_id: `dcr-${'0a'.repeat(16)}`,
  stream: 'Custom-GatewayEvents',
  tenant_id: TENANT,
  client_id: '99999999-8888-7777-6666-555555555555',
}
const LOGIN = 'https://login.microsoftonline.com'
/** Entra stands on the same receiver. */
const entra =
  (fetch: Outside['fetch'], receiver: Receiver): Outside['fetch'] =>
  (url, init) =>
    fetch(url.replace(LOGIN, receiver.origin), init)
const token = (name: string): Script => respond(200, { access_token: name, expires_in: 3600, token_type: 'Bearer' })

test('sentinel: takes a token of Entra, uses it, and takes a new one when it is refused', async (t) => {
  const { receiver, written, send } = await open(t, 'sentinel', { destination_options: sentinelOptions }, entra)
  receiver.reply(token('first'), respond(204), respond(401), token('second'), respond(204))
  const events = three()
  assert.deepEqual(await send(written(events)), { result: 'delivered', status: 204 })
  const login = await receiver.next()
  assert.equal(login.url, `/${TENANT}/oauth2/v2.0/token`)
  const form = new URLSearchParams(login.text)
  assert.deepEqual(
    [form.get('grant_type'), form.get('scope'), form.get('client_secret')],
    ['client_credentials', 'https://monitor.azure.com/.default', 'shared-secret'],
  )
  const upload = await receiver.next()
  const { dcr_id, stream } = sentinelOptions
  assert.equal(upload.url, `/dataCollectionRules/${dcr_id}/streams/${stream}?api-version=2023-01-01`)
  assert.equal(upload.headers.authorization, 'Bearer first')
  assert.equal((upload.json as { TimeGenerated: string }[])[0]?.TimeGenerated, events[0]?.time)
  assert.equal((await send(written(events))).result, 'delivered')
  assert.equal(receiver.requests.at(-1)?.headers.authorization, 'Bearer second')
  receiver.reply(respond(401), token('third'), respond(401))
  assert.equal((await send(written(events))).result, 'auth')
})

test('sentinel: its errors', async (t) => {
  const { receiver, written, send } = await open(t, 'sentinel', { destination_options: sentinelOptions }, entra)
  const items = written(three())
  receiver.reply(respond(401, { error: 'invalid_client' }))
  assert.deepEqual(await send(items), { result: 'auth', status: 401, error: 'token_refused' })
  receiver.reply(respond(503))
  assert.equal((await send(items)).error, 'no_token')
  receiver.reply(token('t'), respond(429, '', { 'retry-after': '17' }))
  assert.equal((await send(items)).retryAfterMs, 17_000)
  receiver.reply(respond(413), respond(403, { error: { code: 'OperationFailed' } }))
  assert.deepEqual([(await send(items)).status, (await send(items)).result], [413, 'auth'])
})

test('loki: nanoseconds as text, few labels, and its errors', async (t) => {
  const { receiver, written, send } = await open(t, 'loki', {
    destination_options: { tenant: 'team', labels: { a: 'b' } },
  })
  receiver.reply(respond(204))
  const events = [
    { ...event(), time: '2026-01-01T00:00:00.002Z' },
    { ...event(), time: '2026-01-01T00:00:00.001Z' },
  ]
  assert.deepEqual(await send(written(events)), { result: 'delivered', status: 204 })
  const request = await receiver.next()
  assert.equal(request.url, '/loki/api/v1/push')
  assert.equal(request.headers['x-scope-orgid'], 'team')
  const { streams } = request.json as { streams: { stream: object; values: [string, string][] }[] }
  const labels = { service_name: 'governed-gateway', source_name: 'gw', environment: 'test', a: 'b' }
  assert.deepEqual(streams[0]?.stream, labels)
  assert.deepEqual(
    streams[0]?.values.map(([at]) => at),
    ['1767225600001000000', '1767225600002000000'],
  )
  const answers: [number, string, Sent['result'], string][] = [
    [400, 'entry out of order for stream', 'rejected', 'out_of_order'],
    [400, 'entry too far behind, entry timestamp is: x', 'rejected', 'out_of_order'],
    [400, 'has timestamp too old: x', 'rejected', 'outside_window'],
    [429, 'ingestion rate limit exceeded', 'unavailable', 'http_429'],
    [401, 'no org id', 'auth', 'http_401'],
    [500, 'empty ring', 'unavailable', 'http_500'],
  ]
  for (const [status, body, result, error] of answers) {
    receiver.reply(respond(status, body))
    const sent = await send(written(events))
    assert.deepEqual([sent.result, sent.error], [result, error])
  }
})

test('a receiver that breaks off its 2xx may not have taken the batch: it is no delivery', async (t) => {
  for (const destination of ['webhook', 'datadog', 'loki', 'splunk_hec', 'elastic'] as const) {
    const { receiver, written, send } = await open(t, destination)
    const cutOff = (status: string): Script => bytes(`HTTP/1.1 ${status}\r\ncontent-length: 100\r\n\r\nx`)
    receiver.reply(cutOff('200 OK'), cutOff('202 Accepted'))
    const items = written(three())
    for (const status of [200, 202]) {
      const { result, error, ...sent } = await send(items)
      assert.deepEqual([result, sent.status], ['unavailable', status], destination)
      assert.match(String(error), /^(reset|closed|network|invalid)/)
    }
  }
})

test('every format of every destination is what the receiver parses', async () => {
  for (const [name, { write }] of Object.entries(destinations)) {
    for (const format of ['json', 'cef', 'ocsf'] as const) {
      const manner = { format, source: eventSource({ source_name: 'gw', environment: 'test' }), options: {} }
      const one = event('request.blocked', 'block', { reason: 'a "quoted"\nreason' })
      const text = write({ event: one }, manner)
      assert.equal(write({ event: one, text: JSON.stringify(one) }, manner), text)
      if (name === 'syslog' || (name === 'webhook' && format === 'cef')) continue
      for (const line of text.trimEnd().split('\n')) JSON.parse(line)
    }
  }
})
