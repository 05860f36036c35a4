import { finish, kindTable, MARK } from './char-kinds.ts'

/** Cache of frequent characters with marks: the engine's normalisation is slow. */
const COMPOSED = new Map<string, string>()
const MAX_COMPOSED = 1024
const LONGEST_COMPOSED = 4
export function composed(source: string): string {
  const known = COMPOSED.get(source)
  if (known !== undefined) return known
  const whole = finish(source.normalize('NFKC'))
  const text = whole.charCodeAt(0) < 0x80 ? withoutMarks(whole) : whole
  if (source.length > LONGEST_COMPOSED) return text
  if (COMPOSED.size >= MAX_COMPOSED) COMPOSED.clear()
  COMPOSED.set(source, text)
  return text
}

/** Removes overlays (strike-through, keycap) on an ASCII character that did not compose into a letter. */
function withoutMarks(text: string): string {
  let out = ''
  const table = kindTable()
  for (let i = 0; i < text.length; i++) if (table[text.charCodeAt(i)] !== MARK) out += text[i]
  return out
}

/** Whether a spelled mark makes no letter of the ASCII character before it, which then shows alone. */
export function isLoneMark(previous: number, mark: string): boolean {
  if (!(previous < 0x80) || kindTable()[mark.charCodeAt(0)] !== MARK) return false
  const base = String.fromCharCode(previous)
  return composed(base + mark) === base
}
