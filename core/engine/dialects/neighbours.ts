import { LazyMap } from '../util/lazy.ts'
import { endOf } from './replaced.ts'

/** What a text that grows at one place continues from. */
export interface Behind {
  /** What is before it, and left. */
  readonly behind: string
  /** Names its pieces, which are also read without that; undefined if nothing is before it. */
  readonly run: string | undefined
}

/**
 * Texts of one name that grow at several places, such as items and blocks, whose events may take turns. Each is a text by itself; some
 * readers do not distinguish the places, and join its text to the earlier text of the others.
 */
export class Neighbours {
  readonly #lasts = new LazyMap<string, { readonly place: string; readonly text: string }>()
  /** By name and place: something stood before its first text. */
  readonly #continues = new LazyMap<string, boolean>()

  /** Notes the next text. @param begun what its place began with, which is before it in any case */
  before(name: string, place: string, text: string, begun?: string): Behind {
    const last = this.#lasts.get(name) ?? { place, text: '' }
    this.#lasts.set(name, { place, text: endOf(last.text + text) })
    const behind = begun ?? (last.place === place ? '' : last.text)
    const key = `${name}@${place}`
    const continues = this.#continues.get(key) ?? behind !== ''
    this.#continues.set(key, continues)
    return { behind, run: continues ? key : undefined }
  }
}
