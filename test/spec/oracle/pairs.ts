/** Two values in one text: what one detector makes of its value must not hide the other one. */
import type { Case } from './case.ts'
import { write } from './readings.ts'
import { type Canary, Dice, type Kind, makeCanary } from './values.ts'

/** What stands between two values. Each sign ends the first and begins the second. */
// biome-ignore format: a list reads best in few lines.
const JOINTS = [
  ' and ', ', ', '\n', '; ', ' | ', '\t', ') (', '" and "', '</b> <b>', ' -> ', '\n\n', ' = ', '","note":"', '> <', '** **', ' \u2013 ', '\r\n- ', '. ',
] as const

export const second = (x: Case): Canary | undefined =>
  x.second === 'none' ? undefined : makeCanary(x.second as Kind, x.value ^ 0x55555555)

/** What stands between the two of a case. */
export const jointOf = ({ value }: Case): string => new Dice(value + 5).pick<string>(JOINTS)

/** Both as they are written: in either order, both in one spelling or the second one plainly. */
export function writePair(x: Case, { value }: Canary): string {
  const other = second(x)
  if (other === undefined) return write(x.outer, write(x.reading, value, x.value), x.value + 1)
  const d = new Dice(x.value + 5)
  const joint = d.pick<string>(JOINTS)
  const [a, b] = d.below(2) === 0 ? [value, other.value] : [other.value, value]
  const spelt = (text: string): string => write(x.outer, write(x.reading, text, x.value), x.value + 1)
  if (d.below(2) === 0) return spelt(a + joint + b)
  return a === value ? spelt(a) + joint + b : a + joint + spelt(b)
}

/** The case as it is for each of its values. */
export const eachOf = (x: Case, canary: Canary): [Case, Canary][] => {
  const other = second(x)
  return other === undefined
    ? [[x, canary]]
    : [
        [x, canary],
        [{ ...x, kind: other.kind }, other],
      ]
}
