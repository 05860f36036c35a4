import type { Corpus } from '../corpus.ts'
import * as make from '../data/values.ts'
import type { Random } from '../random.ts'
import { sentences } from './pii-contact.ts'

const wide = (text: string): string => text.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0))
const ZERO_WIDTH = ['\u200b', '\u200c', '\u2060', '\ufeff', '\u00ad']
const split = (r: Random, text: string): string =>
  [...text].map((c) => (r.chance(0.3) ? c + r.pick(ZERO_WIDTH) : c)).join('')
const dashes = (r: Random, text: string): string =>
  text.replaceAll('-', () => r.pick(['\u2010', '\u2011', '\u2013', '\u2212', '\ufe63']))
const arabic = (text: string): string => text.replace(/\d/g, (d) => String.fromCharCode(0x660 + Number(d)))
const bold = (text: string): string => text.replace(/\d/g, (d) => String.fromCodePoint(0x1d7ce + Number(d)))
const spaced = (text: string): string => [...text.replace(/[ -]/g, '')].join(' ')
const percent = (text: string): string =>
  text.replace(/[@.+]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
const entity = (text: string): string => text.replace(/[@.]/g, (c) => `&#${c.charCodeAt(0)};`)
const escaped = (text: string): string => text.replace(/[@]/g, '\\u0040')
const cyrillic = (text: string): string =>
  text.replace(/(?<=[a-z])[oea]/g, (c) => ({ o: 'о', e: 'е', a: 'а' })[c] as string)

function spoken(r: Random): string {
  const [local, domain] = make.email(r).replace(/[+_]/g, '.').split('@') as [string, string]
  const dot = r.pick([' dot ', ' dot ', ' [dot] ', '(dot)', ' DOT '])
  const at = r.pick([' at ', ' at ', ' [at] ', '(at)', ' AT ', ' {at} '])
  return local.replaceAll('.', dot) + at + domain.replaceAll('.', dot)
}
const halfSpoken = (r: Random): string =>
  make.email(r).replace('@', r.pick([' [at] ', '(at)', ' (at) ', '[at]', ' @ ']))

const NEUTRAL = ['It is {}.', 'Use {} please', 'You know: {}', 'My details: {}', '{}']
const EMAIL = ['Write to {}.', 'My email is {}', 'contact: {}', 'It is {}', '{}']
const CARD = ['card {}', 'My card: {}', 'pay with {} now', '{}']

const disguises: readonly [name: string, templates: readonly string[], value: (r: Random) => string][] = [
  ['email, spoken', EMAIL, spoken],
  ['email, [at]', EMAIL, halfSpoken],
  ['email, full width', EMAIL, (r) => wide(make.email(r))],
  ['email, zero width', EMAIL, (r) => split(r, make.email(r))],
  ['email, %40', EMAIL, (r) => percent(make.email(r))],
  ['email, &#64;', EMAIL, (r) => entity(make.email(r))],
  ['email, \\u0040', EMAIL, (r) => escaped(make.email(r))],
  ['email, Cyrillic letters', EMAIL, (r) => cyrillic(make.email(r))],
  ['card, full width', CARD, (r) => wide(make.card(r))],
  ['card, zero width', CARD, (r) => split(r, make.card(r))],
  ['card, other dashes', CARD, (r) => dashes(r, make.cardGrouped(r))],
  ['card, Arabic digits', CARD, (r) => arabic(make.card(r))],
  ['card, bold digits', CARD, (r) => bold(make.cardPlain(r))],
  ['card, spaced out', CARD, (r) => spaced(make.cardPlain(r))],
  ['iban, full width', NEUTRAL, (r) => wide(make.ibanAny(r)).replaceAll('\u3000', ' ')],
  ['iban, zero width', NEUTRAL, (r) => split(r, make.ibanAny(r))],
  ['iban, small letters', NEUTRAL, (r) => make.ibanAny(r).toLowerCase()],
  ['iban, hyphens', NEUTRAL, (r) => make.ibanGrouped(r).replaceAll(' ', '-')],
  ['ssn, other dashes', NEUTRAL, (r) => dashes(r, make.ssn(r))],
  ['ssn, zero width', NEUTRAL, (r) => split(r, make.ssn(r))],
  ['ssn, full width', NEUTRAL, (r) => wide(make.ssn(r))],
  ['phone, full width', ['Call {}', 'tel {}', '{}'], (r) => wide(make.phoneInternational(r))],
  ['phone, zero width', ['Call {}', 'tel {}', '{}'], (r) => split(r, make.phoneInternational(r))],
  ['ip, [.]', ['host {}', 'blocked {} today', '{}'], (r) => make.ipv4(r).replaceAll('.', '[.]')],
]

export default disguises.map(([name, templates, value]) => ({
  name,
  plugin: 'pii' as const,
  kind: 'positive' as const,
  group: 'disguised',
  cases: sentences(name, templates, 80, value),
})) satisfies Corpus[]
