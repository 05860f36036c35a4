/** Values that are called a number, in a record that says elsewhere which: `type: CNI`, `numero: F8R8NN11Z`. */
import { words } from './words.ts'

const NUMBERS = words('number, num, no, nr, nummer, numero, número, numéro, n°, nº, n, numer, číslo, id')
const DOCUMENTS = words('document, documento, dokument, doc, ausweis')
const number = NUMBERS.join('|')
const document = DOCUMENTS.join('|')

/** Ends a key or the subject of a sentence, with a colon, an equals sign or a verb; nothing else names the number. */
const CALLED = new RegExp(
  `(?:^|[\\n{,;.|"'(]) {0,8}(?:the |der |die |das |le |la |el |il |o |a )?(?:(?:${document})[ _-]?)?(?:${number})` +
    `(?:[ _-]?(?:of the |du |del |des |de |do |d')?(?:${document})|)["']?(?: ?[:=] ?| (?:is|ist|est|es|è|é) | )["']?$`,
  'iu',
)
/** Longer than all that the pattern takes. */
const LONGEST = 48

/** Whether the text up to `start` calls what follows a number and nothing more. */
export const endsCalled = (text: string, start: number): boolean =>
  CALLED.test(text.slice(Math.max(0, start - LONGEST), start))
