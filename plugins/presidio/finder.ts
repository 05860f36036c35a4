/** Asks the analyzer about texts: all that come up in one turn of the event loop together. */
import type { Analyzer, Entity } from './client.ts'
import { toUtf16 } from './offsets.ts'
import { pieces } from './sentences.ts'

/** A finding in UTF-16 units of the text that was asked about. */
export interface Found {
  readonly entityType: string
  readonly start: number
  readonly end: number
  readonly score: number
}

interface Question {
  readonly text: string
  readonly resolve: (entities: Entity[]) => void
  readonly reject: (error: unknown) => void
}

export class Finder {
  readonly #analyzer: Analyzer
  readonly #maxLength: number
  #questions: Question[] = []

  constructor(analyzer: Analyzer, maxLength: number) {
    this.#analyzer = analyzer
    this.#maxLength = maxLength
  }

  async find(text: string): Promise<Found[]> {
    // Nothing to be found in blanks, numbers alone and punctuation.
    if (!/[\p{L}\p{N}]/u.test(text)) return []
    const parts = pieces(text, this.#maxLength)
    const answers = await Promise.all(parts.map((part) => this.#ask(part.text)))
    return answers.flatMap((entities, i) => {
      const { text: part, offset } = parts[i] as (typeof parts)[number]
      const units = toUtf16(part)
      return entities.map(({ entity_type, start, end, score }) => {
        return { entityType: entity_type, start: offset + units(start), end: offset + units(end), score }
      })
    })
  }

  #ask(text: string): Promise<Entity[]> {
    const { promise, resolve, reject } = Promise.withResolvers<Entity[]>()
    if (this.#questions.length === 0) queueMicrotask(() => this.#flush())
    this.#questions.push({ text, resolve, reject })
    return promise
  }

  #flush(): void {
    const questions = this.#questions
    this.#questions = []
    this.#analyzer.analyze(questions.map(({ text }) => text)).then(
      (answers) => {
        for (const [i, { resolve }] of questions.entries()) resolve(answers[i] ?? [])
      },
      (error: unknown) => {
        for (const { reject } of questions) reject(error)
      },
    )
  }
}
