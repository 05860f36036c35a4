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

/** Short names of other numbers, as they begin identifiers: `ORD4829…`, `txn_4829…`. Nobody writes them before a card. */
const IDENTIFIERS = new Set(
  (
    'ord order inv invoice trk trkn trck track tracking trc sku ref txn txid trx trn tx tran po rma rfq rfp cust kdnr req request msg message evt event sn ' +
    'lot batch pkg pkt pck parcel dhl ups usps fedex gls dpd jd lp lx rr awb bol ean upc gtin isbn pid uid oid cid sid tid rid gid uuid guid id job run ' +
    'build rev seq trace span sess session usr user ticket tkt case issue item doc file img vid log node host dev shp shpt shipment wb wo pr crm erp hdr ' +
    'acq auftr sendung vorg rg'
  ).split(' '),
)
const LONGEST_IDENTIFIER = 8

/** Whether the letters that end at `end`, or before a sign that joins, begin a word and name another number. */
export function namesIdentifier(text: string, end: number): boolean {
  const last = /[-_#]/.test(text.charAt(end - 1)) ? end - 1 : end
  let start = last
  while (start > 0 && last - start <= LONGEST_IDENTIFIER && isLetter(text.charCodeAt(start - 1))) start--
  if (start === last || last - start > LONGEST_IDENTIFIER) return false
  if (start > 0 && IS_WORD[text.charCodeAt(start - 1)] === 1) return false
  return IDENTIFIERS.has(text.slice(start, last).toLowerCase())
}
