/** Texts in places where only base64 that a provider sealed belongs. */
import { createHash } from 'node:crypto'

/** Bytes that look random and are the same in every run. */
export const bytes = (length: number, seed = 'seal'): Buffer =>
  Buffer.concat(
    Array.from({ length: Math.ceil(length / 32) }, (_, i) => createHash('sha256').update(`${seed}${i}`).digest()),
  ).subarray(0, length)

export const SEAL = bytes(180).toString('base64')

const letters = (length: number, seed: string): string =>
  bytes(2 * length, seed)
    .toString('base64')
    .replace(/[+/=]/g, '')
    .slice(0, length)

/** Put together at run time: no key-shaped string stands in the repository. */
export const KEYS: Readonly<Record<string, string>> = {
  github: `ghp_${letters(36, 'github')}`,
  anthropic: `sk-ant-api03-${bytes(69).toString('base64url')}AA`,
  openai: `sk-proj-${bytes(117).toString('base64url')}`,
  stripe: `sk_live_${letters(48, 'stripe')}`,
}

const SENTENCE = 'The payroll export of March is with Anna Berg, all 42 rows of it.'

/** Texts with the word `payroll`. */
export const WORDED: Readonly<Record<string, string>> = {
  path: 'the/payroll+export/of/march/is/anna/berg/and/more/words',
  'path with capitals and digits': 'The/payroll+Export/Of/March2026/Is/ANNA/berg/And/more/words',
  'base64 of a sentence': Buffer.from(SENTENCE).toString('base64'),
  'base64 of a sentence for addresses': Buffer.from(SENTENCE).toString('base64url'),
}
