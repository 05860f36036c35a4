import type { Json } from '../plugin.ts'
import { closingQuote, skipSpace } from './read.ts'
import type { JsonObject, Path } from './strict.ts'

/** One change of a JSON text. Everything outside the named place keeps its exact spelling. */
export type Edit =
  | { readonly kind: 'replace'; readonly path: Path; readonly json: string }
  /** Gives the member at `path` another name. */
  | { readonly kind: 'rename'; readonly path: Path; readonly name: string }
  /** Removes a member or element with one of its commas. */
  | { readonly kind: 'remove'; readonly path: Path }
  /** Adds a member at the end of the object at `path`. */
  | { readonly kind: 'insert'; readonly path: Path; readonly name: string; readonly json: string }
  /** Adds an element at the front of the array at `path`. */
  | { readonly kind: 'prepend'; readonly path: Path; readonly json: string }

interface Node {
  edits: Edit[]
  children: Map<string | number, Node> | undefined
}

interface Cut {
  start: number
  end: number
  text: string
}

interface Entry {
  /** Start of the key, or of the element. */
  start: number
  end: number
  removed: boolean
}

/**
 * Applies edits to a valid JSON text in one pass. Edits that name a place that does not exist are ignored; callers
 * derive their paths from the parsed tree of this very text.
 */
export function splice(text: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return text
  const root: Node = { edits: [], children: undefined }
  for (const edit of edits) nodeAt(root, edit.path).edits.push(edit)
  const cuts: Cut[] = []
  scanValue(text, skipSpace(text, 0), root, cuts)
  cuts.sort((a, b) => a.start - b.start || a.end - b.end)
  let out = ''
  let at = 0
  for (const cut of cuts) {
    if (cut.start < at) continue // Inside a range that was already replaced.
    out += text.slice(at, cut.start) + cut.text
    at = cut.end
  }
  return out + text.slice(at)
}

function nodeAt(root: Node, path: Path): Node {
  let node = root
  for (const step of path) {
    node.children ??= new Map()
    let child = node.children.get(step)
    if (child === undefined) {
      child = { edits: [], children: undefined }
      node.children.set(step, child)
    }
    node = child
  }
  return node
}

/** Walks one value, following only what the edits name; returns the index behind it. */
function scanValue(text: string, at: number, node: Node | undefined, cuts: Cut[]): number {
  if (node === undefined) return skipValue(text, at)
  const start = at
  const first = text[at]
  if (first === '{') at = scanContainer(text, at, node, cuts, true)
  else if (first === '[') at = scanContainer(text, at, node, cuts, false)
  else at = skipValue(text, at)
  for (const edit of node.edits) {
    if (edit.kind === 'replace') cuts.push({ start, end: at, text: edit.json })
  }
  return at
}

function scanContainer(text: string, open: number, node: Node, cuts: Cut[], isObject: boolean): number {
  const entries: Entry[] = []
  const close = isObject ? '}' : ']'
  let at = skipSpace(text, open + 1)
  while (text[at] !== close) {
    const start = at
    let child: Node | undefined
    if (isObject) {
      const quote = closingQuote(text, at)
      const raw = text.slice(at, quote + 1)
      child = node.children?.get(raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1))
      if (child !== undefined) renameKey(child, start, quote + 1, cuts)
      at = skipSpace(text, skipSpace(text, quote + 1) + 1)
    } else {
      child = node.children?.get(entries.length)
    }
    const end = scanValue(text, at, child, cuts)
    entries.push({ start, end, removed: child?.edits.some((edit) => edit.kind === 'remove') ?? false })
    at = skipSpace(text, end)
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
  removeEntries(entries, cuts)
  addEntries(node, open, at, entries, cuts)
  return at + 1
}

function renameKey(child: Node, start: number, end: number, cuts: Cut[]): void {
  for (const edit of child.edits) {
    if (edit.kind === 'rename') cuts.push({ start, end, text: JSON.stringify(edit.name) })
  }
}

/** A removed entry takes the comma before it; a removed run at the front takes the comma behind it. */
function removeEntries(entries: readonly Entry[], cuts: Cut[]): void {
  const kept = entries.findIndex((entry) => !entry.removed)
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i] as Entry
    if (!entry.removed) continue
    if (kept === -1 || i < kept) {
      const next = entries[i + 1]
      cuts.push({ start: entry.start, end: next === undefined ? entry.end : next.start, text: '' })
    } else {
      cuts.push({ start: (entries[i - 1] as Entry).end, end: entry.end, text: '' })
    }
  }
}

function addEntries(node: Node, open: number, close: number, entries: readonly Entry[], cuts: Cut[]): void {
  let empty = entries.every((entry) => entry.removed)
  for (const edit of node.edits) {
    if (edit.kind === 'insert') {
      cuts.push({ start: close, end: close, text: `${empty ? '' : ','}${JSON.stringify(edit.name)}:${edit.json}` })
      empty = false
    } else if (edit.kind === 'prepend') {
      cuts.push({ start: open + 1, end: open + 1, text: `${edit.json}${empty ? '' : ','}` })
      empty = false
    }
  }
}

function skipValue(text: string, at: number): number {
  const first = text[at]
  if (first === '"') return closingQuote(text, at) + 1
  if (first !== '{' && first !== '[') {
    while (at < text.length && !',]}'.includes(text[at] as string) && text.charCodeAt(at) > 0x20) at++
    return at
  }
  let depth = 0
  for (;;) {
    const char = text[at]
    if (char === '"') at = closingQuote(text, at)
    else if (char === '{' || char === '[') depth++
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1
    at++
  }
}

/** The value at a path of a parsed tree, or undefined. */
export function valueAt(tree: Json, path: Path): Json | undefined {
  let value: Json | undefined = tree
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = Array.isArray(value) ? value[step as number] : (value as JsonObject)[step as string]
  }
  return value
}

/** Where the value at `path` is spelled, or undefined when there is none. */
export function rangeOf(text: string, path: Path): { start: number; end: number } | undefined {
  const root: Node = { edits: [], children: undefined }
  nodeAt(root, path).edits.push({ kind: 'replace', path, json: '' })
  const cuts: Cut[] = []
  scanValue(text, skipSpace(text, 0), root, cuts)
  return cuts[0]
}

/** The exact spelling of the value at `path`, for numbers that lose digits when parsed. */
export function spellingAt(text: string, path: Path): string | undefined {
  const range = rangeOf(text, path)
  return range === undefined ? undefined : text.slice(range.start, range.end)
}
