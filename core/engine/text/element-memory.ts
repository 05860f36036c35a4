import { hash } from 'node:crypto'
import type { ElementShape } from '../json/element-shape.ts'
import { type ElementMemory, elementRanges } from '../json/elements.ts'
import type { Memo } from './memo.ts'

/** Characters of the longest element that is known as one. */
const LONGEST = 64 * 1024
/** Longer texts would be searched for too long in one turn. */
const LONGEST_BODY = 1024 * 1024
const PREFIX = 32

/** Prefix and bytes of the element that is being hashed; overwritten each time. */
let scratch: Buffer | undefined

/** The elements of one body by their exact spelling, so that what was seen before is neither walked nor inspected. */
export class BodyElements implements ElementMemory {
  readonly #memo: Memo
  readonly #scope: readonly string[]
  readonly #dialect: string
  readonly #body: Buffer
  readonly #document: { readonly text: string }
  readonly #prefixes = new Map<string, Buffer>()
  #ranges: ReadonlyMap<string, readonly number[]> | undefined = undefined

  constructor(
    memo: Memo,
    scope: readonly string[],
    dialect: string,
    body: Buffer,
    document: { readonly text: string },
  ) {
    this.#memo = memo
    this.#scope = scope
    this.#dialect = dialect
    this.#body = body
    this.#document = document
  }

  static suits(memo: Memo, body: Buffer): boolean {
    return body.length >= memo.leastBody && body.length <= LONGEST_BODY
  }

  shapeOf(key: string): ElementShape | undefined {
    return this.#memo.shapeOf(key)
  }

  lookUp(
    member: string,
    index: number,
    range?: readonly [start: number, end: number],
  ): { key: string; shape: ElementShape | undefined } | undefined {
    if (range !== undefined) {
      const [from, to] = range
      return to - from > LONGEST ? undefined : this.#known(this.#keyOfBytes(member, from, to))
    }
    this.#ranges ??= elementRanges(this.#document.text)
    const ranges = this.#ranges.get(member)
    const start = ranges?.[2 * index]
    const end = ranges?.[2 * index + 1]
    if (start === undefined || end === undefined || end - start > LONGEST) return undefined
    return this.#known(this.#keyOf(member, start, end))
  }

  #known(key: string): { key: string; shape: ElementShape | undefined } {
    return { key, shape: this.#memo.shapeOf(key) }
  }

  #keyOfBytes(member: string, from: number, to: number): string {
    scratch ??= Buffer.allocUnsafeSlow(PREFIX + 3 * LONGEST)
    this.#prefixOf(member).copy(scratch)
    return hash('sha256', scratch.subarray(0, PREFIX + this.#body.copy(scratch, PREFIX, from, to)), 'base64')
  }

  /** A hash with a key: it reveals nothing about the element, and other scopes have other hashes. */
  #keyOf(member: string, start: number, end: number): string {
    scratch ??= Buffer.allocUnsafeSlow(PREFIX + 3 * LONGEST)
    this.#prefixOf(member).copy(scratch)
    const isAscii = this.#body.length === this.#document.text.length
    const length = isAscii
      ? this.#body.copy(scratch, PREFIX, start, end)
      : scratch.write(this.#document.text.slice(start, end), PREFIX, 'utf8')
    return hash('sha256', scratch.subarray(0, PREFIX + length), 'base64')
  }

  #prefixOf(member: string): Buffer {
    let prefix = this.#prefixes.get(member)
    if (prefix === undefined) {
      prefix = this.#memo.prefixOf([this.#dialect, member], this.#scope)
      this.#prefixes.set(member, prefix)
    }
    return prefix
  }
}
