/** Distinguishes real credentials from placeholders, identifiers, references and words. */

import { isExpression, isUnclosed } from './lines.ts'
import type { Trust } from './slots.ts'
import { spokenness } from './spoken.ts'

const PLACEHOLDER =
  /\*{3,}|\.{3}|…|•|_{4,}|placeholder|redacted|change[-_]?me|replace[-_]?me|goes[-_]?here|abcdefghijklmnopqrstuvwxyz|(?:^|[^a-z\d])(?:your|insert|enter|dummy|todo|null|none|undefined|to[-_]be|my[-_]?(?:api|secret|token|key|pass))(?:[^a-z]|$)|[-_]here$/i

/** References to values elsewhere, templates, calls, paths and addresses. */
export const REFERENCE =
  /^[$%@!]?[{([<]|\$\{|\{\{|\$\(|#\{|<[^>]*>|%\(|^%[\w-]+%|^\$[A-Za-z_]\w*(?:$|::|->|\.)|^https?(?::|%3A)|^&[a-z]|^(?:\.{1,2}|~)\/|^\/[a-z][\w.-]{1,20}\/|:\/\/|^(?:arn|urn|ref|vault|env|ssm|file|op|data|secret|sha\d{3}|md5):|(?:process|import\.meta)\.env|environ|getenv|\bENV\b|^[\w.$]+[([]|^[A-Za-z]:\\/i

/** `config.auth.token`, `self::KEY`, `tokens[i]`, `$row->secret`. */
const DOTTED = /^[$@]?[A-Za-z_]\w*(?:(?:\.|::|->|\?\.)[A-Za-z_]\w*|\[["'\w]*\])+$/
const WORDS = /^(?:(?:[a-z]{2,}|[A-Z][a-z]+|[A-Z]{2,}|[aAIi]|\d{1,4}|v\d{1,2})(?:[-_.:/|, ]+|$))+$/
/** Words with a capital and a number, as people make passwords: `Copper-Falcon-42`. */
const PASSPHRASE = /^(?=[^A-Z]*[A-Z])(?!v?\d)(?:[A-Za-z]{3,}[-_.]){1,4}\d{2,4}$/
const SPECIAL = /[!@#$%^&*+=~?]/
/** Technical names with letters and digits: `sha256`, `base64-encoded`, `Uint8Array`, `OAuth2.0`. */
export const TECHNICAL =
  /^(?:base|sha|md|utf|latin|aes|rsa|des|argon|pbkdf|oauth|http|ipv|totp|fido|web|log|win|rot|crc|[hrp]s|es|ed|curve|ntlmv|tls|ssl|wpa|php|python|java|node)[-_]?v?\d+[a-z]{0,3}(?:[-./]\w*)*$|^[a-z][-_]?v?\d+[a-z]{0,3}(?:[-./][a-z\d]{1,3})*$|^(?:u?int|float|double|bytes?|fixed|utf|base|sha|md|hash|keccak|blake|aes|rsa|hmac|string|varchar|char|big|simd|vec|mat|bit)\d+[a-z]*$/i
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** Numbers and blockchain addresses. */
const ADDRESS = /^0x[0-9a-f]{1,40}$/i
/** Keys that their providers publish in web pages. */
const PUBLISHABLE = /^(?:AAAA[BCE]3Nza|pk_(?:live|test)_|pk\.eyJ|sb_publishable_|pk-lf-)/
/**
 * Whole lines of `/etc/passwd`, which is the name of the file beside them; in a string they end with an escape. A name
 * of several words ends the value.
 */
const USER_RECORDS =
  /^(?:[\w.-]{1,32}:[x*!]?:-?\d{1,10}:-?\d{1,10}:(?:[A-Z]?[a-z]{1,24}$|[\w.,()&-]{0,64}:\/[\w./-]{0,64}(?::(?:\/[\w./-]{0,64})?)?(?:(?:\\r)?\\n|$)))+$/
const OPTION = /^--([a-z]+(?:-[a-z]+)*)=([A-Z]+(?:[_\u2010-][A-Z]+)*)$/
const COMMON_PASSWORD =
  /^(?:my|your|the|test|user|admin|db|root|some|new|old)?[-_]?(?:password|passwd|pass|pwd|secret|token|key|string|value|text|input)s?[-_]?\d{0,4}$/i

const counts = new Uint16Array(128)

/** Shannon entropy in bits per character. All non-ASCII characters count as one. */
function entropy(text: string): number {
  counts.fill(0)
  for (let i = 0; i < text.length; i++) counts[text.charCodeAt(i) & 127]!++
  let sum = 0
  for (let i = 0; i < 128; i++) {
    const n = counts[i]!
    if (n > 0) sum -= (n / text.length) * Math.log2(n / text.length)
  }
  return sum
}

/** `--sql-instance=INSTANCE`, the next option in a summary of a command: its own name stands for its value. */
function isNextOption(value: string): boolean {
  const [, name, meaning] = OPTION.exec(value) ?? []
  return meaning !== undefined && `-${name}`.endsWith(`-${meaning.toLowerCase().replace(/[_\u2010]/g, '-')}`)
}

/** `sk-abcxxxxx`. Four or five in a row are not enough within a key: one random key in ten thousand has them. */
function isCrossedOut(value: string): boolean {
  const run = /x{4,}/i.exec(value)
  if (run === null) return false
  const { length } = run[0]
  const isAtEnd = run.index === 0 || run.index + length === value.length
  return length * 8 > value.length && (isAtEnd || length > 5 || length * 3 >= value.length)
}

const COUNTED = /0123|1234|abcd/i

/** Whether the value continues beside the word, long and random: `sk_mykey_` may begin a real key. */
function isRandomBeside(value: string, word: RegExpExecArray): boolean {
  const before = value.slice(0, word.index)
  const after = value.slice(word.index + word[0].length)
  const rest = before.length > after.length ? before : after
  if (rest.length < 24 || COUNTED.test(rest)) return false
  // Other parts may be long numbers: `xoxb-925132422947-852981623276-XaUd…`.
  return isRandom(rest) || rest.split(/[-_]/).some((part) => part.length >= 20 && isRandom(part))
}

function isRandom(text: string): boolean {
  const { digits, turns } = shapeOf(text)
  return digits > 2 && turns * 6 >= text.length && entropy(text) >= 3.2
}

/** Keys of Azure have a row of `A` between random parts: `…JQQJ99BAACAAAAAAAAAAAAASAZDO4x2F`. */
function isRandomAround(value: string, sign: string): boolean {
  const parts = value.split(sign.repeat(8))
  return value.length >= 64 && parts[0]!.length >= 40 && !COUNTED.test(parts[0]!) && isRandom(parts[0]!)
}

/** The numbers before it are ids: `xoxa-2-511111111-31111111111-e039…`. */
function endsAtRandom(value: string): boolean {
  const last = value.slice(value.lastIndexOf('-') + 1)
  return last.length > 15 && last.length < value.length && isRandom(last)
}

/** True for `sk-xxxxxxxx`, `ghp_your_token_here`, or one repeated character. */
export function isPlaceholder(value: string): boolean {
  const word = PLACEHOLDER.exec(value)
  if (word !== null && !isRandomBeside(value, word)) return true
  if (isCrossedOut(value)) return true
  let run = 1
  for (let i = 1; i < value.length; i++) {
    run = value.charCodeAt(i) === value.charCodeAt(i - 1) ? run + 1 : 1
    if (run === 12) return !isRandomAround(value, value[i]!) && !endsAtRandom(value)
  }
  return false
}

/** `100000kW`, `u8Array`, `SecretStr`: a number with its unit, and names of types. */
const UNIT_OR_TYPE = /^\d+(?:[.,]\d+)?[A-Za-z]{1,5}$|^[a-z]\d\d?[A-Z][a-z]+$|^Secret[A-Z][a-z]+$/

/**
 * Whether a value says by itself that it is none: a reference, an expression, a type, a placeholder. Then no other text continues with it.
 * Shorter ones say nothing.
 */
export const isNoSecret = (value: string): boolean =>
  value.length > 4 &&
  (REFERENCE.test(value) ||
    TECHNICAL.test(value) ||
    ADDRESS.test(value) ||
    UNIT_OR_TYPE.test(value) ||
    COMMON_PASSWORD.test(value) ||
    isExpression(value) ||
    isPlaceholder(value))

export interface Shape {
  readonly lower: number
  readonly upper: number
  readonly digits: number
  readonly symbols: number
  /** Number of changes between letters and digits, or between cases except at the start of a word. */
  readonly turns: number
}

export function shapeOf(value: string): Shape {
  let lower = 0
  let upper = 0
  let digits = 0
  let symbols = 0
  let turns = 0
  let before = 0
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    let kind = 4
    if (code >= 97 && code <= 122) kind = 1
    else if (code >= 65 && code <= 90) kind = 2
    else if (code >= 48 && code <= 57) kind = 3
    if (kind === 1) lower++
    else if (kind === 2) upper++
    else if (kind === 3) digits++
    else symbols++
    if (before !== 0 && kind !== before && kind !== 4 && before !== 4 && !(before === 2 && kind === 1)) turns++
    before = kind
  }
  return { lower, upper, digits, symbols, turns }
}

/** Padding only at the end. */
const TOKEN_CHARS = /^[\w.~+/:@!#$%&|-]+={0,2}$/
/** With equals signs among them. */
const PADDED_CHARS = /^[\w.~+/:@!#$%&=-]{16,}$/
/** In quotes a token may have any visible character. */
const QUOTED_CHARS = /^[\x21-\x7e]+$/

/** `[a-z]`, `\d`, `.*` */
const REGEX_CLASS = /\\[dswbDSWB.]|\[\^?\w-\w|\.[*+]/

/**
 * Made by a generator of passwords, of all classes: no expression, in which signs come in pairs or after words. Keys of
 * Django have no capitals.
 */
const isSymbolic = (value: string, { lower, upper, digits, symbols }: Shape): boolean =>
  value.length > 15 &&
  Math.min(value.length > 31 ? Math.max(lower, upper) : Math.min(lower, upper), digits) > 1 &&
  symbols * (value.length > 31 ? 2 : 2.5) <= value.length &&
  spokenness(value) < RANDOM &&
  !(value.length > 31 ? REGEX_CLASS : /[\\]|[a-z]{4}/).test(value) &&
  !(value.match(/[A-Z]?[a-z]{4,}|[A-Z]{5,}/g) ?? []).some((word) => spokenness(word) >= SPOKEN)

/** Begins with signs that no word has, and is no word itself. */
export const isGenerated = (value: string): boolean => /[^\w\s.,:;'"()/-]/.test(value) && !/[A-Za-z]{4}/.test(value)

/** Keys of WordPress: 64 signs of all kinds. */
export const isSymbolicKey = (value: string): boolean => value.length > 31 && isSymbolic(value, shapeOf(value))

/** Code that continues after a string: `"&password="),[4,…`. */
const CLOSING = /^[)\]}][,;.)\]}]/

/** `no|plain|sha1`: values of an option. */
const CHOICE = /^[a-z\d]{1,12}(?:\|[a-z\d]{1,12})+$/

/** At least three groups of one or two digits within letters; names of hashes and encodings have fewer. */
const hasScatteredDigits = (value: string): boolean =>
  value.length >= 24 && (value.match(/[A-Za-z]\d{1,2}(?=[A-Za-z])/g)?.length ?? 0) >= 3

/** Above what one random value in ten thousand has, below what nineteen of twenty identifiers have. */
const SPOKEN = 5
/** Above what random letters have, below what words joined by dots have. */
export const RANDOM = 3.8
/** Below what any name of fourteen letters and digits has. */
const UNSPEAKABLE = 3
/** Short values vary more. */
const SPOKEN_SHORT = 5.5

/** Whether its letters read like no words. */
export const isUnspoken = (value: string): boolean => spokenness(value) < RANDOM

/** Words before a random part of 16 characters: `acme_production_2h16jfjzgtwss1ligt`. */
const WORDS_BEFORE = /^(?:[A-Za-z]{2,16}[_-])+(?=\w{16})/

/** Whether it is joined words: `getModelNameForTiktoken`, `exchangeX509Token`. Words turn at their beginnings only. */
const isWordy = (value: string, { digits, turns }: Shape): boolean =>
  digits < value.length / 5 &&
  turns * 3 < value.length &&
  spokenness(value) >= (value.length < 24 && digits > 1 ? SPOKEN_SHORT : SPOKEN) &&
  !(digits > 1 && WORDS_BEFORE.test(value) && spokenness(value.replace(WORDS_BEFORE, '')) < RANDOM) &&
  !(digits > 0 && isJoined(value))

/** Of kubeadm: `be8dfd.da8a689a46edc282`. */
const BOOTSTRAP = /^(?=[a-z]*\d)[a-z\d]{6}\.(?=(?:[a-z]*\d){4})[a-z\d]{16}$/

/** Letters that read like no words, and of a short one digits and capitals, too: `Qc.q3V7xZA085d`. */
const isUnspokenKey = (value: string): boolean =>
  spokenness(value) < RANDOM &&
  (value.length > 23 || (value.length > 9 && /\d/.test(value) && shapeOf(value).turns > 2))

/** A word, a sign and the rest of a password that a person made: `tiger.aRo46vLJdg`, `tiger_whQxZuFGNn`. */
const JOINED = /^[A-Za-z\d]{2,16}([._-])([A-Za-z\d]{6,16})$/

/** Whether behind a word stands what no name in code has: letters that read like nothing, and turn. */
export function isJoined(value: string, most = UNSPEAKABLE): boolean {
  const [, sign, rest] = JOINED.exec(value) ?? []
  return rest !== undefined && spokenness(rest) <= most && shapeOf(rest).turns > (sign === '_' ? 1 : 2)
}

/** In a connection string no name of a program stands: its letters may read more like words. */
export const isJoinedSetting = (value: string): boolean =>
  isJoined(value, SPOKEN) && !isPlaceholder(value) && !TECHNICAL.test(value)

/** A key of base64 that begins as a path does: `/Fu/Xvt5h04BB+ge…`. */
const KEY_AFTER_SLASH = /^\/(?=.{31})(?=.*\+)[A-Za-z\d+/]+={0,2}$/

const isReference = (value: string): boolean =>
  (REFERENCE.test(value) && !(KEY_AFTER_SLASH.test(value) && isUnspoken(value))) ||
  (!BOOTSTRAP.test(value) &&
    DOTTED.test(value) &&
    !hasScatteredDigits(value) &&
    !isUnspokenKey(value) &&
    !isJoined(value))

/** Words in examples made of capitals: `YOURACCESSKEYHERE`. */
const EXAMPLE_WORDS = /ACCESS|EXAMPLE|SAMPLE|SECRET|TEST|YOUR|HERE|KEY/g
/** Random keys never have this many letters of such words; one key in a thousand has three. */
const MIN_EXAMPLE_LETTERS = 6

const isSpoken = (body: string): boolean => (body.match(EXAMPLE_WORDS)?.join('').length ?? 0) >= MIN_EXAMPLE_LETTERS

/**
 * Whether the body of a published format is random enough, and no example made of words.
 *
 * @param capitals whether keys of this format may lack digits
 * @param named whether a name in code may begin like this format
 */
export function plausibleKey(body: string, minEntropy: number, capitals = false, named = false): boolean {
  const shape = shapeOf(body)
  const random = shape.digits > 0 || shape.turns >= 2 || (capitals && !isSpoken(body))
  return random && entropy(body) >= minEntropy && !isPlaceholder(body) && !(named && isWordy(body, shape))
}

/**
 * Whether a value after `token`, `secret` or `api_key` looks real. `loose`: prose or code, where a bare word is
 * usually an identifier.
 */
export function plausibleToken(value: string, minEntropy: number, loose: boolean, quoted = false): boolean {
  const { length } = value
  if (length < (loose ? 14 : 12)) return false
  const shape = shapeOf(value)
  const { lower, upper, digits, symbols, turns } = shape
  if (loose && length < 16 && (digits < 3 || turns < 5)) return false
  if (UUID.test(value)) return !isPlaceholder(value)
  if (
    !TOKEN_CHARS.test(value) &&
    !(turns * 5 > length && PADDED_CHARS.test(value)) &&
    !(quoted && QUOTED_CHARS.test(value) && symbols * 4 <= length) &&
    !((quoted || !loose) && QUOTED_CHARS.test(value) && isSymbolic(value, shape))
  )
    return false
  if (lower + upper === 0 || symbols > length / 2) return false
  const isLetters = digits === 0 && (quoted || (!loose && length > 23)) && isUnspeakable(value, shape)
  if (digits === 0 && !isLetters && (turns < length / 8 || length < 16 || spokenness(value) > 4.2)) return false
  if (loose && turns < 2) return false
  if (length < 16 && !isShortKey(value, shape)) return false
  if (isWordy(value, shape) || isPlaceholder(value) || isReference(value) || ADDRESS.test(value)) return false
  if (!isLetters && WORDS.test(value)) return false
  if (PUBLISHABLE.test(value)) return false
  // Sixteen hexadecimal digits of a random number have 3.2 bits on average.
  const expected = ONLY_HEX.test(value) && turns > 3 ? minEntropy - 0.4 : minEntropy
  return entropy(value) >= Math.min(expected, Math.log2(length) - 0.6)
}

/** Runs of the alphabet and of keyboards read like no words, either. */
const TYPED = /abcd|wxyz|qwer|asdf|zxcv/i
/** Letters alone, of one case or of both, that no language puts together. */
const isUnspeakable = (value: string, { symbols, turns }: Shape): boolean =>
  symbols === 0 && (value.length > 15 || turns > 3) && spokenness(value) < UNSPEAKABLE && !TYPED.test(value)

/** Shorter than 16 characters: it turns, or its letters read like nothing at all. */
const isShortKey = (value: string, { digits, turns, symbols }: Shape): boolean =>
  (turns > 2 && (digits > 1 || (turns > 3 && isUnspoken(value)))) ||
  (digits > 0 && turns > 0 && symbols === 0 && value.length > 13 && spokenness(value) < UNSPEAKABLE)

/** Hashes of resources, public keys and versions; no name makes these a secret. */
const PUBLIC_VALUE = /^(?:AAAA[BCE]|sha\d{1,3}[-:_]|\d+\.\d+\.\d+|v\d+\.\d|data:)/
const ONLY_HEX = /^[0-9a-f]+$/i

/**
 * Whether a value after a name that says little, such as `acme_key` or `auth`, is random beyond doubt. `named`: more
 * than the bare word; otherwise hashes and UUIDs stay.
 */
export function plausibleOpaque(value: string, minEntropy: number, named: boolean, quoted: boolean): boolean {
  const { length } = value
  if (length < (named ? 16 : 20) || PUBLIC_VALUE.test(value)) return false
  const { lower, upper, digits, symbols, turns } = shapeOf(value)
  if (lower + upper < 4 || symbols * (length < 20 ? 6 : 4) > length) return false
  // Random letters of both cases turn more often than words do.
  const turning = turns * (length < 18 ? 3 : 4) >= length
  const noWords = (length >= 24 || turning) && spokenness(value) < RANDOM
  if (digits < 2 && !(named && noWords && (quoted || digits > 0))) return false
  if (ONLY_HEX.test(value)) return named && length >= 20 && entropy(value) >= minEntropy
  if (UUID.test(value)) return named
  const mixed = turns * 6 >= length || ((quoted || named) && noWords && turns > 2)
  return mixed && entropy(value) >= 3.3 && plausibleToken(value, minEntropy, true, quoted)
}

/**
 * Whether a value after `password` or a similar label looks real. The weaker the notation, the less it may look like
 * a word.
 *
 * @param signed whether a sign in it is certain to belong to it, even at its end
 */
export function plausiblePassword(value: string, trust: Trust, quoted: boolean, signed = false): boolean {
  if (value.length < 6 || value.length > 128 || USER_RECORDS.test(value)) return false
  if (isNextOption(value) || CLOSING.test(value) || CHOICE.test(value)) return false
  const { lower, upper, digits, symbols, turns } = shapeOf(value)
  const argument = trust === 'argument'
  const random = spokenness(value) < RANDOM
  // Of ten thousand names in code five turn twice and read like no words; of such random letters four in five.
  const turning = (value.length > 9 && symbols < 2) || (quoted && turns > 3 && turns * 6 >= value.length)
  const joined = trust !== 'direct' && isJoined(value)
  const mixed = joined || (random && turns > 1 && (argument ? turns > 2 : trust === 'firm' && turning))
  if (symbols > value.length / 2 || (digits === 0 && symbols === 0 && !mixed)) return false
  const special = signed || SPECIAL.test(quoted ? value : value.slice(0, -1))
  if (lower + upper === 0) {
    if (!(argument || trust === 'firm') || symbols > 0 || digits > 12) return false
  } else if (digits === 0 && !mixed) {
    if (!special || lower === 0 || upper === 0 || value.length < 8 || value.includes('.')) return false
  } else if (trust === 'prose') {
    if (value.length < 7 || !(special || lower > 0)) return false
  } else if (trust === 'direct' || (trust === 'code' && !quoted)) {
    const last = value.endsWith('!') && lower > 0 && upper > 0 && digits > 1
    const scattered = turns > 2 && (digits > 1 || (random && upper > 1 && value.length > 7))
    if (!special && !last && !scattered && !(trust === 'code' && random && digits > 2 && lower > 4)) return false
  }
  const firm = trust === 'firm' || signed
  const words = WORDS.test(value) && !joined && !(argument ? digits > 1 : firm && PASSPHRASE.test(value))
  const scattered = argument && digits > 1 && turns > 2 && !REFERENCE.test(value)
  const reference = !scattered && isReference(value) && !(signed && isUnclosed(value))
  if (words || isPlaceholder(value) || reference || ADDRESS.test(value)) return false
  return !COMMON_PASSWORD.test(value) && !TECHNICAL.test(value)
}
