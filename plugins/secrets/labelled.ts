/** Reads the value after a label, and checks whether it looks like a secret. */
import { isUnspaced } from 'governed-gateway/kit'
import type { LabelKind } from './labels.ts'
import { isSignedLine, pastSign, withLastSigns } from './lines.ts'
import type { Answer } from './match.ts'
import { passphraseEnd } from './passphrase.ts'
import { MAX_CHECKED, repeatedTo } from './pattern.ts'
import { isNumericKey, isShortKey, isTypedPassword } from './short.ts'
import { isTypographic, type Slot, type Trust } from './slots.ts'
import { isBasic, isLogin } from './structured.ts'
import {
  isGenerated,
  isJoined,
  isJoinedSetting,
  isSymbolicKey,
  isUnspoken,
  plausibleOpaque,
  plausiblePassword,
  plausibleToken,
} from './values.ts'

const SCHEME = /(?:[A-Za-z][A-Za-z-]{1,15}|AWS4-HMAC-SHA256)[ \t]{1,2}/y
/** A line end inside a string of another language. */
const LINE_ESCAPE = /^\\[nrt]$/
/** `s-2vcpu-4gb-120gb-intel` and `meta-llama/Llama-3.1-8B` are names, `d-f43d…` and `MG0a1b…` ids: hexadecimal digits. */
const LONG_PART = /[A-Za-z\d]{16,}/
const HEX_ID = /^(?:0x|[A-Z]{0,2})[\da-f]+$/i
/** A hash or a UUID, of which two letters may read like a word. */
const HEX = /^[\da-f-]+$/i
/** A UUID, or at least as long as a short hash. */
const HEX_KEY = /^(?:[\da-f]{32,128}|[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})$/i
/** Groups of capitals and digits, longer than ids of orders, or of the lengths of a UUID. */
const GROUPED = /^(?=.{28})(?=(?:.*\d){3})(?:[A-Z\d]{5,}(?:-[A-Z\d]{5,}){2,}|[a-z\d]{8}-(?:[a-z\d]{4}-){3}[a-z\d]{12})$/
/** Letters and digits all over; ids of Salesforce have zeros within, those of Airtable a kind in front. */
const SHORT_KEY =
  /^(?!.*0000|(?:app|fld|rec|tbl|usr|viw|wsp)[A-Za-z\d]{14}$)(?=(?:.*\d){3})(?=(?:.*[A-Za-z]){3})[A-Za-z\d]{12,19}$/
/** An address of Bitcoin, as exchanges show it. */
const WALLET = /^(?:[13][1-9A-HJ-NP-Za-km-z]{25,34}|bc1[a-z\d]{25,62})$/
/** Slashes alone make a path. */
const KEY_CHARS = /^(?:[\w=-]+|(?=.*\+|.*=$)[\w+/-]+={0,2})$/
/** Random all over, with signs between short parts. */
const manyParts = (value: string): string | undefined =>
  value.length >= 32 && (value.match(/\d/g)?.length ?? 0) > 4 && !/[a-z]{5}/i.test(value)
    ? value.replace(/\W/g, '')
    : undefined
const isKey = (value: string): boolean => {
  const part = KEY_CHARS.test(value) ? (LONG_PART.exec(value)?.[0] ?? manyParts(value)) : undefined
  return part !== undefined && !HEX_ID.test(part)
}
/** @param assigned whether the value is in quotes or directly behind the sign of an assignment */
const isServiceKey = (value: string, minEntropy: number, quoted: boolean, assigned: boolean): boolean => {
  if (HEX.test(value) || HEX_ID.test(value) || WALLET.test(value)) return false
  if (isKey(value) && plausibleOpaque(value, minEntropy, assigned && value.length > 19, quoted)) return true
  if (GROUPED.test(value)) return isUnspoken(value)
  if (!assigned) return false
  if (SHORT_KEY.test(value)) return isUnspoken(value) && plausibleToken(value, minEntropy, false, true)
  return isSymbolicKey(value) && plausibleOpaque(value, minEntropy, true, quoted)
}
/** Digits and letters, both cases or a sign; no number with its unit; neither `Windows10` nor `u8Array`. */
const PASSWORD =
  /^(?!\d+(?:[.,]\d+)?[A-Za-z]{1,5}\b|[A-Z][a-z]+\d\d?$|[a-z]\d\d?[A-Z][a-z]+$)(?=.*\d)(?=.*[A-Za-z])(?:(?=.*[A-Z])(?=.*[a-z])|.*[!@#$^&*?]|[a-z]{5,}\d{3,}$)/
/** Shorter than any token, but letters and digits all over. */
const isQuotedKey = (value: string): boolean =>
  /^(?![\da-f]+$)(?=.*[a-z])[a-z\d]{10,11}$/i.test(value) &&
  (value.match(/[a-z](?=\d)|\d(?=[a-z])/gi)?.length ?? 0) > 2 &&
  isUnspoken(value)
/** Another setting of the same connection string before this one. */
const CONNECTION = /=[^;=\s]{1,40};[ \t]?[A-Za-z]{2,12}=$/
const NAME = /^[A-Za-z_.-]+$/
/** A name of three letters: no beginning of a random value. */
const WORD = /^(?:id|src|env|key|pat|pwd|val|new|old|sig|url|api|cn|v|k|t)$/i
/** Another `key=value` without a space before it: the first value ends there. */
const NEXT_PAIR = /[,;&](?=[A-Za-z_][\w. -]{0,32}[=:])/

export function readLabelled(
  minEntropy: number,
  text: string,
  label: number,
  slot: Slot,
  kind: LabelKind,
  final: boolean,
): Answer {
  const { quote, trust } = slot
  let { start } = slot
  if (kind === 'authorization') {
    if (trust === 'direct' || trust === 'prose') return undefined
    SCHEME.lastIndex = start
    const scheme = SCHEME.exec(text)
    // These have their own matchers.
    if (scheme !== null && /^(?:bearer|basic)[ \t]/i.test(scheme[0])) return undefined
    if (scheme !== null) start += scheme[0].length
  }
  const token = kind !== 'password' && kind !== 'pw'
  // `" value "`
  if (token && quote !== 0) for (let n = 0; n < 2 && text[start] === ' '; n++) start++
  const limit = Math.min(text.length, start + MAX_CHECKED)
  let end = start
  /** The end of the copies of a bare value and its label, as a provider that repeats a delta writes them. */
  let last = -1
  for (; end < limit; end++) {
    const code = text.charCodeAt(end)
    if (endsValue(code, quote) || (token && quote === 0 && endsToken(code))) break
    // `[token=value](https://…)`
    if (code === 93 && quote === 0 && text[end + 1] === '(' && !text.slice(start, end).includes('[')) break
    if (code === 92 && quote === 0 && LINE_ESCAPE.test(text.slice(end, end + 2))) break
    // `token=token=…`: what is before an equals sign is a name.
    if (
      code === 61 &&
      token &&
      quote === 0 &&
      end > start &&
      (end > start + 3 || WORD.test(text.slice(start, end))) &&
      NAME.test(text.slice(start, end)) &&
      text[end + 1] !== '='
    )
      return undefined
  }
  if (end === start) return undefined
  const bare = kind === 'password' && quote === 0
  if (bare) end = pastSign(text, start, end, trust === 'firm', final)
  // `"hU8!kd02 Pq and more"`: the first word is judged as one without quotes.
  const begun =
    quote !== 0 &&
    kind === 'password' &&
    text.charCodeAt(end) === 32 &&
    plausible(text.slice(start, end), kind, { ...slot, quote: 0 }, minEntropy, false, false)
  const phrase =
    quote !== 0 && kind === 'password' && text.charCodeAt(end) === 32 && !begun
      ? passphraseEnd(text, start, start + MAX_SPACED, quote, final)
      : -1
  if (phrase >= 0) end = phrase
  const mayHaveBlanks = begun || (token && quote !== 0 && isGenerated(text.slice(start, end)))
  const spaced = mayHaveBlanks ? pastBlanks(text, end, start + MAX_SPACED, quote) : end
  const isSpaced = spaced > end
  if (isSpaced) end = spaced
  const whole = end
  const cut = end === text.length
  if (cut && !final && end - start < MAX_CHECKED) return { from: start }
  const signed = bare && isSignedLine(text, start, end)
  const open = end - start === MAX_CHECKED && (cut ? !final : !endsValue(text.charCodeAt(end), quote))
  if (!open) {
    if (quote === 0) {
      const again = text.slice(start, end + start - label).indexOf(text.slice(label, start))
      if (again > 0) {
        end = start + again
        last = repeatedTo(text, label, end)
        if (last === text.length && !final) return { from: start }
        if ((last - label) % (end - label) !== 0) last = end
      } else end = trim(text, start, end)
    } else if (!cut && !begun && text.charCodeAt(end) !== quote) {
      // `" value "`, and the line end of what is typed: `send "value\r"`.
      let close = end
      while (close < end + 2 && (isLineEnd(text.charCodeAt(close)) || (token && text[close] === ' '))) close++
      if (close === text.length && !final) return { from: start }
      if (text.charCodeAt(close) !== quote) return undefined
    } else while (end > start && text.charCodeAt(end - 1) === 92) end--
  }
  const value = text.slice(start, end)
  const named = kind === 'opaque' && isNamed(text, label)
  if (!begun && phrase < 0) {
    const isPlausible = isSpaced
      ? isSymbolicKey(value.replaceAll(' ', ''))
      : plausible(value, kind, slot, minEntropy, named, signed) ||
        isShort(text, label, value, kind, slot) ||
        (bare && isJoinedSetting(value) && CONNECTION.test(text.slice(Math.max(0, label - 48), start)))
    if (!isPlausible) return undefined
  }
  if (kind === 'token' && isPublicKeyToken(text, label, value)) return undefined
  if (bare && end < whole) end = withLastSigns(text, start, end, whole)
  return { type: typeOf(text, label, kind), start, end: Math.max(end, last), open, rest: { kind: 'value', quote } }
}

/** `PublicKeyToken=b77a5c561934e089` names an assembly. A reading may have taken `=b7` for one character. */
const isPublicKeyToken = (text: string, label: number, value: string): boolean =>
  /^(?:[0-9a-f]{2})?[0-9a-f]{14}$/i.test(value) && /public_?key_?$/i.test(text.slice(Math.max(0, label - 12), label))

/** `acme_key`, `acmeKey`, `Acme key` and `?key=`, not `key` alone. */
const isNamed = (text: string, label: number): boolean =>
  /[A-Za-z0-9][\w.-]?[_ .-]?$|[?&]$/.test(text.slice(Math.max(0, label - 3), label))

const isAssigned = (trust: Trust, quote: number): boolean =>
  trust === 'firm' || trust === 'argument' || (trust === 'code' && quote !== 0)

/** A key shorter than tokens are. In an address it belongs to a badge or a picture: `badge.svg?token=jcRdy8SkOG`. */
const isShort = (text: string, label: number, value: string, kind: LabelKind, { quote, trust }: Slot): boolean =>
  (kind === 'secret' || kind === 'token' || kind === 'api_key') &&
  isAssigned(trust, quote) &&
  (isShortKey(value) || isNumericKey(value, kind === 'secret')) &&
  !/[?&][\w-]*$/.test(text.slice(Math.max(0, label - 16), label))

function plausible(
  value: string,
  kind: LabelKind,
  { quote, trust }: Slot,
  minEntropy: number,
  named: boolean,
  signed: boolean,
): boolean {
  if (kind === 'opaque') {
    if (trust === 'prose' && !named) return false
    // The credentials of a registry: `{"auth": "…"}`.
    return plausibleOpaque(value, minEntropy, named, quote !== 0) || (quote !== 0 && !named && isLogin(value))
  }
  if (kind === 'tailed')
    return plausibleOpaque(value, minEntropy, true, quote !== 0) && (isUnspoken(value) || HEX.test(value))
  if (kind === 'hex_service' && HEX_KEY.test(value)) return plausibleOpaque(value, minEntropy, true, quote !== 0)
  if (kind === 'service' || kind === 'hex_service')
    return isServiceKey(value, minEntropy, quote !== 0, quote !== 0 || trust === 'firm')
  if (kind === 'password') return plausiblePassword(value, trust, quote !== 0, signed)
  if (kind === 'pw') return (PASSWORD.test(value) || isJoined(value)) && plausiblePassword(value, 'firm', quote !== 0)
  if (quote !== 0 && trust !== 'prose' && isQuotedKey(value)) return plausiblePassword(value, 'firm', true)
  const isKeyLabel = kind === 'secret' || kind === 'token' || kind === 'api_key'
  if (isKeyLabel && isAssigned(trust, quote) && isTypedPassword(value)) return true
  // A password in the place of a secret.
  if (kind === 'secret' && quote !== 0 && value.length > 7 && value.length < 12)
    return trust !== 'prose' && PASSWORD.test(value) && plausiblePassword(value, 'firm', true)
  if (kind === 'session') return value.length >= 20 && plausibleToken(value, minEntropy, false)
  if (kind === 'authorization' && isBasic(value)) return true
  return plausibleToken(value, minEntropy, trust !== 'firm' && trust !== 'argument' && quote === 0, quote !== 0)
}

/**
 * A bare value ends at whitespace, any quote, an angle bracket or a letter of a script without spaces; a quoted one at its quote or
 * whitespace.
 */
export function endsValue(code: number, quote: number): boolean {
  if (code <= 32 || code === 0xa0) return true
  if (quote !== 0) return code === quote
  return (
    code === 34 || code === 39 || code === 96 || code === 60 || code === 62 || isUnspaced(code) || isTypographic(code)
  )
}

/** Longest quoted value with blanks in it. */
const MAX_SPACED = 96

/** Where a quoted value ends that continues after a blank; `at` if it does not end in its line, or only blanks follow. */
function pastBlanks(text: string, at: number, limit: number, quote: number): number {
  if (text.charCodeAt(at) !== 32) return at
  let end = at
  while (end < text.length && end < limit && text.charCodeAt(end) !== quote && !isLineEnd(text.charCodeAt(end))) end++
  if (end === text.length) return end
  return text.charCodeAt(end) === quote && text.slice(at, end).trim() !== '' ? end : at
}

const isLineEnd = (code: number): boolean => code === 10 || code === 13

/** `,` `;` and `&` separate a token from the next setting. */
const endsToken = (code: number): boolean => code === 44 || code === 59 || code === 38

function trim(text: string, start: number, end: number): number {
  const pair = NEXT_PAIR.exec(text.slice(start, end))
  let i = pair === null ? end : start + pair.index
  while (i > start && /[.,;:?)\]}|\\*_]/.test(text[i - 1]!)) i--
  return i
}

function typeOf(text: string, label: number, kind: LabelKind): string {
  if (kind === 'session') return 'session_cookie'
  if (kind === 'opaque' || kind === 'tailed' || kind.endsWith('service')) return 'api_key'
  if (kind === 'pw') return 'password'
  if (kind !== 'api_key') return kind
  const left = text.slice(Math.max(0, label - 24), label).toLowerCase()
  return left.includes('aws') && left.includes('secret') ? 'aws_secret_access_key' : kind
}
