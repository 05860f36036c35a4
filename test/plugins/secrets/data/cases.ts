// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts under test
/**
 * Credentials in the shapes their vendors publish, made up at run time from a seed, so that no key-shaped string stands in
 * the repository. The formats are written down here a second time, apart from the plugin's tables.
 */
import { LABELLED, STRUCTURED } from './labelled.ts'
import { NOTATIONS } from './notations.ts'
import { PREFIXED } from './prefixed.ts'
import { pick, type Random, random } from './random.ts'

export interface SecretCase {
  /** Vendor or notation. */
  readonly kind: string
  readonly family: 'prefix' | 'labelled' | 'notation' | 'structured'
  readonly text: string
  /** What must not be left in the text. */
  readonly value: string
}

const SENTENCES = [
  'Why does {v} not work?',
  'My key is {v}, can you check it?',
  '{v}',
  'Use `{v}` for the staging account.',
  'Here you go: {v}.',
  'I pasted ({v}) by accident',
  'export TOKEN={v}',
  'API_KEY="{v}"',
  '{"key": "{v}"}',
  "client = Client('{v}')",
  'curl -H "X-Api-Key: {v}" https://api.example.com/v1/items',
  '- secret: {v}\n- region: eu',
  'The deployment failed with 401.\nKey: {v}\nPlease advise.',
  'https://api.example.com/v1?key={v}&page=2',
  'Schlüssel: {v}',
  'La clé est {v} merci',
  '<key>{v}</key>',
  'headers={"Authorization": "Bearer {v}"}',
  'line one\\n{v}\\nline two',
  'first,{v},third',
]

const ALPHABETS: Readonly<Record<string, string>> = {
  A: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  a: 'abcdefghijklmnopqrstuvwxyz0123456789',
  U: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  h: '0123456789abcdef',
  H: '0123456789ABCDEF',
  d: '0123456789',
  l: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
}

function part(next: Random, shape: string): string {
  if (shape === 'uuid') return ['h8', 'h4', 'h4', 'h4', 'h12'].map((piece) => part(next, piece)).join('-')
  if (shape === 'pw') return password(next)
  if (shape === 'basic') return Buffer.from(`bob:${password(next)}`).toString('base64')
  if (shape === 'jwtbody')
    return Buffer.from(JSON.stringify({ sub: part(next, 'd10'), name: part(next, 'l8'), iat: 1700000000 })).toString(
      'base64url',
    )
  const length = Number(shape.slice(1))
  const kind = shape[0] as string
  // Neither end is a symbol: generators of vendors avoid it, and a sentence would hide where the key ends.
  if (kind === 'w' || kind === 'b') {
    const inner = `${ALPHABETS.A}${kind === 'w' ? '_-' : '+/'}`
    return Array.from({ length }, (_, i) =>
      pick(next, i === 0 || i === length - 1 ? (ALPHABETS.A as string) : inner),
    ).join('')
  }
  return Array.from({ length }, () => pick(next, ALPHABETS[kind] as string)).join('')
}

const WORDS = ['Tiger', 'summer', 'Blue', 'dragon', 'Winter', 'monkey', 'Sunset', 'coffee', 'River', 'stone']
function password(next: Random): string {
  const style = Math.floor(next() * 4)
  if (style === 0) return `${pick(next, WORDS)}${part(next, 'd4')}${pick(next, '!#$*+')}`
  if (style === 1) return `${part(next, 'A5')}${pick(next, '!#$*+')}${part(next, 'd2')}${part(next, 'A4')}`
  if (style === 2) return `${pick(next, WORDS).toLowerCase()}${part(next, 'd3')}`
  return `${part(next, 'l6')}${part(next, 'd3')}${part(next, 'A3')}`
}

const LINES = [
  'password = {v}',
  '[db]\nuser = app\npassword = {v}\nhost = db1\n',
  'smtp_user=bob\r\nsmtp_password={v}\r\nsmtp_port=587\r\n',
  'DB_HOST=db1\nDB_PASSWORD={v}\nDB_NAME=shop',
  'database:\n  user: app\n  password: {v}\n  port: 5432\n',
  'environment:\n  - MYSQL_ROOT_PASSWORD={v}\n',
  'db.user = app\ndb.password = {v}\n',
  'jdbc.password: {v}\n',
  'default_user         = app\ndefault_pass         = {v}\n',
]

/** Bare passwords as people make them, with a sign at their end or within, in whole lines of files. */
export function lineCases(count: number, seed = 1): { readonly text: string; readonly value: string }[] {
  const next = random(seed)
  const sign = () => pick(next, '!@#$%^&*+=~?')
  const made = () => {
    const word = pick(next, WORDS)
    const digits = part(next, pick(next, ['d1', 'd2', 'd3', 'd4']))
    return pick(next, [
      `${word}${digits}${sign()}`,
      `${word.toLowerCase()}${digits}${sign()}`,
      `${digits}${word}${sign()}`,
      `${word}${sign()}${digits}${sign()}`,
      `${word.toLowerCase()}${sign()}${digits}`,
      `${word}${digits}${sign()}${part(next, 'l2')}`,
    ])
  }
  return LINES.flatMap((template) =>
    Array.from({ length: count }, () => {
      const value = made()
      return { value, text: template.replace('{v}', () => value) }
    }),
  )
}

const expand = (next: Random, template: string): string =>
  template.replace(/\{([A-Za-z]+\d*)\}/g, (_, shape: string) => part(next, shape))

/** `count` texts for each format and notation. */
export function secretCases(count: number, seed = 1): SecretCase[] {
  const next = random(seed)
  const cases: SecretCase[] = []
  for (const [kind, template] of Object.entries(PREFIXED)) {
    for (let i = 0; i < count; i++) {
      const value = expand(next, template)
      cases.push({
        kind,
        family: 'prefix',
        value: coreOf(kind, value),
        text: pick(next, SENTENCES).replaceAll('{v}', () => value),
      })
    }
  }
  for (const [kind, template, shapes] of LABELLED) {
    for (let i = 0; i < count; i++) {
      const value = part(next, pick(next, shapes))
      cases.push({ kind, family: 'labelled', value, text: template.replaceAll('{v}', () => value) })
    }
  }
  for (const [kind, template, shape] of STRUCTURED) {
    for (let i = 0; i < count; i++) {
      const made = new Map<string, string>()
      const fill = (text: string): string =>
        text.replace(/\{([A-Za-z]+\d*)\}/g, (_, name: string) => {
          const value = made.get(name) ?? part(next, name)
          made.set(name, value)
          return value
        })
      cases.push({ kind, family: 'structured', text: fill(template), value: fill(shape) })
    }
  }
  for (const [kind, rows] of Object.entries(NOTATIONS)) {
    for (const [template, shape] of rows) {
      for (let i = 0; i < count; i++) {
        const value = part(next, shape)
        cases.push({ kind, family: 'notation', value, text: template.replaceAll('{v}', () => value) })
      }
    }
  }
  return cases
}

/** What has to go: context that is public by itself may stay. */
function coreOf(kind: string, value: string): string {
  if (kind === 'terraform') return value.slice(value.indexOf('.atlasv1.'))
  if (kind === 'azure ad client secret') return value.slice(3)
  if (kind === 'aws signature') return value.slice(value.lastIndexOf('=') + 1)
  if (kind === 'telegram url') return value.slice(value.indexOf('/bot') + 4)
  if (kind.endsWith('webhook')) return value.slice(value.lastIndexOf('/') + 1)
  if (kind === 'secret token') return value.slice('secret-token:'.length)
  if (kind === 'azure storage') return value.slice('AccountKey='.length)
  return value
}
