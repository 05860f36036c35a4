import type { Json } from '../../contract/plugin.ts'
import { type Field, isObject } from '../../json/fields.ts'
import type { Edit } from '../../json/splice.ts'
import type { Path } from '../../json/strict.ts'
import type { Asked } from '../stream.ts'

/** Members of a response that repeat the request. */
const ECHOED: ReadonlySet<string | number> = new Set(
  (
    'instructions metadata tools tool_choice text prompt user safety_identifier prompt_cache_key previous_response_id ' +
    'conversation client_metadata'
  ).split(' '),
)

/**
 * A response repeats much of its request in the form that the provider got, with tokens and redactions. Texts that were
 * sent need no inspection here, and the client sees its own again.
 */
export class RequestEcho {
  readonly #asked: Asked
  /** Texts that were sent, and the client's own in their place; null if the gateway added the text. */
  #texts: Map<string, string | null> | undefined = undefined

  constructor(asked: Asked) {
    this.#asked = asked
  }

  /** The client's own text for a field of a response; undefined if its text was not sent. */
  ownOf(field: Field, at: number): string | null | undefined {
    if (!ECHOED.has(field.path[at] as string)) return undefined
    this.#texts ??= this.#pairs()
    return this.#texts.get(field.text)
  }

  /**
   * Takes echoed fields out of the list, and adds the edits that restore them.
   *
   * @param at position of the response's member in the path of a field
   */
  sift(fields: readonly Field[], at: number, edits: Edit[]): Field[] {
    return fields.filter((field) => !this.takes(field, at, edits))
  }

  /** Whether a field is echoed. Adds the edit that restores it. */
  takes(field: Field, at: number, edits: Edit[]): boolean {
    const own = this.ownOf(field, at)
    if (own === undefined) return false
    if (own !== field.text) edits.push(editOf(field, own))
    return true
  }

  #pairs(): Map<string, string | null> {
    const texts = new Map<string, string | null>()
    const { tree, json } = this.#asked
    for (const name of ECHOED) {
      const sent = json[name]
      if (sent !== undefined) pair(texts, sent, tree[name] ?? null)
    }
    return texts
  }
}

const editOf = ({ path, place }: Field, own: string | null): Edit =>
  place === 'key' && own !== null
    ? { kind: 'rename', path: path as Path, name: own }
    : { kind: 'replace', path, json: JSON.stringify(own) }

/** Pairs texts at the same place. Rewrites change texts and keys, and never the structure. */
function pair(texts: Map<string, string | null>, sent: Json, own: Json): void {
  if (typeof sent === 'string') texts.set(sent, typeof own === 'string' ? own : null)
  else if (typeof sent === 'number') texts.set(String(sent), typeof own === 'number' ? String(own) : null)
  else if (Array.isArray(sent)) {
    const list = Array.isArray(own) ? own : []
    for (let i = 0; i < sent.length; i++) pair(texts, sent[i] as Json, list[i] ?? null)
  } else if (isObject(sent)) {
    const names = isObject(own) ? Object.keys(own) : []
    Object.keys(sent).forEach((name, i) => {
      const before = names[i]
      texts.set(name, before ?? name)
      pair(texts, sent[name] as Json, isObject(own) && before !== undefined ? (own[before] as Json) : null)
    })
  }
}
