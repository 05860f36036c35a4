import { endOf } from './replaced.ts'

/**
 * Texts of one name that grow at several places, such as items and blocks, whose events may take turns. Each is a text by itself; some
 * readers do not tell the places apart, and join it to what the others said before it.
 */
export class Neighbours {
  readonly #lasts = new Map<string, { readonly place: string; readonly text: string }>()

  /** Notes the next text. Returns the end of what stands before it; empty if that is at the same place. */
  before(name: string, place: string, text: string): string {
    const last = this.#lasts.get(name) ?? { place, text: '' }
    this.#lasts.set(name, { place, text: endOf(last.text + text) })
    return last.place === place ? '' : last.text
  }
}
