/** Names that continue after the word that labels a value: `API_KEY_WEATHER`, `passwordForReports`. */
import type { LabelKind } from './labels.ts'
import { type Slot, slotAfter } from './slots.ts'

/** Up to three further parts of the name, the sign of an assignment, and a value in the same line. */
const TAIL =
  /(?:[_-][A-Za-z0-9]{1,16}|[A-Z][a-z0-9]{1,15}){1,3}(?=["'`\]]{0,2}[ \t]{0,16}(?::=|=>|\?=|=(?!=)|:(?![:/]))[ \t]{0,16}\S)/y
const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g
/** What such a part makes of the value: no credential, but what belongs to one. */
const EXEMPT = new Set(
  (
    'id ids uid uuid guid hash hashes hashed digest md sha checksum fingerprint thumbprint integrity etag url urls uri uris link href endpoint ' +
    'host domain path paths file files filename dir folder name names username user users owner type types kind class model mode method format schema ' +
    'pattern regex rule rules policy policies length len size count counts limit limits max min number num index idx offset position pos ' +
    'expiry expires expiration expire ttl timeout lifetime age date time at created updated issued algorithm alg algo cipher version ver ' +
    'arn ref reference refs selector header headers field fields column param params parameter parameters property prefix suffix label labels ' +
    'title text description desc help hint message msg error errors status state code codes event scope scopes issuer audience usage used ' +
    'public pub cert certificate map list set table row cache bucket group groups role roles provider manager handler service store stream ' +
    'based protected less free required optional enabled disabled strength ' +
    'address addresses addr mint parser lexer counter embedding embeddings example placeholder mask masked rotation ring board word words pair slot spec ' +
    // These are labels themselves.
    'token tokens key keys secret secrets password passwords pass passwd passphrase credential credentials creds auth authorization api access'
  ).split(' '),
)
/** After `token` these name an address in a blockchain; a password may have them in its name. */
const ADDRESSES = new Set('account accounts contract contracts program programs wallet pool'.split(' '))
const KINDS: ReadonlyMap<LabelKind, LabelKind> = new Map([
  ['password', 'pw'],
  ['api_key', 'tailed'],
  ['secret', 'tailed'],
  ['token', 'tailed'],
])

/** How a value is judged that is assigned to a name with further parts after a word of this kind. */
export const tailedKind = (kind: LabelKind): LabelKind | undefined => KINDS.get(kind)

/**
 * Where a name ends that continues after a label's word, before its assignment.
 *
 * @returns -1 if it does not, or if a part says that the value is something else
 */
export function tailEnd(text: string, end: number, kind: LabelKind): number {
  TAIL.lastIndex = end
  const tail = TAIL.exec(text)
  if (tail === null) return -1
  for (const part of tail[0].match(PART) ?? []) {
    const word = part.toLowerCase()
    if (EXEMPT.has(word) || (kind === 'token' && ADDRESSES.has(word))) return -1
  }
  return end + tail[0].length
}

const SERVED_WORD = /(?:[ _.-]|[ \t]?\r?\n)?(?:access|api|auth|key|private|secret|token)/.source
/** At least `min` characters that a key may have, or fewer at the end of the text. */
const keyAhead = (min: number): string => `(?=["']?[A-Za-z\\d](?:[\\w=+/-]{${min - 1}}|[\\w=+/-]{0,${min - 2}}$))`
/**
 * A word that labels a value only behind a service, such as `ACCESS` or `PRIVATE`; the others are labels themselves. And no
 * word, but quotes: `mixpanel "…"`.
 */
const SERVED = new RegExp(
  `(?:${SERVED_WORD}){0,3}[ _.-]?(?:(?:access|api|auth|key|private)[ \\t]{1,3}|private["'\`\\]]{0,2}[ \\t]?(?:[:=]|=>|:=)[ \\t]?)${keyAhead(16)}|` +
    `[ \\t]{1,2}(?=["'])${keyAhead(16)}`,
  'iy',
)
/** Words joined to the value or in the line before: `scrapingant-TOKEN-…`. */
const JOINED = new RegExp(`(?:${SERVED_WORD}){1,4}(?:[.-]|[ \\t]?\\r?\\n)${keyAhead(16)}`, 'iy')
/** Nothing between. Ids in such a place are shorter, hashes are of the same length. */
const SPACED = new RegExp(`[ \\t]{1,3}${keyAhead(24)}`, 'iy')
/** Resources are named in small letters: `datadog-secret-…` and a UUID. */
const SHOUTED = /[A-Z]{3}/

/** What makes a client of the service: `postmark.NewClient("…")`, `new HubSpotAPI("…")`, `Shodan("…")`. */
const CLIENT = '(?:[.:]{0,2}\\w{0,16}?(?:client|api|sdk|new|init|auth|connect))'
const CLIENT_CALL = new RegExp(`${CLIENT}\\(\\s{0,24}(?=["'])`, 'iy')
const CONSTRUCTOR = /\(\s{0,24}(?=["'])/y
const SECOND_ARGUMENT = new RegExp(`${CLIENT}?\\(\\s{0,24}["'][^"'\\n]{0,64}["'],\\s{0,24}(?=["'])`, 'iy')

/** The arguments of such a call that may be the key. */
export function clientSlots(text: string, at: number, end: number): (readonly [slot: Slot, kind: LabelKind])[] {
  const client = slotAfter(text, end, CLIENT_CALL)
  const first = client ?? (/[A-Z]/.test(text[at]!) ? slotAfter(text, end, CONSTRUCTOR) : undefined)
  if (first === undefined) return []
  const second = slotAfter(text, end, SECOND_ARGUMENT)
  // No one makes a client of a hash.
  const kind = client === undefined ? 'service' : 'hex_service'
  return second === undefined
    ? [[first, kind]]
    : [
        [first, kind],
        [second, kind],
      ]
}

/** The value that comes after the name of a service without an assignment, and how it is judged. */
export function servedSlot(text: string, end: number): readonly [slot: Slot, kind: LabelKind] | undefined {
  const served = slotAfter(text, end, SERVED)
  if (served !== undefined) return [served, 'tailed']
  const joined = slotAfter(text, end, JOINED)
  if (joined !== undefined) return [joined, SHOUTED.test(text.slice(end, joined.start)) ? 'tailed' : 'service']
  const spaced = slotAfter(text, end, SPACED)
  return spaced && [spaced, 'service']
}
