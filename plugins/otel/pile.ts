/** The records of a batch, as bytes that the thread that encodes reads without a copy. */

export interface PileBytes {
  readonly bytes: SharedArrayBuffer
  /** How many of them are written. */
  readonly length: number
}

const SMALL = 64 * 1024
/** A larger one is not used again. */
const LARGE = 4 * 1024 * 1024
/** Of the length that each record begins with, itself included, and of that of a text. */
const LENGTH = 4
const NUMBER = 8

/**
 * Nothing of a request is kept but bytes: objects and texts that wait would be copied by each collection of young objects, and the
 * digits of a number are kept longer than its record. Between `begin` and `end` come the parts of a record; `Records` reads them in
 * the same order.
 */
export class Pile implements PileBytes {
  #bytes = Buffer.from(new SharedArrayBuffer(SMALL))
  #view = new DataView(this.#bytes.buffer)
  /** The end of what is written, and where the last part of the newest record begins. */
  #at = 0
  #last = 0
  /** Of whole records. */
  length = 0
  /** Of items. */
  count = 0
  /** What the newest record with names said. */
  names = ''

  get bytes(): SharedArrayBuffer {
    return this.#bytes.buffer as unknown as SharedArrayBuffer
  }

  get isLarge(): boolean {
    return this.length >= LARGE
  }

  /** A record that was not ended is forgotten. */
  begin(): void {
    this.#at = this.length
    this.#grow(LENGTH)
    this.#at += LENGTH
  }

  end(items: number): void {
    this.#view.setUint32(this.length, this.#at - this.length)
    this.length = this.#at
    this.count += items
  }

  byte(value: number): void {
    this.#grow(1)
    this.#bytes[this.#at++] = value
  }

  /** NaN if there is none. */
  number(value = Number.NaN): void {
    this.#grow(NUMBER)
    this.#view.setFloat64(this.#at, value)
    this.#at += NUMBER
  }

  /** Up to 255 characters of ASCII. */
  id(id: string): void {
    const { length } = id
    this.#grow(1 + length)
    const bytes = this.#bytes
    bytes[this.#at++] = length
    for (let i = 0; i < length; i++) bytes[this.#at + i] = id.charCodeAt(i)
    this.#at += length
  }

  text(text: string): void {
    this.#grow(LENGTH + MOST_OF_UNIT * text.length)
    const written = this.#bytes.write(text, this.#at + LENGTH)
    this.#view.setUint32(this.#at, written)
    this.#at += LENGTH + written
  }

  /** The last part of a record. */
  rest(text: string): void {
    this.#grow(MOST_OF_UNIT * text.length)
    this.#last = this.#at
    this.#at += this.#bytes.write(text, this.#at)
  }

  /** The same, copied from the newest record of another pile. */
  restOf(other: Pile): void {
    this.#grow(other.#at - other.#last)
    this.#last = this.#at
    this.#at += other.#bytes.copy(this.#bytes, this.#at, other.#last, other.#at)
  }

  /** Empties it, for the next batch. */
  clear(): void {
    this.length = this.count = 0
    this.names = ''
  }

  #grow(more: number): void {
    const needed = this.#at + more
    if (needed <= this.#bytes.length) return
    const larger = Buffer.from(new SharedArrayBuffer(Math.max(2 * this.#bytes.length, needed)))
    this.#bytes.copy(larger, 0, 0, this.#at)
    this.#bytes = larger
    this.#view = new DataView(larger.buffer)
  }
}

/** Bytes of UTF-8 that a UTF-16 unit takes at most. */
const MOST_OF_UNIT = 3

/**
 * Reads a pile. Each record is read when it is asked for: a batch of them at once would outlive collections of young objects.
 */
export class Records {
  readonly #bytes: Buffer
  readonly #length: number
  #at = 0
  #end = 0

  constructor({ bytes, length }: PileBytes) {
    this.#bytes = Buffer.from(bytes)
    this.#length = length
  }

  /** Goes to the next record; false if there is none. */
  next(): boolean {
    const begin = this.#end
    if (begin >= this.#length) return false
    this.#end = begin + this.#bytes.readUInt32BE(begin)
    this.#at = begin + LENGTH
    return true
  }

  byte(): number {
    return this.#bytes[this.#at++] as number
  }

  number(): number | undefined {
    const value = this.#bytes.readDoubleBE(this.#at)
    this.#at += NUMBER
    return Number.isNaN(value) ? undefined : value
  }

  id(): string {
    return this.#take(this.byte(), 'latin1')
  }

  text(): string {
    const length = this.#bytes.readUInt32BE(this.#at)
    this.#at += LENGTH
    return this.#take(length, 'utf8')
  }

  rest(): string {
    return this.#take(this.#end - this.#at, 'utf8')
  }

  #take(length: number, encoding: 'latin1' | 'utf8'): string {
    const from = this.#at
    this.#at += length
    return this.#bytes.toString(encoding, from, this.#at)
  }
}
