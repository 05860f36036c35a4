import type { StreamDialect } from '../../dialects/stream.ts'
import { wholeCharacter } from '../../util/steps.ts'

/** Characters of frames to encode at once; other exchanges run between the parts of longer ones. */
const PART = 256 * 1024

/** Frames for the next write to the client. */
export class Frames {
  readonly #stream: StreamDialect
  #ready = ''
  /** Payloads of the current read that follow `#ready` unchanged. */
  readonly #plain: string[] = []
  #plainLength = 0
  /** The client has a part of the first frame: nothing else may be written before its rest. */
  isCut = false

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
   * @param before frames before it
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
    this.isCut = false
    return text
  }

  get isLong(): boolean {
    return this.#ready.length > PART
  }

  /** The beginning of long frames. */
  takePart(): Buffer {
    const end = wholeCharacter(this.#ready, PART)
    const part = Buffer.from(this.#ready.slice(0, end))
    this.#ready = this.#ready.slice(end)
    this.isCut = true
    return part
  }

  #framePlain(): void {
    for (const data of this.#plain) this.#ready += this.#stream.frame(data)
    this.#plain.length = 0
    this.#plainLength = 0
  }
}
