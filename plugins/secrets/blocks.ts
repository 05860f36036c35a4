/** Blocks of which every entry is a secret, whatever its name: manifests of Kubernetes, literals of kustomize. */

import type { Answer, Block, Form } from './match.ts'
import { isBesideSecrets } from './member.ts'
import { MAX_CHECKED, toSet } from './pattern.ts'
import { isPlaceholder, plausiblePassword, plausibleToken } from './values.ts'

/** The signs by which the scan finds the name of a block. */
export const BLOCK_HEADS = ['ta:', 'ta"', 'ta ', 'ta=', 'ls:'] as const

/** Characters before a block that may say what it is; a stream keeps at least as many. */
const LOOKED_BACK = 190
/** Lines without a value that may come between two entries. */
const MAX_LINES = 64

const NAME = /(?:data|stringData|literals)$/
const OPENS =
  /(?<yaml>:[ \t]*(?:#[^\n]*)?(?=\r?\n))|(?<json>"\s{0,4}:\s{0,4}\{)|(?<hcl>[ \t]{0,24}=[ \t]{0,4}\{[ \t]*(?=\r?\n))|(?<flow>:[ \t]{1,4}\{)/y
const KIND = /(?:^|[\s{,])"?kind"?:[ \t]{0,4}["']?([A-Za-z]{1,40})/g
/** A new document, or a new item of a list. */
const DOCUMENT = /(?:^|\n)---|\bapiVersion"?:/g
const TERRAFORM = /\bresource[ \t]{1,4}"kubernetes_secret(?:_v1)?(?:_data)?"[\s\S]*$/
const GENERATOR = /\b(secret|configMap)Generator:/g

const YAML_ENTRY = /(["']?)(?<name>[\w./-]{1,253})\1:[ \t]+(?=\S)/y
const HCL_ENTRY = /(["']?)(?<name>[\w./-]{1,253})\1[ \t]*=[ \t]*(?=\S)/y
const LITERAL = /-[ \t]+["']?(?<name>[\w./-]{1,253})=(?=\S)/y
const JSON_ENTRY = /"?\s{0,24},?\s{0,24}"(?<name>[\w./-]{1,253})"\s{0,4}:\s{0,4}(?=")/y
/** In the flow style of YAML. */
const FLOW_ENTRY = /["']?\s{0,24},?\s{0,24}(["']?)(?<name>[\w./-]{1,253})\1:\s{1,4}(?=\S)/y
/** Templates, references and the marks of block scalars. */
const TEMPLATE = /^(?:[<{|>&*!$%[]|["']?\$?[{(])/
const BASE64 = toSet('A-Za-z0-9+/=')
const IS_BASE64 = /^[A-Za-z0-9+/]{4,}={0,2}$/
const PRINTABLE = /^[\t\n\r\x20-\x7e]+$/
/** Entries that are public. */
const PUBLIC_NAME = /\.(?:crt|pub)$|^(?:namespace|database|dbname|port|endpoint|domain|bucket)$/i

/** At one of {@link BLOCK_HEADS}: the first entry that is a secret. */
export function matchBlock(text: string, at: number, minEntropy: number, final: boolean): Answer {
  const end = at + 2
  const word = NAME.exec(text.slice(Math.max(0, at - 8), end))?.[0]
  if (word === undefined) return undefined
  OPENS.lastIndex = end
  const groups = OPENS.exec(text)?.groups
  if (groups === undefined) return undefined
  const start = end - word.length
  const before = text.slice(Math.max(0, start - LOOKED_BACK), start)
  const form =
    groups.yaml !== undefined
      ? yamlForm(word, before)
      : groups.hcl !== undefined
        ? hclForm(before)
        : memberForm(word, before, groups.json === undefined)
  if (form === undefined) return undefined
  const line = /[ \t-]*$/.exec(before)![0]
  return nextEntry(text, OPENS.lastIndex, { ...form, indent: line.length }, minEntropy, final)
}

function yamlForm(word: string, before: string): Form | undefined {
  if (!/(?:^|\n)[ \t-]*$/.test(before)) return undefined
  if (word === 'literals') {
    const declared = [...before.matchAll(GENERATOR)].at(-1)?.[1] === 'secret'
    return declared ? { entry: LITERAL, lines: true, encoded: false, declared } : undefined
  }
  const form = { entry: YAML_ENTRY, lines: true, encoded: word === 'data' }
  if (word === 'stringData') return { ...form, declared: true }
  const kind = kindBefore(before)
  return kind === undefined || kind === 'Secret' ? { ...form, declared: kind !== undefined } : undefined
}

const hclForm = (before: string): Form | undefined =>
  TERRAFORM.test(before) ? { entry: HCL_ENTRY, lines: true, encoded: false, declared: true } : undefined

function memberForm(word: string, before: string, flow: boolean): Form | undefined {
  const entry = flow ? FLOW_ENTRY : JSON_ENTRY
  const form = { entry, lines: false, encoded: word === 'data', signs: ',}' }
  if (word === 'stringData') return { ...form, declared: true }
  const kind = kindBefore(before)
  if (kind === 'Secret') return { ...form, declared: true }
  return kind === undefined && !flow && /"apiVersion"\s{0,4}:\s{0,4}"v1",\s{0,24}"$/.test(before)
    ? { ...form, declared: false }
    : undefined
}

/** The kind of the document, if it comes before its data. */
function kindBefore(before: string): string | undefined {
  const start = [...before.matchAll(DOCUMENT)].at(-1)?.index ?? 0
  const kinds = [...before.matchAll(KIND)]
  // In a manifest the kind is beside the version, before or after it.
  const last = kinds.at(-1)
  return last !== undefined && (last.index > start || start - last.index < 24) ? last[1] : undefined
}

/** The next entry from `at`, the end of a value or of the block's name, that is a secret. */
export function nextEntry(text: string, at: number, block: Block, minEntropy: number, final: boolean): Answer {
  let i = at
  for (let n = 0; n < MAX_LINES && !(i - at > block.reach!); n++) {
    const from = block.lines ? entryLine(text, i, block) : i
    if (from < 0) return undefined
    block.entry.lastIndex = from
    const match = block.entry.exec(text)
    if (match === null) {
      if (!block.lines || text[from] === '}') return undefined
      i = from
      continue
    }
    const answer = readEntry(text, block.entry.lastIndex, match.groups!.name!, block, minEntropy, final)
    if (typeof answer !== 'number') return answer
    i = answer
  }
  return undefined
}

/** Where the next line of the block begins, or -1. */
function entryLine(text: string, at: number, { indent, entry }: Block): number {
  let i = at
  while (true) {
    i = text.indexOf('\n', i) + 1
    if (i === 0) return -1
    const first = i
    while (text[i] === ' ' || text[i] === '\t') i++
    if (i >= text.length) return -1
    if (text[i] === '\n' || text[i] === '\r' || text[i] === '#') continue
    const least = entry === LITERAL && text[i] === '-' ? indent : indent + 1
    return i - first >= least || text[i] === '}' ? i : -1
  }
}

/** The value at `at` as a finding; or its end, if it is none. */
function readEntry(
  text: string,
  at: number,
  name: string,
  block: Block,
  minEntropy: number,
  final: boolean,
): Answer | number {
  const { encoded, declared } = block
  const quote = text[at] === '"' || text[at] === "'" ? text.charCodeAt(at) : 0
  const start = quote === 0 ? at : at + 1
  let end = start
  const limit = Math.min(text.length, start + MAX_CHECKED)
  const ends = (i: number) => endsEntry(text.charCodeAt(i), quote, block.signs ?? '')
  while (end < limit && !ends(end)) end++
  const open = end === limit && (limit < text.length ? !ends(end) : !final)
  if (open && end - start < MAX_CHECKED) return { from: start }
  const value = text.slice(start, end)
  if (!isSecret(value, name, encoded, declared, open, minEntropy)) return end
  const rest = encoded ? { kind: 'set' as const, set: BASE64 } : { kind: 'value' as const, quote }
  return { type: block.type ?? 'secret', start, end, open, rest, block }
}

function endsEntry(code: number, quote: number, signs: string): boolean {
  if (code < 32 || quote !== 0) return code < 32 || code === quote
  return code === 32 || code === 34 || code === 39 || signs.includes(String.fromCharCode(code))
}

function isSecret(
  value: string,
  name: string,
  encoded: boolean,
  declared: boolean,
  open: boolean,
  minEntropy: number,
): boolean {
  if (isBesideSecrets(name) || PUBLIC_NAME.test(name) || TEMPLATE.test(value)) return false
  const looks = (text: string): boolean =>
    plausiblePassword(text, 'argument', true) || plausibleToken(text, minEntropy, false, true)
  if (!encoded) return looks(value)
  if (open) return declared && IS_BASE64.test(value)
  if (value.length % 4 !== 0 || value.length < 8 || !IS_BASE64.test(value)) return false
  const plain = Buffer.from(value, 'base64').toString('latin1')
  return declared
    ? plain.length > 5 && !isPlaceholder(plain) && !TEMPLATE.test(plain)
    : PRINTABLE.test(plain) && looks(plain.trim())
}
