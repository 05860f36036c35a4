import type { Json, Prompt, PromptMedia, PromptPart } from '../contract/plugin.ts'
import type { OutlinedDocument } from '../json/outlined.ts'
import type { JsonObject } from '../json/strict.ts'

type PromptOf = (body: Readonly<JsonObject>) => Prompt

/**
 * The prompt of a body whose arrays may begin as in an earlier one; undefined if nothing of it is remembered.
 *
 * @param promptOf reads a body, or some members of one
 */
export function promptInParts(document: OutlinedDocument, promptOf: PromptOf): Prompt | undefined {
  const { keys, outline } = document
  if (keys.length === 0) return undefined
  const rest: JsonObject = { ...outline }
  const parts: PromptPart[] = []
  for (const { member, sums, count } of keys) {
    const elements = outline[member] as Json[]
    rest[member] = elements.slice(count)
    const known = document.beginningOf(member)
    const before = known && { sums: known.sums, prompt: new LazyPrompt(() => promptOf(begunOf(document, member))) }
    // Known elements are 0 there: no prompt.
    parts.push({ before, fresh: frozen(promptOf({ [member]: elements.slice(0, count) })), sums })
  }
  parts.push({ before: undefined, fresh: frozen(promptOf(rest)), sums: undefined })
  return new LazyPrompt(() => promptOf(document.tree), parts)
}

function begunOf(document: OutlinedDocument, member: string): JsonObject {
  const known: Json[] = []
  for (let i = 0; i < document.known(member); i++) known.push(document.elementOf(member, i))
  return { [member]: known }
}

/** A prompt that is read when it is asked for. */
class LazyPrompt implements Prompt {
  readonly parts?: readonly PromptPart[]
  readonly #read: () => Prompt
  #prompt: Prompt | undefined = undefined

  constructor(read: () => Prompt, parts?: readonly PromptPart[]) {
    this.#read = read
    if (parts !== undefined) this.parts = Object.freeze(parts)
  }

  get #whole(): Prompt {
    this.#prompt ??= frozen(this.#read())
    return this.#prompt
  }
  get texts(): readonly string[] {
    return this.#whole.texts
  }
  get messages(): number {
    return this.#whole.messages
  }
  get names(): number {
    return this.#whole.names
  }
  get tools(): number {
    return this.#whole.tools
  }
  get media(): readonly PromptMedia[] {
    return this.#whole.media
  }
}

/** Plugins share it. */
export function frozen(prompt: Prompt): Prompt {
  Object.freeze(prompt.texts)
  Object.freeze(prompt.media)
  return prompt
}
