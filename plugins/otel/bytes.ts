/** A buffer that grows, for the body of one export after another. */

/** Longer texts are written by a native call, which is quicker from there on. */
const SHORT = 100

export class Bytes {
  bytes = Buffer.allocUnsafe(65_536)
  at = 0

  /** A copy of what was written; the next body begins. */
  take(): Uint8Array {
    const whole = this.copy(0)
    this.at = 0
    return whole
  }

  copy(from: number): Uint8Array {
    return Uint8Array.prototype.slice.call(this.bytes, from, this.at)
  }

  raw(bytes: Uint8Array): void {
    this.grow(bytes.length)
    this.bytes.set(bytes, this.at)
    this.at += bytes.length
  }

  /** Writes once more what is between two places. */
  again(from: number, to: number): void {
    this.grow(to - from)
    this.bytes.copyWithin(this.at, from, to)
    this.at += to - from
  }

  /** UTF-8. */
  text(text: string): void {
    const { length } = text
    // A UTF-16 unit takes three bytes at most.
    this.grow(3 * length)
    if (length <= SHORT && this.#ascii(text)) return
    this.at += this.bytes.write(text, this.at)
  }

  #ascii(text: string): boolean {
    const { bytes, at } = this
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code > 0x7f) return false
      bytes[at + i] = code
    }
    this.at += text.length
    return true
  }

  grow(bytes: number): void {
    if (this.at + bytes <= this.bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.at + bytes))
    this.bytes.copy(larger, 0, 0, this.at)
    this.bytes = larger
  }
}
