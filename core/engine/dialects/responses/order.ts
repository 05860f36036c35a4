import type { Channel } from '../../contract/plugin.ts'
import { SaidText } from '../said-turns.ts'
import { Told } from './told.ts'

/** Characters of the texts before one that begins anew. */
const BEFORE = 4096

/**
 * The order of texts that clients show as one. They are inspected one behind the other, so a text must not go on once
 * another one has begun: between its pieces stood what its reader does not see there.
 */
export class TextOrder {
  /** The place of the text that grows, by the name of the whole. */
  readonly #growing = new Map<string, string>()
  readonly #left = new Set<string>()
  /** By the name of the whole, and by that and the item. */
  readonly #grown = new Map<string, Told[]>()
  /** The whole that the text at a place belongs to. */
  readonly #wholes = new Map<string, string>()
  readonly #whole = new Set<string>()
  readonly #ended = new Map<string, string>()
  readonly #said = new SaidText()

  /** @throws RangeError if the text at this place was left before, or belongs to another whole: its copies tell both as one */
  grow(field: string, place: string, told: Told): void {
    const before = this.#growing.get(field)
    if (before === place) return
    if ((this.#wholes.get(place) ?? field) !== field) throw new RangeError('A text of two kinds.')
    this.#wholes.set(place, field)
    if (before !== undefined) this.#left.add(`${field}\0${before}`)
    if (this.#left.has(`${field}\0${place}`)) throw new RangeError('A text goes on behind a later one.')
    this.#growing.set(field, place)
    for (const grown of this.#listsOf(field, place)) grown.push(told)
  }

  /**
   * A text that was told whole comes again in pieces: clients that show only these see them behind the text before it,
   * whose end this returns.
   */
  beginAnew(field: string, place: string, all: Map<string, Told>): { readonly anew: string } | undefined {
    // A copy between its pieces changes nothing.
    if (this.grown(field).at(-1)?.isWhole !== true || this.#growing.get(field) !== place) return undefined
    const told = new Told()
    all.set(place, told)
    for (const grown of this.#listsOf(field, place)) grown[grown.length - 1] = told
    let before = ''
    const texts = this.grown(field)
    for (let i = texts.length - 2; i >= 0 && before.length < BEFORE; i--)
      before = (texts[i] as Told).raw.slice(-BEFORE) + before
    return { anew: before.slice(-BEFORE) }
  }

  /** Lists of the whole and of the item. */
  #listsOf(field: string, place: string): Told[][] {
    const output = place.slice(0, place.indexOf('/'))
    return [field, `${field}\0${output}`].map((whole) => {
      const grown = this.#grown.get(whole) ?? []
      this.#grown.set(whole, grown)
      return grown
    })
  }

  /** The texts of a whole, or those of one item, in the order in which they were inspected. */
  grown(field: string, output?: number): readonly Told[] {
    return this.#grown.get(output === undefined ? field : `${field}\0${output}`) ?? []
  }

  /** @throws RangeError if a text goes on behind a refusal: a client that shows only texts joins it to the one before */
  turn(field: string, channel: Channel): void {
    if (channel === 'content' || channel === 'refusal') this.#said.turnsTo(channel, field)
  }

  /** @throws RangeError if the text at this place has ended: its copies tell all of it */
  extend(place: string): void {
    if (this.#whole.has(place)) throw new RangeError('A text goes on behind its end.')
  }

  /**
   * Notes a whole text. Without indexes several texts have one place.
   *
   * @throws RangeError if an event of this type told another one there
   */
  end(type: string, place: string, text: string): void {
    if (!type.endsWith('.done')) return
    this.#whole.add(place)
    const key = `${type}\0${place}`
    const before = this.#ended.get(key)
    if (before === undefined) this.#ended.set(key, text)
    else if (before !== text) throw new RangeError('A text ends twice.')
  }
}
