import { isAscii } from 'node:buffer'
import { createParser, type EventSourceParser } from 'eventsource-parser'

/** What a short event may have around its data, in lines such as `event:` and in signs of life between two. */
const AROUND = 64

/**
 * Reads the data of server-sent events out of bytes cut anywhere. Ids and comments go; of names only `error` means
 * something to clients.
 */
export class SseReader {
  // Broken UTF-8 becomes U+FFFD here, and the very same text is inspected and sent on.
  readonly #decoder = new TextDecoder()
  readonly #parser: EventSourceParser
  readonly #limit: number
  /** Characters read that came to nothing: comments, names, ids, blank lines, and an event that goes on. */
  #idle = 0
  /** One event, or what is no event in all that was read, is longer than the limit. */
  overflowed = false

  /**
   * @param limit longest event, UTF-16 units; also of what is no event, which costs time and reaches no client that
   * could slow it down by reading slowly
   */
  constructor(limit: number, onData: (data: string, isError: boolean) => void) {
    this.#limit = limit
    // Without `onError` the parser makes no error object for each line it does not know.
    this.#parser = createParser({
      onEvent: ({ data, event }) => {
        // At most half of a stream may be something else than data, apart from what the limit allows.
        if (data !== '') this.#idle = Math.max(0, this.#idle - 2 * data.length - AROUND)
        if (data.length > limit) this.overflowed = true
        if (!this.overflowed) onData(data, event === 'error')
      },
    })
  }

  feed(chunk: Buffer): void {
    this.#take(this.#decoder.decode(chunk, { stream: true }))
  }

  /** Hands out a last event that lacks its blank line. */
  end(): void {
    this.#take(`${this.#decoder.decode()}\n\n`)
  }

  #take(text: string): void {
    if (this.overflowed) return
    this.#idle += text.length
    this.#parser.feed(text)
    if (this.#idle > this.#limit + AROUND) this.overflowed = true
  }
}

/** A comment, by which a client knows that the stream lives. */
export const KEEP_ALIVE = Buffer.from(': keep-alive\n\n')

/** `data: ` in front and a blank line behind. */
export const FRAME_LENGTH = 8

export const endsEvent = (read: Buffer): boolean => read[read.length - 1] === 0x0a && read[read.length - 2] === 0x0a

/** Framed as the gateway frames; ASCII, so that its length in bytes is the length of its text. */
export const isFramed = (read: Buffer): boolean => read[5] === 0x20 && isAscii(read) && !read.includes(0x0d)
