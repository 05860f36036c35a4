/** Tables of the normalised view; see unicode.ts. */
import { CONFUSABLES } from './confusables.ts'

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
