import type { Json } from '../../contract/plugin.ts'
import { isObject } from '../../json/fields.ts'
import { type Edit, splice } from '../../json/splice.ts'
import { hasDuplicates, type JsonObject } from '../../json/strict.ts'
import { LazySet } from '../../util/lazy.ts'
import { type ChatEvent, GROWING, indexOf, isEmpty, isFinish } from './event.ts'

/**
 * Texts of a choice's `message` in a stream. Some servers tell there, beside each delta, the whole text so far, which may end
 * within a value; and some clients join the deltas to the first message. So of a choice that deltas tell, texts of `message`
 * leave only with its finish, when they are whole.
 */
export class EarlyMessages {
  /** Choices whose text deltas tell. */
  readonly #spoken = new LazySet<number>()
  /** Choices whose text a message tells. */
  readonly #told = new LazySet<number>()

  /** @throws RangeError if deltas follow a message: what a client reads then depends on the client */
  settle(event: ChatEvent): void {
    const edits: Edit[] = []
    for (const [at, choice] of event.choices.entries()) {
      if (!isObject(choice)) continue
      const index = indexOf(choice, at)
      const isBegun = this.#spoken.has(index)
      if (!isBegun && says(choice.delta)) this.#speak(index)
      const { message } = choice
      if (!says(message)) continue
      if (!this.#spoken.has(index)) this.#told.add(index)
      else if (!isBegun || !isFinish(choice)) edits.push(...withoutTexts(message, at))
    }
    if (edits.length === 0) return
    // Our own reading of an ambiguous event.
    const { tree } = event
    event.payload = hasDuplicates(event.payload, tree) ? JSON.stringify(tree) : splice(event.payload, edits)
  }

  #speak(index: number): void {
    if (this.#told.has(index)) throw new RangeError('Deltas follow a message.')
    this.#spoken.add(index)
  }
}

const says = (body: Json | undefined): body is JsonObject =>
  isObject(body ?? null) && Object.entries(body as JsonObject).some(([key, value]) => key in GROWING && !isEmpty(value))

/** Takes them out of the tree, too. */
function withoutTexts(message: JsonObject, at: number): Edit[] {
  const names = Object.keys(message).filter((name) => name in GROWING)
  for (const name of names) delete message[name]
  return names.map((name) => ({ kind: 'remove', path: ['choices', at, 'message', name] }))
}
