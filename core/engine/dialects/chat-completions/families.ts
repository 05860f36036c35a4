import type { Channel, Json } from '../../contract/plugin.ts'
import { ItemTurns } from '../item-turns.ts'

/** Texts that clients read from one of several members, or from the call of one of several ids. */
export class Families {
  readonly #turns = new ItemTurns()
  #reasonings = 0
  /** Another member or call grows than in the event before: events of known spelling extend the text of that one. */
  turned = false

  /** At the beginning of an answer. */
  begin(): void {
    this.#reasonings = 0
  }

  /**
   * The name of the text in a member of an answer. Clients read the reasoning from either member. If both are present, each is a
   * separate text.
   *
   * @throws RangeError if a member continues after another
   */
  nameOf(answer: string, key: string, channel: Channel, value: Json): string {
    if (channel !== 'reasoning') return key
    const name = this.#reasonings++ === 0 ? channel : `${channel}.2`
    this.#turn(answer + name, value === '' ? undefined : key)
    return name
  }

  /** @throws RangeError if a call continues after another with the same index */
  called(call: string, id: string): void {
    this.#turn(call, id)
  }

  #turn(place: string, name: string | undefined): void {
    if (name !== undefined && this.#turns.turnTo(place, name)) this.turned = true
  }
}
