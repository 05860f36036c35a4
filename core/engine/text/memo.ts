/**
 * What plugins found in the texts of requests, so that a conversation that is sent again with each turn is not inspected
 * again. A text is known by a keyed hash alone. See docs/decisions/0054-inspect-once.md.
 */
import { hash, randomBytes } from 'node:crypto'
import type { Caller, Finding } from '../contract/plugin.ts'

/** Who shares what is remembered. */
export type MemoScope = 'key' | 'team' | 'shared'

/** What a plugin reports in one view while it is remembered. */
export interface Recording {
  readonly findings: Finding[]
  spoilt: boolean
}

/** What one plugin found in a text. */
export interface Known {
  readonly plugin: number
  /** What its answer depends on besides the text. */
  readonly key: string
  /** Where the text stood: reasons may name it. */
  readonly path: string
  /** In the text, then in each of its second readings; none at all where nothing was found. */
  readonly lists: readonly (readonly Finding[])[]
}

/** What is known of one text. */
export interface Entry {
  /** Characters of the normalised text, and of its second readings. */
  readonly length: number
  readonly readings: readonly number[]
  /** Invisible text stands in it. */
  readonly hides: boolean
  known: readonly Known[]
  bytes: number
}

/** What a view keeps of the memo. */
export interface Remembered {
  /** Undefined for a text that has no hash. */
  readonly key: string | undefined
  entry: Entry | undefined
}

/** A text as the memo needs it: a `FieldView`. */
interface Remembering {
  readonly raw: string
  readonly text: string
  readonly hides: boolean
  readonly place: readonly unknown[]
  remembered: Remembered | undefined
}

/** About what an entry, an answer and a finding take in memory, bytes. */
const ENTRY_BYTES = 400
const KNOWN_BYTES = 120
const FINDING_BYTES = 200
/** Answers for one text: plugins, each for some values of its flags. */
const MOST_ANSWERS = 16
/** Two bytes each. */
const CHARACTER_BYTES = 2

const NO_KEY: Remembered = { key: undefined, entry: undefined }

export interface MemoOptions {
  readonly bytes: number
  readonly scope: MemoScope
  /** Smaller requests are inspected anew: that takes no longer. */
  readonly leastBody: number
}

export interface MemoStats {
  readonly entries: number
  readonly bytes: number
  readonly hits: number
  readonly misses: number
  readonly evictions: number
}

/** The texts that one chain of plugins inspected, least recently used first. */
export class Memo {
  /** In front of each text that is hashed; it never leaves the process. */
  readonly #secret = randomBytes(32).toString('base64')
  readonly #entries = new Map<string, Entry>()
  readonly #limit: number
  readonly #scope: MemoScope
  readonly leastBody: number
  #bytes = 0
  #hits = 0
  #misses = 0
  #evictions = 0

  constructor({ bytes, scope, leastBody }: MemoOptions) {
    this.#limit = bytes
    this.#scope = scope
    this.leastBody = leastBody
  }

  /** Whose texts those of a caller are. */
  scopeOf({ keyId, team }: Caller): readonly string[] {
    if (this.#scope === 'shared') return []
    return this.#scope === 'team' && team !== undefined ? ['team', team] : ['key', keyId]
  }

  /** Looks a text up, once. */
  recall(view: Remembering, scope: readonly string[]): Remembered {
    const known = view.remembered
    if (known !== undefined) return known
    const { raw } = view
    // Halves of characters have no bytes of their own.
    if (!raw.isWellFormed()) {
      view.remembered = NO_KEY
      return NO_KEY
    }
    const key = hash('sha256', `${this.#secret}${JSON.stringify([scope, view.place])}\n${raw}`, 'base64')
    const entry = this.#entries.get(key)
    if (entry !== undefined) {
      this.#entries.delete(key)
      this.#entries.set(key, entry)
    }
    view.remembered = { key, entry }
    return view.remembered
  }

  /** Counts one text of one plugin. */
  count(hit: boolean): void {
    if (hit) this.#hits++
    else this.#misses++
  }

  /** Keeps what a plugin found in a text. */
  add(view: Remembering, readings: readonly number[], answer: Known): void {
    const { remembered } = view
    if (remembered?.key === undefined) return
    const { key } = remembered
    let entry = this.#entries.get(key)
    if (entry === undefined) {
      const { length } = view.text
      entry = { length, readings, hides: view.hides, known: [], bytes: 0 }
    } else this.#bytes -= entry.bytes
    const others = entry.known.filter((one) => one.plugin !== answer.plugin || one.key !== answer.key)
    entry.known = [...others, answer].slice(-MOST_ANSWERS)
    entry.bytes = bytesOf(entry)
    this.#entries.set(key, entry)
    this.#bytes += entry.bytes
    remembered.entry = entry
    this.#evict()
  }

  #evict(): void {
    for (const [key, { bytes }] of this.#entries) {
      if (this.#bytes <= this.#limit) return
      this.#entries.delete(key)
      this.#bytes -= bytes
      this.#evictions++
    }
  }

  get stats(): MemoStats {
    return {
      entries: this.#entries.size,
      bytes: this.#bytes,
      hits: this.#hits,
      misses: this.#misses,
      evictions: this.#evictions,
    }
  }
}

function bytesOf({ readings, known }: Entry): number {
  let bytes = ENTRY_BYTES + readings.length * 8
  for (const { key, path, lists } of known) {
    bytes += KNOWN_BYTES + CHARACTER_BYTES * key.length
    for (const list of lists) {
      bytes += CHARACTER_BYTES * path.length
      for (const { reason = '' } of list) bytes += FINDING_BYTES + CHARACTER_BYTES * reason.length
    }
  }
  return bytes
}
