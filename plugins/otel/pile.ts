/** The records of a batch, as bytes that the thread that encodes reads without a copy. */

export interface PileBytes {
  readonly bytes: SharedArrayBuffer
  /** How many of them are written. */
  readonly length: number
}

/** One record. `told`, the trace id and its flag are those of a log record. */
export interface Piled {
  readonly text: string
  readonly told: number
  readonly traceId: string | undefined
  readonly sampled: boolean
}

const SMALL = 64 * 1024
/** A larger one is not used again. */
const LARGE = 4 * 1024 * 1024
/** Length of the text (4), `told` (2), flags, length of the trace id. Then the trace id and the text. */
const HEAD = 8
/** `]` */
const CLOSING = 0x5d

/**
 * Nothing of a request is kept but bytes: objects and texts that wait would be copied by each collection of young objects.
 */
export class Pile implements PileBytes {
  #bytes = Buffer.from(new SharedArrayBuffer(SMALL))
  /** Where the newest text begins. */
  #text = 0
  length = 0
  /** Of items. */
  count = 0

  get bytes(): SharedArrayBuffer {
    return this.#bytes.buffer as unknown as SharedArrayBuffer
  }

  get isLarge(): boolean {
    return this.length >= LARGE
  }

  add(text: string, told = 0, traceId = '', sampled = false): void {
    // A UTF-16 unit takes three bytes at most.
    this.#grow(HEAD + traceId.length + 3 * text.length)
    const bytes = this.#bytes
    const head = this.length
    let at = head + HEAD
    if (traceId !== '') at += bytes.write(traceId, at, 'latin1')
    this.#end(at, at + bytes.write(text, at))
    bytes.writeUInt16LE(told, head + 4)
    bytes[head + 6] = sampled ? 1 : 0
    bytes[head + 7] = traceId.length
    this.count++
  }

  /**
   * A record of several items: two texts and `]`. Of a pile, its newest text is copied, as bytes.
   */
  addList(head: string, last: string | Pile, items: number): void {
    this.#grow(HEAD + 3 * head.length + 1 + (typeof last === 'string' ? 3 * last.length : last.length - last.#text))
    const bytes = this.#bytes
    const begin = this.length
    const text = begin + HEAD
    let at = text + bytes.write(head, text)
    if (typeof last === 'string') at += bytes.write(last, at)
    else at += last.#bytes.copy(bytes, at, last.#text, last.length)
    bytes[at++] = CLOSING
    this.#end(text, at)
    bytes.fill(0, begin + 4, text)
    this.count += items
  }

  /** The newest record is whole. */
  #end(text: number, end: number): void {
    this.#bytes.writeUInt32LE(end - text, this.length)
    this.#text = text
    this.length = end
  }

  /** Empties it, for the next batch. */
  clear(): void {
    this.length = this.count = 0
  }

  #grow(more: number): void {
    const needed = this.length + more
    if (needed <= this.#bytes.length) return
    const larger = Buffer.from(new SharedArrayBuffer(Math.max(2 * this.#bytes.length, needed)))
    this.#bytes.copy(larger, 0, 0, this.length)
    this.#bytes = larger
  }
}

/** Each record is read when it is asked for: a batch of them at once would outlive collections of young objects. */
export function* recordsOf({ bytes, length }: PileBytes): Generator<Piled> {
  const all = Buffer.from(bytes)
  for (let at = 0; at < length; ) {
    const text = at + HEAD + (all[at + 7] as number)
    const end = text + all.readUInt32LE(at)
    yield {
      text: all.toString('utf8', text, end),
      told: all.readUInt16LE(at + 4),
      traceId: text === at + HEAD ? undefined : all.toString('latin1', at + HEAD, text),
      sampled: all[at + 6] === 1,
    }
    at = end
  }
}
