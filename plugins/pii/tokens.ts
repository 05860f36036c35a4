import { createHmac } from 'node:crypto'
import { People, type Person } from './names/people.ts'
import { isAlnum, isLetter } from './places/characters.ts'

/** Characters of the keyed hash in a token: 50 bits. */
const HASH_LENGTH = 10
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const UNDERSCORE = 0x5f
const BACKSLASH = 0x5c
/** Longest type in a token, with escapes. */
const MAX_TYPE = 48

/** Prefix for user text that already looks like a token; it is restored as written. */
export const LITERAL = 'literal'

export interface TokenSpan {
  readonly start: number
  readonly end: number
  /** Prefix, such as `EMAIL`. */
  readonly type: string
  /** The canonical token, such as `EMAIL_k5x2…`. */
  readonly token: string
}

/** The tokens of one exchange and their values. Stored nowhere else. */
export class Tokens {
  readonly #key: Buffer
  readonly #keyId: string
  readonly continued: readonly string[]
  readonly #values = new Map<string, string>()
  /** Tokens by type and value. */
  readonly #made = new Map<string, string>()
  /** Values that were found and may get a token, until somebody asks for theirs. */
  #found: (readonly [type: string, value: string])[] = []
  readonly #expected = new Set<string>()
  readonly #people = new People()
  /** Persons by token. */
  readonly #persons = new Map<string, Person>()

  /** @param continued what the answers continue from */
  constructor(key: Buffer, keyId: string, continued: readonly string[] = []) {
    this.#key = key
    this.#keyId = keyId
    this.continued = continued
  }

  get size(): number {
    return this.#values.size
  }

  /**
   * The token of a value. It depends only on deployment, API key, type and value. So every worker creates the same
   * one in the next turn, and outsiders cannot compute it.
   */
  add(type: string, value: string): string {
    const token = this.#tokenOf(type, value)
    this.#values.set(token, value)
    return token
  }

  /** The token of a person: the same for every form of the name. */
  addPerson(type: string, name: string): string {
    const person = this.#people.of(name)
    const token = this.add(type, person.first)
    this.#persons.set(token, person)
    return token
  }

  /** Notes a name of the request before it gets its token: the first form names the token, the fullest replaces it. */
  expectPerson(type: string, name: string): void {
    this.expect(type, this.#people.of(name).first)
  }

  #tokenOf(type: string, value: string): string {
    const named = JSON.stringify([this.#keyId, type, value])
    let token = this.#made.get(named)
    if (token === undefined) {
      token = `${type.toUpperCase()}_${base32(createHmac('sha256', this.#key).update(named).digest())}`
      this.#made.set(named, token)
    }
    return token
  }

  /** Notes a value of the request before it gets its token. */
  expect(type: string, value: string): void {
    this.#found.push([type, value])
  }

  /** Whether a value of this exchange has the token: then it came from here in an earlier turn. */
  isOwn(token: string): boolean {
    for (const [type, value] of this.#found) this.#expected.add(this.#tokenOf(type, value))
    this.#found = []
    return this.#values.has(token) || this.#expected.has(token)
  }

  valueOf(token: string): string | undefined {
    return this.#persons.get(token)?.fullest ?? this.#values.get(token)
  }

  /** Whether the end of a text may begin one of these tokens. */
  mayBegin(text: string): boolean {
    const begun = canonical(text)
    for (const token of this.#values.keys()) if (token.toUpperCase().startsWith(begun)) return true
    return false
  }
}

function base32(bytes: Buffer): string {
  let out = ''
  let bits = 0
  let value = 0
  for (let i = 0; out.length < HASH_LENGTH; i++) {
    value = ((value << 8) | bytes[i]!) & 0xfff
    bits += 8
    for (; bits >= 5 && out.length < HASH_LENGTH; bits -= 5) out += ALPHABET[(value >>> (bits - 5)) & 31]
  }
  return out
}

const canonical = (text: string): string => text.replaceAll('\\', '').toUpperCase()
const isBase32 = (c: number): boolean => isLetter(c) || (c >= 50 && c <= 55)

/**
 * Every possible token in `text[from..]`, whatever a model did to its case, and however Markdown or JSON escaped its
 * underscore.
 */
export function findTokens(text: string, from: number): TokenSpan[] {
  const spans: TokenSpan[] = []
  for (let at = text.indexOf('_', from); at >= 0; at = text.indexOf('_', at + 1)) {
    const end = at + 1 + HASH_LENGTH
    if (end > text.length || isWord(text, end)) continue
    let isHash = true
    for (let i = at + 1; i < end && isHash; i++) isHash = isBase32(text.charCodeAt(i))
    if (!isHash) continue
    const start = startOfType(text, at)
    if (start === at || start < from) continue
    const type = canonical(text.slice(start, at))
    spans.push({ start, end, type, token: `${type}_${text.slice(at + 1, end).toLowerCase()}` })
  }
  return spans
}

/** Whether a word continues here. An underscore at its end is emphasis. */
const isWord = (text: string, at: number): boolean =>
  isAlnum(text.charCodeAt(text.charCodeAt(at) === UNDERSCORE ? at + 1 : at))

const startOfType = (text: string, at: number): number => startOfWord(text, 0, at, MAX_TYPE)

/** Start of the word at the end, if the text may end inside a token; otherwise its length. */
export const openToken = (text: string, from: number): number =>
  startOfWord(text, from, text.length, MAX_TYPE + HASH_LENGTH)

/** Where the word before `end` starts, at most `longest` back; `end` if no letter is in it. */
function startOfWord(text: string, from: number, end: number, longest: number): number {
  let start = end
  while (start > from && end - start < longest) {
    const c = text.charCodeAt(start - 1)
    if (!isAlnum(c) && c !== UNDERSCORE && c !== BACKSLASH) break
    if (text.charCodeAt(start - 2) === BACKSLASH && 'bfnrt'.includes(text[start - 1]!)) break // JSON in a text
    start--
  }
  while (start < end && !isLetter(text.charCodeAt(start))) start++
  return start
}
