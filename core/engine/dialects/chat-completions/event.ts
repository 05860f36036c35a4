import type { Channel, Json, Usage } from '../../contract/plugin.ts'
import { isObject } from '../../json/fields.ts'
import { parseJson } from '../../json/read.ts'
import type { JsonObject, Path } from '../../json/strict.ts'
import { dropService, eventObject } from '../event-object.ts'
import type { StreamEvent, TextPiece } from '../stream.ts'
import { readUsage } from './reply.ts'

/** One event of a stream. */
export class ChatEvent implements StreamEvent {
  payload: string
  /** It has the spelling of an earlier event: a text, and neither finish nor usage. */
  readonly isKnown: boolean
  /** Its members whose text continues from event to event: it leaves after all that came before. */
  grown: readonly string[] | undefined = undefined
  /** By the position of a choice, the run of its token probabilities. */
  tokenRuns: ReadonlyMap<number, number> | undefined = undefined
  #tree: JsonObject | undefined

  /** @param tree omitted for an event of known spelling; parsed on first use */
  constructor(payload: string, tree?: JsonObject) {
    this.payload = payload
    this.isKnown = tree === undefined
    this.#tree = tree
  }

  get tree(): JsonObject {
    this.#tree ??= parseJson(this.payload) as JsonObject
    return this.#tree
  }

  get choices(): readonly Json[] {
    const { choices } = this.tree
    return Array.isArray(choices) ? choices : NONE
  }

  dropService(): void {
    dropService(this)
  }

  get failed(): boolean {
    return this.tree.error !== undefined && this.tree.error !== null
  }

  get usage(): Usage | undefined {
    return readUsage(this.tree.usage)
  }

  /** Whether the event carries usage and nothing else that a client needs. */
  get isUsageOnly(): boolean {
    return this.choices.length === 0 && isObject(this.tree.usage)
  }

  /** Indexes of its choices. */
  get choiceIndexes(): number[] {
    const { choices } = this
    const out: number[] = []
    for (let i = 0; i < choices.length; i++) {
      const choice = choices[i]
      if (isObject(choice)) out.push(indexOf(choice, i))
    }
    return out
  }

  /** Indexes of the choices that it finishes. */
  get finished(): number[] {
    const { choices } = this
    const out: number[] = []
    for (let i = 0; i < choices.length; i++) {
      const choice = choices[i]
      if (isObject(choice) && isFinish(choice)) out.push(indexOf(choice, i))
    }
    return out
  }

  /** Indexes of the choices with content other than their role. */
  get speaking(): number[] {
    const { choices } = this
    const out: number[] = []
    for (let i = 0; i < choices.length; i++) {
      const choice = choices[i]
      if (isObject(choice) && speaks(choice)) out.push(indexOf(choice, i))
    }
    return out
  }

  get finishes(): boolean {
    for (const choice of this.choices) if (isObject(choice) && isFinish(choice)) return true
    return false
  }
}

/** Some servers send an empty finish reason with every event. */
export const isFinish = ({ finish_reason: reason }: JsonObject): boolean => typeof reason === 'string' && reason !== ''

/** Whether a choice has content other than its role. */
function speaks({ delta, message, text }: JsonObject): boolean {
  if (typeof text === 'string' && text !== '') return true
  for (const body of [delta, message]) {
    if (!isObject(body)) {
      if (typeof body === 'string' && body !== '') return true
    } else for (const name in body) if (name !== 'role' && !isEmpty(body[name] as Json)) return true
  }
  return false
}

const NONE: readonly never[] = []

export const isEmpty = (value: Json): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)

/** Parses the data of one event; undefined if it is not a JSON object, or has a broken name. */
export function readEvent(payload: string, parsed?: Json): ChatEvent | undefined {
  const tree = eventObject(payload, parsed)
  return tree === undefined || hasBrokenName(payload, tree) ? undefined : new ChatEvent(payload, tree)
}

/** Whether bytes that are no UTF-8 took a member's name away, such as `choices`: what it says goes missing from its text. */
function hasBrokenName(payload: string, tree: JsonObject): boolean {
  // The search through a long event of full-width signs takes long; an escape of the sign is no broken byte.
  for (const name in tree) if (name.includes('\ufffd')) return payload.includes('\ufffd')
  return false
}

/** Parses the data of an event named `error`. Some servers send it without the member `error` that clients look for. */
export function readErrorEvent(payload: string): ChatEvent | undefined {
  const event = readEvent(payload)
  if (event === undefined || event.failed) return event
  return readEvent(`{"error":${payload}}`)
}

/** The index of an element, given as a number or as digits; otherwise `position`. */
export function indexOf({ index }: JsonObject, position: number): number {
  if (typeof index === 'number') return index
  return typeof index === 'string' && DIGITS.test(index) ? Number(index) : position
}
const isIndex = (value: Json): boolean => typeof value === 'number' || (typeof value === 'string' && DIGITS.test(value))
const DIGITS = /^(?:0|[1-9]\d{0,8})$/

/** The member of a text, regardless of list positions. */
export function nameOf(tree: JsonObject, path: Path): string {
  let value: Json = tree
  const names: (string | number)[] = []
  for (const step of path) {
    value = (value as { [step: string | number]: Json })[step] as Json
    if (typeof step === 'string') names.push(step)
    else if (isObject(value)) names.push(indexOf(value, -1))
  }
  return names.join('.')
}

/** Whether the event has a choice that was not requested, or one that clients may read in different ways. */
export function hasForeignChoice({ choices }: ChatEvent, asked: number): boolean {
  for (let i = 0; i < choices.length; i++) {
    const choice = choices[i]
    const index = isObject(choice) ? indexOf(choice, i) : i
    if (!Number.isInteger(index) || index < 0 || index >= asked) return true
    const sent = isObject(choice) ? choice.index : undefined
    if (sent !== undefined && sent !== null && !isIndex(sent)) return true
  }
  return false
}

/** The text of an event with nothing else: no finish, usage or failure. */
export function onlyText(event: ChatEvent): TextPiece | undefined {
  const [choice] = event.choices
  if (event.choices.length !== 1 || !isObject(choice) || !isObject(choice.delta) || event.finishes || event.failed)
    return undefined
  if (isObject(event.tree.usage) || (choice.logprobs ?? null) !== null) return undefined
  const [field, ...others] = Object.keys(choice.delta)
  const text = field === undefined ? undefined : choice.delta[field]
  if (field === undefined || others.length > 0 || field === 'role' || typeof text !== 'string' || text === '')
    return undefined
  const channel = GROWING[field] ?? 'other'
  return {
    channel,
    choice: indexOf(choice, 0),
    field: channel === 'reasoning' ? channel : channel === 'refusal' ? 'content' : field,
    path: ['choices', 0, 'delta', field],
    text,
  }
}

/** Members of a delta whose texts grow over events, except those of tool calls and audio. */
export const GROWING: Readonly<Record<string, Channel | undefined>> = Object.assign(Object.create(null), {
  content: 'content',
  reasoning_content: 'reasoning',
  reasoning: 'reasoning',
  refusal: 'refusal',
})
