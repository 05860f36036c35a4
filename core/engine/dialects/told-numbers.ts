import type { Json } from '../contract/plugin.ts'
import { isObject } from '../json/fields.ts'
import { parseJson } from '../json/read.ts'
import type { JsonObject, Path } from '../json/strict.ts'

/** Members of one stream that are known, and members of one event that are looked at. */
const MAX_MEMBERS = 4096
const MAX_DEPTH = 64
/** Elements of one list. */
const MAX_ELEMENTS = 64
/** Numbers that a text may go on from. */
const MAX_NUMBERS = 16

class Member {
  isText = false
  /** What it said before its first text. */
  numbers: number[] | undefined = undefined
  members: Map<string | number, Member> | undefined = undefined
}

/**
 * Numbers in members that also say texts. Clients that join the texts of a member join its numbers, too. So behind a text, a number
 * is read and sent as a text; what was a number before the first text stood before that.
 */
export class ToldNumbers {
  readonly #root = new Member()
  #known = 0
  #left = 0
  /** A text came behind numbers. */
  #isMixed = false

  /** The data of one event, with its value if it is JSON. */
  read(data: string, isError: boolean, parsed?: Json): [data: string, isError: boolean, tree: Json | undefined] {
    const tree = parsed ?? jsonIn(data)
    this.#left = MAX_MEMBERS
    const isMended = isObject(tree) && this.#object(this.#root, tree, 0)
    return [isMended ? JSON.stringify(tree) : data, isError, tree]
  }

  /** The numbers that stood before the first text of a member. */
  before(path: Path): string {
    if (!this.#isMixed) return ''
    let at: Member | undefined = this.#root
    for (const step of path) at = at?.members?.get(step)
    return at?.numbers?.join('') ?? ''
  }

  #object(at: Member, value: JsonObject, depth: number): boolean {
    let mended = false
    for (const name in value) if (this.#value(at, value, name, value[name] as Json, depth)) mended = true
    return mended
  }

  #list(at: Member, value: Json[], depth: number): boolean {
    let mended = false
    const end = Math.min(value.length, MAX_ELEMENTS)
    for (let i = 0; i < end; i++) if (this.#value(at, value, i, value[i] as Json, depth)) mended = true
    return mended
  }

  /** Whether it became another one. */
  #value(of: Member, owner: JsonObject | Json[], name: string | number, value: Json, depth: number): boolean {
    if (value === null || typeof value === 'boolean' || value === '' || this.#left <= 0) return false
    this.#left--
    const at = of.members?.get(name) ?? this.#add(of, name)
    if (at === undefined) return false
    if (typeof value === 'string') {
      if (!at.isText && at.numbers !== undefined) this.#isMixed = true
      at.isText = true
    } else if (typeof value === 'number') {
      if (at.isText) return set(owner, name, String(value))
      at.numbers ??= []
      if (at.numbers.push(value) > MAX_NUMBERS) at.numbers.shift()
    } else if (depth < MAX_DEPTH) {
      return Array.isArray(value) ? this.#list(at, value, depth + 1) : this.#object(at, value, depth + 1)
    }
    return false
  }

  #add(of: Member, name: string | number): Member | undefined {
    if (this.#known >= MAX_MEMBERS) return undefined
    this.#known++
    const member = new Member()
    of.members ??= new Map()
    of.members.set(name, member)
    return member
  }
}

function set(owner: JsonObject | Json[], name: string | number, value: string): true {
  ;(owner as Record<string | number, Json>)[name] = value
  return true
}

function jsonIn(data: string): Json | undefined {
  try {
    return parseJson(data)
  } catch {
    return undefined
  }
}
