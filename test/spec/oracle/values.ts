/** Canaries: values of each kind that a policy must catch, each recognisable wherever it turns up again. */

import { generator } from '../../../core/testing/provider.ts'

/** What a reader looks for: any of these, in squeezed text (see `squeeze`), means that the value can be read. */
export interface Canary {
  readonly kind: Kind
  readonly value: string
  readonly needles: readonly string[]
}

/** A small random generator: the same seed gives the same value. */
export class Dice {
  readonly next: () => number

  constructor(seed: number) {
    this.next = generator(seed)
    for (let i = 0; i < 8; i += 1) this.next()
  }

  below(n: number): number {
    return Math.floor(this.next() * n)
  }

  pick<T = string>(list: readonly T[] | string): T {
    return list[this.below(list.length)] as T
  }

  /** Never four `x` in a row: a key that begins or ends with them is a placeholder. */
  text(alphabet: string, length: number): string {
    return Array.from({ length }, () => this.pick(alphabet))
      .join('')
      .replace(/(xxx)x/gi, '$17')
  }

  digits(length: number): string {
    return this.text('0123456789', length)
  }
}

const LOWER = 'abcdefghijkmnpqrstuvwxyz'
const UPPER = LOWER.toUpperCase()
const MIXED = `${LOWER}${UPPER}23456789`

const luhnDigit = (digits: string): string => {
  let sum = 0
  for (let i = 0; i < digits.length; i += 1) {
    const doubled = Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 2 : 1)
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return String((10 - (sum % 10)) % 10)
}

const ibanOf = (bban: string): string => {
  const rest = [...`${bban}DE00`].map((c) => (/\d/.test(c) ? c : String(c.charCodeAt(0) - 55))).join('')
  return `DE${String(98n - (BigInt(rest) % 97n)).padStart(2, '0')}${bban}`
}

const groups = (text: string, size: number, by: string): string =>
  text.match(new RegExp(`.{1,${size}}`, 'g'))?.join(by) ?? text

/** Runs of `size` within the core: whoever reads one of them knows most of the value. */
const windows = (core: string, size: number): string[] => {
  const squeezed = squeeze(core)
  if (squeezed.length <= size) return [squeezed]
  return Array.from({ length: squeezed.length - size + 1 }, (_, at) => squeezed.slice(at, at + size))
}

/** Every eighth of them, for long values: their search takes most of the time of a run. */
const sparse = (core: string, size: number): string[] => windows(core, size).filter((_, at) => at % 8 === 0)

/** A key whose body has a digit, a capital and a small letter in any case. */
const keyBody = (d: Dice, length: number): string => {
  const body = d.text(MIXED, length - 3)
  return `${body}${d.pick('23456789')}${d.pick(UPPER)}${d.pick(LOWER)}`
}

const key = (prefix: string, length: number) => (d: Dice) => {
  const body = keyBody(d, length)
  return { value: prefix + body, needles: windows(body, Math.min(14, length)) }
}

/** Words that the policies and labels of the configs know; each case picks one. */
export const CODE_WORDS: readonly string[] = Array.from({ length: 48 }, (_, i) => {
  const d = new Dice(7000 + i)
  const syllable = () => d.pick('bdfgklmnprstvz') + d.pick('aeou')
  return `${syllable()}${syllable()}${syllable()}${syllable()}x`
})

export const KEYWORDS: readonly string[] = CODE_WORDS.map((word) => `project ${word}`)

const MAKERS = {
  email: (d: Dice) => {
    const local = `${d.text(LOWER, 6)}.${d.text(LOWER, 6)}${d.digits(2)}`
    return { value: `${local}@${d.text(LOWER, 7)}.com`, needles: windows(local, 14) }
  },
  card: (d: Dice) => {
    const head = `4${d.pick('123456789')}${d.digits(13)}`
    const digits = head + luhnDigit(head)
    return { value: groups(digits, 4, d.pick([' ', '-', ''])), needles: windows(digits, 11) }
  },
  ssn: (d: Dice) => {
    const value = `${d.pick('12345')}${d.pick('123456789')}${d.pick('123456789')}-${d.pick('123456789')}${d.pick('123456789')}-${d.pick('123456789')}${d.digits(2)}${d.pick('123456789')}`
    return { value, needles: [value.replaceAll('-', '')] }
  },
  iban: (d: Dice) => {
    const value = ibanOf(d.pick('123456789') + d.digits(17))
    return { value: d.pick([value, groups(value, 4, ' ')]), needles: windows(value.slice(2), 13) }
  },
  phone: (d: Dice) => {
    const number = `212${d.pick('23456789')}3${d.pick('23456789')}${d.digits(4)}`
    const value = `+1 ${number.slice(0, 3)} ${number.slice(3, 6)} ${number.slice(6)}`
    return { value, needles: [number] }
  },
  ip: (d: Dice) => {
    const part = () => 110 + d.below(80)
    const value = `${d.pick([45, 62, 81, 93])}.${part()}.${part()}.${part()}`
    return { value, needles: [value.replaceAll('.', '')] }
  },
  openai: (d: Dice) => key(d.pick(['sk-proj-', 'sk-svcacct-']), 48)(d),
  anthropic: (d: Dice) => {
    const body = keyBody(d, 93)
    return { value: `sk-ant-api03-${body}AA`, needles: windows(body, 16) }
  },
  github: key('ghp_', 36),
  aws: (d: Dice) => {
    const body = `${d.text('ABCDEFGHJKLMNPQRSTUVWXYZ234567', 10)}${d.pick('234567')}${d.text('ABCDEFGHJKLMNPQRSTUVWXYZ234567', 5)}`
    return { value: `AKIA${body}`, needles: windows(body, 12) }
  },
  /** One key in thirty has no digit. */
  aws_letters: (d: Dice) => {
    const body = d.text('ABCDEFGHJKLMNPQRSTUVWXYZ', 16)
    return { value: `AKIA${body}`, needles: windows(body, 12) }
  },
  slack: (d: Dice) => {
    const body = keyBody(d, 24)
    return { value: `xoxb-${d.pick('23456789')}${d.digits(11)}-${d.digits(12)}-${body}`, needles: windows(body, 12) }
  },
  pem: (d: Dice) => {
    const lines = Array.from({ length: 4 }, () => d.text(`${MIXED}+/`, 64))
    const value = `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----`
    return { value, needles: lines.flatMap((line) => windows(line, 24)) }
  },
  /** Longer than what a stream keeps back. */
  pem_long: (d: Dice) => {
    const kind = d.pick(['RSA PRIVATE KEY', 'PRIVATE KEY', 'OPENSSH PRIVATE KEY', 'EC PRIVATE KEY'])
    const lines = Array.from({ length: 10 + d.below(16) }, () => d.text(`${MIXED}+/`, 64))
    const value = `-----BEGIN ${kind}-----\n${lines.join('\n')}\n-----END ${kind}-----`
    return { value, needles: lines.flatMap((line) => sparse(line, 24)) }
  },
  jwt: (d: Dice) => {
    const claims = { sub: d.text(LOWER, 6), scope: d.text(MIXED, 40 + d.below(400)) }
    const parts = [{ alg: 'RS256', typ: 'JWT' }, claims].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    )
    const signature = d.text(MIXED, 86 + d.below(256))
    return {
      value: [...parts, signature].join('.'),
      needles: [...sparse((parts[1] as string).slice(30), 24), ...sparse(signature, 24)],
    }
  },
  labelled_long: (d: Dice) => {
    const label = d.pick(['api_key = ', 'client_secret: ', '"access_token": ', 'TOKEN='])
    const secret = keyBody(d, 300 + d.below(300))
    return { value: `${label}"${secret}"`, needles: sparse(secret, 24) }
  },
  password: (d: Dice) => {
    const secret = `${d.text(LOWER, 4)}${d.pick('23456789')}${d.text(UPPER, 3)}${d.digits(2)}${d.text(LOWER, 5)}`
    return { value: `password: "${secret}"`, needles: [squeeze(secret)] }
  },
  api_key: (d: Dice) => {
    // With few digits one in four thousand reads as joined words: plugins/secrets/README.md.
    let secret = keyBody(d, 32)
    while (secret.replace(/\D/g, '').length < 7) secret = keyBody(d, 32)
    return { value: `api_key = "${secret}"`, needles: windows(secret, 16) }
  },
  /** A label whose value is in a list or an object, as JSON has it. */
  labelled_inside: (d: Dice) => {
    const secret = `${d.text(LOWER, 4)}${d.pick('23456789')}${d.text(UPPER, 3)}${d.digits(2)}${d.text(LOWER, 5)}`
    const shape = d.pick([[secret], [[secret]], { value: secret }, { value: [secret] }, { current: secret }])
    return { value: JSON.stringify({ [d.pick(['password', 'db_password'])]: shape }), needles: [squeeze(secret)] }
  },
  keyword: (d: Dice) => {
    const at = d.below(CODE_WORDS.length)
    const value = (KEYWORDS[at] as string).replace(' ', d.pick([' ', ' ', ' ', '-', '_']))
    return { value, needles: [CODE_WORDS[at] as string] }
  },
} satisfies Record<string, (d: Dice) => { value: string; needles: string[] }>

export type Kind = keyof typeof MAKERS
export const KINDS = Object.keys(MAKERS) as Kind[]
export const PII_KINDS: readonly Kind[] = ['email', 'card', 'ssn', 'iban', 'phone', 'ip']
export const SECRET_KINDS: readonly Kind[] = KINDS.filter((kind) => !PII_KINDS.includes(kind) && kind !== 'keyword')

export function makeCanary(kind: Kind, seed: number): Canary {
  return { kind, ...MAKERS[kind](new Dice(seed)) }
}

/** Letters that look like Latin ones, folded by people who read. */
// biome-ignore format: a table reads best with one entry in a line.
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  а: 'a', е: 'e', о: 'o', р: 'p', с: 'c', х: 'x', у: 'y', і: 'i', ј: 'j', ѕ: 's', һ: 'h', ԁ: 'd', ԛ: 'q', ԝ: 'w', ո: 'n',
  ο: 'o', α: 'a', ρ: 'p', ν: 'v', υ: 'u', κ: 'k', τ: 't', ι: 'i', ɡ: 'g', ɩ: 'i', ⅼ: 'l', ӏ: 'l', т: 't', к: 'k', м: 'm', в: 'b', н: 'h', г: 'r', п: 'n',
}

const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u3164\uffa0\u115f\u1160\u2800\p{Cc}\p{Cf}\p{Cn}]/gu

/** A text as an attentive reader takes it: letters and digits only, folded. */
export function squeeze(text: string): string {
  const folded = text.normalize('NFKC').replace(INVISIBLE, '').normalize('NFKC').toLowerCase()
  let out = ''
  for (const char of folded) {
    const plain = LOOK_ALIKES[char] ?? char
    if (/[a-z0-9]/.test(plain)) out += plain
    else if (plain >= '\u0660' && /\p{Nd}/u.test(plain)) out += digitOf(plain)
  }
  return out
}

/** Decimal digits stand in runs of ten in Unicode. */
function digitOf(char: string): string {
  let code = char.codePointAt(0) as number
  const start = code
  while (code > start - 10 && /\p{Nd}/u.test(String.fromCodePoint(code - 1))) code -= 1
  return String((start - code) % 10)
}

/** Begins like a card, so that its text waits for what comes next. */
export const STALLED = 'so 4111 1111'
