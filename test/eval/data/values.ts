/** Made-up values of the kinds that are not national identifiers. */
import type { Random } from '../random.ts'
import { iban, luhn } from './check-digits.ts'
import { ascii, CITIES, capital, DOMAINS, FAMILY, GIVEN, STREETS } from './words.ts'

export const name = (r: Random): string => `${capital(r.pick(GIVEN))} ${capital(r.pick(FAMILY))}`

export function email(r: Random): string {
  const given = ascii(r.pick(GIVEN))
  const family = ascii(r.pick(FAMILY))
  const local = r.pick([
    `${given}.${family}`,
    `${given[0]}${family}`,
    `${given}_${family}${r.int(1, 99)}`,
    `${family}`,
    `${given}+${r.pick(['news', 'work', 'test'])}`,
    `${given}-${family}`,
    `${given}${r.int(1950, 2005)}`,
    `${given}.${family[0]}.${r.int(1, 9)}`,
    `${given[0]}.${family}`.toUpperCase(),
  ])
  return `${local}@${r.pick(DOMAINS)}`
}

const HOSTS = (
  'uni-heidelberg.de 3com.com foo-bar.io x.ai sub.a.b.example.net shop.xyz firma.berlin kanzlei.hamburg team.international ' +
  'xn--mnchen-3ya.de münchen.de web.app acme.technology bank.amsterdam foo.barcelona bar.accountants EXAMPLE.Org t-online.de ' +
  '163.com health.nsw.gov.au corp.local host.internal acme.consulting site.university acme.apartments mega.supplies ' +
  'foo.plumbing yoga.fitness go.world art.gallery acme.ventures box.delivery x.engineer y.builders z.attorney q.photography'
).split(' ')
const LOCALS = (
  "o'brien jean-luc.garcia müller xX_dark_Xx ivan+news test_user_99 k.l.m 1234567 a1 no-reply info zoë.van-der-berg J.R.R.T " +
  'billing%eu 2001.smith'
).split(' ')

/** An address of which neither part is of the usual kind. */
export const emailOfAnyEnding = (r: Random): string => `${r.pick(LOCALS)}@${r.pick(HOSTS)}`

/** Return paths that hold another address, and addresses with labels as long as they may be. */
export function emailOfMachine(r: Random): string {
  const user = ascii(r.pick(FAMILY))
  const domain = r.pick(DOMAINS)
  const list = `${r.pick(['lists', 'mail', 'bounce'])}.${r.pick(DOMAINS)}`
  const label = Array.from({ length: 9 }, () => ascii(r.pick(FAMILY)).padEnd(6, 'a')).join('-')
  return r.pick([
    `bounce+${user}=${domain}@${list}`,
    `bounces-${r.int(1, 9999)}-${user}=${domain}@${list}`,
    `SRS0=${r.fill('AaA')}=TT=${domain}=${user}@${list}`,
    `prvs=${r.fill('##########')}=${user}@${domain}`,
    `${user}@${label.slice(0, 62)}x.com`,
    `${user}.${label.slice(0, 50)}x@mail.${label.slice(0, 62)}x.org`,
  ])
}

const IBAN_ACCOUNTS: readonly (readonly [country: string, mask: string])[] = [
  ['DE', '##################'],
  ['GB', '\\B\\A\\R\\C##############'],
  ['FR', '#######################'],
  ['ES', '####################'],
  ['IT', '\\X######################'.replace('\\X', 'A')],
  ['NL', '\\A\\B\\N\\A##########'],
  ['CH', '#################'],
  ['AT', '################'],
  ['BE', '############'],
  ['PL', '########################'],
  ['SE', '####################'],
  ['NO', '###########'],
  ['DK', '##############'],
  ['FI', '##############'],
  ['PT', '#####################'],
  ['IE', '\\A\\I\\B\\K##############'],
  ['LU', '################'],
  ['TR', '######################'],
  ['SA', '####################'],
  ['AE', '###################'],
  ['GR', '#######################'],
  ['CZ', '####################'],
  ['HU', '########################'],
  ['RO', '\\A\\A\\A\\A################'],
  ['MT', '\\M\\A\\L\\T#######################'],
  ['BR', '#######################\\P1'],
  ['IL', '###################'],
  ['CY', '########################'],
]

export function ibanPlain(r: Random): string {
  const [country, mask] = r.pick(IBAN_ACCOUNTS)
  return iban(country, r.fill(mask))
}
export const ibanGrouped = (r: Random): string => ibanPlain(r).replace(/.{4}(?=.)/g, '$& ')
export const ibanAny = (r: Random): string => r.pick([ibanPlain, ibanGrouped, ibanGrouped])(r)

export function cardPlain(r: Random): string {
  const mask = r.pick([
    '4##############',
    '4##############',
    '51#############',
    '54#############',
    '2221###########',
    '34############',
    '37############',
    '6011###########',
    '65#############',
    '3528###########',
    '36###########',
    '62#############',
  ])
  return luhn(r.fill(mask))
}
export function cardGrouped(r: Random): string {
  const plain = cardPlain(r)
  const separator = r.pick([' ', '-', ' ', '-', '.'])
  if (plain.length === 15) return [plain.slice(0, 4), plain.slice(4, 10), plain.slice(10)].join(separator)
  if (plain.length === 14) return [plain.slice(0, 4), plain.slice(4, 10), plain.slice(10)].join(separator)
  return plain.replace(/.{4}(?=.)/g, `$&${separator}`)
}
export const card = (r: Random): string => r.pick([cardPlain, cardGrouped])(r)

export function ssn(r: Random): string {
  const area = r.pick([r.int(1, 665), r.int(667, 899)])
  return `${String(area).padStart(3, '0')}-${String(r.int(1, 99)).padStart(2, '0')}-${String(r.int(1, 9999)).padStart(4, '0')}`
}

export function ipv4(r: Random): string {
  return r
    .pick([
      `${r.int(1, 223)}.${r.int(0, 255)}.${r.int(0, 255)}.${r.int(1, 254)}`,
      `192.168.${r.int(0, 255)}.${r.int(1, 254)}`,
      `10.${r.int(0, 255)}.${r.int(0, 255)}.${r.int(1, 254)}`,
    ])
    .replace(/^(127|0)\./, '91.')
}
export function ipv6(r: Random): string {
  return r.pick([
    Array.from({ length: 8 }, () => r.fill('HHHH')).join(':'),
    `2001:db8::${r.fill('HHHH')}:${r.fill('#HHH')}`,
    `fe80::${r.fill('HHH')}:${r.fill('HHff')}:fe${r.fill('HH')}:${r.fill('HHHH')}`,
    `2a00:${r.fill('1HHH')}:${r.fill('4HHH')}::${r.fill('#HH')}`,
  ])
}
export const ip = (r: Random): string => (r.chance(0.6) ? ipv4(r) : ipv6(r))

/** By country: masks of numbers as people write them, without calling code. */
export const NATIONAL_PHONES: Readonly<Record<string, readonly string[]>> = {
  US: [
    '(N##) N##-####',
    'N##-N##-####',
    'N##.N##.####',
    'N## N## ####',
    '1-N##-N##-####',
    '(N##)N##-####',
    'N##-N##-#### x###',
    '(N##) N##-#### ext. ##',
    'N##N######',
  ],
  GB: [
    '020 7### ####',
    '0161 ### ####',
    '07### ######',
    '07### ### ###',
    '01### ######',
    '(020) 8### ####',
    '07#########',
    '0131 496 0###',
  ],
  DE: [
    '030 ########',
    '0171 #######',
    '0151/########',
    '(089) ######',
    '040-#######',
    '0711 / ######',
    '0172 ### ## ##',
    '06221 ######',
    '01761#######',
  ],
  FR: ['01 ## ## ## ##', '06 ## ## ## ##', '07.##.##.##.##', '02-##-##-##-##', '06########', '04 ## ## ## ##'],
  ES: ['6## ### ###', '91# ### ###', '6## ## ## ##', '93 ### ## ##', '6########'],
  IT: ['06 #### ####', '347 #######', '02 ########', '333 ### ####', '051 ######', '328/#######'],
  IN: ['9#### #####', '98### #####', '022 #### ####', '9#########', '080-########', '7##-###-####'],
  AU: ['(02) 9### ####', '04## ### ###', '03 9### ####', '04########', '(07) 3### ####'],
  BR: ['(11) 9####-####', '(21) 3###-####', '11 9####-####', '(31) 9 ####-####', '(85) 9########'],
  JP: ['03-####-####', '090-####-####', '06-####-####', '080-####-####', '045-###-####', '(03) ####-####'],
}
const _CALLING_CODES: Readonly<Record<string, string>> = {
  US: '1',
  GB: '44',
  DE: '49',
  FR: '33',
  ES: '34',
  IT: '39',
  IN: '91',
  AU: '61',
  BR: '55',
  JP: '81',
}
const INTERNATIONAL: readonly (readonly [code: string, masks: readonly string[]])[] = [
  ['1', ['N## N## ####', '(N##) N##-####', '-N##-N##-####', 'N##N######', '.N##.N##.####']],
  ['44', ['20 7### ####', '7### ######', '(0)20 7### ####', '7#########', '161 496 0###']],
  ['49', ['30 #######', '171 #######', '151########', '(0)89 ######', '-40-#######']],
  ['33', ['1 ## ## ## ##', '6 ## ## ## ##', '6########', '(0)6 ## ## ## ##']],
  ['34', ['6## ### ###', '91 ### ## ##', '6########']],
  ['39', ['06 #### ####', '347 ### ####', '3#########']],
  ['91', ['98### #####', '9#########', '-98########']],
  ['61', ['2 9### ####', '4## ### ###', '(0)4## ### ###']],
  ['55', ['11 9####-####', '(21) 9####-####']],
  ['81', ['3-####-####', '90-####-####', '90 #### ####']],
  ['31', ['6 1### ####', '20 ### ####']],
  ['41', ['79 ### ## ##', '44 ### ## ##']],
  ['48', ['5## ### ###']],
  ['46', ['70 ### ## ##', '8 ### ### ##']],
  ['47', ['9## ## ###']],
  ['45', ['2# ## ## ##']],
  ['358', ['40 #######', '50 ### ####']],
  ['351', ['91# ### ###']],
  ['353', ['85 ### ####']],
  ['32', ['47# ## ## ##']],
  ['43', ['664 #######']],
  ['86', ['138 #### ####', '139########']],
  ['82', ['10-####-####', '10 #### ####']],
  ['65', ['9### ####', '8#######']],
  ['852', ['9### ####']],
  ['971', ['50 ### ####']],
  ['27', ['82 ### ####']],
  ['52', ['55 #### ####', '1 55 #### ####'.slice(2)]],
  ['7', ['916 ###-##-##', '(916) ###-##-##']],
  ['90', ['532 ### ## ##']],
  ['380', ['50 ### ## ##']],
  ['972', ['50-###-####']],
]

export const phoneNational = (r: Random, country: string): string => r.fill(r.pick(NATIONAL_PHONES[country]!))
export function phoneInternational(r: Random): string {
  const [code, masks] = r.pick(INTERNATIONAL)
  const rest = r.fill(r.pick(masks))
  const joined = /^[-.]/.test(rest) ? rest : `${r.pick([' ', ' ', ''])}${rest}`
  const prefix = r.chance(0.1) && joined.startsWith(' ') ? `00${code}` : `+${code}`
  return prefix + joined
}

export const mac = (r: Random): string => {
  const bytes = Array.from({ length: 6 }, () => r.fill('HH'))
  const text = bytes.join(r.pick([':', '-', ':']))
  return r.chance(0.5) ? text.toUpperCase() : text
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const two = (n: number): string => String(n).padStart(2, '0')
export function birthDate(r: Random): string {
  const [day, month, year] = [r.int(1, 28), r.int(1, 12), r.int(1940, 2006)]
  const long = MONTHS[month - 1]!
  return r.pick([
    `${two(day)}/${two(month)}/${year}`,
    `${two(month)}/${two(day)}/${year}`,
    `${year}-${two(month)}-${two(day)}`,
    `${two(day)}.${two(month)}.${year}`,
    `${day}.${month}.${year}`,
    `${long} ${day}, ${year}`,
    `${day} ${long} ${year}`,
    `${long.slice(0, 3)} ${day} ${year}`,
    `${day}-${long.slice(0, 3)}-${year}`,
    `${two(day)}-${two(month)}-${String(year).slice(2)}`,
    `${day}${day === 1 || day === 21 ? 'st' : day === 2 || day === 22 ? 'nd' : day === 3 || day === 23 ? 'rd' : 'th'} of ${long} ${year}`,
    `${year}/${month}/${day}`,
  ])
}

export function usAddress(r: Random): string {
  const kind = r.pick([
    'Street',
    'St',
    'Avenue',
    'Ave',
    'Road',
    'Rd.',
    'Lane',
    'Drive',
    'Dr',
    'Boulevard',
    'Blvd',
    'Court',
    'Way',
    'Place',
    'Terrace',
    'Circle',
  ])
  const street = `${r.int(1, 9999)} ${r.pick(['', '', 'N ', 'West '])}${r.pick(STREETS)} ${kind}`
  return r.pick([
    street,
    `${street}, Apt ${r.int(1, 60)}`,
    `${street}, ${r.pick(CITIES)}, ${r.pick(['IL', 'TX', 'CA', 'NY'])} ${r.fill('X####')}`,
    `${street} Suite ${r.int(100, 900)}`,
  ])
}
export function europeanAddress(r: Random): string {
  return r.pick([
    () =>
      `${r.pick(['Haupt', 'Bahnhof', 'Garten', 'Schiller', 'Goethe'])}${r.pick(['straße', 'str.', 'allee', 'platz'])} ${r.int(1, 150)}${r.pick(['', 'a', ''])}`,
    () =>
      `${r.pick(['Linden', 'Berliner ', 'Kant'])}${r.pick(['Straße', 'straße'])} ${r.int(1, 90)}, ${r.fill('1####')} Berlin`.replace(
        /(\p{Ll})Straße/u,
        '$1straße',
      ),
    () =>
      `${r.int(1, 200)} rue ${r.pick(['de la Paix', 'Victor Hugo', 'des Lilas', 'Saint-Honoré'])}, ${r.fill('75###')} Paris`,
    () => `${r.int(1, 90)} ${r.pick(['avenue', 'boulevard'])} ${r.pick(['Jean Jaurès', 'Voltaire', 'Gambetta'])}`,
    () => `Calle ${r.pick(['Mayor', 'de Alcalá', 'Gran Vía', 'Serrano'])} ${r.int(1, 120)}`,
    () => `Via ${r.pick(['Roma', 'Garibaldi', 'Giuseppe Verdi'])} ${r.int(1, 90)}`,
    () => `${r.pick(['Kerk', 'Dorps', 'Prinsen'])}${r.pick(['straat', 'gracht'])} ${r.int(1, 300)}`,
    () =>
      `${r.int(1, 200)} ${r.pick(['Baker', 'Queen', 'Victoria'])} ${r.pick(['Street', 'Road'])}, London NW${r.int(1, 9)} ${r.int(1, 9)}XE`,
    () => `Rua ${r.pick(['das Flores', 'Augusta', 'do Ouro'])}, ${r.int(1, 500)}`,
  ])()
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const run = (r: Random, alphabet: string, length: number): string =>
  Array.from({ length }, () => r.pick([...alphabet])).join('')
export const wallet = (r: Random): string =>
  r.pick([
    () => `0x${r.fill('H'.repeat(40))}`,
    () => `bc1q${run(r, '023456789acdefghjklmnpqrstuvwxyz', 38)}`,
    () => `${r.pick(['1', '3'])}${run(r, BASE58, 33)}`,
  ])()
export const latLong = (r: Random): string =>
  `${r.int(20, 59)}.${r.fill('#####')}, ${r.pick(['', '-'])}${r.int(10, 120)}.${r.fill('#####')}`
