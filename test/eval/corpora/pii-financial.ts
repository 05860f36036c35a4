import type { Corpus } from '../corpus.ts'
import * as make from '../data/values.ts'
import { sentences } from './pii-contact.ts'

const IBAN = [
  'IBAN: {}',
  'Please transfer 200 EUR to {} by Monday.',
  '{}',
  '{"iban":"{}"}',
  'Meine Kontoverbindung lautet {}.',
  'Mon compte: {}',
  'Konto {} (Sparkasse)',
  'Pay to {}, reference 2024-17',
  'iban={}&amount=20',
  'Account holder J. Doe, {}',
]
const CARD = [
  'My card number is {}.',
  'Card: {} exp 12/27 cvv 123',
  '{}',
  '{"card":{"number":"{}"}}',
  'Charge {} please.',
  'Visa {}, valid until 05/26',
  'Kreditkarte {}',
  'Ma carte bancaire : {}',
  'I lost {} yesterday in the train',
  'cc={}&exp=0427',
  'The payment with {} was refused.',
  'Tarjeta: {}',
]
const SSN = [
  'SSN: {}',
  'My social security number is {}.',
  '{}',
  '{"ssn":"{}"}',
  'The applicant ({}) was born in Ohio.',
  'Her SSN is {}, please file it.',
  'Employee John Smith {} dept 12',
  'ssn={}',
  'Social: {}',
  'Patient {}, admitted today',
]
const SSN_CONTEXT = [
  'SSN: {}',
  'My social security number is {}.',
  '{"ssn":"{}"}',
  'ssn={}',
  'Social Security No. {}',
  '{} is my SSN',
]

const pii = { plugin: 'pii', kind: 'positive' } as const

export default [
  { ...pii, name: 'iban', group: 'iban', cases: sentences('iban', IBAN, 600, make.ibanAny) },
  { ...pii, name: 'card', group: 'card', cases: sentences('card', CARD, 600, make.card) },
  { ...pii, name: 'ssn', group: 'ssn', cases: sentences('ssn', SSN, 400, make.ssn) },
  {
    ...pii,
    name: 'ssn, undivided, in context',
    group: 'ssn',
    cases: sentences('ssn9', SSN_CONTEXT, 200, (r) => make.ssn(r).replaceAll('-', r.pick(['', ' ']))),
  },
] satisfies Corpus[]
