/** Decodes texts hidden in a text: base64, hexadecimal, rot13, reversed. The result is evaluated like ordinary text. */

export interface Hidden {
  readonly text: string
  readonly start: number
  readonly end: number
}

const BASE64 = /[A-Za-z0-9+/]{24,8000}={0,2}/g
const HEX = /(?:[0-9a-f]{2}[ ,:]?){16,4000}/gi
const MAX_PIECES = 8

/** @param codes encodings that words of the text suggest */
export function hiddenTexts(text: string, codes: { readonly rot13: boolean; readonly backwards: boolean }): Hidden[] {
  const found: Hidden[] = []
  if (hasRun(text, LETTERS, 24))
    collect(
      text,
      BASE64,
      (match) => (match.length % 4 === 1 ? '' : Buffer.from(match, 'base64').toString('utf8')),
      found,
    )
  if (hasRun(text, HEX_DIGITS, 32))
    collect(text, HEX, (match) => Buffer.from(match.replace(/[ ,:]/g, ''), 'hex').toString('utf8'), found)
  if (codes.rot13) found.push({ text: rot13(text), start: 0, end: text.length })
  if (codes.backwards) found.push({ text: [...text].reverse().join(''), start: 0, end: text.length })
  return found
}

/** Whether the text has that many base64 or hexadecimal characters in sequence: `kind` is the bit of `CODE_KIND`. */
function hasRun(text: string, kind: number, length: number): boolean {
  const isCode = (at: number): boolean => {
    const code = text.charCodeAt(at)
    return code < 128 && ((CODE_KIND[code] as number) & kind) !== 0
  }
  // A run of that length has a character at each step of that length. `from` is behind what cannot be in it.
  let from = 0
  for (let probe = length - 1; probe < text.length; probe = from + length - 1) {
    let start = probe
    while (start >= from && isCode(start)) start--
    if (start < from) return true
    from = start + 1
  }
  return false
}

const LETTERS = 1
const HEX_DIGITS = 2
const CODE_KIND = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code)
  return (/[A-Za-z0-9+/]/.test(char) ? LETTERS : 0) | (/[0-9a-fA-F ,:]/.test(char) ? HEX_DIGITS : 0)
})

function collect(text: string, pattern: RegExp, decode: (match: string) => string, found: Hidden[]): void {
  let n = 0
  for (const match of text.matchAll(pattern)) {
    if (n++ === MAX_PIECES) return
    const plain = decode(match[0])
    if (isText(plain)) found.push({ text: plain, start: match.index, end: match.index + match[0].length })
  }
}

/** Rejects decoded noise, which is full of control and replacement characters. */
function isText(plain: string): boolean {
  if (plain.length < 12) return false
  const odd = plain.replace(/[\p{L}\p{N}\p{P}\p{Zs}\n\r\t+=<>|$^~`]/gu, '').length
  return odd < plain.length * 0.05 && / /.test(plain)
}

const rot13 = (text: string): string =>
  text.replace(/[a-z]/gi, (char) => {
    const base = char <= 'Z' ? 65 : 97
    return String.fromCharCode(((char.charCodeAt(0) - base + 13) % 26) + base)
  })
