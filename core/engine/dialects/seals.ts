import { mayBeNumber } from '../util/outside.ts'

/**
 * Which texts are seals: base64 of random bytes, as signatures and encrypted data are. Keys, words, numbers and base64 of
 * readable text are none. A few in a hundred seals hold a word by chance and are inspected, which changes nothing in them.
 */

const LOWER = 1
const UPPER = 2
const DIGIT = 3
/** `+` and `/`; the other alphabet has `-` and `_` in their place. */
const STANDARD = 4
const URL_SAFE = 5
const CLASS = new Uint8Array(128)
for (let c = 0; c < 128; c++) {
  const char = String.fromCharCode(c)
  if (/[a-z]/.test(char)) CLASS[c] = LOWER
  else if (/[A-Z]/.test(char)) CLASS[c] = UPPER
  else if (/[0-9]/.test(char)) CLASS[c] = DIGIT
  else if (/[+/]/.test(char)) CLASS[c] = STANDARD
  else if (/[-_]/.test(char)) CLASS[c] = URL_SAFE
}

/** Shorter ones may be keys without a known beginning. */
const MIN = 48
/** What random base64 of a thousand characters seldom has. */
const LONG_WORD = 8
const PAIRED_WORD = 3
const LONG_RUN = 15
const LONG_NUMBER = 9

/** Beginnings of known kinds of keys. They may match too much. */
const KEY = new RegExp(
  [
    '^(?:[a-z][a-z0-9]{1,15}|[A-Z][A-Z0-9]{1,15}|[su]-s4t2(?:af|ud))[-_]',
    'A[KS]IA|AIza|gh[oprsu]_|github_pat|glpat|hf_[A-Za-z0-9]{30}|npm_[A-Za-z0-9]{36}',
    '(?:^|[^A-Za-z0-9])(?:A[BC]IA|ABSK|ACCA|AKCp|AKID|ATATT3|ATBB|ATCTT3|ATSTT3|ATTA|AQVN|EAAA|EZ[AT]K|F[Qw]oGZXIvYXdz|IQoJb3JpZ2lu|LTAI)',
    '(?:^|[^A-Za-z0-9])(?:A3-|GR1348941|cmVmdGtuO|dG9rO|dapi|dkea|eyJ|oy2|xox[a-z]-)',
    '(?:^|[^A-Za-z0-9])(?:[prsg][kw]|csk|dckr|do[opr]_v1|dose|glsa|gsk|jina|key|lin|napi|nvapi|pcsk|phx|plainApiKey|pplx|pypi|rubygems)[-_]',
    '(?:^|[^A-Za-z0-9])k_[A-Za-z0-9]{36}',
    '(?:^|[^A-Za-z0-9])(?:secret|shp[a-z]{2,3}|token|tskey|tvly|whsec|xai|xapp|xkeysib)[-_]',
  ].join('|'),
)

/** Whether a text is base64 that looks random. */
export function isSealed(value: unknown): boolean {
  return typeof value === 'string' && value.length >= MIN && isRandom(value) && !isValue(value) && !isReadable(value)
}

const isValue = (text: string): boolean => KEY.test(text) || mayBeNumber(text)

/** One alphabet, letters of both kinds, digits, and no words or numbers. */
function isRandom(text: string): boolean {
  let end = text.length
  for (let n = 0; n < 2 && text.charCodeAt(end - 1) === 0x3d; n++) end--
  let seen = 0
  let last = 0
  let run = 0
  let start = 0
  /** Whether what is since the last separator reads like a word: `word`, `Word` or `WORD`. */
  let isWord = true
  let wasWord = false
  for (let i = 0; i <= end; i++) {
    const kind = i === end ? STANDARD : (CLASS[text.charCodeAt(i)] ?? 0)
    if (kind === 0) return false
    if (i < end) seen |= 1 << kind
    run = kind === last ? run + 1 : 1
    if (kind < DIGIT) {
      if (run >= LONG_RUN) return false
      if (kind !== last && i > start && !(kind === LOWER && i === start + 1 && last === UPPER)) isWord = false
    } else if (kind === DIGIT) {
      if (run >= LONG_NUMBER) return false
      isWord = false
    } else {
      const length = i - start
      if (isWord && (length >= LONG_WORD || (wasWord && length >= PAIRED_WORD))) return false
      if (length > 0) wasWord = isWord && length >= PAIRED_WORD
      start = i + 1
      isWord = true
    }
    last = kind
  }
  const needed = (1 << LOWER) | (1 << UPPER) | (1 << DIGIT)
  const both = (1 << STANDARD) | (1 << URL_SAFE)
  return (seen & needed) === needed && (seen & both) !== both
}

/** Bytes in which readable text shows. An id in an envelope is shorter than that. */
const WINDOW = 64
/** Parts of bytes that are readable: in random bytes about four in ten, in text all. */
const IN_WINDOW = 0.9
const IN_ALL = 0.85

/** Whether the bytes are mostly text in UTF-8, all of them or many that stand together. */
function isReadable(text: string): boolean {
  const bytes = Buffer.from(text, 'base64')
  const good = new Uint8Array(bytes.length)
  let all = 0
  let within = 0
  for (let i = 0; i < bytes.length; ) {
    const length = readableAt(bytes, i)
    const until = i + Math.max(length, 1)
    for (; i < until; i++) {
      if (length > 0) {
        good[i] = 1
        all++
        within++
      }
      if (i >= WINDOW) within -= good[i - WINDOW] as number
      if (within >= WINDOW * IN_WINDOW) return true
    }
  }
  return all >= bytes.length * IN_ALL
}

/** The bytes of the readable character that begins here; 0 if none does. */
function readableAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] as number
  if (byte < 0x80) return (byte >= 0x20 && byte !== 0x7f) || byte === 9 || byte === 10 || byte === 13 ? 1 : 0
  const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
  if (byte < 0xc2 || byte > 0xf4 || at + length > bytes.length) return 0
  for (let i = 1; i < length; i++) if (((bytes[at + i] as number) & 0xc0) !== 0x80) return 0
  return length
}
