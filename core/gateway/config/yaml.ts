import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseDocument,
  type Scalar,
  visit,
  type YAMLError,
  type YAMLMap,
} from 'yaml'
import { parsePath, type Segment } from '../../engine/config/paths.ts'
import type { Problem } from '../../engine/config/report.ts'
import { malformedReference, NO_REFERENCE, protectReferences, restoreReferences } from './env.ts'
import {
  collectionAsKey,
  duplicateKey,
  EMPTY_ANCHOR,
  LOOP,
  messageOf,
  nameless,
  STRANGE_BLANK,
  STRANGE_BLANK_MESSAGE,
  unknownAlias,
} from './yaml-messages.ts'

/** Returns the line of a config path, or of its nearest ancestor in the file. */
export type Locate = (path: string) => number | undefined

export interface Parsed {
  data: unknown
  /** False if the syntax is too broken to continue. */
  usable: boolean
  problems: Problem[]
  locate: Locate
}

export function parseYaml(text: string): Parsed {
  const lines = new LineCounter()
  // Without `uniqueKeys`, which compares each key with all before it.
  const doc = parseDocument(protectReferences(text), {
    lineCounter: lines,
    prettyErrors: false,
    merge: true,
    uniqueKeys: false,
  })
  const nameless = doc.errors.filter(isNameless).map(({ pos }) => pos[0])
  if (nameless.length > 0) return withSigns(text, nameless, lines)
  const at = (pos: number, message: string): Problem => {
    const { line, col } = lines.linePos(pos)
    return { path: '', line, column: col, message }
  }
  const around = lookAround(doc)
  const problems: Problem[] = [
    ...telling(doc.errors),
    ...doc.warnings.filter(({ code }) => code === 'TAG_RESOLVE_FAILED'),
  ].map((error) => at(startOf(error, around), messageOf(error, text)))
  const repeated = doc.errors.some(isTab) ? [] : around.repeatedKeys
  for (const [pos, first] of repeated) {
    problems.push(at(pos, duplicateKey(text, pos, lines.linePos(first).line)))
  }
  for (const pos of around.emptyAnchors) problems.push(at(text.lastIndexOf('&', pos), EMPTY_ANCHOR))
  const broken = [
    ...around.aliasesOfThemselves.map((pos) => at(pos, LOOP)),
    ...around.unknownAliases.map(([pos, name]) => at(pos, unknownAlias(name))),
    ...around.strangeBlanks.map((pos) => at(pos, STRANGE_BLANK_MESSAGE)),
    ...around.collectionKeys.map((pos) => at(pos, collectionAsKey(text, pos))),
  ]
  problems.push(...broken)
  let usable = doc.errors.length + broken.length === 0
  // Without its brace, a reference takes a quote or a brace of YAML for its own.
  const reference = usable ? -1 : malformedReference(text)
  if (reference >= 0) problems.unshift(at(reference, NO_REFERENCE))
  let data: unknown
  try {
    if (usable) data = doc.toJS() ?? {}
    if (hasMoreValues(data, MOST_VALUES)) {
      usable = false
      const message = `YAML: the file has more than ${MOST_VALUES} values, those repeated by aliases included`
      problems.push({ path: '', message })
    }
  } catch (error) {
    usable = false
    problems.push({ path: '', message: `YAML: ${(error as Error).message.split(':', 1)[0]}` })
  }
  const members = new Map<YAMLMap, Members>()
  return { data, usable, problems, locate: (path) => locate(doc, lines, members, parsePath(path)) }
}

/** YAML reads `model: *` as an alias and `model: &` as an anchor. Parses the file as if the sign were quoted, to report further problems. */
function withSigns(text: string, signs: readonly number[], lines: LineCounter): Parsed {
  let quoted = text
  for (const at of signs) quoted = `${quoted.slice(0, at)}${text[at] === '&' ? AND : STAR}${quoted.slice(at + 1)}`
  const parsed = parseYaml(quoted)
  const own = signs.map((at) => {
    const { line, col } = lines.linePos(at)
    return { path: '', line, column: col, message: nameless(text[at] as string) }
  })
  const restored = JSON.stringify(parsed.data ?? null)
    .replaceAll(STAR, '*')
    .replaceAll(AND, '&')
  return { ...parsed, data: JSON.parse(restored) as unknown, problems: [...own, ...parsed.problems] }
}

/** Private-use characters of the same length, so that positions stay valid. */
const STAR = '\uf8ff'
const AND = '\uf8fe'

/** Without the errors that only follow from another: a tab makes the parser refuse hundreds of places after it. */
function telling(errors: readonly YAMLError[]): readonly YAMLError[] {
  if (errors.some(isTooDeep)) return errors.filter(isTooDeep).slice(0, 1)
  return errors.some(isTab) ? errors.filter(isTab) : errors
}

const isTab = ({ code }: YAMLError): boolean => code === 'TAB_AS_INDENT'

const isNameless = ({ code, message }: YAMLError): boolean =>
  code === 'BAD_ALIAS' && / cannot be an empty string$/.test(message)

/** The parser finds a missing quote at the end of the file: where the text begins helps more. */
function startOf({ message, pos }: YAMLError, { quotedTexts }: Around): number {
  if (!message.startsWith('Missing closing')) return pos[0]
  return quotedTexts.findLast(([from, to]) => from < pos[0] && to >= pos[0])?.[0] ?? pos[0]
}

/** Aliases of aliases multiply: a file of a kilobyte would fill all memory. */
const MOST_VALUES = 1_000_000

function hasMoreValues(data: unknown, most: number): boolean {
  const open = [data]
  for (let left = most; open.length > 0; left--) {
    if (left === 0) return true
    const value = open.pop()
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) open.push(inner)
  }
  return false
}

const isTooDeep = ({ code }: YAMLError): boolean => code === 'RESOURCE_EXHAUSTION'

/** What the parser accepts, or does not tell of with its place. */
interface Around {
  /** Positions of aliases within the list or map that they stand for: it would have no end. */
  aliasesOfThemselves: number[]
  /** Aliases without an anchor before them, with their names. */
  unknownAliases: [pos: number, name: string][]
  /** Anchors of nothing: their value was to begin with `&`. */
  emptyAnchors: number[]
  /** Keys that are lists or maps, such as `{{ NAME }}`. */
  collectionKeys: number[]
  /** Keys that begin with a blank that YAML takes for a letter. */
  strangeBlanks: number[]
  /** Keys that the same map had before, with the position of the first. */
  repeatedKeys: [pos: number, first: number][]
  /** Where texts in quotes begin and end. */
  quotedTexts: [from: number, to: number][]
}

function lookAround(doc: Document): Around {
  const found: Around = {
    aliasesOfThemselves: [],
    unknownAliases: [],
    emptyAnchors: [],
    collectionKeys: [],
    strangeBlanks: [],
    repeatedKeys: [],
    quotedTexts: [],
  }
  const unclosed = doc.errors.some(({ message }) => message.startsWith('Missing closing'))
  visit(doc, {
    Alias(_, node, path) {
      const source = node.resolve(doc)
      const from = node.range?.[0] ?? 0
      if (source === undefined) found.unknownAliases.push([from, node.source])
      else if (path.includes(source)) found.aliasesOfThemselves.push(from)
    },
    Scalar(_, { anchor, value, type, range }) {
      const [from = 0, to = 0] = range ?? []
      if (anchor !== undefined && value === null) found.emptyAnchors.push(from)
      if (unclosed && type?.startsWith('QUOTE')) found.quotedTexts.push([from, to])
    },
    Map(_, { items }) {
      const seen = new Map<unknown, number>()
      for (const { key } of items) {
        if (isMap(key) || isSeq(key)) found.collectionKeys.push(key.range?.[0] ?? 0)
        if (!isScalar(key)) continue
        const from = key.range?.[0] ?? 0
        if (STRANGE_BLANK.test(String(key.value))) found.strangeBlanks.push(from)
        const first = seen.get(key.value)
        if (first === undefined) seen.set(key.value, from)
        else found.repeatedKeys.push([from, first])
      }
    },
  })
  return found
}

/** The members of a map by their names. */
type Members = ReadonlyMap<string, Pair>

/** Reads a map once: a file may have a problem in each line. */
function membersOf(map: YAMLMap, known: Map<YAMLMap, Members>): Members {
  let members = known.get(map)
  if (members === undefined) {
    // The first of several with one name.
    members = new Map(
      map.items
        .filter(({ key }) => isScalar(key))
        .map((pair): [string, Pair] => [restoreReferences(String((pair.key as Scalar).value)), pair])
        .reverse(),
    )
    known.set(map, members)
  }
  return members
}

function locate(
  doc: Document,
  lines: LineCounter,
  known: Map<YAMLMap, Members>,
  segments: readonly Segment[],
): number | undefined {
  let node: unknown = doc.contents
  let at: number | undefined
  for (const segment of segments) {
    if (isAlias(node)) node = node.resolve(doc)
    if (isMap(node)) {
      const pair: Pair | undefined = typeof segment === 'string' ? membersOf(node, known).get(segment) : undefined
      if (pair === undefined) break
      at = isScalar(pair.key) ? pair.key.range?.[0] : at
      node = pair.value
    } else if (isSeq(node) && typeof segment === 'number') {
      node = node.items[segment]
      at = (node as { range?: readonly number[] } | undefined)?.range?.[0] ?? at
    } else break
  }
  return at === undefined ? undefined : lines.linePos(at).line
}
