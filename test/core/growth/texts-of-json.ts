/** JSON that parsers read slowly, or in one stretch: it has no commas to pause at. */
import { fill } from './texts.ts'

/** Texts of values. Too deep, or too long a number: refused from some size on. */
export const JSON_TEXTS: Readonly<Record<string, (size: number) => string>> = {
  'brackets without end': (size) => fill('[', size),
  'brackets in brackets': (size) => fill('[', size / 2) + fill(']', size / 2),
  'objects in objects': (size) => `${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`,
  'one integer': (size) => fill('1234567890', size),
  'one decimal': (size) => `1.${fill('1234567890', size)}`,
  'integers of 17 digits': (size) =>
    `[${Array.from({ length: size / 18 }, (_, i) => `4000000000${1_000_003 + i * 7}`).join(',')}]`,
  blanks: (size) => `[${fill(' ', size)}1]`,
  'a long name': (size) => `{"${fill('hello you ', size)}":1}`,
}

/** A body with such a value as its last member, in place of `null`. */
export const withText = (body: object, text: string): string =>
  JSON.stringify({ ...body, x: null }).replace(/null}$/, () => `${text}}`)
