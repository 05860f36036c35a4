import type { Path } from '../../json/strict.ts'
import { LazyMap } from '../../util/lazy.ts'
import { type Growth, Replaced } from '../replaced.ts'
import type { Walk } from '../walk.ts'

/** The values of known members, such as the id and the name of the model. Each returns how a text grows, if it does. */
export class Words {
  readonly #replaced = new Replaced()
  /** Words of the last event, by their member. */
  readonly #last = new LazyMap<string, { readonly word: string; times: number }>()

  /** Whether the last event had this word, too. */
  repeats(member: string, word: string): boolean {
    const last = this.#last.get(member)
    if (last?.word !== word) return false
    last.times++
    return true
  }

  /** A word that needs no inspection while its member does not grow. */
  pass(name: string, path: Path, word: string, over: Walk['over']): Growth | undefined {
    if (word === '' || over === 'apart') return undefined
    this.#forget(name, path)
    const growth = this.#replaced.note(name, word, true, over)
    if (path.length === 1 && growth === undefined) this.#last.set(path[0] as string, { word, times: 0 })
    return growth
  }

  /** A word, or another text, in the place of words in a text that grows. */
  begin(name: string, text: string, fits: boolean, over: Walk['over']): Growth | undefined {
    return text === '' || over === 'apart' ? undefined : this.#replaced.begin(name, text, fits, over)
  }

  /** Any other text. */
  note(name: string, path: Path, text: string): Growth | undefined {
    this.#forget(name, path)
    return this.#replaced.note(name, text, false)
  }

  #forget(name: string, path: Path): void {
    const last = this.#last.get(path[0] as string)
    if (last === undefined) return
    this.#last.delete(path[0] as string)
    if (path.length === 1) this.#replaced.repeat(name, last.times)
  }
}
