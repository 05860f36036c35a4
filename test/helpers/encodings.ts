/** Ways to write a text so that its values do not stand in it as they are. */

type Encoding = (text: string) => string

const each =
  (write: (code: number, char: string) => string): Encoding =>
  (text) =>
    [...text].map((char) => write(char.codePointAt(0) as number, char)).join('')
const ascii = (write: (code: number) => string): Encoding => each((code, char) => (code < 0x80 ? write(code) : char))
const bytes = (text: string, write: (byte: number) => string): string => [...Buffer.from(text)].map(write).join('')
const hex = (code: number, width = 2): string => code.toString(16).toUpperCase().padStart(width, '0')
const punctuation = (write: (code: number, char: string) => string): Encoding =>
  each((code, char) => (code < 0x80 && !/[A-Za-z0-9 ]/.test(char) ? write(code, char) : char))

/** Right behind what may be a line break or a path. */
export const BEHIND: Readonly<Record<string, Encoding>> = Object.fromEntries(
  [
    '\\n',
    '\\t',
    '\\r',
    '\\r\\n',
    '\\\\n',
    '\\\\\\\\t',
    '\\f',
    '\\e[1m',
    '\\0',
    '%0A',
    '%0D%0A',
    '=0A',
    '&#10;',
    '\\u000a',
    '\\x09',
  ].map((lead) => [`behind ${lead}`, (text: string) => `see${lead === '\\e[1m' ? ' ' : ''}${lead}${text}`]),
)

export const ENCODINGS: Readonly<Record<string, Encoding>> = {
  'code points': ascii((code) => `\\u${hex(code, 4)}`),
  'code points in braces': ascii((code) => `\\u{${code.toString(16)}}`),
  'hexadecimal escapes': ascii((code) => `\\x${hex(code)}`),
  'octal escapes': ascii((code) => `\\${code.toString(8).padStart(3, '0')}`),
  'decimal entities': each((code) => `&#${code};`),
  'hexadecimal entities': each((code) => `&#x${code.toString(16)};`),
  percent: (text) => bytes(text, (byte) => `%${hex(byte)}`),
  'percent of punctuation': punctuation((code) => `%${hex(code)}`),
  'quoted-printable': (text) => bytes(text, (byte) => `=${hex(byte)}`),
  'quoted-printable of punctuation': punctuation((code) => `=${hex(code)}`),
  Markdown: punctuation((_, char) => `\\${char}`),
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  hex: (text) => Buffer.from(text).toString('hex'),
}

/** Once more around what is encoded. */
export const NESTINGS: Readonly<Record<string, Encoding>> = {
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  percent: (text) => encodeURIComponent(text),
  entities: (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  base64: (text) => Buffer.from(text).toString('base64'),
}
