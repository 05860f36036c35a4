import type { Json, Prompt, PromptMedia } from '../contract/plugin.ts'
import { jsonOf } from '../json/big-texts.ts'
import { isObject } from '../json/fields.ts'
import { closingQuote, stringIn } from '../json/read.ts'
import type { JsonObject } from '../json/strict.ts'

/** Collects what a model reads of a request, whatever its shape. */
export class PromptReader implements Prompt {
  readonly texts: string[] = []
  readonly media: PromptMedia[] = []
  messages = 0
  names = 0
  tools = 0

  /** A text, or any value in its place. */
  add(value: Json | undefined): void {
    if (typeof value === 'string') this.texts.push(value)
    else if (typeof value === 'object' && value !== null) this.#addJson(value)
  }

  /** Definitions of tools, which a model reads as their JSON. */
  addTools(list: Json | undefined): void {
    for (const tool of objects(list)) {
      this.texts.push(jsonOf(tool))
      this.tools++
    }
  }

  /** Assumes that the model reads members that are not known, until usage shows otherwise. */
  addOthers(members: Readonly<JsonObject>, known: ReadonlySet<string>): void {
    for (const name in members) {
      if (known.has(name)) continue
      const value = members[name]
      if (typeof value === 'string' && isData(value)) this.media.push({ kind: 'file', data: value })
      else this.add(value)
    }
  }

  #addJson(value: Json[] | JsonObject): void {
    const text = jsonOf(value)
    this.texts.push(hasLongString(text) ? this.#withoutData(text) : text)
  }

  #withoutData(json: string): string {
    let text = ''
    let from = 0
    for (let open = json.indexOf('"'); open >= 0; ) {
      const close = closingQuote(json, open)
      const data = close - open > LEAST_DATA && json[close + 1] !== ':' ? stringIn(json, open, close + 1) : ''
      if (isData(data)) {
        this.media.push({ kind: 'file', data })
        text += json.slice(from, open + 1)
        from = close
      }
      open = json.indexOf('"', close + 1)
    }
    return text + json.slice(from)
  }
}

/** The objects in a list; empty if the value is not a list. */
export function objects(value: Json | undefined): JsonObject[] {
  const found: JsonObject[] = []
  if (!Array.isArray(value)) return found
  // `filter` of a frozen list takes many times as long.
  for (let i = 0; i < value.length; i++) if (isObject(value[i])) found.push(value[i] as JsonObject)
  return found
}

export const stringOf = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined)

const LEAST_DATA = 1024

/** Whether a string of a JSON text may be base64 data, which has no quotes in it. */
function hasLongString(json: string): boolean {
  for (let at = 0; at + LEAST_DATA < json.length; ) {
    const last = json.lastIndexOf('"', at + LEAST_DATA)
    if (last <= at) return true
    at = last
  }
  return false
}

/** Base64 data, bare or in a `data:` URL: no model reads it as text. */
const isData = (text: string): boolean =>
  text.length > LEAST_DATA && /^(data:[^,]{0,200};base64,)?[\w+/=-]{512}/.test(text) && !/\s/.test(text)
