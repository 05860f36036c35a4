import { hash } from 'node:crypto'
import type { Json } from '../../engine/contract/plugin.ts'
import type { JsonObject } from '../../engine/contract/store.ts'
import { EXPORTED } from '../../engine/events/catalogue/envelope.ts'
import { hasDuplicates } from '../../engine/json/strict.ts'
import { canonicalize } from '../../engine/util/canonical-json.ts'
import { GENESIS } from '../store/ops.ts'

/**
 * What is wrong with a trail. `altered`: content and hash do not match. `removed`: numbers are missing. `inserted`: the
 * adjacent records do not refer to it. `reordered`: it follows a later record. `broken`: its own hash is right, but it
 * does not follow its predecessor. `unreadable`: not a record. `cut`: the trail ends before an anchored record.
 * `forged`: an anchor with a wrong signature, or with another hash than the record.
 */
type ProblemKind = 'altered' | 'removed' | 'inserted' | 'reordered' | 'broken' | 'unreadable' | 'cut' | 'forged'

export interface Problem {
  kind: ProblemKind
  readonly instance: string
  /** The record's number, or the first missing number. */
  seq: number
  /** The last missing number. */
  readonly last?: number
  /** Line in a file, or position in a store. */
  line: number | undefined
  detail: string
}

export interface ChainSummary {
  readonly instance: string
  readonly first: number
  readonly last: number
  readonly records: number
  /** Unchanged records that occurred more than once: delivery is at least once. */
  readonly repeated: number
  /** Of the last record. */
  readonly hash: string
}

interface Head {
  seq: number
  hash: string
}

/**
 * A record that skipped numbers, and the records with those numbers that follow it. Later records show which of them
 * belong.
 */
interface Early {
  readonly seq: number
  readonly prev: string
  readonly line: number
  tail: Head
  readonly late: Problem[]
  /** The record refers to the last of them. */
  known: boolean
}

/** Number of remembered hashes per chain, to distinguish repeated records from different ones with the same number. */
const REMEMBERED = 400_000

/** One chain, record by record. */
class Chain {
  readonly instance: string
  readonly problems: Problem[] = []
  /** Number after the last good record, and the hash to refer to; undefined before the first record. */
  #head: Head | undefined
  /**
   * Records that do not fit, with the previous head and their own number. They were inserted if the next record fits
   * that head.
   */
  #doubts: { readonly problem: Problem; readonly before: Head; readonly said: number }[] = []
  /** Other records with numbers up to the head's. The next record shows which of them belong. */
  #rivals: { readonly problem: Problem; readonly head: Head }[] = []
  #early: Early | undefined
  readonly #missing: { first: number; last: number; line: number }[] = []
  readonly #seen = new Map<number, { hash: string; line: number }>()
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
    if (good && this.hashOf(seq) === claimed) {
      this.#repeated++
      return
    }
    const from = good ? this.#doubts.findLastIndex(({ before }) => follows(record, before)) : -1
    if (from >= 0) {
      for (const { problem } of this.#doubts.slice(from)) Object.assign(problem, SLIPPED_IN)
      return this.#advance(record, line)
    }
    if (!good) return this.#altered(record, line, head)
    if (seq === head.seq + 1) return this.#next(record, line, head)
    if (seq > head.seq) return this.#jump(record, line, head)
    this.#behind(record, line, head)
  }

  /** The hash of a record, for example for an anchor; undefined if not seen or forgotten. */
  hashOf(seq: number): string | undefined {
    return this.#seen.get(seq)?.hash
  }

  end(): ChainSummary {
    const early = this.#early
    if (early !== undefined && !early.known && early.late.length > 0) this.#slippedIn(early)
    for (const { first, last, line } of this.#missing) {
      const detail = first === last ? 'the record is missing' : `records ${first} to ${last} are missing`
      this.problems.push({ kind: 'removed', instance: this.instance, seq: first, last, line, detail })
    }
    this.#missing.length = 0
    const { seq, hash: newest } = this.#head as Head
    const totals = { records: this.#records, repeated: this.#repeated }
    return { instance: this.instance, first: this.#first, last: seq, hash: newest, ...totals }
  }

  /** The first record seen: earlier ones may have been trimmed or be in another file. */
  #begin(record: JsonObject, line: number, good: boolean): void {
    const seq = record.seq as number
    this.#first = seq
    if (!good) this.#report('altered', seq, line, ALTERED)
    else if (seq === 1 && record.prev_hash !== GENESIS) {
      this.#report('broken', seq, line, 'the first record of a chain refers to an earlier one')
    }
    this.#advance(record, line)
  }

  #altered(record: JsonObject, line: number, head: Head): void {
    // Its number is unreliable: it takes the place of the next record.
    const seq = head.seq + 1
    const said = record.seq === seq ? ALTERED : `${ALTERED}; it calls itself ${String(record.seq)}`
    const problem = this.#report('altered', seq, line, said)
    this.#doubts.push({ problem, before: head, said: record.seq as number })
    this.#head = { seq, hash: String(record.hash) }
  }

  #next(record: JsonObject, line: number, head: Head): void {
    const problem = record.prev_hash === head.hash ? undefined : this.#unlinked(record, line, head)
    this.#advance(record, line)
    if (problem !== undefined) this.#doubts.push({ problem, before: head, said: head.seq + 1 })
  }

  /** Its number and hash are right, but it does not refer to the previous record. */
  #unlinked(record: JsonObject, line: number, head: Head): Problem | undefined {
    const last = this.#rivals.at(-1)
    if (last !== undefined && follows(record, last.head)) {
      // Two records share a number: this one refers to the second, which refers to the record before both.
      for (const { problem, head: known } of this.#rivals) {
        const first = this.#seen.get(known.seq)
        this.#seen.set(known.seq, { hash: known.hash, line: problem.line as number })
        // The first may be an altered record that was already reported.
        if (first === undefined) this.#withdraw([problem])
        else problem.line = first.line
      }
      // Those were late only because of the record that does not belong.
      if (this.#early?.seq === this.#rivals[0]?.head.seq) this.#withdraw(this.#early?.late ?? [])
      return undefined
    }
    const seq = record.seq as number
    return this.#report(
      'broken',
      seq,
      line,
      `prev_hash is not the hash of record ${head.seq}: one of the two was replaced`,
    )
  }

  #jump(record: JsonObject, line: number, head: Head): void {
    const seq = record.seq as number
    const altered = this.#doubts.at(-1)
    if (altered !== undefined && follows(record, { seq: altered.said, hash: head.hash })) {
      // It refers to the altered record's own number, so that number is right.
      this.#missing.push({ first: head.seq, last: altered.said - 1, line: altered.problem.line as number })
      Object.assign(altered.problem, { seq: altered.said, detail: ALTERED })
      return this.#advance(record, line)
    }
    this.#missing.push({ first: head.seq + 1, last: seq - 1, line })
    this.#advance(record, line)
    this.#early = { seq, prev: String(record.prev_hash), line, tail: head, late: [], known: false }
  }

  #behind(record: JsonObject, line: number, head: Head): void {
    const seq = record.seq as number
    if (this.#found(seq)) {
      const problem = this.#report('reordered', seq, line, `it stands behind record ${head.seq}`)
      this.#remember(record, line)
      return this.#late(record, problem)
    }
    if (seq < this.#first) {
      this.#report('reordered', seq, line, `it stands behind record ${this.#first}, which was the first`)
      return
    }
    const problem = this.#report('inserted', seq, line, 'there is another record with this number')
    const last = this.#rivals.at(-1)
    if (last === undefined || !follows(record, last.head)) this.#rivals = []
    if (this.#rivals.length > 0 || record.prev_hash === this.hashOf(seq - 1)) {
      this.#rivals.push({ problem, head: { seq, hash: String(record.hash) } })
    }
  }

  /** A record whose number an earlier record skipped. If the chain continues without it, it was inserted. */
  #late(record: JsonObject, problem: Problem): void {
    const early = this.#early
    if (early === undefined || !follows(record, early.tail)) return
    early.tail = { seq: problem.seq, hash: String(record.hash) }
    early.late.push(problem)
    if (problem.seq < early.seq - 1) return
    if (early.prev === record.hash) early.known = true
    else this.#slippedIn(early)
  }

  #slippedIn({ seq, line, tail, late }: Early): void {
    Object.assign(late[0] as Problem, SLIPPED_IN, { seq, line })
    this.#withdraw(late.slice(1))
    const missing = this.#missing.filter((gap) => gap.line !== line)
    this.#missing.splice(0, this.#missing.length, ...missing)
    this.#seen.delete(seq)
    this.#head = tail
    this.#early = undefined
  }

  #withdraw(reported: readonly Problem[]): void {
    const wrong = new Set(reported)
    const kept = this.problems.filter((problem) => !wrong.has(problem))
    this.problems.splice(0, this.problems.length, ...kept)
  }

  /** Removes a number from the missing ones. */
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

  #advance(record: JsonObject, line: number): void {
    this.#rivals = []
    this.#early = undefined
    this.#doubts = []
    this.#head = { seq: record.seq as number, hash: String(record.hash) }
    this.#remember(record, line)
  }

  #remember({ seq, hash: digest }: JsonObject, line: number): void {
    this.#seen.set(seq as number, { hash: String(digest), line })
    if (this.#seen.size > REMEMBERED) this.#seen.delete(this.#seen.keys().next().value as number)
  }

  #report(kind: ProblemKind, seq: number, line: number, detail: string): Problem {
    const problem: Problem = { kind, instance: this.instance, seq, line, detail }
    this.problems.push(problem)
    return problem
  }
}

const ALTERED = 'the hash does not fit the content'
const SLIPPED_IN = { kind: 'inserted', detail: 'the records around it follow each other without it' } as const

const follows = (record: JsonObject, head: Head): boolean =>
  record.seq === head.seq + 1 && record.prev_hash === head.hash

/** Whether the hash matches the content, with or without members added by export. */
function fits(record: JsonObject): boolean {
  const { hash: claimed, ...rest } = record
  if (hash('sha256', canonicalize(rest)) === claimed) return true
  if (!Object.keys(EXPORTED).some((name) => Object.hasOwn(rest, name))) return false
  const bare = Object.fromEntries(Object.entries(rest).filter(([name]) => !Object.hasOwn(EXPORTED, name)))
  return hash('sha256', canonicalize(bare)) === claimed
}

/** Checks a trail, record by record; chains of several instances may be interleaved. */
export class TrailVerifier {
  readonly #chains = new Map<string, Chain>()
  /** Problems of lines that belong to no chain. */
  readonly #strange: Problem[] = []
  readonly #only: string | undefined

  /** @param only the only instance in the trail, if known */
  constructor(only?: string) {
    this.#only = only
  }

  /** Adds the text of one record. */
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

  /** The hash of a seen record, while it is remembered. */
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

/** The record, or why the text is not a record. */
function parsed(text: string): JsonObject | string {
  let value: Json
  try {
    value = JSON.parse(text) as Json
    // The hash covers our reading; another reader may use the first of two members.
    if (hasDuplicates(text, value)) return 'it names a member twice, so that readers differ on what it says'
  } catch {
    return NO_RECORD
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return NO_RECORD
  const { instance, seq, prev_hash, hash: digest } = value
  const whole = typeof instance === 'string' && Number.isSafeInteger(seq) && (seq as number) > 0
  return whole && typeof prev_hash === 'string' && typeof digest === 'string' ? value : NO_RECORD
}
