/**
 * What plugins found in the texts of requests, so that a conversation that is sent again with each turn is not inspected
 * again. A text is known by a keyed hash alone. See docs/decisions/0054-inspect-once.md.
 */
import { hash, randomBytes } from 'node:crypto'
import type { Caller, Finding } from '../contract/plugin.ts'
import type { ElementShape, OpenElement } from '../json/element-shape.ts'
import type { Element } from '../json/elements.ts'
import type { Beginnings } from '../json/outlined.ts'
import { RecentMap } from '../util/recent-map.ts'
import { BeginningsMemory } from './beginnings.ts'

/** Who shares what is remembered. */
export type MemoScope = 'key' | 'team' | 'shared'

/** What a plugin reports in one view while it is remembered. */
export interface Recording {
  findings: Finding[]
  /** A replacement belongs to this exchange. */
  bound: boolean
  /** Something else cannot be replayed. */
  spoilt: boolean
}

/** What one plugin found in a passage. */
export interface Known {
  readonly plugin: number
  /** What its answer depends on besides the texts. */
  readonly key: string
  /** Where the passage stood: reasons may name it. */
  readonly path: string
  /** Of each text: in itself, then in each of its second readings. Undefined where nothing was found at all. */
  readonly findings: readonly FindingsOfText[] | undefined
}

type FindingsOfText = readonly (readonly Finding[])[]

/** What is known of a passage; lists have a member for each of its texts. */
export interface Entry {
  /** Characters of the normalised texts, and of their second readings. */
  readonly lengths: readonly number[]
  readonly readings: readonly (readonly number[])[]
  /** Invisible text is in it. */
  readonly hides: readonly boolean[]
  /** Of an element that need not be walked as long as nothing is found in it. */
  readonly shape: ElementShape | undefined
  /** Exactly as long as it must be: there are many. */
  known: readonly Known[]
  /** What all of it takes, about. */
  bytes: number
}

/** What a passage keeps of the memo. */
export interface Remembered {
  /** Undefined for texts that have no hash: short ones, and those with halves of characters. */
  readonly key: string | undefined
  entry: Entry | undefined
}

/** A passage as the memo needs it; see passages.ts. */
interface Remembering {
  readonly views: readonly { readonly text: string; readonly hides: boolean }[]
  readonly sources: readonly { readonly raw: string; readonly place: string }[]
  readonly element: Element | undefined
  remembered: Remembered | undefined
}

/** Elements that may be known together; see begun.ts. */
export interface Together {
  readonly key: string
  readonly open: ReadonlySet<number>
  shapeOf(open: ReadonlySet<number>): ElementShape | undefined
}

/** About what an entry, its shape, a text in it, an answer and a finding take in memory, bytes. */
const ENTRY_BYTES = 500
const SHAPE_BYTES = 300
const TEXT_BYTES = 32
const KNOWN_BYTES = 120
const OPEN_BYTES = 32
const FINDING_BYTES = 200
/** Answers for one passage: plugins, each for some values of its flags. */
const MOST_ANSWERS = 16
/** Part of the memory that remembers how bodies began. */
const FOR_BEGINNINGS = 1 / 8
/** How much larger than others a body must be to be read by its beginnings. */
const BODY_OF_BEGINNINGS = 2
/** Two bytes each. */
const CHARACTER_BYTES = 2
/** Fewer characters take less time to inspect than to remember, unless they are an element, which has a hash anyway. */
const SHORT = 256
/** Callers, with API and member, whose prefixes are kept. */
const MOST_PREFIXES = 4096

const NONE_OPEN: readonly OpenElement[] = []
const NO_ANSWERS: readonly Known[] = []
const NO_READINGS: readonly (readonly number[])[] = []
const NO_KEY: Remembered = { key: undefined, entry: undefined }

export interface MemoOptions {
  readonly bytes: number
  readonly scope: MemoScope
  /** Smaller requests are inspected anew: that takes no longer. */
  readonly leastBody: number
}

/** Since the chain of plugins began. `hits` and `misses` count texts, once for each plugin. */
export interface MemoStats {
  readonly entries: number
  readonly bytes: number
  readonly limit_bytes: number
  readonly hits: number
  readonly misses: number
  /** Passages dropped for others. */
  readonly evictions: number
}

/** The passages that one chain of plugins inspected. */
export class Memo {
  /** Before each text that is hashed; it never leaves the process. */
  readonly #secret = randomBytes(32).toString('base64')
  readonly #entries: RecentMap<string, Entry>
  readonly #beginnings: BeginningsMemory
  readonly #prefixes = new RecentMap<string, Buffer>(MOST_PREFIXES)
  readonly #limit: number
  readonly #scope: MemoScope
  readonly leastBody: number
  #hits = 0
  #misses = 0

  constructor({ bytes, scope, leastBody }: MemoOptions) {
    this.#limit = bytes
    this.#entries = new RecentMap(bytes * (1 - FOR_BEGINNINGS))
    this.#beginnings = new BeginningsMemory(bytes * FOR_BEGINNINGS, leastBody)
    this.#scope = scope
    this.leastBody = leastBody
  }

  /** Whose texts those of a caller are. */
  scopeOf({ keyId, team }: Caller): readonly string[] {
    if (this.#scope === 'shared') return []
    return this.#scope === 'team' && team !== undefined ? ['team', team] : ['key', keyId]
  }

  /** How earlier bodies of a caller began; undefined for a body that is not worth it. */
  beginningsOf(caller: Caller, dialect: string, body: Buffer): Beginnings | undefined {
    if (body.length < BODY_OF_BEGINNINGS * this.leastBody) return undefined
    const scope = this.scopeOf(caller)
    return this.#beginnings.of(`${dialect} ${scope.join(' ')}`, (member) =>
      this.prefixOf(['beginning', dialect, member], scope),
    )
  }

  /** Looks a passage up, once. */
  recall(passage: Remembering, scope: readonly string[]): Remembered {
    passage.remembered ??= this.#recall(passage, scope)
    return passage.remembered
  }

  /** Before each element that is hashed. */
  prefixOf(place: readonly string[], scope: readonly string[]): Buffer {
    const name = JSON.stringify([place, scope])
    let prefix = this.#prefixes.get(name)
    if (prefix === undefined) {
      prefix = hash('sha256', `${this.#secret}${name}`, 'buffer')
      this.#prefixes.set(name, prefix)
    }
    return prefix
  }

  /** The shape of an element in which nothing was found; undefined for others. */
  shapeOf(key: string): ElementShape | undefined {
    const entry = this.#entries.get(key)
    return entry?.known.every(({ findings }) => findings === undefined) === true ? entry.shape : undefined
  }

  /** Whether a plugin found nothing in these elements, except in those that are read by themselves. */
  isClean(key: string, plugin: number, answer: string): boolean {
    const known = this.#entries.get(key)?.known.find((one) => one.plugin === plugin && one.key === answer)
    return known !== undefined && known.findings === undefined
  }

  /** A plugin found nothing in these elements, nor at their borders, except in those that are read by themselves. */
  addBegun({ key, open, shapeOf }: Together, answer: Known): void {
    const known = this.#entries.get(key)
    const before = known?.shape?.open ?? NONE_OPEN
    const isTold = known?.known.some((one) => one.plugin === answer.plugin && one.key === answer.key) === true
    const all = new Set([...before.map(({ index }) => index), ...open])
    const isWider = all.size > before.length
    if (isTold && !isWider) return
    // With more elements to be read by themselves, what was known about the rest still holds.
    const shape = known === undefined || isWider ? shapeOf(all) : known.shape
    if (shape === undefined || (!isTold && (known?.known.length ?? 0) >= MOST_ANSWERS)) return
    const earlier = known?.known ?? NO_ANSWERS
    const answers = isTold ? earlier : earlier.concat(answer)
    const entry: Entry = { lengths: [], readings: NO_READINGS, hides: [], shape, known: answers, bytes: 0 }
    entry.bytes = bytesOf(entry) + OPEN_BYTES * all.size
    for (const one of answers) entry.bytes += bytesOfAnswer(one)
    this.#entries.set(key, entry, entry.bytes)
  }

  #recall(passage: Remembering, scope: readonly string[]): Remembered {
    const key = passage.element?.key ?? this.#keyOf(passage, scope)
    if (key === undefined) return NO_KEY
    return { key, entry: this.#entries.get(key) }
  }

  #keyOf({ sources }: Remembering, scope: readonly string[]): string | undefined {
    let length = 0
    for (const { raw } of sources) length += raw.length
    if (length < SHORT) return undefined
    let heads = `${this.#secret}${JSON.stringify(scope)}`
    let texts = ''
    for (const { place, raw } of sources) {
      heads += `\n${raw.length} ${place}`
      texts += raw
    }
    // Halves of characters have no bytes of their own.
    return texts.isWellFormed() ? hash('sha256', `${heads}\n\n${texts}`, 'base64') : undefined
  }

  /** Counts some texts of one plugin. */
  count(hit: boolean, texts: number): void {
    if (hit) this.#hits += texts
    else this.#misses += texts
  }

  /** Keeps what a plugin found in a passage; `readings` are the lengths of second readings of each text. */
  add({ views, element, remembered }: Remembering, readings: readonly (readonly number[])[], answer: Known): void {
    if (remembered?.key === undefined) return
    const { key } = remembered
    // The plugins of one request answer one after the other: only the first looks for the entry again.
    let entry = remembered.entry ?? this.#entries.get(key)
    if (entry === undefined) {
      const lengths = views.map(({ text }) => text.length)
      const kept = readings.some((some) => some.length > 0) ? readings : NO_READINGS
      const hides = views.map(({ hides }) => hides)
      const shape = hides.includes(true) ? undefined : element?.shape
      entry = { lengths, readings: kept, hides, shape, known: [], bytes: 0 }
      entry.bytes = bytesOf(entry)
    }
    const { known } = entry
    const same = known.findIndex((one) => one.plugin === answer.plugin && one.key === answer.key)
    const gone = same >= 0 ? same : known.length < MOST_ANSWERS ? -1 : 0
    entry.known = (gone < 0 ? known : known.toSpliced(gone, 1)).concat(answer)
    entry.bytes += bytesOfAnswer(answer) - (gone < 0 ? 0 : bytesOfAnswer(known[gone] as Known))
    this.#entries.set(key, entry, entry.bytes)
    remembered.entry = entry
  }

  get stats(): MemoStats {
    return {
      entries: this.#entries.size,
      bytes: this.#entries.weight + this.#beginnings.bytes,
      limit_bytes: this.#limit,
      hits: this.#hits,
      misses: this.#misses,
      evictions: this.#entries.dropped,
    }
  }
}

function bytesOf({ lengths, readings, shape }: Entry): number {
  let texts = lengths.length * TEXT_BYTES
  for (const all of readings) texts += 8 * all.length
  return ENTRY_BYTES + (shape === undefined ? 0 : SHAPE_BYTES) + texts
}

function bytesOfAnswer({ key, path, findings }: Known): number {
  let bytes = KNOWN_BYTES + CHARACTER_BYTES * (key.length + path.length)
  if (findings === undefined) return bytes
  for (const { reason = '' } of findings.flat(2)) bytes += FINDING_BYTES + CHARACTER_BYTES * reason.length
  return bytes
}
