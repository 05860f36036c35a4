/** Members of events as attributes. */
import type { GovernanceEvent, Json } from 'governed-gateway'
import type { Bytes } from './bytes.ts'
import { type EventHead, isOwnField } from './codec.ts'

export interface Encoding {
  /** What is the same in all records of events of a type with this description. */
  head(type: string, eventHead: EventHead): void
  member(name: string, value: Json): void
}

/** The newest event of a type in a batch: its members in order, and the bytes that each took. */
interface Known {
  batch: number
  /** Where its first member begins. */
  from: number
  readonly names: string[]
  readonly values: Json[]
  readonly lengths: number[]
  eventHead: EventHead | undefined
  head: Uint8Array
}

/** Most remembered types: plugins declare them, so there are few. */
const MOST = 500

/** Events of a type differ in few members. The others are copied from the event before, in runs. */
export class Members {
  readonly #out: Bytes
  readonly #encoding: Encoding
  readonly #types = new Map<string, Known>()
  #batch = 0

  constructor(out: Bytes, encoding: Encoding) {
    this.#out = out
    this.#encoding = encoding
  }

  /** The next events go into another body. */
  begin(): void {
    this.#batch++
  }

  head(event: Readonly<GovernanceEvent>, eventHead: EventHead): void {
    const known = this.#of(event.type)
    if (known.eventHead?.level === eventHead.level && known.eventHead.title === eventHead.title)
      return this.#out.raw(known.head)
    const from = this.#out.at
    this.#encoding.head(event.type, eventHead)
    known.head = this.#out.copy(from)
    known.eventHead = eventHead
  }

  /** Writes all members. If the record is moved afterwards, `moved` must know. */
  write(event: Readonly<GovernanceEvent>): void {
    const out = this.#out
    const known = this.#of(event.type)
    const { names, values, lengths } = known
    if (known.batch !== this.#batch) names.length = 0
    const { at } = out
    let [n, from, to] = [0, known.from, known.from]
    for (const name in event) {
      const value = event[name]
      if (value === undefined || value === null || isOwnField(name)) continue
      if (names[n] === name && values[n] === value && typeof value !== 'object') {
        to += lengths[n++]!
        continue
      }
      if (to > from) out.again(from, to)
      from = to += n < names.length ? lengths[n]! : 0
      const begun = out.at
      this.#encoding.member(name, value)
      names[n] = name
      values[n] = value
      lengths[n++] = out.at - begun
    }
    if (to > from) out.again(from, to)
    names.length = n
    known.from = at
    known.batch = this.#batch
  }

  moved(type: string, by: number): void {
    this.#of(type).from += by
  }

  #of(type: string): Known {
    const found = this.#types.get(type)
    if (found !== undefined) return found
    const known = { batch: 0, from: 0, names: [], values: [], lengths: [], eventHead: undefined, head: NOTHING }
    if (this.#types.size < MOST) this.#types.set(type, known)
    return known
  }
}

const NOTHING = new Uint8Array()
