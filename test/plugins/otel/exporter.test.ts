import assert from 'node:assert/strict'
import { it } from 'node:test'
import { requestId } from '../../../core/engine/events/emitter.ts'
import { readTraceparent } from '../../../core/kit/trace-context.ts'
import { ANSWERS } from '../../../plugins/otel/answers.ts'
import { Encoder } from '../../../plugins/otel/encoder.ts'
import { Exporter } from '../../../plugins/otel/exporter.ts'
import { logRecordsOf, sourcesIn, ToldTable } from '../../../plugins/otel/handover.ts'
import { isRequestId, isSampled, limitOf, spanIdOf, traceIdOf, traceparentOf } from '../../../plugins/otel/ids.ts'
import { Pile } from '../../../plugins/otel/pile.ts'
import { requestSource } from '../../../plugins/otel/sources.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }

function exporterOf(most: number) {
  const batches: number[] = []
  const replies: PromiseWithResolvers<void>[] = []
  const fetch = async () => {
    const reply = Promise.withResolvers<void>()
    replies.push(reply)
    await reply.promise
    const bytes = async () => new Uint8Array()
    return { status: 200, headers: {}, truncated: false, text: async () => '', bytes }
  }
  const exporter = new Exporter({
    services: { fetch, log: silent },
    ...{ signal: 'logs', url: 'http://receiver.test', headers: {}, answers: ANSWERS.protobuf },
    ...{ timeoutMs: 1000, flushMs: 3_600_000, most },
    encode: async ({ count }) => {
      batches.push(count)
      return new Uint8Array()
    },
  })
  return { exporter, batches, replies }
}

const turn = () => new Promise(setImmediate)

it('what comes during an export waits for a whole batch', async () => {
  const { exporter, batches, replies } = exporterOf(100)
  for (let i = 0; i < 50; i++) exporter.add(`${i}`)
  await turn()
  for (let i = 0; i < 20; i++) exporter.add(`${i}`)
  replies[0]?.resolve()
  await turn()
  assert.deepEqual(batches, [50])
  for (let i = 0; i < 30; i++) exporter.add(`${i}`)
  await turn()
  assert.deepEqual([batches, exporter.sent], [[50, 50], 50])
  replies[1]?.resolve()
  for (let i = 0; i < 3; i++) exporter.add(`${i}`)
  const flushed = exporter.flush(new AbortController().signal)
  await turn()
  replies[2]?.resolve()
  await flushed
  assert.deepEqual([batches, exporter.sent, exporter.waiting], [[50, 50, 3], 103, 0])
  exporter.close()
})

const ID = 'req_019b2f00-1234-7abc-8def-0123456789ab'

it('records go through the hand-over as they are, and those of requests have ids', () => {
  const client = 'a'.repeat(32)
  const told = { title: 'An event', level: 'low' } as const
  const long = 'ü€😀'.repeat(50_000)
  const members = [{ n: 0, long }, { request_id: ID }, { request_id: ID, trace_id: client }, { request_id: ID }]
  const pile = new Pile()
  const table = new ToldTable()
  for (const [n, one] of members.entries()) {
    pile.add(JSON.stringify(one), table.of('one', told), n === 3 ? client : undefined, n === 3)
  }
  const ids = { traceId: traceIdOf(ID), spanId: spanIdOf(ID), sampled: false }
  const roots = [undefined, ids, { ...ids, traceId: client }, { ...ids, traceId: client, sampled: true }]
  assert.deepEqual(
    [...logRecordsOf(pile, table.all, limitOf(0))],
    members.map((event, n) => ({ event, told, root: roots[n] })),
  )
  pile.clear()
  pile.add('{"next":true}')
  assert.deepEqual(
    [...logRecordsOf(pile, table.all, limitOf(0))].map(({ event }) => event),
    [{ next: true }],
  )
})

it('each description of events has one number', () => {
  const [low, high, other] = [
    { title: 'A', level: 'low' },
    { title: 'A', level: 'high' },
    { title: 'B', level: 'low' },
  ] as const
  const table = new ToldTable()
  const numbers = [low, high, low, other, low].map((told, n) => table.of(n === 4 ? 'b' : 'a', { ...told }))
  assert.deepEqual(
    [numbers, table.all],
    [
      [0, 1, 0, 2, 0],
      [low, high, other],
    ],
  )
})

it('the spans of a request go through the hand-over as one record, with its event as a text or copied from another pile', () => {
  const trace = { id: ID, traceId: undefined, parentId: undefined, startedAt: 1.5 }
  const tap = JSON.stringify([1500, 2000, 'pii', 'preRequest', false])
  const logs = new Pile()
  logs.add('{"n":"earlier"}', 3, 'a'.repeat(32), true)
  const spans = new Pile()
  spans.addList(requestSource(trace, 2.25), '{"n":"ø"}', 1)
  for (let n = 0; n < 2000; n++) {
    logs.add(`{"n":"ø${n}"}`, 3, 'a'.repeat(32), true)
    spans.addList(requestSource(trace, 3, '', tap), logs, 2)
  }
  assert.equal(spans.count, 4001)
  const told = sourcesIn(spans).map((one) => [one.of, one.endedAt, 'event' in one && one.event])
  const others = Array.from({ length: 2000 }, (_, n) => [
    ['request', 3, { n: `ø${n}` }],
    ['tap', 2, false],
  ])
  assert.deepEqual(told, [['request', 2.25, { n: 'ø' }], ...others.flat()])
})

it('what is due while a batch is sent goes with what comes after it, in order and in few batches', async () => {
  const { exporter, batches, replies } = exporterOf(1000)
  const flushed = exporter.flush(new AbortController().signal)
  for (let i = 0; i < 10; i++) exporter.add(`${i}`)
  const all = exporter.flush(new AbortController().signal)
  await turn()
  for (let i = 0; i < 520; i++) exporter.add(`${i}`)
  for (let n = 0; n < 3; n++) {
    await turn()
    replies[n]?.resolve()
    await turn()
  }
  await Promise.all([flushed, all])
  assert.deepEqual([batches, exporter.sent, exporter.waiting], [[10, 500, 20], 530, 0])
  exporter.close()
})

it('ids of a trace look random, and the ratio decides by them', () => {
  const ids = [ID, `req_${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}`, ...Array.from({ length: 500 }, requestId)]
  for (const id of ids) {
    assert.ok(isRequestId(id), id)
    const parent = { traceId: traceIdOf(id), spanId: spanIdOf(id), sampled: true }
    assert.deepEqual(readTraceparent(traceparentOf(parent.traceId, parent.spanId, true)), parent)
    assert.deepEqual([isSampled(id, limitOf(0)), isSampled(id, limitOf(1))], [false, true])
  }
  assert.equal(new Set(ids.map(traceIdOf)).size, ids.length)
  const digits = Array.from(
    { length: 1000 },
    (_, i) =>
      `req_${Math.floor((i / 1000) * 16 ** 7)
        .toString(16)
        .padStart(7, '0')}`,
  )
  assert.equal(digits.filter((id) => isSampled(id, limitOf(0.25))).length, 250)
})

const threadOf = (code: string) =>
  new URL(`data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads';${code}`)}`)
const options = {
  origin: { resource: {}, version: '1', timeOrigin: 0 },
  encoding: 'json',
  limit: 'g',
  withPrompts: false,
} as const
const batch = { signal: 'logs', bytes: new SharedArrayBuffer(1), length: 0, told: [] } as const

it('a thread that ends fails its batches, and the next one gets another thread', async () => {
  const encoder = new Encoder(
    threadOf(`let n = 0; parentPort.on('message', ({ id }) =>
      n++ === 0 ? parentPort.postMessage({ id, body: new Uint8Array([1]) }) : parentPort.close())`),
    options,
  )
  assert.deepEqual([...(await encoder.encode(batch))], [1])
  await assert.rejects(encoder.encode(batch), /ended/)
  assert.deepEqual([...(await encoder.encode(batch))], [1])
  await encoder.close()
})

it('a batch that cannot be encoded fails alone, and a stop ends what waits', async () => {
  const encoder = new Encoder(
    threadOf(`parentPort.on('message', ({ id }) => { if (id === 0) parentPort.postMessage({ id, error: true }) })`),
    options,
  )
  await assert.rejects(encoder.encode(batch), /cannot be encoded/)
  const waiting = assert.rejects(encoder.encode(batch), /ended/)
  await encoder.close()
  await waiting
})
