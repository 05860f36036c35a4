import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Exchange } from 'governed-gateway'
import { requestId } from '../../../core/engine/events/emitter.ts'
import { readTraceparent } from '../../../core/kit/trace-context.ts'
import { ANSWERS } from '../../../plugins/otel/answers.ts'
import { Encoder } from '../../../plugins/otel/encoder.ts'
import { Exporter } from '../../../plugins/otel/exporter.ts'
import { EventHeadTable, logRecordsOf, sourcesIn, writeLog } from '../../../plugins/otel/handover.ts'
import { isRequestId, isSampled, limitOf, spanIdOf, traceIdOf, traceparentOf } from '../../../plugins/otel/ids.ts'
import { Pile } from '../../../plugins/otel/pile.ts'
import { aboutOf, spansOf, writeAttempt, writeRequest, writeTrace } from '../../../plugins/otel/sources.ts'
import { Trace } from '../../../plugins/otel/trace.ts'
import { TurnEnd } from '../../../plugins/otel/turn-end.ts'

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

function addTo(exporter: Exporter, text: string): void {
  const pile = exporter.pileFor(1)
  if (pile === undefined) return
  writeLog(pile, text, 0)
  exporter.added(pile, 1)
}

const turn = () => new Promise(setImmediate)

it('what comes during an export waits for a whole batch', async () => {
  const { exporter, batches, replies } = exporterOf(100)
  for (let i = 0; i < 50; i++) addTo(exporter, `${i}`)
  await turn()
  for (let i = 0; i < 20; i++) addTo(exporter, `${i}`)
  replies[0]?.resolve()
  await turn()
  assert.deepEqual(batches, [50])
  for (let i = 0; i < 30; i++) addTo(exporter, `${i}`)
  await turn()
  assert.deepEqual([batches, exporter.sent], [[50, 50], 50])
  replies[1]?.resolve()
  for (let i = 0; i < 3; i++) addTo(exporter, `${i}`)
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
  const eventHead = { title: 'An event', level: 'low' } as const
  const long = 'ü€😀'.repeat(50_000)
  const members = [{ n: 0, long }, { request_id: ID }, { request_id: ID, trace_id: client }, { request_id: ID }]
  const pile = new Pile()
  const table = new EventHeadTable()
  for (const [n, one] of members.entries()) {
    writeLog(pile, JSON.stringify(one), table.of('one', eventHead), n === 3 ? client : undefined, n === 3)
  }
  const ids = { traceId: traceIdOf(ID), spanId: spanIdOf(ID), sampled: false }
  const roots = [undefined, ids, { ...ids, traceId: client }, { ...ids, traceId: client, sampled: true }]
  assert.deepEqual(
    [...logRecordsOf(pile, table.all, limitOf(0))],
    members.map((event, n) => ({ event, eventHead, root: roots[n] })),
  )
  pile.clear()
  writeLog(pile, '{"next":true}', 0)
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
  const table = new EventHeadTable()
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
  const request = { headers: {}, stream: true, choices: 2, maxOutputTokens: undefined }
  const x = {
    id: ID,
    startedAt: 1.5,
    request,
    operation: 'POST /v1/chat/completions',
    reply: {},
  } as unknown as Exchange
  const root = { id: ID, traceId: undefined, parentId: 'b'.repeat(16), startedAt: 1.5 }
  const logs = new Pile()
  writeLog(logs, '{"n":"earlier"}', 3, 'a'.repeat(32), true)
  const spans = new Pile()
  writeRequest(spans, root, 2.25, '{"n":"ø"}')
  const attempt = {
    upstream: 'ö',
    kind: 'openai',
    address: undefined,
    startedAt: 1.6,
    status: 200,
    firstByteAt: 1.7,
  } as const
  for (let n = 0; n < 2000; n++) {
    writeLog(logs, `{"n":"ø${n}"}`, 3, 'a'.repeat(32), true)
    const trace = new Trace(x, limitOf(1))
    const model = n % 3 === 0 ? 'other' : 'one'
    trace.attempt({ ...attempt, model, number: 1, endedAt: 2, error: n % 2 === 0 ? 'reset' : undefined })
    trace.attempt({ ...attempt, model, number: 2, endedAt: undefined, error: undefined })
    trace.tap({ startedAt: 1.5, endedAt: 2, plugin: 'pii', hook: 'preRequest', failed: true, stop: undefined, held: 0 })
    assert.equal(spansOf(trace), 3)
    writeTrace(spans, trace, aboutOf(x), 3, logs)
    writeAttempt(spans, trace, aboutOf(x), { ...attempt, model, number: 2, endedAt: 4, error: undefined })
  }
  assert.equal(spans.count, 8001)
  const told = sourcesIn(spans).map((one) => {
    if (one.of === 'request') return [one.startedAt, one.endedAt, one.parentId, one.event]
    if (one.of === 'tap') return [one.startedAt, one.endedAt, one.plugin, one.hook, one.failed]
    const { upstream, model, number, status, error, firstByteAt } = one.attempt
    return [upstream, model, number, status, error, firstByteAt, one.stream, one.choices, one.maxTokens, one.endedAt]
  })
  const others = Array.from({ length: 2000 }, (_, n) => {
    const model = n % 3 === 0 ? 'other' : 'one'
    const error = n % 2 === 0 ? 'reset' : undefined
    return [
      [1.5, 3, undefined, { n: `ø${n}` }],
      ['ö', model, 1, 200, error, 1.7, true, 2, undefined, 2],
      [1.5, 2, 'pii', 'preRequest', true],
      ['ö', model, 2, 200, undefined, 1.7, true, 2, undefined, 4],
    ]
  })
  assert.deepEqual(told, [[1.5, 2.25, 'b'.repeat(16), { n: 'ø' }], ...others.flat()])
})

it('a record that was not finished is not there', () => {
  const pile = new Pile()
  writeLog(pile, '{"n":1}', 0)
  pile.begin()
  pile.text('half')
  writeLog(pile, '{"n":2}', 0)
  pile.begin()
  pile.number(3)
  const told = [...logRecordsOf(pile, [{ title: 'An event', level: 'low' }], limitOf(0))]
  assert.deepEqual(
    told.map(({ event }) => event),
    [{ n: 1 }, { n: 2 }],
  )
})

it('what a turn brings is done at its end, in order, whatever fails', async () => {
  const done: number[] = []
  const failed: unknown[] = []
  const act = (n: number) => {
    if (n === 2) throw new Error('two')
    done.push(n)
  }
  const end = new TurnEnd<number>(act, (error) => failed.push((error as Error).message))
  for (const n of [1, 2, 3]) end.add(n)
  assert.deepEqual(done, [])
  await turn()
  assert.deepEqual([done, failed], [[1, 3], ['two']])
  end.add(4)
  end.run()
  await turn()
  assert.deepEqual(done, [1, 3, 4])
})

it('what is due while a batch is sent goes with what comes after it, in order and in few batches', async () => {
  const { exporter, batches, replies } = exporterOf(1000)
  const flushed = exporter.flush(new AbortController().signal)
  for (let i = 0; i < 10; i++) addTo(exporter, `${i}`)
  const all = exporter.flush(new AbortController().signal)
  await turn()
  for (let i = 0; i < 520; i++) addTo(exporter, `${i}`)
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
const batch = { signal: 'logs', bytes: new SharedArrayBuffer(1), length: 0, eventHeads: [] } as const

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
