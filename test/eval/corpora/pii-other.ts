import type { Corpus } from '../corpus.ts'
import * as make from '../data/values.ts'
import { sentences } from './pii-contact.ts'

const pii = { plugin: 'pii', kind: 'positive', group: 'other kinds, in context' } as const

export default [
  {
    ...pii,
    name: 'date of birth',
    cases: sentences(
      'dob',
      [
        'Date of birth: {}',
        'DOB {}',
        'She was born on {}.',
        '{"birth_date":"{}"}',
        'dateOfBirth={}',
        'geboren am {}',
        'Né le {} à Lyon',
        'fecha de nacimiento: {}',
        'My birthday is {}',
        'Patient, d.o.b. {}, male',
        'data di nascita {}',
      ],
      300,
      make.birthDate,
    ),
  },
  {
    ...pii,
    name: 'address, US',
    cases: sentences(
      'us address',
      [
        'I live at {}.',
        'Ship it to {} please.',
        'Address: {}',
        'Her home address is {}',
        'Deliver to {}',
        '{"address":"{}"}',
        'Our office is located at {}',
      ],
      200,
      make.usAddress,
    ),
  },
  {
    ...pii,
    name: 'address, Europe',
    cases: sentences(
      'eu address',
      [
        'Adresse: {}',
        'Ich wohne in der {}.',
        'I live at {}',
        'My address is {}',
        'Mi dirección es {}',
        'Abito in {}',
        'Lieferung an {} bitte',
      ],
      250,
      make.europeanAddress,
    ),
  },
  {
    ...pii,
    name: 'crypto wallet',
    cases: sentences(
      'wallet',
      ['Send the coins to {}', 'BTC wallet: {}', 'my wallet address is {}.', 'Donations: {}', '{"wallet":"{}"}'],
      150,
      make.wallet,
    ),
  },
  {
    ...pii,
    name: 'coordinates',
    cases: sentences(
      'geo',
      ['GPS: {}', 'I am at {} right now', 'The house is located at coordinates {}.', 'location={}', 'lat/long {}'],
      100,
      make.latLong,
    ),
  },
  {
    ...pii,
    name: 'medical record',
    cases: sentences(
      'mrn',
      ['MRN: {}', 'Medical record number {}', 'patient ID {} was discharged', '{"mrn":"{}"}', 'Patient number: {}'],
      100,
      (r) => r.fill(r.pick(['#######', 'MRN-######', 'A######', '##########', '###-##-###', 'P########'])),
    ),
  },
  {
    ...pii,
    name: 'vehicle plate',
    cases: sentences(
      'plate',
      [
        'License plate {}',
        'my number plate is {}',
        'Kennzeichen {}',
        'vehicle registration {}',
        'targa {}',
        "Plaque d'immatriculation : {}",
      ],
      100,
      (r) => r.fill(r.pick(['AA-###-AA', 'AA## AAA', 'A-AA ####', 'AAA ####', '#AAA###', 'AA ### AA', 'AAA-####'])),
    ),
  },
  {
    ...pii,
    name: 'swift',
    cases: sentences('bic', ['SWIFT: {}', 'BIC {}', 'swift code {}', '{"bic":"{}"}'], 60, (r) =>
      r.pick(['DEUTDEFF', 'BNPAFRPP', 'CHASUS33', 'BARCGB22XXX', 'COBADEFFXXX', 'UNCRITMM', 'ABNANL2A', 'BSCHESMM']),
    ),
  },
  {
    ...pii,
    name: 'bank account',
    cases: sentences(
      'account',
      ['Account number: {}', 'my bank account is {}', 'acct no {}', '{"account_number":"{}"}', 'Kontonummer {}'],
      80,
      (r) => r.fill(r.pick(['########', '##########', '############', '####-####-####'])),
    ),
  },
  {
    ...pii,
    name: 'passport',
    cases: sentences(
      'passport',
      [
        'Passport number {}',
        'passport: {}',
        'Mein Reisepass hat die Nummer {}',
        'Pasaporte {}',
        '{"passport_no":"{}"}',
      ],
      80,
      (r) => r.fill(r.pick(['#########', 'A########', 'AA#######', 'AAA######', '##AA#####'])),
    ),
  },
] satisfies Corpus[]
