/** Decodes texts hidden in a text: base64, hexadecimal, rot13, reversed, with signs for letters. The result is evaluated like ordinary text. */

export interface Hidden {
  readonly text: string
  readonly start: number
  readonly end: number
  /** Whether it is the text itself, of the same length, with other characters. */
  readonly isRespelt?: true
}

const BASE64 = /[A-Za-z0-9+/]{24,8000}={0,2}/y
const HEX = /(?:[0-9a-f]{2}[ ,:]?){16,4000}/gi
const MAX_PIECES = 8

/** @param codes encodings that words of the text suggest */
export function hiddenTexts(text: string, codes: { readonly rot13: boolean; readonly backwards: boolean }): Hidden[] {
  const found: Hidden[] = []
  collectBase64(text, found)
  collectHex(text, found)
  collectImitated(text, found)
  if (codes.rot13) found.push({ text: rot13(text), start: 0, end: text.length })
  if (codes.backwards) found.push({ text: [...text].reverse().join(''), start: 0, end: text.length })
  return found
}

function collectBase64(text: string, found: Hidden[]): void {
  let at = runIn(text, 0, LETTERS, 24)
  for (let n = 0; at >= 0 && n < MAX_PIECES; n++) {
    BASE64.lastIndex = at
    const match = (BASE64.exec(text) as RegExpExecArray)[0]
    const end = at + match.length
    if (match.length % 4 !== 1) add(Buffer.from(match, 'base64'), at, end, found)
    at = runIn(text, end, LETTERS, 24)
  }
}

function collectHex(text: string, found: Hidden[]): void {
  let n = 0
  for (let at = runIn(text, 0, HEX_DIGITS, 32); at >= 0; ) {
    let end = at + 32
    while (isCode(text, end, HEX_DIGITS)) end++
    for (const match of text.slice(at, end).matchAll(HEX)) {
      if (n++ === MAX_PIECES) return
      const start = at + match.index
      add(Buffer.from(match[0].replace(/[ ,:]/g, ''), 'hex'), start, start + match[0].length, found)
    }
    at = runIn(text, end, HEX_DIGITS, 32)
  }
}

/** Signs that are written for letters, as in `prev!ous in$truct!ons`. */
const IMITATED: Readonly<Record<string, string>> = { $: 's', '@': 'a', '!': 'i', '€': 'e', '+': 't' }
/** Within words; of addresses it is the usual sign. */
const WITHIN = /[a-z0-9](?:[$!€+]|@(?![\w-]+\.))[a-z]/gi
/** Within words and in front of one. */
const SIGN = /(?<=[a-z0-9]|(?<!\S))[$@!€+](?=[a-z])/gi
const LEAST_IMITATED = 2

function collectImitated(text: string, found: Hidden[]): void {
  if (!(text.includes('$') || text.includes('!') || text.includes('@') || text.includes('€') || text.includes('+')))
    return
  let n = 0
  WITHIN.lastIndex = 0
  while (n < LEAST_IMITATED && WITHIN.test(text)) n++
  if (n < LEAST_IMITATED) return
  found.push({
    text: text.replace(SIGN, (sign) => IMITATED[sign] as string),
    start: 0,
    end: text.length,
    isRespelt: true,
  })
}

function add(bytes: Buffer, start: number, end: number, found: Hidden[]): void {
  // Most runs are names and hashes, not text.
  if (!bytes.includes(BLANK)) return
  const text = bytes.toString('utf8')
  if (isText(text)) found.push({ text, start, end })
}

const BLANK = 0x20

/** Start of the next run of at least so many base64 or hexadecimal characters; -1 if there is none. */
function runIn(text: string, from: number, kind: number, length: number): number {
  // A run of that length has a character at each step of that length. `least` is after what cannot be in it.
  let least = from
  for (let probe = from + length - 1; probe < text.length; probe = least + length - 1) {
    let start = probe
    while (start >= least && isCode(text, start, kind)) start--
    if (start < least) return least
    least = start + 1
  }
  return -1
}

/** @param kind bit of `CODE_KIND` */
function isCode(text: string, at: number, kind: number): boolean {
  const code = text.charCodeAt(at)
  return code < 128 && ((CODE_KIND[code] as number) & kind) !== 0
}

const LETTERS = 1
const HEX_DIGITS = 2
const CODE_KIND = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code)
  return (/[A-Za-z0-9+/]/.test(char) ? LETTERS : 0) | (/[0-9a-fA-F ,:]/.test(char) ? HEX_DIGITS : 0)
})

/** Rejects decoded noise, which is full of control and replacement characters. */
function isText(plain: string): boolean {
  if (plain.length < 12) return false
  const odd = plain.replace(/[\p{L}\p{N}\p{P}\p{Zs}\n\r\t+=<>|$^~`]/gu, '').length
  return odd < plain.length * 0.05
}

const rot13 = (text: string): string =>
  text.replace(/[a-z]/gi, (char) => {
    const base = char <= 'Z' ? 65 : 97
    return String.fromCharCode(((char.charCodeAt(0) - base + 13) % 26) + base)
  })
