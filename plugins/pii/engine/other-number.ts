import { words } from './words.ts'
/** Words that mark an adjacent number as not personal. */
export const OTHER_NUMBER_WORDS: readonly string[] = words(`
  order, order id, order number, order no, invoice, invoice number, invoice no, tracking, tracking number,
  tracking id, ticket, ticket number, case number, case id, part, part number, part no, sku, serial, serial number,
  serial no, model number, model, product id, product code, item number, item, isbn, issn, ean, upc, gtin, doi,
  version, build, build number, release, revision, commit, reference, reference number, ref, ref no, po number,
  purchase order, batch, lot number, shipment, timestamp, epoch, unix time, population, transaction id, request id,
  trace id, job id, error code, chapter, section, page, figure, table, equation, port, line, offset, checksum,
  hash, seed, total, sum, product of, bestellnummer, rechnungsnummer, rechnung, auftragsnummer, artikelnummer,
  sendungsnummer, seriennummer, commande, facture, numero de commande, numéro de commande, pedido, factura,
  número de pedido, ordine, fattura, bestelling, factuur, s/n, barcode, scan barcode, article, article
  number, catalog number, catalogue number, asset tag, equipment, component, purchase, parcel, hs code, sedol, cusip, isin, cas no,
  rma, rma number, incident, incident number, claim number, quote number, contract number, aktenzeichen, vorgang, vorgangsnummer,
  firmware, kernel, ios, android, requires, block, block height, nonce, sequence number, process id, pid, bestellung, paket,
  paquete, colis, pacco, clause, sec, oid, oids, urn oid, revenue, budget, costs, price, salary, umsatz, betrag, preis, montant, prix, importe, prezzo,
  powerball, lottery, lottery draw, lotto, loto, euromillions, euromillones, mega sena, winning numbers, sample id, sample no, specimen, voucher, voucher code,
  coupon, coupon code, gift card, gutschein, gutscheincode, snapshot, backup, meeting id, meeting number, webinar id, webinar number,
  conference id, id de réunion, id de reunión, id riunione,
  id da reunião, spedizione, numero di spedizione, zamówienie, nr zamówienia, paczka, nr paczki, ordernummer, beställning, kolli,
  ordrenummer, tilausnumero, sipariş no, kargo takip no, заказ, номер заказа, накладная, трек-номер, 송장번호, 송장 번호, 운송장,
  운송장번호, 주문번호, 주문 번호, 订单号, 订单编号, 运单号, 快递单号, 訂單編號, 注文番号, 伝票番号, 追跡番号, お問い合わせ番号, ऑर्डर,
  ऑर्डर नंबर, رقم الطلب, رقم الشحنة
`)

/** Maximum distance from a word back to the start of its URL, characters. */
const LONGEST_URL = 256

/** `Send her the invoice. 523-39-4028`, not `Invoice No. 523394028`. */
const LAST_WORD = /[a-z]{4}(?<!nr|no|num|ref)[.!?]\s$/i

/** Whether a sentence ends with the word that ends at `end`. */
export const endsSentence = (text: string, end: number): boolean =>
  LAST_WORD.test(text.slice(Math.max(0, end - 4), end + 2))

/** Whether the word that ends at `end` is part of a URL such as `https://example.org/page`. */
export function isInUrl(text: string, end: number): boolean {
  let start = end
  while (start > 0 && end - start < LONGEST_URL && text.charCodeAt(start - 1) > 0x20) start--
  return text.slice(start, end).includes('://')
}

/** Addresses of meetings: `https://us02web.zoom.us/j/81234567890`, `zoommtg://zoom.us/join?confno=81234567890`. */
const MEETING =
  /(?:^|[/.\s"'(<[])zoom(?:gov)?\.(?:us|com)\/(?:(?:[jsw]|wc|wc\/join|meeting|webinar|rec\/share)\/|(?:join|start)\?(?:action=join&)?confno=)$/i
const LONGEST_MEETING = 48

/** Whether the number at `start` is the id of a meeting in an address. */
export const isOfMeeting = (text: string, start: number): boolean =>
  MEETING.test(text.slice(Math.max(0, start - LONGEST_MEETING), start))

/** A unit or currency behind a number. */
export const AMOUNT =
  /^ ?(?:[€$£¥%]|[A-Z]{3}\b|euros?\b|hab|people|inhab|dollars|km\b|[Bb]ytes|[kKMGT]i?B\b|[nmµ]s\b|px\b|rows\b|seconds|users\b|requests\b|times\b|steps\b|messages\b|tokens\b|records\b|lines\b|events\b)/
