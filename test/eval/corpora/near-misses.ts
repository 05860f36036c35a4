import type { Case, Corpus } from '../corpus.ts'
import * as make from '../data/values.ts'
import { Random, seedOf } from '../random.ts'

/** Changes the last digit, so that any check digit is wrong. */
const spoil = (value: string): string => value.replace(/\d(?=\D*$)/, (d) => String((Number(d) + 1) % 10))

const VALUES: readonly (readonly [templates: readonly string[], value: (r: Random) => string])[] = [
  [['Order {} shipped', 'The code is {}.', '{}', 'Number {} on the list'], (r) => spoil(make.cardGrouped(r))],
  [['Order {} shipped', '{}', 'item {}'], (r) => spoil(make.cardPlain(r))],
  [['Reference {}', '{}', 'We saw {} in the file'], (r) => spoil(make.ibanGrouped(r))],
  [['{}', 'Form {}', 'in row {}'], (r) => r.fill(r.pick(['000-##-####', '666-##-####', 'X##-00-####', 'X##-##-0000']))],
  [
    ['version {}', 'build {} is out', 'v{}', 'Release {}'],
    (r) => `${r.int(1, 30)}.${r.int(0, 99)}.${r.int(0, 999)}.${r.int(0, 99_999)}`,
  ],
  [['{}', 'host {} is not valid'], (r) => `${r.int(256, 999)}.${r.int(0, 255)}.${r.int(256, 999)}.${r.int(0, 255)}`],
  [
    ['ISBN {}', 'ISBN-13: {}'],
    (r) => r.fill(r.pick(['978-#-##-######-#', '0-###-#####-X', '978##########', '3-##-######-X'])),
  ],
  [['{}', 'id {}', 'request {} failed'], (r) => r.fill('HHHHHHHH-HHHH-4HHH-8HHH-HHHHHHHHHHHH')],
  [['commit {}', 'sha256:{}', '{}'], (r) => r.fill('H'.repeat(r.pick([7, 12, 40, 64])))],
  [
    [
      'order number {}',
      'Order #{}',
      'invoice {}',
      'ticket {}',
      'tracking number {}',
      'Bestellnummer {}',
      'PO {}',
      'case {}',
    ],
    (r) =>
      r.fill(
        r.pick([
          'X########',
          'X#########',
          'X###########',
          '1Z###A#########',
          '####-####-##',
          'INV-2024-#####',
          '94## #### #### #### #### ##',
        ]),
      ),
  ],
  [
    ['at {}', 'timestamp {}', 'created {}', '{}'],
    (r) =>
      r.pick([
        r.fill('17########'),
        r.fill('17###########'),
        `2024-0${r.int(1, 9)}-1${r.int(0, 9)} ${r.int(10, 23)}:${r.int(10, 59)}:${r.int(10, 59)}`,
        `2024-0${r.int(1, 9)}-1${r.int(0, 9)}T10:${r.int(10, 59)}:00+02:00`,
      ]),
  ],
  [
    ['{}', 'due {}', 'since {}', 'The deadline is {}.'],
    (r) => r.pick([make.birthDate(r), `${r.int(1, 28)}.${r.int(1, 12)}.${r.int(2007, 2030)}`]),
  ],
  [
    ['costs {}', '{} in total', 'a budget of {}'],
    (r) =>
      r.pick([
        `$${r.int(1, 999)},${r.fill('###')}.${r.fill('##')}`,
        `${r.int(1, 999)} ${r.fill('###')} ${r.fill('###')} €`,
        `${r.int(1, 999)}.${r.fill('###')},${r.fill('##')} EUR`,
        `USD ${r.fill('X########')}`,
      ]),
  ],
  [
    ['{}', 'size {}', 'part {}', 'SKU {}', 'model {}'],
    (r) => r.fill(r.pick(['##-####', 'AA-####', '####-##', 'AB###-##', 'XK-#######', '###/##R##'])),
  ],
  [
    ['@{} said so', 'see {}', 'import {}'],
    (r) =>
      r.pick([
        '@types/node',
        'lodash@4.17.21',
        'logo@2x.png',
        '@media',
        'user@localhost',
        'a@b',
        'x@y.shape(1)',
        '@property',
        'v@1.2',
      ]),
  ],
  [
    ['Look at {}', 'We met at {}', 'He works at {} now'],
    (r) =>
      r.pick([
        'example dot com',
        'the dot com boom',
        'booking.com',
        'noon dot',
        'amazon.com and eBay',
        'the end. Com is short',
      ]),
  ],
  [
    ['{}', 'at {}', 'about {}'],
    (r) =>
      r.pick([
        `${r.int(10, 23)}:${r.int(10, 59)}:${r.int(10, 59)}`,
        `${r.int(1, 9)}:${r.int(1, 9)}:${r.int(1, 9)}`,
        'std::vector::size',
        'a::b',
        '12:34',
        '::',
        'fe::add',
      ]),
  ],
  [['{}', 'the range {}', 'pages {}'], (r) => `${r.int(1, 9999)}-${r.int(1, 9999)}`],
  [
    ['scored {}', '{}', 'sizes {}'],
    (r) => Array.from({ length: r.int(3, 8) }, () => r.int(1, 999)).join(r.pick([' ', ', ', '-', '/'])),
  ],
  [['{}', 'x = {}'], (r) => `${r.int(0, 99)}.${r.fill('#'.repeat(r.int(5, 16)))}`],
]

function nearMisses(): readonly Case[] {
  const r = new Random(seedOf('near misses'))
  return Array.from({ length: 1600 }, () => {
    const [templates, value] = r.pick(VALUES)
    return { text: r.pick(templates).replace('{}', value(r).replaceAll('$', '$$$$')) }
  })
}

export default [
  { name: 'near misses', plugin: 'pii', kind: 'harmless', group: 'near misses', cases: nearMisses },
] satisfies Corpus[]
