/** Numbers whose short names mean other things as well: only with their shape do they count. */
import type { Candidate } from '../engine/candidate.ts'
import type { Detector } from '../engine/detector.ts'
import { words } from '../engine/words.ts'
import { companyId, nationalId } from './national-id.ts'
import { plain } from './national-languages.ts'

interface Shape {
  readonly fewestDigits?: number
  /** How near the name is: 0.9 for one that means much else. */
  readonly near?: number
  /** Check digits, for names that mean other things as well. */
  readonly isValid?: (compact: string, digits: string) => boolean
  /** Its name is a word, too: in small letters, it counts with the sign of a label. */
  readonly isWord?: true
  /** Of companies. */
  readonly base?: Detector
}

/** `BIG 19333749994`, `"big": "19333749994"`; not `a big 19333749994`. */
function isLabel({ text, start, sinceContext }: Candidate): boolean {
  const end = start - sinceContext.length
  return /[A-Z]/.test(text.slice(Math.max(0, end - 2), end)) || /^["'`\])]{0,2}\s?(?:[:=→|,]|-\s)/.test(sinceContext)
}

/** `number of x` ends where `x` does. */
const shortest = (names: readonly string[]): readonly string[] =>
  names.filter((name) => !names.some((other) => name.endsWith(` ${other}`)))

/** A number that counts beside its names, since its shape is its own. */
export const shaped = (
  country: string,
  patterns: readonly string[],
  names: string,
  { fewestDigits = 7, near = 0.6, isValid = () => true, isWord, base = nationalId }: Shape = {},
): Detector => ({
  ...base,
  check: 'shape, in context',
  fewestDigits,
  patterns,
  contextGroup: `${base.type}/${country}`,
  context: shortest([...new Set(words(names).flatMap((name) => [name, plain(name)]))]),
  judge(m) {
    if (m.digitCount < fewestDigits || m.isJoined || !isValid(m.compact, m.digits)) return 0
    return m.contextBefore() > near && (isWord !== true || isLabel(m)) ? 0.9 : 0
  },
})

export const SHAPED_IDS: readonly Detector[] = [
  // The health number of Ontario and its version.
  shaped(
    'CA',
    ['\\d{10}( ?\\-?[A-Z]{2})?', '\\d{4}[ \\-]\\d{3}[ \\-]\\d{3}([ \\-]?([A-Z]{2}|[a-z]{2}))?'],
    'health number, health card, health card number, hcn, hc, hc#, ohip, ohip number, carte santé, numéro de carte santé',
  ),
  // Number of a voter's card.
  shaped('IN', ['[A-Z]{3}\\d{7}'], 'epic, epic no, epic number, electoral photo id, voter card'),
  // Social security system.
  shaped('PH', ['\\d{2}-\\d{7}-\\d'], 'sss, sss id, sss no, sss number'),
  // Registro geral; states number differently, São Paulo so.
  shaped('BR', ['\\d{2}\\.\\d{3}\\.\\d{3}-?[\\dXx]', '\\d{8}-?[\\dXx]'], 'rg, r.g, rg nº, rg n'),
  // Identity cards of Venezuela, Uruguay and Ecuador.
  shaped(
    'LA',
    ['[VEve]-?\\d{7,8}', '[VEve] ?-? ?\\d{1,2}\\.\\d{3}\\.\\d{3}', '\\d\\.?\\d{3}\\.?\\d{3}-\\d', '\\d{9}-\\d'],
    'ci, c.i, cédula, cédula de identidad',
  ),
  // Tax number and identity card of Colombia.
  shaped(
    'CO',
    ['\\d{9}-\\d', '\\d{3}\\.\\d{3}\\.\\d{3}-\\d', '\\d{1,3}\\.\\d{3}\\.\\d{3}(\\.\\d{3})?', '\\d{10}'],
    'nit, n.i.t, nit no, c.c, c.c. no, cc no',
  ),
  shaped('CZ', ['\\d{6}/\\d{3,4}'], 'rč, r.č, rod. č, rc', { fewestDigits: 9 }),
  shaped('KE', ['[AP]\\d{9}[A-Z]'], 'pin, kra pin', { fewestDigits: 9 }),
  // Health numbers have no I and O (HISO 10046).
  shaped(
    'NZ',
    ['[A-HJ-NP-Z]{3}\\d{4}', '[a-hj-np-z]{3}\\d{4}'],
    'nhi, nhi number, nhi no, national health index, health number',
    {
      fewestDigits: 4,
    },
  ),
]

/** `P.I. 12345678901`. */
export const itVat: Detector = {
  ...companyId,
  check: 'IT: eleven digits, in context',
  fewestDigits: 11,
  patterns: ['(IT ?)?\\d{11}'],
  contextGroup: 'company_id/it',
  context: words('p.i, p. iva, p.iva, piva, partita iva, partita i.v.a, p. i.v.a'),
  judge: (m) => (m.digitCount === 11 && !m.isJoined && m.contextBefore() > 0.6 ? 0.7 : 0),
}
