import type { GovernanceEvent } from '../../engine/contract/plugin.ts'
import { encode } from './encode.ts'
import type { EventFormat, EventSource } from './types.ts'

/** Bytes of one body, before compression. */
export const MAX_BATCH_BYTES: number = 1024 * 1024

export interface EncodedBatch {
  readonly contentType: string
  readonly body: string
  /** Number of events, in order. */
  readonly events: number
}

interface Frame {
  readonly contentType: string
  readonly open: string
  readonly between: string
  readonly close: string
}

const ARRAY: Frame = { contentType: 'application/json', open: '[', between: ',', close: ']' }
const LINES: Frame = { contentType: 'text/plain; charset=utf-8', open: '', between: '\n', close: '\n' }

/**
 * Encodes bodies for a receiver, each at most `maxBytes`: a JSON array for `json` and `ocsf`, lines for `cef`. An event
 * that exceeds the limit alone gets its own body.
 */
export function encodeBatch(
  events: readonly GovernanceEvent[],
  format: EventFormat,
  source: EventSource,
  maxBytes: number = MAX_BATCH_BYTES,
): EncodedBatch[] {
  return frame(
    events.map((event) => encode(format, event, source)),
    format,
    maxBytes,
  )
}

/** The same for encoded events. */
export function frame(
  texts: readonly string[],
  format: EventFormat,
  maxBytes: number = MAX_BATCH_BYTES,
): EncodedBatch[] {
  const { contentType, open, between, close } = format === 'cef' ? LINES : ARRAY
  const around = open.length + close.length
  const batches: EncodedBatch[] = []
  let first = 0
  let bytes = around
  const flush = (end: number): void => {
    if (end === first) return
    const body = open + texts.slice(first, end).join(between) + close
    batches.push({ contentType, body, events: end - first })
    first = end
    bytes = around
  }
  for (const [i, text] of texts.entries()) {
    const more = Buffer.byteLength(text) + (i === first ? 0 : between.length)
    if (bytes + more > maxBytes) flush(i)
    bytes += i === first ? Buffer.byteLength(text) : more
  }
  flush(texts.length)
  return batches
}
