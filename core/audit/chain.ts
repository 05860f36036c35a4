import { hash } from 'node:crypto'
import { hasDuplicates } from '../json/strict.ts'
import type { Json } from '../plugin.ts'
import { canonicalize } from '../store/canonical.ts'
import { GENESIS } from '../store/ops.ts'
import type { JsonObject } from '../store/store.ts'
import { EXPORT_FIELDS } from './formats/types.ts'

/**
 * What is wrong with a trail. `altered`: content and hash do not fit. `removed`: numbers are missing. `inserted`: a record
 * that its neighbours do not know. `reordered`: a record behind a later one. `broken`: the record fits itself, but not
 * the one in front. `unreadable`: no record at all. `cut`: the trail ends before a record that was anchored. `forged`: an
 * anchor whose signature is wrong, or that names another hash than the record has.
 */
export type ProblemKind = 'altered' | 'removed' | 'inserted' | 'reordered' | 'broken' | 'unreadable' | 'cut' | 'forged'

export interface Problem {
  kind: ProblemKind
  readonly instance: string
  /** The number of the record, of the first one missing. */
  readonly seq: number
  /** The last one missing. */
  readonly last?: number
  /** Line of a file, or place in a store. */
  line: number | undefined
  detail: string
}

export interface ChainSummary {
  readonly instance: string
  readonly first: number
  readonly last: number
  readonly records: number
  /** Records that came more than once, unchanged: delivery is at least once. */
  readonly repeated: number
  /** Of the last record. */
  readonly hash: string
}

interface Head {
  seq: number
  hash: string
}

/** How many hashes of a chain are remembered, to tell a repeated record from another with its number. */
const REMEMBERED = 400_000

/** One chain, record by record. */
class Chain {
  readonly instance: string
  readonly problems: Problem[] = []
  /** The number after the last good one, and what it must point to; undefined before the first record. */
  #head: Head | undefined
  /** A record that did not fit, and the head before it: if the next one fits there, the record was slipped in. */
  #doubt: { problem: Problem; before: Head } | undefined
  /** The record at the head, and the head before it. */
  #newest: { line: number; before: Head } | undefined
  /** A second record with the number of the head: the one that follows tells which of the two belongs there. */
  #rival: { hash: string; problem: Problem; first: number } | undefined
  readonly #missing: { first: number; last: number; line: number }[] = []
  readonly #hashes = new Map<number, string>()
  #first = 0
  #records = 0
  #repeated = 0

  constructor(instance: string) {
    this.instance = instance
  }

  add(record: JsonObject, line: number): void {
    this.#records++
    const seq = record.seq as number
    const claimed = String(record.hash)
    const good = fits(record)
    const head = this.#head
    if (head === undefined) return this.#begin(record, line, good)
    if (good && this.#hashes.get(seq) === claimed) {
      this.#repeated++
      return
    }
    const doubt = this.#doubt
    if (doubt !== undefined && good && follows(record, doubt.before)) {
      doubt.problem.kind = 'inserted'
      doubt.problem.detail = 'the records around it follow each other without it'
      this.#doubt = undefined
      return this.#advance(record, line, doubt.before)
    }
    if (!good) return this.#altered(record, line, head)
    if (seq === head.seq + 1) return this.#next(record, line, head)
    if (seq > head.seq) return this.#jump(record, line, head)
    this.#behind(record, line, head)
  }

  /** A record whose hash is known, such as by an anchor; undefined when it was not seen or is forgotten. */
  hashOf(seq: number): string | undefined {
    return this.#hashes.get(seq)
  }

  end(): ChainSummary {
    for (const { first, last, line } of this.#missing) {
      const detail = first === last ? 'the record is missing' : `records ${first} to ${last} are missing`
      this.problems.push({ kind: 'removed', instance: this.instance, seq: first, last, line, detail })
    }
    this.#missing.length = 0
    const { seq, hash: newest } = this.#head as Head
    const totals = { records: this.#records, repeated: this.#repeated }
    return { instance: this.instance, first: this.#first, last: seq, hash: newest, ...totals }
  }

  /** The first that is seen: what was in front may have been trimmed or be in another file. */
  #begin(record: JsonObject, line: number, good: boolean): void {
    const seq = record.seq as number
    this.#first = seq
    const before = { seq: seq - 1, hash: String(record.prev_hash) }
    if (!good) this.#report('altered', seq, line, ALTERED)
    else if (seq === 1 && record.prev_hash !== GENESIS) {
      this.#report('broken', seq, line, 'the first record of a chain points to one in front of it')
    }
    this.#advance(record, line, before)
  }

  #altered(record: JsonObject, line: number, head: Head): void {
    // Its number is not to be trusted: it stands where the next one belongs.
    const seq = head.seq + 1
    const said = record.seq === seq ? ALTERED : `${ALTERED}; it calls itself ${String(record.seq)}`
    const problem = this.#report('altered', seq, line, said)
    this.#doubt = { problem, before: head }
    this.#head = { seq, hash: String(record.hash) }
    this.#newest = undefined
  }

  #next(record: JsonObject, line: number, head: Head): void {
    if (record.prev_hash !== head.hash) this.#unlinked(record, line, head)
    this.#advance(record, line, head)
  }

  /** It has the right number and hash, but the record in front is not the one it was written after. */
  #unlinked(record: JsonObject, line: number, head: Head): void {
    const rival = this.#rival
    if (rival !== undefined && rival.hash === record.prev_hash) {
      // Two records had the number before, and this one knows the second.
      rival.problem.line = rival.first
      return
    }
    const seq = record.seq as number
    this.#report('broken', seq, line, `prev_hash is not the hash of record ${head.seq}: one of the two was replaced`)
  }

  #jump(record: JsonObject, line: number, head: Head): void {
    this.#missing.push({ first: head.seq + 1, last: (record.seq as number) - 1, line })
    this.#advance(record, line, head)
  }

  #behind(record: JsonObject, line: number, head: Head): void {
    const seq = record.seq as number
    if (this.#found(seq)) {
      this.#report('reordered', seq, line, `it stands behind record ${head.seq}`)
      this.#remember(seq, String(record.hash))
      return
    }
    if (seq < this.#first) {
      this.#report('reordered', seq, line, `it stands behind record ${this.#first}, which was the first`)
      return
    }
    const problem = this.#report('inserted', seq, line, 'there is another record with this number')
    const newest = this.#newest
    if (seq !== head.seq || newest === undefined || record.prev_hash !== newest.before.hash) return
    this.#rival = { hash: String(record.hash), problem, first: newest.line }
  }

  /** Takes a number off the list of missing ones. */
  #found(seq: number): boolean {
    const at = this.#missing.findIndex(({ first, last }) => first <= seq && seq <= last)
    const gap = this.#missing[at]
    if (gap === undefined) return false
    const parts = [
      { ...gap, last: seq - 1 },
      { ...gap, first: seq + 1 },
    ]
    this.#missing.splice(at, 1, ...parts.filter(({ first, last }) => first <= last))
    return true
  }

  #advance(record: JsonObject, line: number, before: Head): void {
    this.#rival = undefined
    this.#doubt = undefined
    this.#newest = { line, before }
    this.#head = { seq: record.seq as number, hash: String(record.hash) }
    this.#remember(record.seq as number, String(record.hash))
  }

  #remember(seq: number, digest: string): void {
    this.#hashes.set(seq, digest)
    if (this.#hashes.size > REMEMBERED) this.#hashes.delete(this.#hashes.keys().next().value as number)
  }

  #report(kind: ProblemKind, seq: number, line: number, detail: string): Problem {
    const problem: Problem = { kind, instance: this.instance, seq, line, detail }
    this.problems.push(problem)
    return problem
  }
}

const ALTERED = 'the hash does not fit the content'

const follows = (record: JsonObject, head: Head): boolean =>
  record.seq === head.seq + 1 && record.prev_hash === head.hash

/** True when the hash is that of the content, with or without what export added. */
function fits(record: JsonObject): boolean {
  const { hash: claimed, ...rest } = record
  if (hash('sha256', canonicalize(rest)) === claimed) return true
  if (![...EXPORT_FIELDS].some((name) => Object.hasOwn(rest, name))) return false
  const bare = Object.fromEntries(Object.entries(rest).filter(([name]) => !EXPORT_FIELDS.has(name)))
  return hash('sha256', canonicalize(bare)) === claimed
}

/** Checks a trail, record by record; the chains of several instances may be mixed. */
export class TrailVerifier {
  readonly #chains = new Map<string, Chain>()
  /** Problems of lines that belong to no chain. */
  readonly #strange: Problem[] = []
  readonly #only: string | undefined

  /** @param only the instance that wrote all of it, when that is known */
  constructor(only?: string) {
    this.#only = only
  }

  /** The text of one record. */
  add(text: string, line: number): JsonObject | undefined {
    const record = parsed(text)
    if (typeof record === 'string') {
      const detail = record
      this.#strange.push({ kind: 'unreadable', instance: '', seq: 0, line, detail })
      return undefined
    }
    const instance = record.instance as string
    if (this.#only !== undefined && instance !== this.#only) {
      const detail = `only ${this.#only} writes to this store`
      this.#strange.push({ kind: 'inserted', instance, seq: record.seq as number, line, detail })
      return undefined
    }
    let chain = this.#chains.get(instance)
    if (chain === undefined) {
      chain = new Chain(instance)
      this.#chains.set(instance, chain)
    }
    chain.add(record, line)
    return record
  }

  /** The hash of a record that was seen, as long as it is remembered. */
  hashOf(instance: string, seq: number): string | undefined {
    return this.#chains.get(instance)?.hashOf(seq)
  }

  end(): { readonly chains: readonly ChainSummary[]; readonly problems: readonly Problem[] } {
    const chains = [...this.#chains.values()].map((chain) => chain.end())
    const problems = [...this.#chains.values()].flatMap((chain) => chain.problems).concat(this.#strange)
    return { chains, problems: problems.sort((a, b) => (a.line ?? Infinity) - (b.line ?? Infinity)) }
  }
}

const NO_RECORD = 'it is no record of an audit trail'

/** The record, or why the text is none. */
function parsed(text: string): JsonObject | string {
  let value: Json
  try {
    value = JSON.parse(text) as Json
    // The hash covers what we read; another reader may take the first of two members.
    if (hasDuplicates(text, value)) return 'it names a member twice, so that readers differ on what it says'
  } catch {
    return NO_RECORD
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return NO_RECORD
  const { instance, seq, prev_hash, hash: digest } = value
  const whole = typeof instance === 'string' && Number.isSafeInteger(seq) && (seq as number) > 0
  return whole && typeof prev_hash === 'string' && typeof digest === 'string' ? value : NO_RECORD
}
