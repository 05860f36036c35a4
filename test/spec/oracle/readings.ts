/** The same value written in other ways, each of which somebody or something reads back. */
import { Dice } from './values.ts'

type Write = (value: string, seed: number) => string

const chars = (value: string, some: RegExp, write: (char: string, code: number) => string): string =>
  [...value].map((char) => (some.test(char) ? write(char, char.codePointAt(0) as number) : char)).join('')

const hex = (code: number, size: number): string => code.toString(16).padStart(size, '0')
const MARKS = /[^A-Za-z0-9\n]/
const ALL = /[^\n]/s

/** Puts one of `what` between characters, at two or three places within. */
const inside =
  (what: readonly string[]): Write =>
  (value, seed) => {
    const d = new Dice(seed)
    const list = [...value]
    for (let i = 0; i < 3; i += 1) list.splice(1 + d.below(list.length - 1), 0, d.pick(what))
    return list.join('')
  }

// biome-ignore format: a table reads best with one entry in a line.
const LOOKS: Readonly<Record<string, string>> = {
  a: 'а', e: 'е', o: 'о', p: 'р', c: 'с', x: 'х', y: 'у', i: 'і', s: 'ѕ', h: 'һ', k: 'к', A: 'А', B: 'В', E: 'Е', K: 'К', I: 'І', H: 'Н',
}

const fullWidth = (value: string): string => chars(value, /[!-~]/, (_c, code) => String.fromCodePoint(code + 0xfee0))

const quoted = (value: string): string =>
  chars(value, /[^A-Za-z0-9 \n]/, (char) => [...Buffer.from(char)].map((b) => `=${hex(b, 2).toUpperCase()}`).join(''))

const percent = (value: string, some: RegExp): string =>
  chars(value, some, (char) => [...Buffer.from(char)].map((b) => `%${hex(b, 2).toUpperCase()}`).join(''))

const json = (value: string): string => JSON.stringify({ note: `see ${value} here` })
const IGNORABLE = ['\u00ad', '\u034f', '\u061c', '\u115f', '\u1160', '\u17b4', '\u17b5', '\u180b', '\u180e', '\u180f']
const MORE_IGNORABLE = [
  '\u200b',
  '\u200c',
  '\u200d',
  '\u200e',
  '\u202a',
  '\u202e',
  '\u2060',
  '\u2064',
  '\u2065',
  '\u206f',
]
const RARE_IGNORABLE = ['\u3164', '\ufe00', '\ufe0f', '\ufeff', '\uffa0', '\ufff0', '\ufff8', '\u{1bca0}', '\u{1d173}']
const TAGS = ['\u{e0000}', '\u{e0001}', '\u{e0041}', '\u{e007f}', '\u{e0100}', '\u{e01ef}', '\u{e0fff}']
const CONTROLS = ['\u0000', '\u0001', '\u0007', '\u0008', '\u000e', '\u001b', '\u001f']
const C1 = ['\u0080', '\u0084', '\u009f']

/** Every way; the name is the class. */
export const READINGS = {
  plain: (v) => v,
  'behind-written-newline': (v) => `one\\n${v}\\nand`,
  'behind-written-tab': (v) => `one\\t${v}\\tand`,
  'behind-written-return': (v) => `one\\r\\n${v}\\r\\nand`,
  'behind-written-quote': (v) => `{\\"note\\":\\"${v}\\"}`,
  'among-written-newlines': (v) => `\\n\\n${v}\\n\\n`,
  'json-string': json,
  'json-in-json': (v) => JSON.stringify({ a: json(v) }),
  'json-three-levels': (v) => JSON.stringify([JSON.stringify({ a: json(v) })]),
  'json-unicode-escapes': (v) => chars(v, MARKS, (_c, code) => `\\u${hex(code, 4)}`),
  'json-all-escaped': (v) => chars(v, ALL, (_c, code) => `\\u${hex(code, 4)}`),
  'js-braces': (v) => chars(v, MARKS, (_c, code) => `\\u{${hex(code, 0)}}`),
  'js-braces-zeros': (v) => chars(v, MARKS, (_c, code) => `\\u{${hex(code, 6)}}`),
  'hex-escapes': (v) => chars(v, MARKS, (_c, code) => `\\x${hex(code, 2)}`),
  'shell-quote': (v) => `$'${chars(v, MARKS, (_c, code) => `\\x${hex(code, 2)}`)}'`,
  'shell-octal': (v) => `$'${chars(v, MARKS, (_c, code) => `\\${code.toString(8).padStart(3, '0')}`)}'`,
  'shell-quote-newline': (v) => `$'a\\n${v}\\n'`,
  'entities-decimal': (v) => chars(v, MARKS, (_c, code) => `&#${code};`),
  'entities-hex': (v) => chars(v, MARKS, (_c, code) => `&#x${hex(code, 2)};`),
  'entities-all': (v) => chars(v, ALL, (_c, code) => `&#${code};`),
  'entities-zeros': (v) => chars(v, MARKS, (_c, code) => `&#00${code};`),
  'entities-named': (v) => chars(v, MARKS, (char) => NAMED[char] ?? char),
  'entities-twice': (v) => chars(v, MARKS, (_c, code) => `&amp;#${code};`),
  'entities-no-semicolon': (v) => v.replace(/[^A-Za-z0-9\n](?![0-9;])/g, (char) => `&#${char.codePointAt(0)}`),
  'percent-marks': (v) => percent(v, MARKS),
  'percent-all': (v) => percent(v, ALL),
  'percent-lower': (v) => percent(v, MARKS).replace(/%../g, (code) => code.toLowerCase()),
  'percent-twice': (v) => percent(v, MARKS).replaceAll('%', '%25'),
  'percent-query': (v) => `https://example.test/?q=${percent(v, MARKS)}&r=1`,
  'markdown-escapes': (v) => chars(v, /[!-/:-@[-`{-~]/, (char) => `\\${char}`),
  'markdown-escape-one': (v) => v.replace(/[_.@-]/, (char) => `\\${char}`),
  'quoted-printable': quoted,
  'quoted-printable-soft': (v) => quoted(v).replace(/^(?:=..|[^=]){5}/s, '$&=\r\n'), // never within `=2D`
  'full-width': fullWidth,
  'invisible-marks': inside(IGNORABLE),
  'invisible-format': inside(MORE_IGNORABLE),
  'invisible-rare': inside(RARE_IGNORABLE),
  'invisible-fillers': inside(['\u3164', '\uffa0', '\u115f']),
  'invisible-braille': inside(['\u2800']),
  'invisible-tags': inside(TAGS),
  'invisible-controls': inside(CONTROLS),
  'invisible-delete': inside(['\u007f']),
  'invisible-c1': inside(C1),
  'invisible-entities': inside(['&#8203;', '&#xAD;', '&shy;', '&ZeroWidthSpace;']),
  'invisible-escaped': inside(['\\u200b', '\\u00ad', '\\u0000']),
  'invisible-percent': inside(['%E2%80%8B', '%C2%AD']),
  'look-alikes': (v) => chars(v, /[a-zA-Z]/, (char) => LOOKS[char] ?? char),
  'look-alike-one': (v) => v.replace(/[aeopcxyishkABEKIH]/, (char) => LOOKS[char] as string),
  'html-comment': (v) => `${v.slice(0, 5)}<!-- x -->${v.slice(5)}`,
  'html-tags': (v) => `${v.slice(0, 5)}<b>${v.slice(5, 8)}</b>${v.slice(8)}`,
  'html-wbr': (v) => `${v.slice(0, 6)}<wbr>${v.slice(6)}`,
  'markdown-emphasis': (v) => `${v.slice(0, 5)}**${v.slice(5, 8)}**${v.slice(8)}`,
  'markdown-code': (v) => `\`${v}\``,
  'markdown-link-text': (v) => `[${v}](https://example.test/page)`,
  'html-attribute': (v) => `<a title="${chars(v, MARKS, (_c, code) => `&#${code};`)}">x</a>`,
  'html-table': (v) => `<td>${v}</td>`,
  'xml-cdata': (v) => `<![CDATA[${v}]]>`,
  base64: (v) => Buffer.from(v).toString('base64'),
  'base64-url': (v) => Buffer.from(v).toString('base64url'),
  hex: (v) => Buffer.from(v).toString('hex'),
  'split-literal': (v) => `"${v.slice(0, 6)}" + "${v.slice(6)}"`,
} as const satisfies Record<string, Write>

// biome-ignore format: a table reads best with one entry in a line.
const NAMED: Readonly<Record<string, string>> = {
  '@': '&commat;', '.': '&period;', _: '&lowbar;', '-': '&hyphen;', ' ': '&nbsp;', '+': '&plus;', ':': '&colon;', '"': '&quot;', '=': '&equals;', '/': '&sol;',
}

export type ReadingName = keyof typeof READINGS
export const READING_NAMES = Object.keys(READINGS) as ReadingName[]

export const write = (name: ReadingName, value: string, seed: number): string => (READINGS[name] as Write)(value, seed)
