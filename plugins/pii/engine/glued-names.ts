import { IS_WORD } from './symbols.ts'

/** Names of cards that people write without a blank before the number: `Visa4111…`, `card no4111…`. */
const NAMES = new Set(
  (
    'visa mastercard amex maestro discover diners jcb unionpay rupay card cardno cardnr cardnumber creditcard debitcard cc ccn ccno ' +
    'pan karte karten kartennr kreditkarte kreditkarten carte tarjeta carta cartao kort kaart karta'
  ).split(' '),
)
/** `mycardis4111…`, `Kreditkartennummer4111…`. */
const BEFORE = /^(?:my|the|your|meine|ma|mi)/
const BEHIND = /(?:is|ist|es|no|nr|num|number|nummer)$/
const LONGEST = 20
/** After the word `card`. */
const NUMBER = /^(?:no|nr|num|number)$/
const CARD = /(?:card|karten?|carte|tarjeta|cartao|kort) ?$/i

/** Of all names. */
const LAST_LETTERS: ReadonlySet<number> = new Set(
  [...NAMES, 'no', 'nr', 'num', 'number', 'is', 'ist'].flatMap((name) =>
    [name.at(-1)!, name.at(-1)!.toUpperCase()].map((last) => last.charCodeAt(0)),
  ),
)

/** Whether the letters that end at `end` begin a word and name a card. */
export function namesCard(text: string, end: number): boolean {
  if (!LAST_LETTERS.has(text.charCodeAt(end - 1))) return false
  let start = end
  while (start > 0 && end - start <= LONGEST && isLetter(text.charCodeAt(start - 1))) start--
  if (start === end || end - start > LONGEST || (start > 0 && IS_WORD[text.charCodeAt(start - 1)] === 1)) return false
  const name = text.slice(start, end).toLowerCase()
  if (NAMES.has(name) || NAMES.has(name.replace(BEFORE, '').replace(BEHIND, ''))) return true
  return NUMBER.test(name) && CARD.test(text.slice(Math.max(0, start - 8), start))
}

const isLetter = (c: number): boolean => (c >= 97 && c <= 122) || (c >= 65 && c <= 90)
