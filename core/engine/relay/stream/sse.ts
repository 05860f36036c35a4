import { createParser } from 'eventsource-parser'

/** Allowance for the other lines of a short event, such as `event:`, and keep-alives between two events. */
const AROUND = 64
/** A read of several events, bytes. */
const LONG = 1024
const BORDER = Buffer.from('\n\n')

/**
 * Parses server-sent events from bytes cut anywhere. Drops ids; of event names clients use only `error`.
 */
export class SseReader {
  readonly #limit: number
  readonly #onData: (data: string, isError: boolean) => void
  readonly #onComment: ((text: string) => void) | undefined
  /** Has the start of an event. Between two events there is none. */
  #parser: Parser | undefined = undefined
  #hasBegun = false
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
    this.#onData = onData
    this.#onComment = onComment
  }

  feed(chunk: Buffer): void {
    // The last event may have to wait, and a part of a string keeps the whole: so it gets a string of its own.
    const last = chunk.length > LONG ? chunk.lastIndexOf(BORDER, chunk.length - BORDER.length - 1) : -1
    if (last === -1) return this.#feed(chunk)
    this.#feed(chunk.subarray(0, last + BORDER.length))
    this.#feed(chunk.subarray(last + BORDER.length))
  }

  #feed(chunk: Buffer): void {
    if (this.overflowed || chunk.length === 0) return
    const parser = this.#parser ?? this.#newParser(chunk)
    this.#take(parser, parser.decode(chunk))
    // Continues after a blank line, where nothing of the stream is left in it.
    this.#parser = endsEvent(chunk) ? undefined : parser
    if (this.#parser === undefined) parser.rest()
  }

  /** Delivers a last event without its blank line. */
  end(): void {
    const parser = this.#parser
    this.#parser = undefined
    if (parser !== undefined && !this.overflowed) this.#take(parser, `${parser.lastCharacters()}\n\n`)
  }

  onEvent(data: string, isError: boolean): void {
    // Beyond the limit, non-data may be at most half of a stream.
    if (data !== '') this.#idle = Math.max(0, this.#idle - 2 * data.length - AROUND)
    if (data.length > this.#limit) this.overflowed = true
    if (!this.overflowed) this.#onData(data, isError)
  }

  onComment(text: string): void {
    this.#onComment?.(text)
  }

  #newParser(first: Buffer): Parser {
    const mayHaveMark = !this.#hasBegun && first[0] === BYTE_ORDER_MARK
    this.#hasBegun = true
    return Parser.for(this, this.#onComment !== undefined, mayHaveMark)
  }

  #take(parser: Parser, text: string): void {
    this.#idle += text.length
    parser.feed(text)
    if (this.#idle > this.#limit + AROUND) this.overflowed = true
  }
}

/** First byte of a byte order mark in UTF-8; no line of a stream that a client reads begins with it. */
const BYTE_ORDER_MARK = 0xef
const MOST_RESTING = 8

/**
 * A parser of the library and its decoder, 1.5 KB. Streams are silent most of the time, and their reads end with an event
 * most of the time: then the parser serves another stream.
 */
class Parser {
  static readonly #resting: Record<'all' | 'data', Parser[]> = { all: [], data: [] }

  // Broken UTF-8 becomes U+FFFD here, so the inspected text is also the text sent.
  readonly #decoder = new TextDecoder()
  readonly #comments: boolean
  readonly feed: (text: string) => void
  #reader: SseReader | undefined

  /** @param comments reads comments too; otherwise long ones are not kept */
  private constructor(comments: boolean) {
    this.#comments = comments
    // Without `onError` the parser creates no error object for each unknown line.
    this.feed = createParser({
      onEvent: ({ data, event }) => this.#reader?.onEvent(data, event === 'error'),
      ...(comments && { onComment: (text: string) => this.#reader?.onComment(text) }),
    }).feed
  }

  /** @param isNew begins with the first byte of a stream, which may be part of a byte order mark */
  static for(reader: SseReader, comments: boolean, isNew: boolean): Parser {
    const parser = isNew ? new Parser(comments) : (Parser.#pool(comments).pop() ?? Parser.#begun(comments))
    parser.#reader = reader
    return parser
  }

  static #pool(comments: boolean): Parser[] {
    return Parser.#resting[comments ? 'all' : 'data']
  }

  /** One that takes no mark for the beginning of a stream. */
  static #begun(comments: boolean): Parser {
    const parser = new Parser(comments)
    parser.feed(parser.decode(BLANK))
    return parser
  }

  decode(chunk: Buffer): string {
    return this.#decoder.decode(chunk, { stream: true })
  }

  lastCharacters(): string {
    return this.#decoder.decode()
  }

  rest(): void {
    this.#reader = undefined
    const pool = Parser.#pool(this.#comments)
    if (pool.length < MOST_RESTING) pool.push(this)
  }
}

const BLANK = Buffer.from('\n')

export const endsEvent = (read: Buffer): boolean => read[read.length - 1] === 0x0a && read[read.length - 2] === 0x0a
