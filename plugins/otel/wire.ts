/** Writes protobuf. */
import { Bytes } from './bytes.ts'

const VARINT = 0
const FIXED64 = 1
const BYTES = 2
const FIXED32 = 5

/** Most bytes of a varint of 64 bits. */
const LONGEST_VARINT = 10

export class Wire extends Bytes {
  /** The newest second, and its nanoseconds as two halves: BigInts cost more. */
  #second = 0
  #low = 0
  #high = 0

  /** Begins a message or a text of a field; pass the result to `end`. */
  begin(field: number): number {
    this.grow(LONGEST_VARINT + 1)
    this.#tag(field, BYTES)
    // Most are shorter than 128 bytes, so their length takes one.
    return ++this.at
  }

  /** Returns by how many bytes it moved what was written since `begin`. */
  end(begun: number): number {
    const length = this.at - begun
    if (length < 0x80) {
      this.bytes[begun - 1] = length
      return 0
    }
    const more = varintBytes(length) - 1
    this.grow(more)
    this.bytes.copyWithin(begun + more, begun, this.at)
    const end = this.at + more
    this.at = begun - 1
    this.#varint(length)
    this.at = end
    return more
  }

  string(field: number, text: string): void {
    const begun = this.begin(field)
    this.text(text)
    this.end(begun)
  }

  /** Bytes of hexadecimal digits. */
  hex(field: number, digits: string): void {
    const begun = this.begin(field)
    this.grow(digits.length)
    for (let i = 0; i + 1 < digits.length; i += 2) {
      this.bytes[this.at++] = (nibble(digits.charCodeAt(i)) << 4) | nibble(digits.charCodeAt(i + 1))
    }
    this.end(begun)
  }

  /** A number from 0 to 2^53. */
  whole(field: number, value: number): void {
    this.grow(2 * LONGEST_VARINT)
    this.#tag(field, VARINT)
    this.#varint(value)
  }

  /** A safe integer as int64: a negative one has the two's complement. */
  int64(field: number, value: number): void {
    if (value >= 0) return this.whole(field, value)
    this.grow(2 * LONGEST_VARINT)
    this.#tag(field, VARINT)
    let rest = BigInt.asUintN(64, BigInt(value))
    for (; rest > 0x7fn; rest >>= 7n) this.bytes[this.at++] = Number(rest & 0x7fn) | 0x80
    this.bytes[this.at++] = Number(rest)
  }

  double(field: number, value: number): void {
    this.grow(LONGEST_VARINT + 8)
    this.#tag(field, FIXED64)
    this.at = this.bytes.writeDoubleLE(value, this.at)
  }

  fixed32(field: number, value: number): void {
    this.grow(LONGEST_VARINT + 4)
    this.#tag(field, FIXED32)
    this.at = this.bytes.writeUInt32LE(value, this.at)
  }

  /** Unix nanoseconds: whole seconds and the rest. */
  nanoseconds(field: number, seconds: number, rest: number): void {
    this.grow(LONGEST_VARINT + 8)
    this.#tag(field, FIXED64)
    if (seconds !== this.#second) {
      this.#second = seconds
      const whole = BigInt(seconds) * 1_000_000_000n
      this.#low = Number(whole & 0xffff_ffffn)
      this.#high = Number(whole >> 32n)
    }
    const low = this.#low + rest
    this.#uint32(low)
    this.#uint32(low > 0xffff_ffff ? this.#high + 1 : this.#high)
  }

  #uint32(value: number): void {
    const { bytes, at } = this
    bytes[at] = value
    bytes[at + 1] = value >>> 8
    bytes[at + 2] = value >>> 16
    bytes[at + 3] = value >>> 24
    this.at += 4
  }

  #tag(field: number, type: number): void {
    this.#varint(field * 8 + type)
  }

  #varint(value: number): void {
    let rest = value
    for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) this.bytes[this.at++] = (rest % 0x80) | 0x80
    this.bytes[this.at++] = rest
  }
}

/** Of `0`–`9` and `a`–`f`. */
const nibble = (code: number): number => (code < 0x3a ? code - 0x30 : code - 0x57)

function varintBytes(value: number): number {
  let bytes = 1
  for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes++
  return bytes
}
