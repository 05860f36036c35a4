/** Valid national identifiers, each in the spellings in which people write it. */
import type { Random } from '../random.ts'
import { luhn, mod1110, remainder, verhoeff, weighted } from './check-digits.ts'

export interface NationalId {
  readonly name: string
  /** What people call it. */
  readonly labels: readonly string[]
  /** One value, spelled one of its ways. */
  make(r: Random): string
  /** Cannot be told from any other number without a word beside it. */
  readonly needsContext?: true
}

const two = (n: number): string => String(n).padStart(2, '0')
const ymd = (r: Random): string => two(r.int(40, 99)) + two(r.int(1, 12)) + two(r.int(1, 28))
const dmy = (r: Random): string => two(r.int(1, 28)) + two(r.int(1, 12)) + two(r.int(40, 99))
const group = (text: string, sizes: readonly number[], separator: string): string => {
  let at = 0
  const parts = sizes.map((size) => {
    at += size
    return text.slice(at - size, at)
  })
  return parts.join(separator)
}
/** Tries until the check works out. */
function until(make: () => string | undefined): string {
  for (;;) {
    const value = make()
    if (value !== undefined) return value
  }
}

export const NATIONAL_IDS: readonly NationalId[] = [
  {
    name: 'uk_nhs',
    labels: ['NHS number', 'NHS no', 'nhs_number'],
    make: (r) => {
      const value = until(() => {
        const body = r.fill('X########')
        const check = (11 - (weighted(body, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11
        return check === 10 ? undefined : body + check
      })
      return r.chance(0.7) ? group(value, [3, 3, 4], r.pick([' ', '-'])) : value
    },
  },
  {
    name: 'uk_nino',
    labels: ['National Insurance number', 'NI number', 'NINO'],
    make: (r) => {
      const prefix = r.pick(['AB', 'CE', 'JK', 'LM', 'PR', 'SW', 'YZ', 'HH', 'NR'])
      const value = prefix + r.fill('######') + r.pick(['A', 'B', 'C', 'D'])
      return r.chance(0.5) ? group(value, [2, 2, 2, 2, 1], ' ') : value
    },
  },
  {
    name: 'de_tax_id',
    labels: ['Steuer-ID', 'Steueridentifikationsnummer', 'German tax ID'],
    make: (r) => {
      const digits = [...'1234567890'].sort(() => r.next() - 0.5)
      const body = until(() => {
        const kept = digits.slice(0, 9)
        kept.splice(r.int(0, 9), 0, r.pick(kept))
        return kept[0] === '0' || /(\d)\1\1/.test(kept.join(''))
          ? void digits.sort(() => r.next() - 0.5)
          : kept.join('')
      })
      const value = mod1110(body)
      return r.chance(0.4) ? group(value, [2, 3, 3, 3], ' ') : value
    },
  },
  {
    name: 'de_social_insurance',
    labels: ['Rentenversicherungsnummer', 'Sozialversicherungsnummer'],
    make: (r) => {
      const body = two(r.int(2, 89)) + dmy(r) + r.fill('A') + r.fill('##')
      const letter = two(body.charCodeAt(8) - 64)
      const weights = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1]
      const sum = [...(body.slice(0, 8) + letter + body.slice(9))].reduce((total, digit, i) => {
        const product = Number(digit) * weights[i]!
        return total + Math.floor(product / 10) + (product % 10)
      }, 0)
      return body + (sum % 10)
    },
  },
  {
    name: 'fr_nir',
    labels: ['numéro de sécurité sociale', 'NIR', 'numéro de sécu'],
    make: (r) => {
      const body = r.pick(['1', '2']) + two(r.int(40, 99)) + two(r.int(1, 12)) + two(r.int(1, 95)) + r.fill('######')
      const value = body + two(97 - remainder(body, 97))
      return r.chance(0.6) ? group(value, [1, 2, 2, 2, 3, 3, 2], ' ') : value
    },
  },
  {
    name: 'es_nif',
    labels: ['DNI', 'NIF', 'documento de identidad'],
    make: (r) => {
      const body = r.fill('########')
      const letter = 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(body) % 23]
      return r.pick([`${body}${letter}`, `${body}-${letter}`, `${body} ${letter}`])
    },
  },
  {
    name: 'es_nie',
    labels: ['NIE', 'número de identidad de extranjero'],
    make: (r) => {
      const first = r.int(0, 2)
      const body = r.fill('#######')
      const letter = 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(first + body) % 23]
      return r.pick([`${'XYZ'[first]}${body}${letter}`, `${'XYZ'[first]}-${body}-${letter}`])
    },
  },
  {
    name: 'it_codice_fiscale',
    labels: ['codice fiscale', 'C.F.'],
    make: (r) => {
      const consonants = () => r.pick([...'BCDFGLMNPRSTVZ'])
      const body =
        Array.from({ length: 6 }, consonants).join('') +
        two(r.int(40, 99)) +
        r.pick([...'ABCDEHLMPRST']) +
        two(r.int(1, 28)) +
        'H501'
      const odd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]
      const sum = [...body].reduce((total, c, i) => {
        const n = c >= 'A' ? c.charCodeAt(0) - 65 : Number(c)
        return total + (i % 2 === 0 ? odd[n]! : n)
      }, 0)
      return body + String.fromCharCode(65 + (sum % 26))
    },
  },
  {
    name: 'nl_bsn',
    labels: ['BSN', 'burgerservicenummer'],
    needsContext: true,
    make: (r) =>
      until(() => {
        const body = r.fill('X#######')
        const check = weighted(body, [9, 8, 7, 6, 5, 4, 3, 2]) % 11
        return check === 10 ? undefined : body + check
      }),
  },
  {
    name: 'pl_pesel',
    labels: ['PESEL', 'numer PESEL'],
    make: (r) => {
      const body = ymd(r) + r.fill('####')
      return body + ((10 - (weighted(body, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10)
    },
  },
  {
    name: 'se_personnummer',
    labels: ['personnummer', 'Swedish personal number'],
    make: (r) => {
      const value = luhn(ymd(r) + r.fill('###'))
      return r.pick([
        `${value.slice(0, 6)}-${value.slice(6)}`,
        `19${value.slice(0, 6)}-${value.slice(6)}`,
        `19${value}`,
      ])
    },
  },
  {
    name: 'fi_hetu',
    labels: ['henkilötunnus', 'HETU', 'Finnish personal identity code'],
    make: (r) => {
      const date = dmy(r)
      const serial = String(r.int(2, 899)).padStart(3, '0')
      return `${date}-${serial}${'0123456789ABCDEFHJKLMNPRSTUVWXY'[Number(date + serial) % 31]}`
    },
  },
  {
    name: 'pt_nif',
    labels: ['NIF', 'número de contribuinte'],
    needsContext: true,
    make: (r) => {
      const body = r.pick(['1', '2', '3']) + r.fill('#######')
      const check = 11 - (weighted(body, [9, 8, 7, 6, 5, 4, 3, 2]) % 11)
      return body + (check > 9 ? 0 : check)
    },
  },
  {
    name: 'be_nrn',
    labels: ['rijksregisternummer', 'numéro national', 'Belgian national number'],
    make: (r) => {
      const body = ymd(r) + String(r.int(1, 997)).padStart(3, '0')
      const value = body + two(97 - remainder(body, 97))
      return r.chance(0.6)
        ? `${group(value.slice(0, 6), [2, 2, 2], '.')}-${value.slice(6, 9)}.${value.slice(9)}`
        : value
    },
  },
  {
    name: 'in_aadhaar',
    labels: ['Aadhaar number', 'Aadhaar', 'UIDAI number'],
    make: (r) => {
      const value = verhoeff(r.fill('N##########'))
      return r.chance(0.75) ? group(value, [4, 4, 4], r.pick([' ', '-'])) : value
    },
  },
  {
    name: 'in_pan',
    labels: ['PAN', 'PAN card', 'permanent account number'],
    make: (r) => `${r.fill('AAA')}${r.pick([...'PCHABGJLFT'])}${r.fill('A####A')}`,
  },
  {
    name: 'au_tfn',
    labels: ['TFN', 'tax file number'],
    make: (r) => {
      const value = until(() => {
        const candidate = r.fill('X########')
        return weighted(candidate, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0 ? candidate : undefined
      })
      return r.chance(0.8) ? group(value, [3, 3, 3], ' ') : value
    },
  },
  {
    name: 'au_abn',
    labels: ['ABN', 'Australian business number'],
    make: (r) => {
      const value = until(() => {
        const candidate = r.fill('X##########')
        return (weighted(candidate, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) - 10) % 89 === 0 ? candidate : undefined
      })
      return r.chance(0.7) ? group(value, [2, 3, 3, 3], ' ') : value
    },
  },
  {
    name: 'au_medicare',
    labels: ['Medicare number', 'Medicare card'],
    make: (r) => {
      const body = r.pick(['2', '3', '4', '5', '6']) + r.fill('#######')
      const value = body + (weighted(body, [1, 3, 7, 9, 1, 3, 7, 9]) % 10) + r.fill('X')
      return r.chance(0.7) ? group(value, [4, 5, 1], ' ') : value
    },
  },
  {
    name: 'sg_nric',
    labels: ['NRIC', 'NRIC number', 'FIN'],
    make: (r) => {
      const prefix = r.pick(['S', 'T', 'F', 'G'])
      const body = r.fill('#######')
      const sum = weighted(body, [2, 7, 6, 5, 4, 3, 2]) + (prefix === 'T' || prefix === 'G' ? 4 : 0)
      return prefix + body + (prefix === 'S' || prefix === 'T' ? 'JZIHGFEDCBA' : 'XWUTRQPNMLK')[sum % 11]
    },
  },
  {
    name: 'br_cpf',
    labels: ['CPF', 'número do CPF'],
    make: (r) => {
      const check = (body: string) =>
        ((weighted(
          body,
          Array.from(body, (_, i) => body.length + 1 - i),
        ) *
          10) %
          11) %
        10
      const body = r.fill('#########')
      const first = body + check(body)
      const value = first + check(first)
      return r.chance(0.7) ? `${group(value.slice(0, 9), [3, 3, 3], '.')}-${value.slice(9)}` : value
    },
  },
  {
    name: 'br_cnpj',
    labels: ['CNPJ'],
    make: (r) => {
      const check = (body: string, weights: readonly number[]) => {
        const rest = weighted(body, weights) % 11
        return rest < 2 ? 0 : 11 - rest
      }
      const body = `${r.fill('########')}0001`
      const first = body + check(body, [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2])
      const value = first + check(first, [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2])
      return r.chance(0.7)
        ? `${group(value.slice(0, 8), [2, 3, 3], '.')}/${value.slice(8, 12)}-${value.slice(12)}`
        : value
    },
  },
  {
    name: 'ca_sin',
    labels: ['SIN', 'social insurance number'],
    make: (r) => {
      const value = luhn(r.pick(['1', '2', '4', '5', '6', '7']) + r.fill('#######'))
      return r.chance(0.8) ? group(value, [3, 3, 3], r.pick([' ', '-'])) : value
    },
  },
  {
    name: 'kr_rrn',
    labels: ['주민등록번호', 'resident registration number', 'RRN'],
    make: (r) => `${ymd(r)}-${r.int(1, 4)}${r.fill('######')}`,
  },
  {
    name: 'cn_resident_id',
    labels: ['身份证号', 'resident ID', '身份证号码'],
    make: (r) => {
      const body = `${r.pick(['110101', '310104', '440106', '510107'])}${r.int(1950, 2005)}${two(r.int(1, 12))}${two(r.int(1, 28))}${r.fill('###')}`
      return body + '10X98765432'[weighted(body, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11]
    },
  },
  {
    name: 'us_itin',
    labels: ['ITIN', 'individual taxpayer identification number'],
    make: (r) =>
      r
        .pick(['9##-7#-####', '9##-8#-####', '9##-5#-####'])
        .replace(/#/g, () => r.fill('#'))
        .replace(/^(9..)-8[9]/, '$1-82'),
  },
  {
    name: 'us_bank_routing',
    labels: ['routing number', 'ABA routing number'],
    needsContext: true,
    make: (r) => {
      const body = r.pick(['01', '02', '11', '12', '26', '31']) + r.fill('######')
      return body + ((10 - (weighted(body, [3, 7, 1, 3, 7, 1, 3, 7]) % 10)) % 10)
    },
  },
  {
    name: 'us_passport',
    labels: ['passport number', 'passport no', 'US passport'],
    needsContext: true,
    make: (r) => r.fill(r.pick(['#########', 'A########'])),
  },
  {
    name: 'us_driver_license',
    labels: ["driver's license", 'driver license number', 'DL number', 'driving licence'],
    needsContext: true,
    make: (r) =>
      r.fill(
        r.pick([
          'A#######',
          '########',
          'A###-####-####',
          'A### ### ### ###',
          '#########',
          'AA######A',
          'A############',
        ]),
      ),
  },
]
