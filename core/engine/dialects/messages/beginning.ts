import type { Json } from '../../contract/plugin.ts'
import { isObject } from '../../json/fields.ts'
import type { JsonObject } from '../../json/strict.ts'
import { endOf } from '../replaced.ts'

export const isCall = (kind: Json | undefined): boolean =>
  kind === 'tool_use' || kind === 'server_tool_use' || kind === 'mcp_tool_use'

/** The members with which a block began. */
export class Beginning {
  readonly #block: JsonObject
  #texts: Map<string, string> | undefined = undefined

  constructor(block: JsonObject) {
    this.#block = block
  }

  get kind(): Json | undefined {
    return this.#block.type
  }

  /** The end of the last text in a member of this name, at any depth; undefined if there is none. */
  get(name: string): string | undefined {
    this.#texts ??= this.#read()
    return this.#texts.get(name)
  }

  #read(): Map<string, string> {
    const texts = new Map<string, string>()
    add(this.#block, '', texts)
    return texts
  }
}

function add(value: Json, name: string, texts: Map<string, string>): void {
  if (typeof value === 'string') {
    if (value !== '') texts.set(name, endOf(value))
  } else if (Array.isArray(value)) for (const one of value) add(one, name, texts)
  else if (isObject(value)) for (const key in value) add(value[key] as Json, key, texts)
}
