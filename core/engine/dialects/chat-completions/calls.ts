import type { Channel, Json } from '../../contract/plugin.ts'
import { isObject } from '../../json/fields.ts'
import type { JsonObject, Path } from '../../json/strict.ts'
import type { Growth } from '../replaced.ts'
import type { ToolPiece } from '../stream.ts'
import { indexOf } from './event.ts'
import { CALLED, isExempt, TOOL } from './known-members.ts'

/** What takes the texts of calls. */
interface Taker {
  key(channel: Channel, path: Path, key: string): void
  number(path: Path, value: number): void
  /** A word of a call; undefined while it needs no inspection. */
  word(name: string, value: Json, fits: boolean): Growth | undefined
  /** An id of a call. */
  id(call: string, id: string): void
  /** Counts a value; a piece of a text waits with its call. */
  add(piece: Omit<ToolPiece, 'choice'> | undefined): void
}

/** Finds the texts of calls in a delta. All members of a call wait with it. */
export class CallWalker {
  readonly #to: Taker

  constructor(to: Taker) {
    this.#to = to
  }

  list(scope: string, calls: readonly Json[], path: Path): void {
    for (let i = 0; i < calls.length; i++) {
      const call = calls[i] as Json
      const below = [...path, i]
      if (isObject(call)) this.#call(call, `${scope}tool_calls.${indexOf(call, i)}`, below)
      else this.#part(`${scope}tool_calls.${i}`, 'value', below, call)
    }
  }

  #call(call: JsonObject, name: string, path: Path): void {
    for (const key in call) {
      const [value, below] = [call[key] as Json, [...path, key]]
      if (key === 'id' && typeof value === 'string' && value !== '') this.#to.id(name, value)
      if ((key === 'function' || key === 'custom') && isObject(value)) this.called(value, name, below)
      else if (Object.hasOwn(TOOL, key)) {
        const fits = isExempt(TOOL, key, value)
        const growth = this.#to.word(`${name}.${key}`, value, fits)
        if (!fits || growth !== undefined) this.#part(name, key, below, value, growth?.behind)
      } else {
        this.#to.key('other', below, key)
        this.#part(name, key, below, value)
      }
    }
  }

  /** `{name, arguments}` of a function, `{name, input}` of a custom tool. */
  called(called: JsonObject, call: string, path: Path): void {
    for (const key in called) {
      const below = [...path, key]
      if (!CALLED.has(key)) this.#to.key('other', below, key)
      this.#part(call, key, below, called[key] as Json)
    }
  }

  #part(call: string, part: string, path: Path, value: Json, behind = ''): void {
    this.#to.add(typeof value === 'string' ? { call, part, path, text: value, behind } : undefined)
    if (typeof value === 'number') this.#to.number(path, value)
    else if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) {
        const inner = value[i] as Json
        const index = isObject(inner) ? indexOf(inner, -1) : -1
        this.#part(call, index < 0 ? part : `${part}.${index}`, [...path, i], inner)
      }
    } else if (value !== null && typeof value === 'object') {
      for (const key in value) {
        const below = [...path, key]
        this.#to.key('tool_arguments', below, key)
        this.#part(call, `${part}.${key}`, below, value[key] as Json)
      }
    }
  }
}
