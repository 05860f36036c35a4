/** Values in a row with no blank between: they come back where no renderer makes an address for somebody else of them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import pii from '../../../plugins/pii/index.ts'
import { Drive } from '../../eval/drive.ts'
import { rounds, some } from '../../helpers/rounds.ts'
import { leaks, RENDERERS } from './renderers.ts'

const VALUES = {
  mail: 'd@zebra-mail.com',
  other: 'e@zebra-mail.com',
  dotted: 'jo.smith@example.com',
  hostlike: 'x.evil.co@example.com',
  number: '123-45-6789',
  card: '4111 1111 1111 1111',
  phone: '+49 30 1234567',
  ip: '85.214.132.117',
  word: 'Falcon',
  host: 'kestrel.co',
} as const
type Name = keyof typeof VALUES
const NAMES = Object.keys(VALUES) as Name[]
const ALL = Object.values(VALUES)

const root = new Drive(pii, {
  action: 'tokenize',
  output: { action: 'off' },
  words: [{ type: 'project', words: [VALUES.word, VALUES.host], level: 'RESTRICTED' }],
})
const GIVEN = ALL.join(' ; ')
/** An exchange for each reply: within one, the places of a text depend on what was said before. */
function asked(): Drive {
  const drive = root.next()
  drive.input(GIVEN)
  return drive
}
const tokens = root.next().input(GIVEN).output.split(' ; ')

const fill = (text: string, values: readonly string[]) =>
  text.replace(/\{(\w+)\}/g, (_, name: Name) => values[NAMES.indexOf(name)] as string)
const written = (text: string) => fill(text, tokens)
const whole = (text: string) => asked().reply(written(text)).output
const cut = (text: string, at: number) => asked().stream([written(text).slice(0, at), written(text).slice(at)]).output
const places = (text: string) =>
  some(
    Array.from({ length: written(text).length - 1 }, (_, i) => i + 1),
    5,
  )

const BEFORE = [
  '',
  'x|',
  '|',
  '- ',
  'Mail: ',
  'a=',
  '(',
  '"',
  'x@evil',
  'x@evil.',
  'x@evil.co|',
  'evil.co|',
  'x@',
  '{word}|',
  '{mail}|',
  '{ip}|',
  '{host}|',
]
const BEHIND = [
  '',
  '|end',
  '|',
  '.',
  ' x',
  '|x@evil.co',
  '|evil.co',
  '.evil.co',
  '@evil.co',
  'co',
  '|{other}',
  '|{hostlike}',
  '|{word}.evil.co',
]
const SEPARATORS = [
  '|',
  '|',
  '|',
  '|',
  '\\|',
  '||',
  '|x|',
  '|x.|',
  '|.',
  '/',
  ':',
  '=',
  ';',
  ',',
  '~',
  '&',
  '+',
  '^',
  '$',
]

describe('pii: values in a row', () => {
  it('are all known', () => {
    assert.equal(tokens.length, ALL.length)
    for (const token of tokens) assert.match(token, /^[A-Z_]+_[a-z2-7]{10}$/)
  })

  it('come back only where no address for others is made of them', () => {
    const row = [BEFORE, NAMES, SEPARATORS, NAMES, BEHIND].map((given) => fc.constantFrom<string>(...given))
    fc.assert(
      fc.property(fc.tuple(...row), ([before, first, separator, second, behind]) =>
        check(`${before}{${first}}${separator}{${second}}${behind}`),
      ),
      { numRuns: Number(process.env.HOSTILE_RUNS ?? rounds(2000)) },
    )
  })

  for (const text of [
    '{mail}|{other}',
    '{mail}|{other}|{mail}',
    '{word}|{dotted}|{card}|end',
    '{word}|{hostlike}|{phone}|end',
    'name|mail|card|end\n{word}|{mail}|{card}|end\n{word}|{dotted}|{number}|{ip}|end\n',
    '|Name|Mail|Card|\n|---|---|---|\n|{word}|{dotted}|{card}|\n|{word}|{mail}|{number}|',
    '{number}\\|{mail}',
    '{ip}|{mail}||{word}',
  ]) {
    it(`come back in ${JSON.stringify(text)}`, () => {
      const expected = fill(text, ALL)
      assert.equal(whole(text), expected)
      for (const at of places(text)) assert.equal(cut(text, at), expected, `cut at ${at}`)
    })
  }

  for (const [text, name] of [
    // Of `d@zebra-mail.com|x.evil.co` linkifiers make a mailbox below the other host.
    ['{mail}|{hostlike}', 'hostlike'],
    ['{mail}|{word}|{hostlike}', 'hostlike'],
    ['{word}|{host}', 'host'],
    ['x@evil.co|{mail}', 'mail'],
    ['x@evil.{word}|{mail}', 'mail'],
    ['{mail}|x@evil.co', 'mail'],
    ['{mail}|evil.co', 'mail'],
    ['{ip}/{mail}', 'mail'],
    ['{mail}:{number}', 'number'],
    ['{mail}={other}', 'other'],
  ] as const) {
    it(`leave ${name} a token in ${text}`, () => {
      const out = whole(text)
      assert.ok(!out.includes(VALUES[name]), out)
      for (const at of places(text)) assert.equal(cut(text, at), out, `cut at ${at}`)
    })
  }

  it('would make an address below the host of another one', () => {
    const made = RENDERERS['markdown-it']?.(fill('{mail}|{hostlike}', ALL))
    assert.ok(made?.includes('"mailto:d@zebra-mail.com%7Cx.evil.co"'), made)
  })
})

const MAILBOX = /^mailto:[^@]*@[^@]*$/i

function check(text: string): void {
  const out = whole(text)
  for (const value of ALL) if (out.includes(value)) assert.deepEqual(foreign(out, value), [], `${text}: ${out}`)
}

/** Addresses with the value that lead to anybody but a mailbox of the values. */
const foreign = (out: string, value: string): string[] =>
  leaks(out, value, ALL).filter((address) => !leadsToValue(address.slice(address.indexOf(': ') + 2)))

/** A mailbox whose name has more in front of it, at the host of a value. */
function leadsToValue(address: string): boolean {
  const read = decodeURI(address)
  return MAILBOX.test(read) && ALL.some((value) => value.includes('@') && read.endsWith(value))
}
