import type { Json, Prompt, PromptMedia } from '../contract/plugin.ts'
import { isObject } from '../json/fields.ts'
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
      this.texts.push(JSON.stringify(tool))
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

  #addJson(value: object): void {
    const text = JSON.stringify(value, (_name, inner: Json) => {
      if (typeof inner !== 'string' || !isData(inner)) return inner
      this.media.push({ kind: 'file', data: inner })
      return ''
    })
    this.texts.push(text)
  }
}

/** The objects in a list; empty if the value is not a list. */
export const objects = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

export const stringOf = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined)

/** Base64 data, bare or in a `data:` URL: no model reads it as text. */
const isData = (text: string): boolean =>
  text.length > 1024 && /^(data:[^,]{0,200};base64,)?[\w+/=-]{512}/.test(text) && !/\s/.test(text)
