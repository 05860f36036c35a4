// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to the environment look like this.
/** What is wrong with the YAML of a config, and what to write instead. Shows no text of the file but single characters and words. */
import type { YAMLError } from 'yaml'
import { quotedWord } from '../../engine/util/outside.ts'

const quotes = (first: string): string => `A text that begins with ${first} needs quotes: "${first}…"`
const COLON = 'A text with ": " in it, or : at its end, needs quotes; a map within a map begins in a new line'

/** By the beginning of the parser's message. */
const REMEDIES: readonly (readonly [message: string, remedy: string])[] = [
  ['Tabs are not allowed as indentation', 'Tabs are not allowed as indentation. Use blanks'],
  ['Nested mappings are not allowed', `a second ": " in one line. ${COLON}`],
  ['Block collections are not allowed within flow', `lines of a list or map within { … } or [ … ]. ${COLON}`],
  [
    'Implicit map keys need to be followed by map values',
    'a key without a value. Write NAME: VALUE, with a blank behind the colon',
  ],
  ['Implicit keys need to be on a single line', 'a key that goes over lines. Is a quote, a : or a - missing above it?'],
  [
    'All mapping items must start at the same column',
    'a key that is not below the others. Indent all keys of a map alike',
  ],
  ['All sequence items must start at the same column', 'a - that is not below the others. Indent all of them alike'],
  [
    'Sequence item without - indicator',
    'a line that belongs to no entry of the list. Begin it with -, or indent it like the keys of the entry above',
  ],
  ['Missing closing', 'the closing quote of this text is missing'],
  ['Flow sequence in block collection must be', 'the ] that ends a list is missing above, or needs more indentation'],
  ['Flow map in block collection must be', 'the } that ends a map is missing above, or needs more indentation'],
  ['Unexpected flow-map-end', 'a } that ends nothing. Remove it'],
  ['Unexpected flow-seq-end', 'a ] that ends nothing. Remove it'],
  ['Missing , ', 'a comma is missing in { … } or [ … ]'],
  ['Invalid escape sequence', String.raw`a \ that begins no escape. Write \\, or put the text in single quotes`],
  ['Comments must be separated', 'a # within a text. Put the text in quotes; a comment needs a blank before it'],
]

/** A message for an error of the parser; `text` is that of the file. */
export function messageOf(error: YAMLError, text: string): string {
  const { code, message, pos } = error
  const at = text[pos[0]] ?? ''
  switch (code) {
    case 'MULTIPLE_DOCS':
      return 'YAML: a second document begins here; a config file has one, so remove the line ---'
    case 'RESOURCE_EXHAUSTION':
      return 'YAML: lists or maps are nested too deep'
    case 'TAG_RESOLVE_FAILED':
      return `YAML: this tag is not known; remove it. ${quotes('!')}`
    case 'BAD_SCALAR_START':
      return `YAML: ${quotes(at)}`
    case 'UNEXPECTED_TOKEN':
      if (/at node end$/.test(message) && !/flow-(?:map|seq)-end/.test(message))
        return 'YAML: text behind a value that has ended. Put quotes around all of it, or is a quote missing in a line above?'
  }
  // The parser repeats text of the file after a colon.
  const own = message.split(':', 1)[0] as string
  return `YAML: ${REMEDIES.find(([beginning]) => own.startsWith(beginning))?.[1] ?? own}`
}

/** `*` or `&` before a blank. */
export const nameless = (sign: string): string =>
  `YAML: ${sign === '&' ? 'an anchor' : 'an alias'} without a name. ${quotes(sign)}`

export const unknownAlias = (name: string): string =>
  `YAML: there is no anchor ${quotedWord(name)} before this alias. ${quotes('*')}`

export const EMPTY_ANCHOR = `YAML: an anchor without a value. ${quotes('&')}`

export const LOOP = 'YAML: an alias stands within what it repeats'

/** A key that is a map or a list: most often a template's braces. */
export const collectionAsKey = (text: string, at: number): string =>
  /^\{?\{/.test(text.slice(at - 1, at + 1)) && text[at] === '{'
    ? 'YAML: {{ … }} is no reference: write ${NAME} for the environment, or put a text that begins with { in quotes'
    : 'YAML: a list or map as the name of a key. A text that begins with { or [ needs quotes'

/** As pages of the web have them: YAML takes them for a part of the name. */
export const STRANGE_BLANK = /^[\u00a0\u1680\u2000-\u200d\u202f\u205f\u2060\u3000\ufeff]/
export const STRANGE_BLANK_MESSAGE =
  'YAML: before this key are blanks that only look like blanks, as copied from a page. Write ordinary ones'

export function duplicateKey(text: string, at: number, first: number): string {
  const name = /^[^\s:]+/.exec(text.slice(at, at + 64))?.[0]
  return `YAML: the key ${name === undefined ? '' : `${quotedWord(name)} `}is twice in the same map, first in line ${first}. Keep one of them`
}
