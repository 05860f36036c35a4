import type { StreamDialect, TextPiece } from '../../dialects/stream.ts'
import { unseenKind } from '../../json/unseen.ts'
import { LazyMap, LazySet } from '../../util/lazy.ts'

type Kinds = ReadonlyMap<string, number>

/** Texts whose beginning is kept; the head of a `data:` URL is shorter than this. */
const MOST_BEGUN = 1024
const MOST_OF_HEAD = 160
const MOST_PLAIN = 4096
const NAMED = 'data:'

/**
 * Counts what a stream has that cannot be inspected. The dialect counts in known members and in complete texts; here are the texts
 * that may grow, of any member, and those of calls. Each place counts once, as in a buffered reply.
 */
export class UnseenMedia {
  readonly #stream: StreamDialect
  readonly #tell: (kinds: Kinds) => void
  readonly #own = new LazyMap<string, number>()
  /** Places that were counted. */
  readonly #counted = new LazySet<string>()
  /** Beginnings of texts that may become a `data:` URL, by their place. */
  readonly #begun = new LazyMap<string, string>()
  /** Places that began as something else. */
  readonly #plain = new LazySet<string>()

  /** The last part of each place. */
  readonly #parts = new LazyMap<string, string>()

  /** @param tell gets all kinds and counts of the stream so far, if there are any */
  constructor(stream: StreamDialect, tell: (kinds: Kinds) => void) {
    this.#stream = stream
    this.#tell = tell
  }

  /** Whether a text began that may become a `data:` URL. */
  get waits(): boolean {
    return this.#begun.size > 0
  }

  /** Looks at an event that was walked. */
  event(pieces: readonly TextPiece[]): void {
    for (const piece of pieces) this.#piece(piece)
    this.#tellAll()
  }

  /** Takes what the texts of a complete call have. */
  call(kinds: Kinds): void {
    if (kinds.size === 0) return
    for (const [kind, count] of kinds) this.#add(kind, count)
    this.#tellAll()
  }

  #piece({ choice, field, part, channel, path, text, still }: TextPiece): void {
    const place = `${choice}\0${field}`
    this.#enter(place, part)
    if (this.#counted.has(place)) return
    // A text of an answer is one; others may stand alone in each event.
    if (still !== true && this.#plain.has(place)) return
    const before = this.#begun.get(place) ?? ''
    const kind = unseenKind(channel, path, text) ?? (before && unseenKind(channel, path, before + text))
    if (kind) {
      this.#begun.delete(place)
      this.#counted.add(place)
      this.#add(kind, 1)
      return
    }
    const isShort = before.length + text.length < MOST_OF_HEAD
    const head = isShort ? (before + text).trimStart().toLowerCase() : ''
    const mayGo = isShort && (head.startsWith(NAMED) || NAMED.startsWith(head))
    if (mayGo && (before !== '' || this.#begun.size < MOST_BEGUN)) this.#begun.set(place, before + text)
    else {
      this.#begun.delete(place)
      if (still !== true && this.#plain.size < MOST_PLAIN) this.#plain.add(place)
    }
  }

  /** A text of several parts is one for each of them. */
  #enter(place: string, part: string | undefined): void {
    // A delta that repeats what its block began with is of the same block.
    const own = part?.endsWith('+') === true ? part.slice(0, -1) : part
    // What begins with `#` is a part of its own in each event.
    if (own === undefined || own.startsWith('#') || this.#parts.get(place) === own) return
    if (this.#parts.size < MOST_PLAIN || this.#parts.has(place)) this.#parts.set(place, own)
    for (const known of [this.#plain, this.#begun, this.#counted]) known.delete(place)
  }

  #add(kind: string, count: number): void {
    this.#own.set(kind, (this.#own.get(kind) ?? 0) + count)
  }

  #tellAll(): void {
    const { uninspected } = this.#stream
    if (this.#own.size === 0) {
      if (uninspected.size > 0) this.#tell(uninspected)
      return
    }
    const all = new Map(uninspected)
    for (const [kind, count] of this.#own.all) all.set(kind, (all.get(kind) ?? 0) + count)
    this.#tell(all)
  }
}
