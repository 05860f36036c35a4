import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ANSWERS } from '../../../plugins/otel/answers.ts'
import { Encoder } from '../../../plugins/otel/encoder.ts'
import { Exporter } from '../../../plugins/otel/exporter.ts'
import { packed, unpacked, type WaitingEvent } from '../../../plugins/otel/handover.ts'

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
  const exporter = new Exporter<number>({
    services: { fetch, log: silent },
    ...{ signal: 'logs', url: 'http://receiver.test', headers: {}, answers: ANSWERS.protobuf },
    ...{ timeoutMs: 1000, flushMs: 3_600_000, most },
    encode: async (items) => {
      batches.push(items.length)
      return new Uint8Array()
    },
  })
  return { exporter, batches, replies }
}

const turn = () => new Promise(setImmediate)

it('what comes during an export waits for a whole batch', async () => {
  const { exporter, batches, replies } = exporterOf(100)
  for (let i = 0; i < 50; i++) exporter.add(i)
  await turn()
  for (let i = 0; i < 20; i++) exporter.add(i)
  replies[0]?.resolve()
  await turn()
  assert.deepEqual(batches, [50])
  for (let i = 0; i < 30; i++) exporter.add(i)
  await turn()
  assert.deepEqual([batches, exporter.sent], [[50, 50], 50])
  replies[1]?.resolve()
  for (let i = 0; i < 3; i++) exporter.add(i)
  const flushed = exporter.flush(new AbortController().signal)
  await turn()
  replies[2]?.resolve()
  await flushed
  assert.deepEqual([batches, exporter.sent, exporter.waiting], [[50, 50, 3], 103, 0])
  exporter.close()
})

it('records go through the hand-over as they are', () => {
  const root = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), parentId: undefined, sampled: true, startedAt: 1 }
  const told = { title: 'An event', level: 'low' } as const
  const events: WaitingEvent[] = [undefined, root].map((one, n) => ({ text: { json: `{"n":${n}}` }, told, root: one }))
  const ids = { traceId: root.traceId, spanId: root.spanId, sampled: true }
  assert.deepEqual(unpacked(packed(events)), [
    { event: { n: 0 }, told, root: undefined },
    { event: { n: 1 }, told, root: ids },
  ])
})

const threadOf = (code: string) =>
  new URL(`data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads';${code}`)}`)
const options = { origin: { resource: {}, version: '1', timeOrigin: 0 }, encoding: 'json' } as const
const batch = { signal: 'logs', items: [] } as const

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
