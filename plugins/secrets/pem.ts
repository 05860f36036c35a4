/** Finds private keys between `-----BEGIN … PRIVATE KEY-----` and END, in a file, a string literal or on one line. */
import type { Answer } from './match.ts'

const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y
const END = /-----END (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y
/** An incomplete marker. */
const OPEN_BEGIN = /^-----BEGIN [A-Z0-9 ]*-{0,5}$/
const OPEN_END = /^-{1,5}(?:E(?:N(?:D(?: [A-Z0-9 ]*-{0,5})?)?)?)?$/
/** Longest marker, characters: three words of sixteen. */
const MARKER = 96
/** Longest headers between BEGIN and the key, characters; encrypted and PGP keys have them. */
const HEADERS = 320

/**
 * Line ends (also as escapes), indentation, and characters that string literals, comments and quotes add at line
 * borders.
 */
const isGap = (text: string, i: number): boolean => {
  const code = text.charCodeAt(i)
  return (
    code <= 32 ||
    code === 34 ||
    code === 39 ||
    code === 96 ||
    code === 44 ||
    code === 59 ||
    code === 124 ||
    code === 62 ||
    code === 35 ||
    code === 42 ||
    code === 92
  )
}

/** Index after a gap. Includes `\n`, `\r` and `\t` written as two characters. */
function skipGap(text: string, at: number): number {
  let i = at
  while (i < text.length && isGap(text, i)) {
    i += text.charCodeAt(i) === 92 && /[nrt]/.test(text[i + 1] ?? '') ? 2 : 1
  }
  return i
}

function tokenEnd(text: string, at: number): number {
  let i = at
  while (i < text.length && !isGap(text, i)) i++
  return i
}

/** Sixteen characters decide, so a partial line counts like a whole one. Accepts look-alike letters. */
const KEY_LINE = /^[A-Za-z0-9+/=_\u0370-\u058f-]{16}/
const KEY_REST = /^[A-Za-z_-]*[0-9+/=][A-Za-z0-9+/=_-]*$/
/** A line number that tools write before each line. */
const LINE_NUMBER = /^\d{1,6}[:.)]?$/
const HEADER = /^[A-Z][A-Za-z-]{2,20}:$/

export function matchPem(text: string, at: number, final: boolean): Answer {
  BEGIN.lastIndex = at
  const begin = BEGIN.exec(text)
  if (begin === null)
    return !final && text.length - at < MARKER && OPEN_BEGIN.test(text.slice(at)) ? { from: at } : undefined
  let i = at + begin[0].length
  while (i - at < HEADERS) {
    i = skipGap(text, i)
    const end = tokenEnd(text, i)
    const token = text.slice(i, Math.min(end, i + 80))
    if (KEY_LINE.test(token)) {
      const rest = readPem(text, i, false, final)
      return {
        type: 'private_key',
        start: at,
        end: rest.end,
        open: !rest.done,
        rest: { kind: 'pem', inToken: rest.inToken },
      }
    }
    if (end === text.length && !final) return { from: at }
    if (token === '+' || token === '' || LINE_NUMBER.test(token)) i = Math.max(end, i + 1)
    else if (HEADER.test(token)) i = lineEnd(text, end, at + HEADERS)
    else return undefined
    if (i >= text.length) return final ? undefined : { from: at }
  }
  return undefined
}

function lineEnd(text: string, at: number, limit = text.length): number {
  const end = Math.min(text.length, limit)
  let i = at
  while (i < end && text[i] !== '\n' && !(text[i] === '\\' && text[i + 1] === 'n')) i++
  return i
}

/**
 * Reads the key from `at`. Stops after END, or at two successive words that cannot be part of a key.
 *
 * @returns `end`: the text before it belongs to the key. Unless `done`, the key may continue there.
 */
export function readPem(
  text: string,
  at: number,
  inToken: boolean,
  final: boolean,
): { end: number; done: boolean; inToken: boolean } {
  let i = inToken ? tokenEnd(text, at) : at
  if (inToken && i === text.length && !final) return { end: i, done: false, inToken: true }
  // Start of the first of two suspicious words, or -1.
  let doubt = -1
  while (true) {
    const gap = i
    i = skipGap(text, i)
    const open = doubt >= 0 ? doubt : gap
    if (i >= text.length)
      return final ? { end: open, done: true, inToken: false } : { end: open, done: false, inToken: false }
    if (text.startsWith('-----', i) || '-----'.startsWith(text.slice(i))) {
      END.lastIndex = i
      const marker = END.exec(text)
      if (marker !== null) return { end: i + marker[0].length, done: true, inToken: false }
      return { end: open, done: final || text.length - i >= MARKER || !OPEN_END.test(text.slice(i)), inToken: false }
    }
    const end = tokenEnd(text, i)
    const token = text.slice(i, Math.min(end, i + 160))
    const cut = end === text.length && !final
    if (KEY_LINE.test(token)) {
      if (cut) return { end, done: false, inToken: true }
      doubt = -1
      i = end
    } else if (cut) {
      return { end: open, done: false, inToken: false }
    } else if (HEADER.test(token)) {
      i = lineEnd(text, end)
      if (i >= text.length && !final) return { end: open, done: false, inToken: false }
      doubt = -1
    } else if (KEY_REST.test(token)) {
      doubt = -1
      i = end
    } else if (doubt >= 0) {
      return { end: doubt, done: true, inToken: false }
    } else {
      doubt = gap
      i = end
    }
  }
}
