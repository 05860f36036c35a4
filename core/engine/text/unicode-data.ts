/** Tables of the normalised view; see unicode.ts. */
import { CONFUSABLES } from './confusables.ts'

/** Longest named or numeric escape, `&#x10FFFF;` and the names below, with room. */
export const ESCAPE_MAX = 13

export interface Lookalike {
  /** The ASCII letter, or '' if none. */
  readonly letter: string
  /** The reading next to digits, or '' if none. */
  readonly digit: string
  /** Also folded between digits and small letters, because no reader would notice. */
  readonly common: boolean
  /** Number of its script. */
  readonly script: number
}

/** Pairs of a character and its replacement. */
const pairsOf = (list: string): [char: string, look: string][] =>
  Array.from({ length: list.length / 2 }, (_, i) => [list.charAt(2 * i), list.charAt(2 * i + 1)])

/** Look-alikes that no reader would notice, and the digits that some of them become next to digits. */
const COMMON = new Map([
  ...pairsOf('АAВBЕEЅSІIЈJКKМMНHОOРPСCТTУYХXӀIаaеeоoрpсcуyхxіiјjѕsԁdһhӏl'),
  ...pairsOf('ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXοoՕOօoıiɡgɑa'),
])
const DIGITS = new Map(pairsOf('І1О0З3Ӏ1о0і1б6ӏ1Ι1Ο0ο0Օ0օ0ı1'))

/** Letters that are styles of Latin ones, such as small capitals. */
export const STYLED = CONFUSABLES.length - 1

/** Characters of other scripts that look like an ASCII letter and, next to digits, like a digit. */
export const LOOKALIKES: ReadonlyMap<number, Lookalike> = lookalikes()

function lookalikes(): Map<number, Lookalike> {
  const scripts = new Map(CONFUSABLES.flatMap((list, script) => pairsOf(list).map(([char]) => [char, script])))
  const letters = new Map([...CONFUSABLES.flatMap(pairsOf), ...COMMON])
  return new Map(
    [...new Set([...letters.keys(), ...DIGITS.keys()])].map((char) => [
      char.charCodeAt(0),
      {
        letter: letters.get(char) ?? '',
        digit: DIGITS.get(char) ?? '',
        common: COMMON.has(char) || DIGITS.has(char),
        script: scripts.get(char) ?? (char < '\u0300' ? STYLED : 0),
      },
    ]),
  )
}

/** Endings of the entities of accented letters (`&auml;`), with their marks. */
const ACCENTS = Object.entries({
  grave: '\u0300',
  acute: '\u0301',
  circ: '\u0302',
  tilde: '\u0303',
  uml: '\u0308',
  ring: '\u030a',
  caron: '\u030c',
  cedil: '\u0327',
})

/** The entities of accented letters that have a character of their own. */
const ACCENTED = [...'AaCcDdEeGgIiLlNnOoRrSsTtUuYyZz'].flatMap((letter) =>
  ACCENTS.map(([name, mark]): [string, string] => [letter + name, (letter + mark).normalize('NFC')]).filter(
    ([, char]) => char.length === 1,
  ),
)

/** The named HTML entities of letters, and of other characters that detectors look for. */
export const NAMED_ENTITIES: ReadonlyMap<string, string> = new Map([
  ['commat', '@'],
  ['period', '.'],
  ['hyphen', '-'],
  ['dash', '-'],
  ['ndash', '-'],
  ['mdash', '-'],
  ['minus', '-'],
  ['lowbar', '_'],
  ['plus', '+'],
  ['colon', ':'],
  ['sol', '/'],
  ['num', '#'],
  ['lpar', '('],
  ['rpar', ')'],
  ['nbsp', ' '],
  ['ensp', ' '],
  ['emsp', ' '],
  ['thinsp', ' '],
  ['shy', ''],
  ['zwj', ''],
  ['zwnj', ''],
  ['szlig', 'ß'],
  ['AElig', 'Æ'],
  ['aelig', 'æ'],
  ['Oslash', 'Ø'],
  ['oslash', 'ø'],
  ...ACCENTED,
])
