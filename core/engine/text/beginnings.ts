import { createCipheriv, createSecretKey, type KeyObject } from 'node:crypto'
import type { PromptSums } from '../contract/plugin.ts'
import type { Beginning, Beginnings } from '../json/outlined.ts'
import { RecentMap } from '../util/recent-map.ts'

/** Characters by which beginnings are looked for, before they are hashed. */
const HEAD = 64
const TAIL = 16
/** Conversations that begin alike. */
const MOST_ALIKE = 256
/** Of different sizes. */
const MOST_TRIED = 3
/** What a beginning and an element of it take in memory, about, bytes. */
const BEGINNING_BYTES = 600
const ELEMENT_BYTES = 24
/** Callers and members whose secrets are kept. */
const MOST_SECRETS = 4096
const CLOSE_BRACE = 0x7d
const NONCE = Buffer.alloc(12)

interface Kept extends Beginning {
  /** Bytes from the start of the first element to the end of the last. */
  readonly size: number
  /** Of its last characters, with a key. */
  readonly tail: number
  /** The one that it continues from. */
  before: Kept | undefined
}

/** Things to add up. */
const MOST_SUMS = 8

class Sums implements PromptSums {
  #sums: Map<string, number> | undefined = undefined

  get(what: string): number | undefined {
    return this.#sums?.get(what)
  }

  set(what: string, sum: number): void {
    this.#sums ??= new Map()
    if (this.#sums.size < MOST_SUMS || this.#sums.has(what)) this.#sums.set(what, sum)
  }
}

/** Beginnings with the same first characters. */
interface Alike {
  readonly all: Kept[]
  /** Of each, its size and its tail: all that most are asked for. */
  readonly marks: number[]
  bytes: number
  /** The next one to go. */
  oldest: number
}

interface Found extends Beginning {
  readonly kept: Kept
}

interface Secret {
  /** From bytes, Node.js would make such an object for each code, which takes longer than the code. */
  readonly key: KeyObject
  readonly seed: number
}

/**
 * How the arrays of accepted bodies began, by codes with a secret key: no text is kept. Conversations are found by a few characters
 * at both ends, and known by GMAC of all their bytes.
 */
export class BeginningsMemory {
  readonly #byHead: RecentMap<number, Alike>
  readonly #secrets = new RecentMap<string, Secret>(MOST_SECRETS)

  /** Bytes of the shortest beginning: a shorter one is read again, which takes no longer. */
  readonly #least: number

  constructor(bytes: number, least: number) {
    this.#byHead = new RecentMap(bytes)
    this.#least = least
  }

  get bytes(): number {
    return this.#byHead.weight
  }

  /** @param secretOf 32 bytes, of this caller and API alone */
  of(owner: string, secretOf: (member: string) => Buffer): Beginnings<Found> {
    const secret = (member: string) => this.#secret(`${owner} ${member}`, member, secretOf)
    return {
      find: (member, body, start) => this.#find(secret(member), body, start),
      keep: (member, body, start, beginning, known) => this.#keep(secret(member), body, start, beginning, known),
    }
  }

  #secret(name: string, member: string, secretOf: (member: string) => Buffer): Secret {
    let secret = this.#secrets.get(name)
    if (secret === undefined) {
      const bytes = secretOf(member)
      secret = { key: createSecretKey(bytes), seed: bytes.readInt32LE(0) }
      this.#secrets.set(name, secret)
    }
    return secret
  }

  #find({ key, seed }: Secret, body: Buffer, start: number): Found | undefined {
    const alike = this.#byHead.get(headOf(body, start, seed))
    if (alike === undefined) return undefined
    for (const size of sizesIn(alike, body, start, seed)) {
      const kept = keptIn(alike, size, codeOf(key, body, start, start + size))
      if (kept !== undefined) return { ...kept, kept }
    }
    return undefined
  }

  #keep(
    { key, seed }: Secret,
    body: Buffer,
    start: number,
    { ranges, notes }: Pick<Beginning, 'ranges' | 'notes'>,
    known: Found | undefined,
  ): Kept | undefined {
    const size = ranges.at(-1) ?? 0
    if (size < this.#least) return undefined
    const end = start + size
    const kept: Kept = {
      key: codeOf(key, body, start, end),
      ranges,
      notes,
      sums: new Sums(),
      size,
      tail: tailOf(body, end, seed),
      before: known?.kept,
    }
    const head = headOf(body, start, seed)
    const alike = this.#byHead.get(head) ?? { all: [], marks: [], bytes: 0, oldest: 0 }
    // One conversation keeps two: clients repeat their last turn, or answer it anew.
    const dropped = known?.kept.before
    if (known !== undefined) known.kept.before = undefined
    put(alike, kept, dropped === undefined ? -1 : alike.all.indexOf(dropped))
    this.#byHead.set(head, alike, alike.bytes)
    return kept
  }
}

/** The sizes of those that may stand here, largest first. */
function sizesIn({ marks }: Alike, body: Buffer, start: number, seed: number): readonly number[] {
  const sizes: number[] = []
  for (let i = 0; i < marks.length; i += 2) {
    const size = marks[i] as number
    if (body[start + size - 1] !== CLOSE_BRACE || sizes.includes(size)) continue
    if (marks[i + 1] === tailOf(body, start + size, seed)) sizes.push(size)
  }
  return sizes.length < 2 ? sizes : sizes.sort((a, b) => b - a).slice(0, MOST_TRIED)
}

function keptIn({ all, marks }: Alike, size: number, key: string): Kept | undefined {
  for (let i = 0; i < all.length; i++) if (marks[2 * i] === size && all[i]?.key === key) return all[i]
  return undefined
}

/** The nonce may stay the same, because the codes are never exposed; see docs/decisions/0133-codes-of-beginnings.md. */
function codeOf(key: KeyObject, body: Buffer, start: number, end: number): string {
  const cipher = createCipheriv('aes-256-gcm', key, NONCE)
  cipher.setAAD(body.subarray(start, end)).final()
  return cipher.getAuthTag().toString('base64')
}

const headOf = (body: Buffer, start: number, seed: number): number => mixed(body, start, start + HEAD, seed)
const tailOf = (body: Buffer, end: number, seed: number): number => mixed(body, end - TAIL, end, seed)

/** 32 bits of some bytes. Only saves hashes: it proves nothing. */
function mixed(body: Buffer, from: number, to: number, seed: number): number {
  let mix = seed
  const end = Math.min(to, body.length)
  for (let i = Math.max(from, 0); i < end; i++) mix = Math.imul(mix ^ (body[i] as number), 0x01000193)
  return mix ^ (mix >>> 15)
}

/** @param place of the one that it replaces, or -1 */
function put(alike: Alike, kept: Kept, place: number): void {
  const { all, marks } = alike
  let at = place
  if (at < 0) at = all.length < MOST_ALIKE ? all.length : alike.oldest++ % MOST_ALIKE
  const gone = all[at]
  alike.bytes += bytesOf(kept) - (gone === undefined ? 0 : bytesOf(gone))
  all[at] = kept
  marks[2 * at] = kept.size
  marks[2 * at + 1] = kept.tail
}

const bytesOf = ({ notes }: Beginning): number => BEGINNING_BYTES + ELEMENT_BYTES * notes.length
