/** Real renderers of replies, and the addresses in what they make of a text. */
import { toHtml } from 'hast-util-to-html'
import MarkdownIt from 'markdown-it'
import { marked } from 'marked'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { toHast } from 'mdast-util-to-hast'
import { gfm } from 'micromark-extension-gfm'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'

const full = new MarkdownIt({ html: true, linkify: true, breaks: true })
const safe = new MarkdownIt({ html: false, linkify: true })
const commonmark = new MarkdownIt('commonmark')

export const RENDERERS: Readonly<Record<string, (text: string) => string>> = {
  'markdown-it': (text) => full.render(text),
  'markdown-it without HTML': (text) => safe.render(text),
  'markdown-it, CommonMark': (text) => commonmark.render(text),
  marked: (text) => marked.parse(text, { async: false, gfm: true }),
  'mdast with GFM': (text) => {
    const tree = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
    return toHtml(toHast(tree, { allowDangerousHtml: true }), { allowDangerousHtml: true })
  },
  HTML: (text) => text,
}

/** Elements whose text is submitted, run, or read by programs only. */
const KEPT = new Set(
  'script style textarea option select optgroup datalist button output title noscript iframe noembed noframes xmp plaintext'.split(
    ' ',
  ),
)

/** The text of an element as a browser submits it. */
const textOf = (node: DefaultTreeAdapterTypes.Node): string =>
  'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''

/**
 * Everything in a page that is an attribute or the text of such an element: what nobody reads, and what a form, script or style may send.
 * Names of attributes count where Markdown makes them: in HTML each `<n` opens a tag, and code is full of these.
 */
export function addressesOf(html: string, withNames: boolean): string[] {
  const out: string[] = []
  const walk = (node: DefaultTreeAdapterTypes.Node): void => {
    if ('attrs' in node) {
      for (const { name, value } of node.attrs) out.push(value, ...(withNames ? [name] : []))
      if (KEPT.has(node.nodeName)) out.push(textOf(node))
      if ('content' in node) walk((node as DefaultTreeAdapterTypes.Template).content)
    }
    if ('childNodes' in node) node.childNodes.forEach(walk)
  }
  for (const scriptingEnabled of [true, false]) walk(parse(html, { scriptingEnabled }))
  return out
}

/** The addresses of a rendered text that hold the value, other than links to write to nobody but one of the `values`. */
export function leaks(text: string, value: string, values: readonly string[]): string[] {
  const out: string[] = []
  for (const [name, render] of Object.entries(RENDERERS)) {
    for (const address of addressesOf(render(text), name !== 'HTML')) {
      if (decodings(address).some((one) => one.includes(value)) && !isOwn(address, values))
        out.push(`${name}: ${address}`)
    }
  }
  return out
}

function decodings(address: string): string[] {
  const out = [address, address.replace(/[\t\n\r]/g, '')]
  try {
    out.push(decodeURIComponent(address))
  } catch {}
  return out
}

/** A letter to a value goes to nobody else, whatever stands around it. */
function isOwn(address: string, values: readonly string[]): boolean {
  if (!/^mailto:/i.test(address)) return false
  const own = values.find((value) => value.includes('@') && address.includes(value))
  if (own === undefined) return false
  const [before, after] = address.split(own) as [string, string]
  return !before.includes('@') && !/[@?,;]/.test(after)
}
