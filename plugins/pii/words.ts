import { Keywords } from 'governed-gateway/kit'
import type { Kind } from './actions.ts'
import type { Found } from './found.ts'
import type { Options } from './schema.ts'

type WordList = Options['words'][number]

/** The operator's word lists, found as keywords are; see `Keywords`. */
export class Words {
  readonly kinds: readonly Kind[]
  readonly #typesOf = new Map<string, Set<string>>()
  readonly #keywords: Keywords

  constructor(lists: readonly WordList[]) {
    this.kinds = lists.map(({ type, level, action }) => ({ type, level, action }))
    for (const { type, words } of lists)
      for (const word of words) this.#typesOf.set(word, (this.#typesOf.get(word) ?? new Set()).add(type))
    this.#keywords = new Keywords([...this.#typesOf.keys()])
  }

  /**
   * Reports words that begin at `from` or later; earlier text is context.
   *
   * @returns where the text starts that may still become a word; its length if none
   */
  find(text: string, from: number, final: boolean, report: (hit: Omit<Found, 'score'>) => void): number {
    let held = text.length
    const hold = (at: number) => {
      held = from + at
    }
    for (const { keyword, start, end } of this.#keywords.find({
      text: text.slice(from),
      before: text.slice(0, from),
      final,
      hold,
    }))
      for (const type of this.#typesOf.get(keyword) as Set<string>)
        report({ type, start: from + start, end: from + end })
    return held
  }
}
