import type { Json } from '../contract/plugin.ts'
import type { JsonObject, Path } from '../json/strict.ts'
import { eventObject } from './event-object.ts'

/** Members of one stream that are known, and members of one event that are looked at. */
const MAX_MEMBERS = 4096
const MAX_DEPTH = 64
/** Elements of one list. */
const MAX_ELEMENTS = 64
/** Members of an event that hold what is said. */
const SAID: ReadonlySet<string | number> = new Set('choices delta message item part content_block response'.split(' '))
/** Members in them that are texts in every API: clients join their numbers though no text came. */
const TEXTS: ReadonlySet<string | number> = new Set(
  'arguments content input name partial_json reasoning reasoning_content refusal text thinking transcript'.split(' '),
)
/** Numbers that a text may continue from. */
const MAX_NUMBERS = 16

class Member {
  isText = false
  /** What it said before its first text. */
  numbers: number[] | undefined = undefined
  members: Map<string | number, Member> | undefined = undefined
}

/**
 * Numbers in members that also say texts. Clients that join the texts of a member join its numbers, too. So after a text, and in a
 * member that is a text in every API, a number is read as a text; what was a number before the first text stood before that.
 */
export class NumbersAsText {
  readonly #root = new Member()
  #known = 0
  #left = 0
  /** A text came after numbers. */
  #isMixed = false

  /** The object of one event, if it is one: numbers after texts are texts. */
  read(data: string, parsed?: Json): JsonObject | undefined {
    const tree = eventObject(data, parsed)
    this.#left = MAX_MEMBERS
    if (tree !== undefined) this.#object(this.#root, tree, 0, false)
    return tree
  }

  /** The numbers that stood before the first text of a member. */
  before(path: Path): string {
    if (!this.#isMixed) return ''
    let at: Member | undefined = this.#root
    for (const step of path) at = at?.members?.get(step)
    return at?.numbers?.join('') ?? ''
  }

  #object(at: Member, value: JsonObject, depth: number, isSaid: boolean): void {
    for (const name in value) {
      const text = this.#value(at, name, value[name] as Json, depth, isSaid)
      if (text !== undefined) value[name] = text
    }
  }

  #list(at: Member, value: Json[], depth: number, isSaid: boolean): void {
    const end = Math.min(value.length, MAX_ELEMENTS)
    for (let i = 0; i < end; i++) {
      const text = this.#value(at, i, value[i] as Json, depth, isSaid)
      if (text !== undefined) value[i] = text
    }
  }

  /** The text that stands for a number. */
  #value(of: Member, name: string | number, value: Json, depth: number, isSaid: boolean): string | undefined {
    if (value === null || typeof value === 'boolean' || value === '' || this.#left <= 0) return undefined
    this.#left--
    const at = of.members?.get(name) ?? this.#add(of, name)
    if (at === undefined) return undefined
    if (typeof value === 'string') {
      if (!at.isText && at.numbers !== undefined) this.#isMixed = true
      at.isText = true
    } else if (typeof value === 'number') {
      if (at.isText || (isSaid && TEXTS.has(name) && Number.isSafeInteger(value))) return String(value)
      at.numbers ??= []
      if (at.numbers.push(value) > MAX_NUMBERS) at.numbers.shift()
    } else if (depth < MAX_DEPTH) {
      const within = isSaid || SAID.has(name)
      if (Array.isArray(value)) this.#list(at, value, depth + 1, within)
      else this.#object(at, value, depth + 1, within)
    }
    return undefined
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
