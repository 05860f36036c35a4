import type { Json, Usage } from '../../contract/plugin.ts'
import { type Field, isObject } from '../../json/fields.ts'
import { parseJson } from '../../json/read.ts'
import type { Edit } from '../../json/splice.ts'
import type { JsonObject, Path } from '../../json/strict.ts'
import { dropService, eventObject } from '../event-object.ts'
import type { StreamEvent } from '../stream.ts'
import { sealsOf } from './references.ts'
import type { StreamedText } from './streamed-text.ts'
import { readUsage } from './usage.ts'

const NONE: readonly number[] = []
const ONLY: readonly number[] = [0]

/** A piece of a growing text in an event. */
export interface Grown {
  readonly path: Path
  readonly streamed: StreamedText
  /** Its position in the text. */
  readonly at: number
  readonly length: number
}

/** A copy of an earlier text. */
export interface Repeat {
  readonly path: Path
  readonly place: Field['place']
  readonly streamed: StreamedText
  /** How much of it the copy has: more may come before the copy leaves. */
  readonly length: number
}

/** A part with members that depend on its text. */
export interface DependentPart {
  readonly path: Path
  readonly part: JsonObject
  readonly streamed: StreamedText
}

/** One event of a stream, and what the walk found in it. */
export class ResponsesEvent implements StreamEvent {
  payload: string
  #tree: JsonObject | undefined
  floats = false
  /** It differs from an earlier event only in its text. */
  isKnown = false
  grown: readonly Grown[] = []
  readonly repeats: Repeat[] = []
  parts: DependentPart[] = []
  /** Edits that do not depend on findings. */
  edits: Edit[] = []
  /** Texts that are complete, and fragments of calls by their path. */
  readonly whole = new Map<Field | Path, StreamedText>()
  /** The text that a citation points into. */
  cites: StreamedText | undefined = undefined
  /** The text whose token probabilities it has, and their run. */
  tokens: { readonly of: string; readonly run: number } | undefined = undefined
  /** Position in its view of the event's first text. */
  viewStart: number | undefined = undefined

  /** @param tree omitted for an event of known spelling; parsed on first use */
  constructor(payload: string, tree?: JsonObject) {
    this.payload = payload
    this.#tree = tree
  }

  get tree(): JsonObject {
    this.#tree ??= parseJson(this.payload) as JsonObject
    return this.#tree
  }

  /** After its text was changed. */
  set tree(tree: JsonObject) {
    this.#tree = tree
  }

  get type(): string {
    const { type } = this.tree
    return typeof type === 'string' ? type : ''
  }

  get response(): JsonObject | undefined {
    const { response } = this.tree
    return isObject(response) ? response : undefined
  }

  /** A field is a copy of all that a text has so far. */
  repeat({ path, place }: Field, streamed: StreamedText): void {
    this.repeats.push({ path, place, streamed, length: streamed.raw.length })
  }

  dropService(): void {
    dropService(this, 'response')
  }

  get failed(): boolean {
    return this.type === 'error' || this.type === 'response.failed' || isObject(this.tree.error)
  }

  get usage(): Usage | undefined {
    return readUsage(this.response?.usage)
  }

  get finishes(): boolean {
    return TERMINAL.has(this.type)
  }

  get choiceIndexes(): readonly number[] {
    return this.type === 'keepalive' ? NONE : ONLY
  }

  get finished(): readonly number[] {
    return this.finishes ? ONLY : NONE
  }

  get ids(): readonly string[] | undefined {
    const { response, tree } = this
    const items = response === undefined ? [tree.item ?? null] : Array.isArray(response.output) ? response.output : []
    return idsOf([response ?? null, ...items])
  }

  /** Before an item is done, its seal may be cut. */
  get seals(): readonly string[] | undefined {
    const { tree, response } = this
    if (this.type === 'response.output_item.done') return sealsOf([tree.item ?? null])
    return this.finishes ? sealsOf(response?.output) : undefined
  }

  get speaking(): readonly number[] {
    return this.type.endsWith('.delta') ? ONLY : NONE
  }
}

/** Ids of a response and of items. */
export const idsOf = (values: readonly Json[]): string[] =>
  values.flatMap((value) => (isObject(value) && typeof value.id === 'string' && value.id !== '' ? [value.id] : []))

const TERMINAL = new Set(['response.completed', 'response.incomplete'])

/** Parses the data of one event; undefined if it is not a JSON object. */
export function readEvent(payload: string, isError: boolean, parsed?: Json): ResponsesEvent | undefined {
  const tree = eventObject(payload, parsed)
  if (tree === undefined) return undefined
  // Some servers name the event `error`, and leave out its type.
  if (isError && tree.type !== 'error') return readEvent(`{"type":"error","error":${payload}}`, false)
  return new ResponsesEvent(payload, tree)
}
