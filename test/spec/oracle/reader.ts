/** Reads a text in every way that a person, a browser, a shell or a parser might, knowing nothing of the gateway. */
import MarkdownIt from 'markdown-it'
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'
import { squeeze } from './values.ts'

const markdown = new MarkdownIt({ html: true, linkify: true })
markdown.linkify.set({ fuzzyEmail: false })

type Node = DefaultTreeAdapterTypes.ChildNode | DefaultTreeAdapterTypes.DocumentFragment

/** What a page shows, and what stands in its attributes. */
export interface Page {
  text: string
  attributes: { element: string; name: string; value: string }[]
}

function walk(node: Node, page: Page): void {
  if ('value' in node) page.text += node.value
  if ('attrs' in node) {
    for (const { name, value } of node.attrs) page.attributes.push({ element: node.tagName, name, value })
    if (/^(p|div|td|tr|li|br|h\d|pre)$/.test(node.tagName)) page.text += '\n'
  }
  const children = 'content' in node ? node.content.childNodes : 'childNodes' in node ? node.childNodes : []
  for (const child of children) walk(child, page)
}

export function htmlPage(html: string): Page {
  const page: Page = { text: '', attributes: [] }
  walk(parseFragment(html), page)
  return page
}

export const markdownPage = (text: string): Page => htmlPage(markdown.render(text))

/** What programs take for addresses in a text that is no page: in a terminal, a chat, a mail, a shell. */
const ADDRESSES: readonly RegExp[] = [
  /(?:\u001b\]|\u009d)8;([^\u0007\u001b\u009c]*)/g,
  /(?:\u001b\]|\u009d)(?:0|2|52);([^\u0007\u001b\u009c]*)/g,
  /\\[e]\]8;([^\\]*)/g,
  /(?<![\w:\\/])(?:\\{2,4}|\/\/)([A-Za-z0-9?.-][^\s"'<>`]*)/g,
  /(?<![A-Za-z])((?:file|smb|ftp|https?):\/\/[^\s"'<>`]*)/gi,
]

export const addressesIn = (text: string): string[] =>
  ADDRESSES.flatMap((some) => Array.from(text.matchAll(some), ([, address]) => address as string))

const bytesToText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const printable = (text: string): boolean => !/[\u0000-\u0008\u000e-\u001f\ufffd]/.test(text)

const SHORT: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', a: '', e: '' }

const unescaped = (text: string): string =>
  text.replace(
    /\\(?:[uU]\{([0-9a-fA-F]{1,8})\}|U([0-9a-fA-F]{8})|[uU]([0-9a-fA-F]{4})|[xX]([0-9a-fA-F]{2})|([0-7]{3})|([\s\S]))/g,
    (_all, braces, u8, u4, x2, octal, char) => {
      const digits = braces ?? u4 ?? u8 ?? x2
      const code = digits !== undefined ? Number.parseInt(digits, 16) : octal ? Number.parseInt(octal, 8) : undefined
      if (code === undefined) return SHORT[char] ?? char
      return code <= 0x10ffff ? String.fromCodePoint(code) : ''
    },
  )

const unpercent = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => bytesToText(Buffer.from(run.replaceAll('%', ''), 'hex')))

const unquote = (text: string): string =>
  text
    .replace(/=\r?\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/gi, (run) => bytesToText(Buffer.from(run.replaceAll('=', ''), 'hex')))

/** Fills what the text holds in base64 or hex in its place. */
const unpack = (text: string): string =>
  text
    .replace(/([A-Za-z0-9+/]{76})\n(?=[A-Za-z0-9+/])/g, '$1')
    .replace(/\b(?:[0-9a-f]{2}){10,}\b/gi, (run) => ifText(Buffer.from(run, 'hex'), run))
    .replace(/[A-Za-z0-9+/_-]{12,}={0,2}/g, (run) => ifText(Buffer.from(run, 'base64'), run))

function ifText(bytes: Uint8Array, otherwise: string): string {
  const text = bytesToText(bytes)
  return printable(text) ? text : otherwise
}

const pageText = ({ text, attributes }: Page): string => [text, ...attributes.map(({ value }) => value)].join('\n')

/** What stands in tag characters and in variation selectors, one byte in each. */
const HIDDEN = /[\ufe00-\ufe0f\u{e0000}-\u{e007f}\u{e0100}-\u{e01ef}]/gu
const unhidden = (text: string): string => {
  const bytes = (text.match(HIDDEN) ?? []).map((char) => {
    const code = char.codePointAt(0) as number
    if (code >= 0xe0100) return code - 0xe0100 + 16
    return code >= 0xe0000 ? code - 0xe0000 : code - 0xfe00
  })
  return bytesToText(Uint8Array.from(bytes))
}

const DECODERS: readonly { when: RegExp; read: (text: string) => string }[] = [
  { when: /\\/, read: unescaped },
  { when: /%[0-9a-f]{2}/i, read: unpercent },
  { when: /[<&]/, read: (text) => pageText(htmlPage(text)) },
  { when: /[\\*_`[\]<&~|#]/, read: (text) => pageText(markdownPage(text)) },
  { when: /=(?:[0-9A-F]{2}|\r?\n)/, read: unquote },
  { when: /[A-Za-z0-9+/_-]{12,}/, read: unpack },
  { when: new RegExp(HIDDEN.source, 'u'), read: unhidden },
]

const MOST_READINGS = 60
const DEPTH = 5

/** What the client got is read as it came, as an SDK gives it, and by its links. */
const latest = new Map<string, readonly string[]>()
const MOST_LATEST = 200

/** Every reading of a text, itself first. */
export function readingsOf(text: string): readonly string[] {
  let readings = latest.get(text)
  if (readings === undefined) {
    if (latest.size >= MOST_LATEST) latest.clear()
    readings = readAll(text)
    latest.set(text, readings)
  }
  return readings
}

function readAll(text: string): string[] {
  const seen = new Set([text])
  let layer = [text]
  for (let depth = 0; depth < DEPTH && layer.length > 0; depth += 1) {
    const next: string[] = []
    for (const one of layer) {
      for (const { when, read } of DECODERS) {
        if (seen.size >= MOST_READINGS || !when.test(one)) continue
        const other = read(one)
        if (!seen.has(other)) {
          seen.add(other)
          next.push(other)
        }
      }
    }
    layer = next
  }
  return [...seen]
}

/** True when one of the needles can be read in the text. */
export function canRead(text: string, needles: readonly string[]): boolean {
  const shortest = Math.min(...needles.map((needle) => needle.length))
  if (text.length < shortest) return false
  return readingsOf(text).some((reading) => has(reading, needles))
}

/** Without the decoding: for long texts such as logs, in which values would stand as they are. */
export function has(text: string, needles: readonly string[]): boolean {
  const squeezed = squeeze(text)
  return needles.some((needle) => squeezed.includes(needle))
}
