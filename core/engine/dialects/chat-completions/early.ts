import type { Json } from '../../contract/plugin.ts'
import { isObject } from '../../json/fields.ts'
import { type Edit, splice } from '../../json/splice.ts'
import { hasDuplicates, type JsonObject } from '../../json/strict.ts'
import { LazyMap, LazySet } from '../../util/lazy.ts'
import { type ChatEvent, GROWING, indexOf, isEmpty, isFinish } from './event.ts'
import { BODY } from './known-members.ts'

/**
 * Texts of a choice's `message` in a stream. Some servers repeat there, beside each delta, the whole text so far, which may end
 * within a value; and some clients join the deltas to the first message. So for a choice that has deltas, texts of `message`
 * leave only with its finish, when they are whole.
 */
export class EarlyMessages {
  /** Choices whose text comes in deltas. */
  readonly #spoken = new LazySet<number>()
  /** For choices whose text comes in a `message`: which texts. */
  readonly #seen = new LazyMap<number, ReadonlySet<string>>()

  /** @throws RangeError if deltas follow a message: what a client reads then depends on the client */
  settle(event: ChatEvent): void {
    const edits: Edit[] = []
    for (const [at, choice] of event.choices.entries()) {
      if (!isObject(choice)) continue
      const index = indexOf(choice, at)
      const isBegun = this.#spoken.has(index)
      const seen = this.#seen.get(index)
      if (!isBegun || seen !== undefined) this.#speak(index, textsIn(choice.delta), seen)
      const texts = textsIn(choice.message)
      if (texts.length === 0) continue
      if (!this.#spoken.has(index)) this.#seen.set(index, new Set([...(seen ?? []), ...texts.map(familyOf)]))
      else if (!isBegun || !isFinish(choice)) edits.push(...withoutTexts(choice.message as JsonObject, texts, at))
    }
    if (edits.length === 0) return
    // Our own reading of an ambiguous event.
    const { tree } = event
    event.payload = hasDuplicates(event.payload, tree) ? JSON.stringify(tree) : splice(event.payload, edits)
  }

  #speak(index: number, texts: readonly string[], seen: ReadonlySet<string> | undefined): void {
    if (texts.length === 0) return
    if (texts.some((name) => seen?.has(familyOf(name)))) throw new RangeError('Deltas follow a message.')
    this.#spoken.add(index)
  }
}

const NONE: readonly string[] = []

/** The names of its texts, known or not. */
const textsIn = (body: Json | undefined): readonly string[] =>
  isObject(body ?? null) ? Object.keys(body as JsonObject).filter((name) => isText(name, body as JsonObject)) : NONE

const isText = (name: string, { [name]: value = null }: JsonObject): boolean =>
  !isEmpty(value) && (name in GROWING || (typeof value === 'string' && !BODY.has(name)))

/** Clients show content, reasoning and refusal as one answer. */
const familyOf = (name: string): string => (name in GROWING ? 'content' : name)

/** Takes them out of the tree, too. */
function withoutTexts(message: JsonObject, names: readonly string[], at: number): Edit[] {
  for (const name of names) delete message[name]
  return names.map((name) => ({ kind: 'remove', path: ['choices', at, 'message', name] }))
}
