/** Encodes batches beside the thread of requests. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Codec } from './codec.ts'
import { type Finished, logRecordsOf, type Order, sourcesIn, type ThreadOptions } from './handover.ts'
import { jsonCodec } from './json.ts'
import { protobufCodec } from './protobuf.ts'
import { spanOf } from './spans.ts'

const { origin, encoding, limit } = workerData as ThreadOptions
const codec: Codec = encoding === 'json' ? jsonCodec(origin) : protobufCodec(origin)

parentPort?.on('message', (order: Order) => {
  const { finished, transfer } = encoded(order)
  parentPort?.postMessage(finished, transfer)
})

function encoded(order: Order): { finished: Finished; transfer: ArrayBuffer[] } {
  const { id } = order
  try {
    const body =
      order.signal === 'traces'
        ? codec.spans(sourcesIn(order).map(spanOf))
        : codec.logs(logRecordsOf(order, order.eventHeads, limit))
    return { finished: { id, body }, transfer: [body.buffer as ArrayBuffer] }
  } catch {
    return { finished: { id, error: true }, transfer: [] }
  }
}
