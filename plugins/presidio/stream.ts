/**
 * One streamed text. Sentences are sent to the analyzer as they are complete; text is held until its answer came. No
 * finding can be reported between two calls, so an answer takes effect with the next piece of text, or at the end.
 */
import type { TextView } from 'governed-gateway'
import type { Finder, Found } from './finder.ts'
import { completeUntil } from './sentences.ts'

interface Sentence {
  /** Positions in the whole field. */
  readonly start: number
  readonly end: number
  done: boolean
  failure: { readonly error: unknown } | undefined
  readonly answer: Promise<void>
}

export class StreamedText {
  readonly #finder: Finder
  readonly #maxPending: number
  /** Everything left of it was sent to the analyzer. */
  #asked = 0
  #sentences: Sentence[] = []
  /** In positions of the whole field, until they are released. */
  #found: Found[] = []

  constructor(finder: Finder, maxPending: number) {
    this.#finder = finder
    this.#maxPending = maxPending
  }

  /** Asks about what is new, reports what is known and holds the rest. Waits only at the end, or when too much waits. */
  take(view: TextView, report: (found: Found) => void): Promise<void> | undefined {
    this.#ask(view)
    const waiting = this.#sentences.filter((sentence) => !sentence.done)
    const known = this.#knownUntil(view)
    if (waiting.length > 0 && (view.final || view.offset + view.text.length - known > this.#maxPending)) {
      return Promise.all(waiting.map(({ answer }) => answer)).then(() => this.#settle(view, report))
    }
    this.#settle(view, report)
    return undefined
  }

  #ask(view: TextView): void {
    const { offset, text } = view
    // What left without an answer, because the analyzer failed and may, is not asked about again.
    const from = Math.max(this.#asked - offset, 0)
    const end = view.final ? text.length : completeUntil(text, from)
    if (end <= from) return
    const start = offset + from
    const sentence: Sentence = {
      start,
      end: offset + end,
      done: false,
      failure: undefined,
      answer: this.#answer(text.slice(from, end), start, () => sentence),
    }
    this.#sentences.push(sentence)
    this.#asked = offset + end
  }

  /** Never rejects: a failure is kept until the plugin's next turn. */
  async #answer(text: string, start: number, of: () => Sentence): Promise<void> {
    try {
      for (const found of await this.#finder.find(text)) {
        this.#found.push({ ...found, start: found.start + start, end: found.end + start })
      }
    } catch (error) {
      of().failure = { error }
    }
    of().done = true
  }

  #knownUntil(view: TextView): number {
    const first = this.#sentences.find(({ done }) => !done)
    return Math.max(view.offset, first?.start ?? this.#asked)
  }

  #settle(view: TextView, report: (found: Found) => void): void {
    const known = this.#knownUntil(view)
    this.#found = this.#found.filter(({ end }) => end > view.offset)
    for (const found of this.#found) {
      if (found.start >= known) continue
      report({ ...found, start: Math.max(0, found.start - view.offset), end: found.end - view.offset })
    }
    if (known - view.offset < view.text.length) view.hold(known - view.offset)
    const failed = this.#sentences.find(({ failure }) => failure !== undefined)
    this.#sentences = this.#sentences.filter(({ done }) => !done)
    if (failed?.failure !== undefined) throw failed.failure.error
  }
}
