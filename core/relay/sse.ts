import { createParser, type EventSourceParser } from 'eventsource-parser'

/**
 * Reads the data of server-sent events out of bytes cut anywhere. Ids and comments go; of names only `error` means
 * something to clients.
 */
export class SseReader {
  // Broken UTF-8 becomes U+FFFD here, and the very same text is inspected and sent on.
  readonly #decoder = new TextDecoder()
  readonly #parser: EventSourceParser
  overflowed = false

  /** @param maxEventLength longest event, UTF-16 units */
  constructor(maxEventLength: number, onData: (data: string, isError: boolean) => void) {
    this.#parser = createParser({
      maxBufferSize: maxEventLength,
      onEvent: ({ data, event }) => onData(data, event === 'error'),
      onError: ({ type }) => {
        if (type === 'max-buffer-size-exceeded') this.overflowed = true
      },
    })
  }

  feed(chunk: Buffer): void {
    if (!this.overflowed) this.#parser.feed(this.#decoder.decode(chunk, { stream: true }))
  }

  /** Hands out a last event that lacks its blank line. */
  end(): void {
    if (!this.overflowed) this.#parser.feed(`${this.#decoder.decode()}\n\n`)
  }
}
