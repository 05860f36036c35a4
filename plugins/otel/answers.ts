/** What receivers answer to exports. */

export interface Answers {
  readonly contentType: string
  /** How many items of a batch the receiver did not take. */
  rejected(answer: Uint8Array): number
}

export const ANSWERS: Readonly<Record<'json' | 'protobuf', Answers>> = {
  json: { contentType: 'application/json', rejected: (answer) => rejectedInJson(Buffer.from(answer).toString()) },
  protobuf: { contentType: 'application/x-protobuf', rejected: (answer) => rejectedInProtobuf(answer) },
}

function rejectedInJson(answer: string): number {
  if (!answer.includes('partialSuccess')) return 0
  try {
    const { partialSuccess } = JSON.parse(answer) as { partialSuccess?: Record<string, unknown> }
    const count = Number(partialSuccess?.rejectedSpans ?? partialSuccess?.rejectedLogRecords ?? 0)
    return Number.isInteger(count) && count > 0 ? count : 0
  } catch {
    return 0
  }
}

/** The first field of the first field: `partial_success.rejected_spans`, or `rejected_log_records`. Absent is 0. */
function rejectedInProtobuf(answer: Uint8Array): number {
  const [partial, length] = readVarint(answer, 0)
  const [, begun] = readVarint(answer, length)
  const [rejected, count] = readVarint(answer, begun)
  return partial === TAG_PARTIAL && rejected === TAG_REJECTED ? readVarint(answer, count)[0] : 0
}

const TAG_PARTIAL = 0x0a
const TAG_REJECTED = 0x08
/** Bytes of a varint below 2^49. */
const LONGEST = 7

/** The number at a place, and the next place; 0 for what is none. */
function readVarint(bytes: Uint8Array, from: number): [value: number, next: number] {
  let value = 0
  for (let i = 0; i < LONGEST; i++) {
    const byte = bytes[from + i]
    if (byte === undefined) return [0, from + i]
    value += (byte & 0x7f) * 0x80 ** i
    if (byte < 0x80) return [value, from + i + 1]
  }
  return [0, from + LONGEST]
}
