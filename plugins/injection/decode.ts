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
  const { letters, hex } = longestRuns(text)
  if (letters >= 24)
    collect(
      text,
      BASE64,
      (match) => (match.length % 4 === 1 ? '' : Buffer.from(match, 'base64').toString('utf8')),
      found,
    )
  if (hex >= 32) collect(text, HEX, (match) => Buffer.from(match.replace(/[ ,:]/g, ''), 'hex').toString('utf8'), found)
  if (codes.rot13) found.push({ text: rot13(text), start: 0, end: text.length })
  if (codes.backwards) found.push({ text: [...text].reverse().join(''), start: 0, end: text.length })
  return found
}

/** Length of the longest runs of base64 and of hexadecimal characters; short in ordinary text. */
function longestRuns(text: string): { letters: number; hex: number } {
  let letters = 0
  let hex = 0
  let letterRun = 0
  let hexRun = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const kind = code < 128 ? CODE_KIND[code]! : 0
    letterRun = kind & 1 ? letterRun + 1 : 0
    hexRun = kind & 2 ? hexRun + 1 : 0
    if (letterRun > letters) letters = letterRun
    if (hexRun > hex) hex = hexRun
  }
  return { letters, hex }
}

const CODE_KIND = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code)
  return (/[A-Za-z0-9+/]/.test(char) ? 1 : 0) | (/[0-9a-fA-F ,:]/.test(char) ? 2 : 0)
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
