/** Cards in odd groups that a name or what else a card has tells, before or behind them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pii from '../../../plugins/pii/index.ts'
import { Drive } from '../../eval/drive.ts'

const drive = new Drive(pii, { action: 'redact' })

describe('cards are found', () => {
  for (const text of [
    'Use «401288 888888 1881» exp 03/31 cvv 776',
    'put it on «40128 88888 881881»? It is my Visa.',
    '«401288-88-8888-1881», that’s my credit card number',
    'Ich möchte mit «401 288 888 888 1881» (Visa) bezahlen.',
    '«401288 8888881881» - Visa - K. Schneider',
    '«401288.8888881881» <- card number',
    '«40 12 88 88 88 88 18 81» (Visa)',
    '{"number": "«4012 888888 881881»", "exp": "05/28"}',
    '«401288 88 8888 1881 | 06/27 | 728»',
    '«4012 888888 881881 / 08/27» CVC 326',
    "My card was stolen. It's «4-0128-8888-8881-881», block it.",
    'pan: «6759 6498 2646»',
    'Maestro «675964 982646»',
    'card_no=«6759/649/826/430» amount=61.00',
    'Ma CB : «401 288 888 888 1881»',
    'Kreditkartendaten is «401288 - 888888 - 1881»',
    'kaartnummer → «401288 8888881881»',
    'primary account number: «4012, 8888, 8888, 1881»',
    'obciąż moją kartę «401288 8888 881881»',
    'card «4012 puis 888888 puis 881881»',
    'card: «4012 and 8888 and 88881881»',
    'carta «quattro zero uno due otto otto otto otto otto otto otto otto uno otto otto uno»',
    'cartão «quatro zero um dois oito oito oito oito oito oito oito oito um oito oito um»',
    'kaart «vier nul een twee acht acht acht acht acht acht acht acht een acht acht een»',
    'karta «cztery zero jeden dwa osiem osiem osiem osiem osiem osiem osiem osiem jeden osiem osiem jeden»',
    'card «four zero one two um eight eight eight eight um eight eight eight eight um one eight eight one»',
  ]) {
    it(text, () => {
      const start = text.indexOf('«')
      const end = text.indexOf('»') - 1
      const plain = text.replace(/[«»]/g, '')
      const cards = drive
        .next()
        .reply(plain)
        .findings.filter(({ type }) => type === 'credit_card')
      assert.deepEqual(
        cards.map((card) => plain.slice(card.start, card.end)),
        [plain.slice(start, end)],
      )
      const { output } = drive.next().reply(plain)
      assert.equal(drive.next().stream([...plain]).output, output)
    })
  }
})

describe('other numbers stay', () => {
  for (const text of [
    '401288 888888 1881 of them expire in May',
    'Use 401288 888888 1882 exp 03/31 cvv 776',
    'rows 865 401288 888888 1881 exp 12/28',
    'sales 401288 888888 1881 in Peru',
    'SIM card sales: 47350 50253 49534 92846 93753',
    'paid sales: 56716 86445 65205 8512 4184',
    'Karte prices: 890-690-223, 5766/3221/3840',
    'LOT 401288 8888881881 EXP',
    '401288 8888881881 valid until 2026-11-14',
    'rows 40 12 88 88 88 88 18 81 per hour',
  ]) {
    it(text, () => {
      const { findings } = drive.next().reply(text)
      assert.deepEqual(
        findings.filter(({ type }) => type === 'credit_card'),
        [],
      )
    })
  }
})
