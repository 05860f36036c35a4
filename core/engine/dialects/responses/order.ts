import type { Channel, Json } from '../../contract/plugin.ts'
import { ItemTurns } from '../item-turns.ts'
import { SaidText } from '../said-turns.ts'
import type { StreamedText } from './streamed-text.ts'

/** Begins the names of wholes that are read again. */
export const AGAIN = 'again:'

/**
 * The order of texts that clients show as one. They are inspected one after the other, so a text must not continue once
 * another one has begun: between its pieces stood what its reader does not see there.
 */
export class TextOrder {
  /** The place of the text that grows, by the name of the whole. */
  readonly #growing = new Map<string, string>()
  readonly #left = new Set<string>()
  /** By the name of the whole, and by that and the item. */
  readonly #grown = new Map<string, StreamedText[]>()
  /** The whole that the text at a place belongs to. */
  readonly #wholes = new Map<string, string>()
  readonly #whole = new Set<string>()
  readonly #ended = new Map<string, string>()
  readonly #said = new SaidText()
  readonly #items = new ItemTurns()

  /**
   * @throws RangeError if the text at this place was left before, comes before the one that grew, by whose indexes some
   *   clients join them, or belongs to another whole: its copies join both
   */
  grow(field: string, place: string, streamed: StreamedText): void {
    const before = this.#growing.get(field)
    if (before === place) return
    if ((this.#wholes.get(place) ?? field) !== field) throw new RangeError('A text of two kinds.')
    this.#wholes.set(place, field)
    if (before !== undefined && !field.startsWith(AGAIN) && isBefore(place, before))
      throw new RangeError('A text begins before an earlier one.')
    if (before !== undefined) this.#left.add(`${field}\0${before}`)
    if (this.#left.has(`${field}\0${place}`)) throw new RangeError('A text continues after a later one.')
    this.#growing.set(field, place)
    for (const grown of this.#listsOf(field, place)) grown.push(streamed)
  }

  /** Lists of the whole and of the item. */
  #listsOf(field: string, place: string): StreamedText[][] {
    const output = place.slice(0, place.indexOf('/'))
    return [field, `${field}\0${output}`].map((whole) => {
      const grown = this.#grown.get(whole) ?? []
      this.#grown.set(whole, grown)
      return grown
    })
  }

  /** The texts of a whole, or those of one item, in the order in which they were inspected. */
  grown(field: string, output?: number): readonly StreamedText[] {
    return this.#grown.get(output === undefined ? field : `${field}\0${output}`) ?? []
  }

  /** @throws RangeError if a text continues after a refusal: a client that shows only texts joins it to the one before */
  turn(field: string, channel: Channel): void {
    if (channel === 'content' || channel === 'refusal') this.#said.turnsTo(channel, field)
  }

  /** Whether the text at this place is part of that whole, or is read again. */
  knows(place: string, whole: string): boolean {
    const known = this.#wholes.get(place)
    return known !== undefined && (known === whole || known.startsWith(AGAIN) || whole.startsWith(AGAIN))
  }

  /** @throws RangeError if the text at this place has ended, because its copies have all of it, or continues after that of another item */
  extend(place: string, item: Json | undefined): void {
    if (this.#whole.has(place)) throw new RangeError('A text continues after its end.')
    if (typeof item === 'string') this.#items.turnTo(place.slice(0, place.indexOf('/')), item)
  }

  /** An item ended at this index. */
  endItem(output: number): void {
    this.#items.end(String(output))
  }

  /**
   * Notes a whole text. Without indexes several texts have one place. No deltas follow: what they may repeat is empty in the
   * event that begins it.
   *
   * @throws RangeError if an event of this type had another one there
   */
  end(type: string, place: string, text: string): void {
    const isEnd = type.endsWith('.done')
    if (isEnd || (text !== '' && type.endsWith('.added'))) this.#whole.add(place)
    if (!isEnd) return
    const key = `${type}\0${place}`
    const before = this.#ended.get(key)
    if (before === undefined) this.#ended.set(key, text)
    else if (before !== text) throw new RangeError('A text ends twice.')
  }
}

/** Whether a place comes first by its indexes. */
function isBefore(place: string, other: string): boolean {
  const [steps, others] = [place.split('/'), other.split('/')]
  const at = steps.findIndex((step, i) => step !== others[i])
  return Number(steps[at]) < Number(others[at])
}
