import type { Json } from '../contract/plugin.ts'
import { allSteps, Pace, type Steps, wholeCharacter } from '../util/steps.ts'
import { closingQuote, skipSpace, stringIn } from './read.ts'
import type { JsonObject, Path } from './strict.ts'

/** One change of a JSON text. Everything else keeps its exact spelling. */
export type Edit =
  | { readonly kind: 'replace'; readonly path: Path; readonly json: string }
  /** Renames the member at `path`; adds a number if the object already has that name. */
  | { readonly kind: 'rename'; readonly path: Path; readonly name: string }
  /** Removes a member or element with one of its commas. */
  | { readonly kind: 'remove'; readonly path: Path }
  /** Adds a member at the end of the object at `path`. */
  | { readonly kind: 'insert'; readonly path: Path; readonly name: string; readonly json: string }
  /** Adds an element at the front of the array at `path`. */
  | { readonly kind: 'prepend'; readonly path: Path; readonly json: string }
  /** Adds an element at the end of the array at `path`. */
  | { readonly kind: 'append'; readonly path: Path; readonly json: string }

interface Node {
  edits: Edit[]
  children: Map<string | number, Node> | undefined
  /** The text has it. */
  isFound: boolean
}

interface Cut {
  start: number
  end: number
  text: string
}

interface Entry {
  /** Start of the key, or of the element. */
  start: number
  /** End of the key. */
  keyEnd: number
  end: number
  removed: boolean
  /** Its new name. */
  name: string | undefined
}

/** Characters of a step, and what an edit or an entry counts besides. */
const STEP = 128 * 1024
const PER_ENTRY = 32
/** Entries of one object or edits of one text that need no pause. */
const MANY = 4096

/**
 * Applies edits to a valid JSON text in one pass. Callers derive their paths from the parsed tree of the same text.
 *
 * @param mayMiss ignores edits of places that do not exist, as in a part of an event
 * @throws RangeError a value or name to rewrite does not exist: no rewrite is lost
 */
export const splice = (text: string, edits: readonly Edit[], mayMiss = true): string =>
  edits.length === 0 ? text : allSteps(spliceInSteps(text, edits, mayMiss))

/** Like `splice`, for a large text. */
export function* spliceInSteps(text: string, edits: readonly Edit[], mayMiss = true): Steps<string> {
  let out = ''
  for (const piece of yield* piecesInSteps(text, edits, mayMiss)) out += piece
  return out
}

/** Like `spliceInSteps`, encoded as UTF-8. */
export function* encodeInSteps(text: string, edits: readonly Edit[]): Steps<Buffer> {
  const { head, tail } = yield* headAndTailInSteps(text, edits)
  return Buffer.concat([...head, Buffer.from(tail, 'utf8')])
}

/** The new text of an object, all but its end encoded as UTF-8; its last bracket is in the tail. */
export function* headAndTailInSteps(
  text: string,
  edits: readonly Edit[],
): Steps<{ readonly head: readonly Buffer[]; readonly tail: string }> {
  const pieces = yield* piecesInSteps(text, edits)
  let tail = ''
  while (pieces.length > 0 && !tail.includes('}')) tail = pieces.pop() + tail
  const head: Buffer[] = []
  for (const piece of pieces) {
    head.push(Buffer.from(piece, 'utf8'))
    yield
  }
  return { head, tail }
}

/** The new text in pieces, none of which ends within a character. */
function* piecesInSteps(text: string, edits: readonly Edit[], mayMiss = true): Steps<string[]> {
  const pace = new Pace(STEP)
  const cuts = edits.length === 0 ? [] : yield* cutsInSteps(text, edits, pace, mayMiss)
  const pieces: string[] = []
  let out = ''
  let at = 0
  for (const cut of cuts) {
    if (cut.start < at) continue // Inside a range that was already replaced.
    out += text.slice(at, cut.start) + cut.text
    at = cut.end
    if (out.length < STEP) continue
    pieces.push(out)
    out = ''
    yield
  }
  if (text.length - at < 2 * STEP) pieces.push(out + text.slice(at))
  else {
    pieces.push(out)
    while (at < text.length) {
      const end = wholeCharacter(text, at + STEP)
      pieces.push(text.slice(at, end))
      at = end
    }
  }
  return pieces
}

function* cutsInSteps(text: string, edits: readonly Edit[], pace: Pace, mayMiss = true): Steps<Cut[]> {
  const root: Node = { edits: [], children: undefined, isFound: true }
  for (const edit of edits) {
    nodeAt(root, edit.path).edits.push(edit)
    if (pace.spent(PER_ENTRY)) yield
  }
  const cuts: Cut[] = []
  yield* scanValue(text, skipSpace(text, 0), root, { cuts, pace, mayMiss })
  if (cuts.length > MANY) yield
  cuts.sort(inOrder)
  return cuts
}

/** Insertions first, then the widest cut; cuts inside another are skipped. */
function inOrder(a: Cut, b: Cut): number {
  if (a.start !== b.start) return a.start - b.start
  if (a.start === a.end || b.start === b.end) return a.end - b.end
  return b.end - a.end
}

function nodeAt(root: Node, path: Path): Node {
  let node = root
  for (const step of path) {
    node.children ??= new Map()
    let child = node.children.get(step)
    if (child === undefined) {
      child = { edits: [], children: undefined, isFound: false }
      node.children.set(step, child)
    }
    node = child
  }
  return node
}

interface Scan {
  readonly cuts: Cut[]
  readonly pace: Pace
  /** Edits may be of places that do not exist. */
  readonly mayMiss: boolean
}

/** Walks one value, following only edited paths; returns the index after it. */
function* scanValue(text: string, start: number, node: Node, scan: Scan): Steps<number> {
  const first = text[start]
  const isObject = first === '{'
  const at =
    isObject || first === '[' ? yield* scanContainer(text, start, node, scan, isObject) : skipValue(text, start)
  if (node.children !== undefined && !scan.mayMiss) yield* checkFound(node.children, scan.pace)
  for (const edit of node.edits) {
    if (edit.kind === 'replace') scan.cuts.push({ start, end: at, text: edit.json })
  }
  return at
}

function* scanContainer(text: string, open: number, node: Node, scan: Scan, isObject: boolean): Steps<number> {
  const { cuts, pace } = scan
  const entries: Entry[] = []
  const close = isObject ? '}' : ']'
  let at = skipSpace(text, open + 1)
  while (text[at] !== close) {
    const start = at
    let keyEnd = at
    let child: Node | undefined
    if (isObject) {
      keyEnd = closingQuote(text, at) + 1
      child = node.children?.get(stringIn(text, start, keyEnd))
      at = skipSpace(text, skipSpace(text, keyEnd) + 1)
    } else {
      child = node.children?.get(entries.length)
    }
    const outcome = outcomeOf(child)
    if (child !== undefined) child.isFound = true
    let end = child === undefined || outcome.removed ? skipValue(text, at, STEP) : TOO_LONG
    if (end === TOO_LONG) {
      end =
        child === undefined || outcome.removed
          ? yield* skipContainer(text, at)
          : yield* scanValue(text, at, child, scan)
    }
    entries.push({ start, keyEnd, end, ...outcome })
    at = skipSpace(text, end)
    if (text[at] === ',') at = skipSpace(text, at + 1)
    if (pace.spent(at - start + PER_ENTRY)) yield
  }
  if (isObject) yield* renameEntries(text, node, entries, scan)
  removeEntries(entries, cuts)
  addEntries(node, open, at, entries, cuts)
  return at + 1
}

function outcomeOf(child: Node | undefined): Pick<Entry, 'removed' | 'name'> {
  let removed = false
  let name: string | undefined
  if (child !== undefined) {
    for (const edit of child.edits) {
      if (edit.kind === 'remove') removed = true
      else if (edit.kind === 'rename') name = edit.name
    }
  }
  return { removed, name }
}

/** @throws RangeError a value or name to rewrite is not in the text; what is only to be removed may be missing */
function* checkFound(children: ReadonlyMap<string | number, Node>, pace: Pace): Steps<void> {
  for (const child of children.values()) {
    if (pace.spent(1)) yield
    if (child.isFound) continue
    if (child.edits.some(({ kind }) => kind === 'replace' || kind === 'rename'))
      throw new RangeError('A text to rewrite is not in the document.')
    if (child.children !== undefined) yield* checkFound(child.children, pace)
  }
}

/** Avoids duplicate names, which readers resolve differently. */
function* renameEntries(text: string, node: Node, entries: readonly Entry[], { cuts, pace }: Scan): Steps<void> {
  if (!entries.some(({ name }) => name !== undefined)) return
  const used = new Set<string>()
  for (const { start, keyEnd, removed, name } of entries) {
    if (!removed && name === undefined) used.add(stringIn(text, start, keyEnd))
    if (pace.spent(PER_ENTRY)) yield
  }
  for (const edit of node.edits) if (edit.kind === 'insert') used.add(edit.name)
  // The last number tried for each name, so that many members with the same new name take linear time.
  const numbers = new Map<string, number>()
  for (const { start, keyEnd, removed, name } of entries) {
    if (removed || name === undefined) continue
    let unique = name
    if (used.has(name)) {
      let i = numbers.get(name) ?? 1
      do unique = `${name}_${++i}`
      while (used.has(unique))
      numbers.set(name, i)
    }
    used.add(unique)
    cuts.push({ start, end: keyEnd, text: JSON.stringify(unique) })
    if (pace.spent(2 * PER_ENTRY)) yield
  }
}

/** A removed entry takes the comma before it; removed entries at the front take the comma after them. */
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
  const front: string[] = []
  const back: string[] = []
  for (const edit of node.edits) {
    if (edit.kind === 'prepend') front.push(edit.json)
    else if (edit.kind === 'append') back.push(edit.json)
    else if (edit.kind === 'insert') back.push(`${JSON.stringify(edit.name)}:${edit.json}`)
  }
  if (front.length + back.length === 0) return
  const comma = entries.every((entry) => entry.removed) ? '' : ','
  if (front.length > 0) cuts.push({ start: open + 1, end: open + 1, text: front.join(',') + comma })
  if (back.length > 0) cuts.push({ start: close, end: close, text: comma + back.join(',') })
}

const TOO_LONG = -1

/** Returns the index after a value, or `TOO_LONG` for a container of more characters than `most`. */
function skipValue(text: string, start: number, most = Number.POSITIVE_INFINITY): number {
  let at = start
  const first = text[at]
  if (first === '"') return closingQuote(text, at) + 1
  if (first !== '{' && first !== '[') {
    while (at < text.length && !',]}'.includes(text[at] as string) && text.charCodeAt(at) > 0x20) at++
    return at
  }
  let depth = 0
  for (const end = start + most; at < end; at++) {
    const char = text[at]
    if (char === '"') at = closingQuote(text, at)
    else if (char === '{' || char === '[') depth++
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1
  }
  return TOO_LONG
}

/** Returns the index after a large container. */
function* skipContainer(text: string, start: number): Steps<number> {
  let depth = 0
  let stop = start + STEP
  for (let at = start; ; at++) {
    const char = text[at]
    if (char === '"') at = closingQuote(text, at)
    else if (char === '{' || char === '[') depth++
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1
    if (at < stop) continue
    yield
    stop = at + STEP
  }
}

/** The value at a path of a parsed tree; undefined if there is none. */
export function valueAt(tree: Json, path: Path): Json | undefined {
  let value: Json | undefined = tree
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = Array.isArray(value) ? value[step as number] : (value as JsonObject)[step as string]
  }
  return value
}

/** Start and end of the value at `path`; undefined if there is none. */
export function rangeOf(text: string, path: Path): { start: number; end: number } | undefined {
  const [first] = allSteps(cutsInSteps(text, [{ kind: 'replace', path, json: '' }], new Pace(STEP)))
  return first
}
