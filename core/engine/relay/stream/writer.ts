import type { StreamDialect } from '../../dialects/stream.ts'
import type { Steps } from '../../util/steps.ts'
import type { ReplyContext } from '../context.ts'
import { Frames } from './frames.ts'
import { KeepAlive } from './keep-alive.ts'

/** Writes the frames of one stream to the client. */
export class StreamWriter {
  readonly frames: Frames
  readonly #context: ReplyContext
  readonly #stream: StreamDialect
  readonly #headers: Readonly<Record<string, string>>
  readonly #keepAlive: KeepAlive
  /** The client has not taken what was written. */
  isSlow = false

  /** @param onDrain called when the client took all */
  constructor(
    context: ReplyContext,
    stream: StreamDialect,
    headers: Readonly<Record<string, string>>,
    onDrain: () => void,
  ) {
    this.#context = context
    this.#stream = stream
    this.#headers = headers
    this.frames = new Frames(stream)
    context.out.onDrain(() => {
      this.isSlow = false
      onDrain()
    })
    this.#keepAlive = new KeepAlive(context.settings.keepAliveMs, () => this.#showAlive())
    context.release = this.#keepAlive
  }

  #showAlive(): void {
    if (!this.#context.over && !this.isSlow && !this.frames.isCut) this.#write(Buffer.from(this.#stream.keepAlive))
  }

  /**
   * Writes the frames that are ready; returns whether there were any.
   *
   * @param read the bytes of the current read, sent unchanged if nothing in them changed
   */
  flush(read?: Buffer): boolean {
    const bytes = this.frames.take(read)
    if (bytes === undefined) return false
    this.#keepAlive.wrote = true
    this.#write(bytes)
    return true
  }

  /** Writes all but the end of long frames. */
  *flushLong(): Steps<void> {
    for (; this.frames.isLong; yield) {
      this.#keepAlive.wrote = true
      this.#write(this.frames.takePart())
    }
  }

  #write(bytes: Buffer): void {
    this.#context.out.openStream(this.#headers)
    this.isSlow = !this.#context.out.write(bytes)
  }
}
