/** Characters and spellings that are one: typographic signs, and where case does not matter, those of German, Greek and Turkish, which spell capitals otherwise. */

const ASCII = 128
const SHARP_S = 'ß'
const LETTERS = /\p{L}/gu
/** Letters of a literal whose double s may be a sharp one in a text: short words are other words then, like `ass` and `aß`. */
const FEWEST_LETTERS = 6
/** Places of one literal that may each have a sharp or a double s; beyond it all of them have the one, or the other. */
const MOST_SHARP = 4
const SHARP = new RegExp(SHARP_S, 'g')
const SHARP_OR_DOUBLE = new RegExp(`${SHARP_S}|ss`, 'g')

/** How a literal in lower case is spelt with sharp and double s; `text` is the literal as it was given. */
export const sharpSpellings = (text: string): ((lower: string) => string[]) =>
  (text.match(LETTERS)?.length ?? 0) < FEWEST_LETTERS ? withoutSharpS : withSharpS

/** The spellings of a literal in lower case with a double s for some, all or none of its sharp ones. */
const withoutSharpS = (text: string): string[] => spelt(text, SHARP)

/** The same, and with a sharp s for double ones. */
const withSharpS = (text: string): string[] => spelt(text, SHARP_OR_DOUBLE)

function spelt(text: string, places: RegExp): string[] {
  const parts = text.split(places)
  if (parts.length > MOST_SHARP + 1) return [text, parts.join(SHARP_S), parts.join('ss')]
  return parts
    .slice(1)
    .reduce(
      (spellings, part) => spellings.flatMap((before) => [`${before}ss${part}`, before + SHARP_S + part]),
      [parts[0] as string],
    )
}

/** Signs that a keyboard or a word processor writes in place of one another: `O'Brien`, `O’Brien`. */
const TYPOGRAPHIC = ["'’‘ʼ′", '"“”„‟″'].map((signs) => Array.from(signs, (sign) => sign.charCodeAt(0)))

/** The characters that are one sign, whether or not case matters. */
export const signsOf = (code: number): readonly number[] => TYPOGRAPHIC.find((signs) => signs.includes(code)) ?? [code]

let greek: ReadonlyMap<string, readonly number[]> | undefined

/**
 * The characters that are one letter where case does not matter. Greek capitals have no accents, and a stream does not
 * show yet where a word ends, so all forms of a Greek letter are one. So are the Turkish ones of i, whose other case is
 * an i elsewhere.
 */
export function formsOf(code: number): readonly number[] {
  const char = String.fromCharCode(code)
  if (char === 'i' || char === 'ı') return [...'iIı'].map((form) => form.charCodeAt(0))
  const upper = code < ASCII ? char.toUpperCase().charCodeAt(0) : code
  if (upper !== code) return [code, upper]
  if (!GREEK.test(char)) return signsOf(code)
  greek ??= greekLetters()
  return greek.get(letterOf(char)) ?? [code]
}

const GREEK = /\p{Script=Greek}/u
/** A Greek letter without accents, breathings and the like, and without its form at the end of a word. */
const letterOf = (char: string): string => (char.normalize('NFD')[0] as string).toLowerCase().replace('ς', 'σ')

function greekLetters(): ReadonlyMap<string, readonly number[]> {
  const letters = new Map<string, number[]>()
  for (const [from, to] of [
    [0x370, 0x3ff],
    [0x1f00, 0x1fff],
  ] as const) {
    for (let code = from; code <= to; code++) {
      const char = String.fromCharCode(code)
      if (!GREEK.test(char) || !/\p{L}/u.test(char)) continue
      const letter = letterOf(char)
      letters.set(letter, [...(letters.get(letter) ?? []), code])
    }
  }
  return letters
}
