import { createParser, type EventSourceParser } from 'eventsource-parser'

/** Allowance for the other lines of a short event, such as `event:`, and keep-alives between two events. */
const AROUND = 64

/**
 * Parses server-sent events from bytes cut anywhere. Drops ids; of event names clients use only `error`.
 */
export class SseReader {
  // Broken UTF-8 becomes U+FFFD here, so the inspected text is also the text sent.
  readonly #decoder = new TextDecoder()
  readonly #parser: EventSourceParser
  readonly #limit: number
  /** Characters that produced no event: comments, names, ids, blank lines, and unfinished events. */
  #idle = 0
  /** An event, or the total of other characters, exceeds the limit. */
  overflowed = false

  /**
   * @param limit for one event and for characters outside of events (no slow client brakes those); UTF-16 units
   * @param onComment receives the text of each comment; default: drops them
   */
  constructor(
    limit: number,
    onData: (data: string, isError: boolean) => void,
    onComment?: ((text: string) => void) | undefined,
  ) {
    this.#limit = limit
    // Without `onError` the parser creates no error object for each unknown line.
    this.#parser = createParser({
      onEvent: ({ data, event }) => {
        // Beyond the limit, non-data may be at most half of a stream.
        if (data !== '') this.#idle = Math.max(0, this.#idle - 2 * data.length - AROUND)
        if (data.length > limit) this.overflowed = true
        if (!this.overflowed) onData(data, event === 'error')
      },
      ...(onComment && { onComment }),
    })
  }

  feed(chunk: Buffer): void {
    this.#take(this.#decoder.decode(chunk, { stream: true }))
  }

  /** Delivers a last event without its blank line. */
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

export const endsEvent = (read: Buffer): boolean => read[read.length - 1] === 0x0a && read[read.length - 2] === 0x0a
