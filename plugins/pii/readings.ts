import type { TextView } from 'governed-gateway'
import { Scanner } from './places/scanner.ts'
import type { TokenSpan } from './tokens.ts'

/** Names of arguments whose values are addresses. */
const ADDRESS_NAME = /(?:^|[_-])(?:href|src|link|endpoint|webhook|callback|host|domain)$|ur[il]s?$/i
/** An argument that is a whole address, including its blanks. */
const ADDRESS = /^\s*(?:[a-z][a-z0-9+.-]*:|[\\/]{2}|www\.|[\w-]+(?:\.[\w-]+)+(?::\d+)?[/?#])\S/i
/** Index of a content part in a path. The parts of a message are read as one text. */
const POSITION = /(?<=.)(?:\[\d+\]|\.\d+(?=\.|$))/g

/** Characters of the request to read before all answers that continue from them; after more, no value is restored. */
const MOST_CONTINUED = 64 * 1024

/** Progress of the readings of one reply. */
export class Readings {
  /** By path without positions, because clients join the parts of a message. */
  readonly #scanners = new Map<string, Scanner>()
  /** Texts that still grow. */
  readonly #growing = new Map<number, Reading>()
  readonly #continued: readonly string[]
  readonly #choices: number

  /**
   * @param continued texts of the request that the answers continue from; of several, nobody knows which
   * @param choices number of answers
   */
  constructor(continued: readonly string[], choices: number) {
    this.#continued = continued
    this.#choices = choices
  }

  of(view: TextView): Reading {
    const known = this.#growing.get(view.id)
    if (known !== undefined) {
      if (view.final) this.#growing.delete(view.id)
      return known
    }
    const reading = view.channel === 'tool_arguments' ? this.#ofArgument(view) : new Reading(this.#scannerOf(view))
    if (!view.final) this.#growing.set(view.id, reading)
    return reading
  }

  #scannerOf({ path, channel, choice }: TextView): Scanner | undefined {
    const key = `${choice} ${channel} ${path.replace(POSITION, '')}`
    let scanner = this.#scanners.get(key)
    if (scanner === undefined) {
      const [before = '', ...others] = channel === 'content' ? this.#continued : []
      if (others.length > 0 || before.length * this.#choices > MOST_CONTINUED) return undefined
      scanner = new Scanner()
      if (before !== '') scanner.read(before)
      this.#scanners.set(key, scanner)
    }
    return scanner
  }

  #ofArgument(view: TextView): Reading {
    const isAddress = (view.member !== undefined && ADDRESS_NAME.test(view.member)) || ADDRESS.test(view.text)
    return new Reading(isAddress ? undefined : new Scanner())
  }
}

/** Reading position in one text. */
export class Reading {
  /** Position in the field, normalised. */
  at = 0
  /** Position in the field as sent. */
  #sourceAt = 0
  readonly #scanner: Scanner | undefined
  #known: TokenSpan[] = []

  /** @param scanner undefined if no value may be restored in this text */
  constructor(scanner: Scanner | undefined) {
    this.#scanner = scanner
  }

  readTo(view: TextView, end: number): void {
    if (view.offset + end >= this.at) this.#scanner?.read(this.#upTo(view, end))
  }

  readToken(view: TextView, span: TokenSpan, value: string): void {
    this.#scanner?.readToken(this.#upTo(view, span.end), value)
    this.#known.push({ ...span, start: view.offset + span.start, end: this.at })
  }

  #upTo(view: TextView, end: number): string {
    const start = this.#sourceAt
    this.#sourceAt = Math.max(start, view.sourceAt(end))
    this.at = view.offset + end
    return view.source(start, this.#sourceAt)
  }

  allows(value: string, after: string, final: boolean): boolean | undefined {
    return this.#scanner === undefined ? false : this.#scanner.allows(value, after, final)
  }

  /** How the value is spelled here; undefined if that cannot be known. */
  spelling(value: string): string | undefined {
    return this.#scanner?.spelling(value)
  }

  /** Positions of known tokens in the view. */
  known(view: TextView): TokenSpan[] {
    this.#known = this.#known.filter(({ end }) => end > view.offset)
    return this.#known.map((span) => ({ ...span, start: span.start - view.offset, end: span.end - view.offset }))
  }
}
