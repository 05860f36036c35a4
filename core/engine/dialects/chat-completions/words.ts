import type { Path } from '../../json/strict.ts'
import { LazyMap } from '../../util/lazy.ts'
import { Replaced } from '../replaced.ts'
import type { Walk } from '../walk.ts'

/** The values of known members, such as the id and the name of the model. Each returns what stood before a text that grows. */
export class Words {
  readonly #replaced = new Replaced()
  /** Words of the last event, by their member. */
  readonly #last = new LazyMap<string, string>()

  /** Whether the last event had this word, too. */
  repeats(member: string, word: string): boolean {
    return this.#last.get(member) === word
  }

  /** A word that needs no inspection while its member does not grow. */
  pass(name: string, path: Path, word: string, over: Walk['over']): string | undefined {
    if (word === '' || over === 'apart') return undefined
    const behind = this.#replaced.note(name, word, over !== 'spells')
    if (path.length === 1 && behind === undefined) this.#last.set(path[0] as string, word)
    else this.#last.delete(path[0] as string)
    return behind
  }

  /** Any other text. */
  note(name: string, path: Path, text: string): string | undefined {
    this.#last.delete(path[0] as string)
    return this.#replaced.note(name, text, false)
  }
}
