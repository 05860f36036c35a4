import type { StreamDialect } from '../../dialects/stream.ts'

/** Frames for the next write to the client. */
export class Frames {
  readonly #stream: StreamDialect
  #ready = ''
  /** Payloads of the current read that follow `#ready` unchanged. */
  readonly #plain: string[] = []
  #plainLength = 0

  constructor(stream: StreamDialect) {
    this.#stream = stream
  }

  add(frames: string): void {
    this.#framePlain()
    this.#ready += frames
  }

  /**
   * A payload that leaves as it came.
   *
   * @param before frames in front of it
   */
  addPlain(before: string, payload: string, frameLength: number): void {
    this.#ready += before
    this.#plain.push(payload)
    this.#plainLength += payload.length + frameLength
  }

  /**
   * Everything to write; undefined if there is nothing.
   *
   * @param read the bytes of the current read, returned as they are if nothing in them changed
   */
  take(read?: Buffer): Buffer | undefined {
    if (read !== undefined && this.#ready === '' && read.length === this.#plainLength && this.#stream.isFramed(read)) {
      this.#plain.length = this.#plainLength = 0
      return read
    }
    const text = this.takeText()
    return text === '' ? undefined : Buffer.from(text)
  }

  takeText(): string {
    this.#framePlain()
    const text = this.#ready
    this.#ready = ''
    return text
  }

  #framePlain(): void {
    for (const data of this.#plain) this.#ready += this.#stream.frame(data)
    this.#plain.length = 0
    this.#plainLength = 0
  }
}
