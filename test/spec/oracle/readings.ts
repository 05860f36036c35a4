/** The same value written in other ways, each of which somebody or something reads back. */
import { Dice } from './values.ts'

type Write = (value: string, seed: number) => string

const chars = (value: string, some: RegExp, write: (char: string, code: number) => string): string =>
  [...value].map((char) => (some.test(char) ? write(char, char.codePointAt(0) as number) : char)).join('')

const hex = (code: number, size: number): string => code.toString(16).padStart(size, '0')
/** As JSON has it: two for a character outside of the first plane. */
const unicode = (char: string): string => char.replace(/[\s\S]/g, (unit) => `\\u${hex(unit.charCodeAt(0), 4)}`)
const MARKS = /[^A-Za-z0-9\n]/u
/** Signs that one byte stands for. */
const SIGNS = /[ -/:-@[-`{-~]/
const ALL = /[^\n]/s

/** A character, or what another spelling has put in its place: an escape that is taken apart is none. */
const WHOLE =
  /\\+(?:u\{\w*\}|u[0-9a-f]{4}|U[0-9a-f]{8}|x[0-9a-f]{2}|[0-7]{3}|[^\\])|&(?:amp;)?#?\w+;?|(?:%25|%)[0-9a-f]{2}|=[0-9A-F]{2}|=\r\n|\u001b\[[\d;]*m|[\s\S]/giu

/** Beginnings of lines; a soft line break ends none. */
const LINES = /(?<!=\r\n)^/gm

/** Other letters for those of a text, but for those of escapes. */
const letters = (value: string, write: (char: string) => string): string =>
  (value.match(WHOLE) ?? []).map((one) => (/^[a-zA-Z]$/.test(one) ? write(one) : one)).join('')

/** Puts one of `what` between characters, at two or three places within. */
const inside =
  (what: readonly string[]): Write =>
  (value, seed) => {
    const d = new Dice(seed)
    const list = value.match(WHOLE) ?? []
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

const oneOf = (value: string, some: RegExp, others: string, seed: number): string => {
  const d = new Dice(seed)
  return value.replace(some, () => d.pick(others))
}

/** Ways to write one character of a text in ASCII. */
const SPELT: readonly ((code: number) => string)[] = [
  (code) => `\\u${hex(code, 4)}`,
  (code) => `\\x${hex(code, 2)}`,
  (code) => `=${hex(code, 2).toUpperCase()}`,
  (code) => `%${hex(code, 2).toUpperCase()}`,
  (code) => `&#${code};`,
  (code) => `&#x${hex(code, 2)};`,
  (code) => `\\u{${hex(code, 0)}}`,
]

/** Spells one to three characters in a row, from a place between two shares of the text; all in one way. */
const spelledPart =
  (from: number, to: number): Write =>
  (value, seed) => {
    const d = new Dice(seed)
    const list = value.match(WHOLE) ?? []
    const first = Math.floor(from * list.length) + d.below(Math.ceil((to - from) * list.length))
    const last = first + d.below(3)
    const spell = d.pick(SPELT)
    // Nothing writes a letter or a sign of base64 by itself in quoted-printable, and `id=70` is none.
    const some = spell(0).startsWith('=') ? /^[!-*,-.:-@[-`{-~]$/ : /^[!-~]$/
    return list
      .map((one, at) => (at >= first && at <= last && some.test(one) ? spell(one.charCodeAt(0)) : one))
      .join('')
  }

/** Each byte of a text as a variation selector, behind what `before` says. */
const inSelectors = (text: string, before: (at: number) => string): string =>
  [...Buffer.from(text)]
    .map((byte, at) => before(at) + String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16))
    .join('')

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
// biome-ignore format: a table reads best with one entry in a line.
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
  'json-unicode-escapes': (v) => chars(v, MARKS, unicode),
  'json-all-escaped': (v) => chars(v, ALL, unicode),
  'js-braces': (v) => chars(v, MARKS, (_c, code) => `\\u{${hex(code, 0)}}`),
  'js-braces-zeros': (v) => chars(v, MARKS, (_c, code) => `\\u{${hex(code, 6)}}`),
  'hex-escapes': (v) => chars(v, SIGNS, (_c, code) => `\\x${hex(code, 2)}`),
  'shell-quote': (v) => `$'${chars(v, SIGNS, (_c, code) => `\\x${hex(code, 2)}`)}'`,
  'shell-octal': (v) => `$'${chars(v, SIGNS, (_c, code) => `\\${code.toString(8).padStart(3, '0')}`)}'`,
  'shell-quote-newline': (v) => `$'a\\n${v}\\n'`,
  'entities-decimal': (v) => chars(v, MARKS, (_c, code) => `&#${code};`),
  'entities-hex': (v) => chars(v, MARKS, (_c, code) => `&#x${hex(code, 2)};`),
  'entities-all': (v) => chars(v, ALL, (_c, code) => `&#${code};`),
  'entities-zeros': (v) => chars(v, MARKS, (_c, code) => `&#00${code};`),
  'entities-named': (v) => chars(v, MARKS, (char) => NAMED[char] ?? char),
  'entities-twice': (v) => chars(v, MARKS, (_c, code) => `&amp;#${code};`),
  'entities-no-semicolon': (v) => v.replace(/[^A-Za-z0-9\n](?![0-9;])/gu, (char) => `&#${char.codePointAt(0)}`),
  'percent-marks': (v) => percent(v, MARKS),
  'percent-all': (v) => percent(v, ALL),
  'percent-lower': (v) => percent(v, MARKS).replace(/%../g, (code) => code.toLowerCase()),
  'percent-twice': (v) => percent(v, MARKS).replaceAll('%', '%25'),
  'percent-query': (v) => `https://example.test/?q=${percent(v, MARKS)}&r=1`,
  'slashes-escaped': (v) => v.replaceAll('/', '\\/'),
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
  'invisible-stretches': inside(['\u0640']),
  'spelled-head': spelledPart(0, 0.08),
  'spelled-part': spelledPart(0.05, 0.95),
  'spelled-tail': spelledPart(0.9, 1),
  'hidden-tags': (v) => [...v].map((char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join(''),
  'hidden-selectors': (v) => inSelectors(v, (at) => (at === 0 ? '\u{1f600}' : '')),
  'hidden-behind-stretches': (v) => inSelectors(v, () => '\u0640'),
  'hidden-behind-blanks': (v) => inSelectors(v, () => '\u2800'),
  'hidden-behind-controls': (v, seed) => inSelectors(v, (at) => CONTROLS[(seed + at) % CONTROLS.length] as string),
  'hidden-behind-letters': (v) => inSelectors(v, (at) => 'quite the word '.charAt(at % 15)),
  'hidden-behind-marks': (v) => inSelectors(v, (at) => (at % 3 === 0 ? '\u200b' : '\u0640')),
  'invisible-entities': inside(['&#8203;', '&#xAD;', '&shy;', '&ZeroWidthSpace;']),
  'invisible-escaped': inside(['\\u200b', '\\u00ad', '\\u0000']),
  'invisible-percent': inside(['%E2%80%8B', '%C2%AD']),
  'look-alikes': (v) => letters(v, (char) => LOOKS[char] ?? char),
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
  'base64-lines': (v, seed) => (Buffer.from(`# ${'.~?>'.repeat(15).slice(0, seed % 57)}\n${v}\n`).toString('base64').match(/.{1,76}/g) ?? []).join(seed % 2 ? '\n' : '\r\n'),
  hex: (v) => Buffer.from(v).toString('hex'),
  'split-literal': (v) => `"${v.slice(0, 6)}" + "${v.slice(6)}"`,
  'python-long-escapes': (v) => chars(v, MARKS, (_c, code) => `\\U${hex(code, 8)}`),
  'escapes-upper': (v) => chars(v, MARKS, (char) => unicode(char).toUpperCase().replaceAll('U', 'u')),
  'entities-upper': (v) => chars(v, MARKS, (_c, code) => `&#X${hex(code, 2).toUpperCase()};`),
  'form-encoded': (v) => `note=${encodeURIComponent(v).replaceAll('%20', '+')}&r=1`,
  'digits-arabic': (v) => chars(v, /[0-9]/, (_c, code) => String.fromCodePoint(code - 48 + 0x660)),
  'digits-mathematical': (v) => chars(v, /[0-9]/, (_c, code) => String.fromCodePoint(code - 48 + 0x1d7ce)),
  'digits-raised': (v) => chars(v, /[0-9]/, (char) => '\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079'[Number(char)] as string),
  'letters-mathematical': (v) => letters(v, (char) => /[a-z]/.test(char) ? String.fromCodePoint(char.charCodeAt(0) - 97 + 0x1d5ba) : char),
  'dashes-odd': (v, seed) => oneOf(v, /-/g, '\u2010\u2011\u2012\u2013\u2014\u2212\ufe63', seed),
  'blanks-odd': (v, seed) => oneOf(v, / /g, '\u00a0\u2007\u2009\u202f\u3000', seed),
  'struck-through': (v) => (v.match(WHOLE) ?? []).map((one) => (one === '\n' ? one : `${one}\u0336`)).join(''),
  keycaps: (v) => chars(v, /[0-9]/, (char) => `${char}\ufe0f\u20e3`),
  'terminal-colours': (v) => `\u001b[1;31m${v}\u001b[0m`,
  'quoted-lines': (v) => v.replace(LINES, '> '),
  'numbered-lines': (v) => v.split(/(?<!=\r)\n/).map((line, at) => `${String(at + 7).padStart(6)}\t${line}`).join('\n'),
  'indented-lines': (v) => `note: |\n${v.replace(LINES, '    ')}\n`,
  'diff-lines': (v) => v.replace(LINES, '+'),
  'commented-lines': (v) => v.replace(LINES, ' * '),
  'csv-cell': (v) => `1,"${v.replaceAll('"', '""')}",x`,
  latex: (v) => `\\texttt{${v.replace(/[_#%&$]/g, '\\$&')}}`,
  mailto: (v) => `<a href="mailto:${v.replaceAll('"', '&quot;')}">x</a>`,
} as const satisfies Record<string, Write>

// biome-ignore format: a table reads best with one entry in a line.
const NAMED: Readonly<Record<string, string>> = {
  '@': '&commat;', '.': '&period;', _: '&lowbar;', '-': '&hyphen;', ' ': '&nbsp;', '+': '&plus;', ':': '&colon;', '"': '&quot;', '=': '&equals;', '/': '&sol;',
}

export type ReadingName = keyof typeof READINGS
export const READING_NAMES = Object.keys(READINGS) as ReadingName[]

export const write = (name: ReadingName, value: string, seed: number): string => (READINGS[name] as Write)(value, seed)
