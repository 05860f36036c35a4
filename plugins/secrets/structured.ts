/** Finds credentials by the notation around them: JWT, bearer and basic, URL user info. */
import type { Answer, Rest } from './match.ts'
import { inSet, MAX_CHECKED, toSet } from './pattern.ts'
import { isPlaceholder, isUnspoken, plausibleOpaque, plausiblePassword, plausibleToken } from './values.ts'

const BASE64URL = toSet('\\w-')
const TOKEN68 = toSet('\\w.~+/=-')
const BASE64 = toSet('A-Za-z0-9+/=')
const TOKEN_USER = toSet('\\w-')
/** Longest JWT header to check, characters: RFC 7519 headers may have a certificate thumbprint or URL. */
const JWT_HEADER = 360
/** Characters before an option that may name the command; a stream keeps at least as many. */
const LOOKED_BACK = 160

export function runOf(set: Uint8Array, text: string, at: number, limit = text.length): number {
  let i = at
  while (i < limit && inSet(set, text.charCodeAt(i))) i++
  return i
}

/** At `eyJ`: header, payload and further parts (RFC 7519; five parts if encrypted, RFC 7516). */
export function matchJwt(text: string, at: number, final: boolean): Answer {
  const dot = runOf(BASE64URL, text, at, at + JWT_HEADER)
  if (dot >= text.length) return final || dot - at >= JWT_HEADER ? undefined : { from: at }
  if (text[dot] !== '.' || dot - at < 10) return undefined
  const payload = runOf(BASE64URL, text, dot + 1, dot + 12)
  if (payload - dot - 1 < 10) return payload >= text.length && !final ? { from: at } : undefined
  const { end, done } = swallowJwt(text, payload, final)
  return { type: 'jwt', start: at, end, open: !done, rest: { kind: 'jwt' } }
}

export function swallowJwt(text: string, at: number, final: boolean): { end: number; done: boolean } {
  let i = at
  while (i < text.length) {
    if (inSet(BASE64URL, text.charCodeAt(i))) i++
    else if (text[i] !== '.') return { end: i, done: true }
    else if (i + 1 >= text.length) return { end: i, done: final }
    else if (inSet(BASE64URL, text.charCodeAt(i + 1))) i += 2
    else return { end: i, done: true }
  }
  return { end: i, done: final }
}

const SCHEME_GAP = /["']?[ \t]{0,2}[:=]?[ \t]{1,3}["']?/y

/** After the word `bearer`. */
export function matchBearer(text: string, end: number, final: boolean, minEntropy: number): Answer {
  return credential('bearer_token', TOKEN68, text, end, final, (value) => plausibleToken(value, minEntropy, true))
}

/** After the word `basic`: base64 of `user:password` (RFC 7617). */
export function matchBasic(text: string, end: number, final: boolean): Answer {
  return credential('basic_credentials', BASE64, text, end, final, isBasicValue)
}

/** What does not decode to text may have been cut or changed, and is random all the same. */
const isBasicValue = (value: string): boolean =>
  value.length >= 8 && (isBasic(value) || (value.length >= 24 && plausibleOpaque(value, 3, false, false)))

export function isBasic(value: string): boolean {
  const plain = Buffer.from(value, 'base64').toString('latin1')
  const colon = plain.indexOf(':')
  return colon > 0 && colon < plain.length - 1 && /^[\x20-\x7e]+$/.test(plain)
}

/** Base64 of `user:password` of which both parts look like it. */
export const isLogin = (value: string): boolean =>
  value.length >= 12 &&
  value.length % 4 === 0 &&
  /^[A-Za-z0-9+/]+={0,2}$/.test(value) &&
  /^[\w.@-]{2,64}:\S{4,}$/.test(Buffer.from(value, 'base64').toString('latin1'))

function credential(
  type: string,
  set: Uint8Array,
  text: string,
  at: number,
  final: boolean,
  accept: (value: string) => boolean,
): Answer {
  SCHEME_GAP.lastIndex = at
  const gap = SCHEME_GAP.exec(text)
  if (gap === null) return undefined
  const start = at + gap[0].length
  let end = runOf(set, text, start, start + MAX_CHECKED)
  if (end === start) return undefined
  if (end === text.length && !final && end - start < MAX_CHECKED) return { from: start }
  const open = end - start === MAX_CHECKED && (end === text.length ? !final : inSet(set, text.charCodeAt(end)))
  while (!open && text[end - 1] === '.') end--
  const rest: Rest = { kind: 'set', set }
  return accept(text.slice(start, end)) ? { type, start, end, open, rest } : undefined
}

const USER_INFO = /(?:[^\s/@:?#"'`<>()[\]{}|\\^,]{0,64}|\$?\{{1,2}[ \w.]{1,40}\}{1,2}):/y
const HOST = /^@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}(?:[:/?#]|$)/
/** An address as the name. */
const MAIL_INFO = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}:/y
/** Any other name: of a server, with signs of a list or a call, of a directory. */
const ODD_INFO = /[^\s/:?#"'`<>[\]{}|\\^]{1,64}:/y
/** Digits and letters of both cases. */
const MIXED = /^(?=[^/]*\d)(?=[^/]*[a-z])(?=[^/]*[A-Z])[^/]*$/
const URL_WORD = /[^\s"'`<>]{0,200}/y
/** Placeholders that documentation uses as passwords. */
const WEAK =
  /^(?:pass(?:word|wd|phrase)?|pwd|pw|secret|token|user(?:name)?|key|api[-_]?key|login|changeme|example|test|foo|bar|baz|qux|x+|\*+|\.+|_+|-+|p|p@ss)$/i
const TEMPLATE = /^[$%]?[{([]|^\$[A-Za-z_]\w*$|^%[\w-]+%?$|\$\{|\{\{|^:[a-z]/

/** At `://`: the password in `scheme://user:password@host` (RFC 3986 §3.2.1). */
export function matchUrl(text: string, at: number, final: boolean): Answer {
  if (!/[a-z0-9]/i.test(text[at - 1] ?? '')) return undefined
  USER_INFO.lastIndex = MAIL_INFO.lastIndex = ODD_INFO.lastIndex = at + 3
  const name = USER_INFO.exec(text)
  const mail = name ?? MAIL_INFO.exec(text)
  const user = mail ?? ODD_INFO.exec(text)
  if (user === null) return matchTokenUser(text, at + 3, final)
  const start = at + 3 + user[0].length
  URL_WORD.lastIndex = start
  const word = URL_WORD.exec(text)![0]
  const cut = start + word.length === text.length && !final && word.length < 200
  const slash = word.search(/[/?#]/)
  if (slash < 0 && cut) return { from: start }
  let sign = word.lastIndexOf('@', slash < 0 ? word.length : slash)
  if (sign < 0 && slash > 0 && !/^\d{0,5}$/.test(word.slice(0, slash))) {
    // Pasted passwords may contain `/`, `?` or `#`; then the last @ of the word counts.
    if (cut) return { from: start }
    sign = word.lastIndexOf('@')
  }
  if (sign < 0) return undefined
  const value = word.slice(0, sign)
  // `"postgres://user:password@" + host`
  const goesOn = sign + 1 === word.length && /["'`]/.test(text[start + word.length] ?? '') && /\d/.test(value)
  if (!goesOn && !/[A-Za-z0-9[_$<{-]/.test(word[sign + 1] ?? '')) return undefined
  // `git+ssh://git@example.com:team/project@v1` has a path and a version, `ssh://me@a.example.com:22@b.example.com` a port.
  if (
    name === null &&
    !(
      (MIXED.test(value) && plausiblePassword(value, 'direct', false)) ||
      (mail !== null && /^(?!\d{1,5}$)[^/\d]*\d[^/]*$/.test(value) && HOST.test(word.slice(sign)))
    )
  )
    return undefined
  if (
    value.length < 4 ||
    WEAK.test(value) ||
    TEMPLATE.test(value) ||
    isPlaceholder(value) ||
    value === user[0].slice(0, -1)
  )
    return undefined
  return { type: 'url_credentials', start, end: start + sign, open: false, rest: { kind: 'value', quote: 0 } }
}

/** `https://token@host`: a word without a dot. */
function matchTokenUser(text: string, start: number, final: boolean): Answer {
  const end = runOf(TOKEN_USER, text, start, start + 128)
  if (end === start) return undefined
  if (end === text.length && !final && end - start < 128) return { from: start }
  if (text[end] !== '@' || !plausibleOpaque(text.slice(start, end), 3, false, false)) return undefined
  return { type: 'url_credentials', start, end, open: false, rest: { kind: 'value', quote: 0 } }
}

/** `-u name:password` of curl and its like; the name or the value may be in quotes. */
const USER_OPTION = /(?:-[uUa]|--user|--proxy-user|--auth)(?:=|[ \t]{1,5})(?:\$?["'])?([^\s:"']{0,80})["']?:["']?/y
const USER_PASSWORD = /[^\s"'`]{0,200}/y
/** The same before the colon has come: the name may be the credential. */
const USER_OPTION_BEGUN = /(?:-[uUa]|--user|--proxy-user|--auth)(?:=|[ \t]{1,5})(?:\$?["'])?[^\s:"']{0,80}$/y
const HTTP_TOOL = /\b(?:curl|wget|http|https|httpie|xh)\b[^\n]*(?:\\\r?\n[^\n]*){0,5}$/
/** Of these, `-a` is the option. */
const HTTPIE = /(?:^|[\s;&|])(?:http|https|httpie|xh)[ \t][^\n]*$/

/** No name of a person or program: letters of both cases and digits that turn all over. */
const isGeneratedName = (user: string): boolean =>
  /^(?=.*[a-z])(?=.*[A-Z])(?=(?:.*\d){2})[\w!#*+~-]{10,}$/.test(user) &&
  isUnspoken(user) &&
  plausiblePassword(user, 'direct', false)

/** At an option such as `-u` or `--user` on a command line of an HTTP client. */
export function matchUserOption(text: string, at: number, final: boolean): Answer {
  if (at > 0 && !/\s/.test(text[at - 1]!)) return undefined
  USER_OPTION.lastIndex = USER_OPTION_BEGUN.lastIndex = at
  const option = USER_OPTION.exec(text)
  if (option === null && (final || !USER_OPTION_BEGUN.test(text))) return undefined
  const tool = text.startsWith('-a', at) || text.startsWith('--a', at) ? HTTPIE : HTTP_TOOL
  if (!tool.test(text.slice(Math.max(0, at - LOOKED_BACK), at))) return undefined
  if (option === null) return { from: at }
  const start = at + option[0].length
  USER_PASSWORD.lastIndex = start
  const value = USER_PASSWORD.exec(text)![0]
  const end = start + value.length
  if (end === text.length && !final && value.length < 200) return { from: value === '' ? at : start }
  // `-u TOKEN:`, with no password.
  const user = option[1]!
  if (value === '' && (plausibleOpaque(user, 3, true, user.length > 23) || isGeneratedName(user))) {
    const from = at + option[0].indexOf(user)
    return {
      type: 'basic_credentials',
      start: from,
      end: from + user.length,
      open: false,
      rest: { kind: 'value', quote: 0 },
    }
  }
  if (value.length < 4 || value.startsWith('//') || WEAK.test(value) || TEMPLATE.test(value)) return undefined
  if (isPlaceholder(value)) return undefined
  return { type: 'basic_credentials', start, end, open: false, rest: { kind: 'value', quote: 0 } }
}
