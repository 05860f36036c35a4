/** Finds a value again where it comes once more in the same text, without its label or the words around it. */
import { foldThree } from './anchors.ts'
import type { Answer, Match, Rest } from './match.ts'
import { MAX_CHECKED } from './pattern.ts'

export interface Recalled {
  /** Of a long one the beginning, with which a stream releases it. */
  readonly value: string
  readonly type: string
  readonly rest: Rest
  /** Absolute position from which it counts. What came before may have left already. */
  readonly from: number
}

/** Shorter values may be words of the text. */
const MIN_LENGTH = 12
/** So that a text full of secrets costs no more than linear time. */
const MAX_VALUES = 32
const NONE: readonly Recalled[] = []

/** The values of one text, in the order in which they were found. */
export class Recall {
  #values: readonly Recalled[] = []
  #byHead: Map<number, Recalled[]> | undefined
  #hot: Int32Array | undefined

  get values(): readonly Recalled[] {
    return this.#values
  }

  set values(values: readonly Recalled[]) {
    this.#values = values
    this.#hot = undefined
    this.#byHead = undefined
    for (const one of values) this.#index(one)
  }

  /** `offset`: position of the text in which `match` was found. */
  add({ type, start, end, open, rest }: Match, text: string, offset: number): void {
    if (rest.kind === 'pem' || end - start < MIN_LENGTH || (open && end - start < MAX_CHECKED)) return
    const value = text.slice(start, Math.min(end, start + MAX_CHECKED))
    if (this.#values.some((one) => one.value === value)) return
    const one = { value, type, rest, from: end + offset }
    if (this.#values.length === MAX_VALUES) this.values = [...this.#values.slice(1), one]
    else {
      this.#values = [...this.#values, one]
      this.#index(one)
    }
  }

  /** The table of the anchors, with the beginnings of these values. */
  hot(anchors: Int32Array): Int32Array {
    if (this.#values.length === 0) return anchors
    if (this.#hot === undefined) {
      this.#hot = anchors.slice()
      for (const head of this.#byHead!.keys()) this.#hot[head >> 5]! |= 1 << (head & 31)
    }
    return this.#hot
  }

  at(head: number, text: string, at: number, offset: number, final: boolean): Answer {
    for (const { value, type, rest, from } of this.#byHead?.get(head) ?? NONE) {
      if (at + offset < from) continue
      if (text.startsWith(value, at)) {
        const end = at + value.length
        return { type, start: at, end, open: value.length === MAX_CHECKED, rest }
      }
      if (!final && text.length - at < value.length && value.startsWith(text.slice(at))) return { from: at }
    }
    return undefined
  }

  /** Start of an ending of up to two characters that one of the values begins with. */
  tail(text: string): number {
    for (const length of [2, 1]) {
      const end = text.slice(-length)
      if (end.length === length && this.#values.some(({ value }) => value.startsWith(end))) return text.length - length
    }
    return text.length
  }

  #index(one: Recalled): void {
    const { value } = one
    const head = foldThree(value, 0)
    this.#byHead ??= new Map()
    const others = this.#byHead.get(head)
    if (others === undefined) this.#byHead.set(head, [one])
    else others.push(one)
    this.#hot = undefined
  }
}
