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
import { quotedWord } from '../../engine/util/outside.ts'
import { malformedReference, NO_REFERENCE, protectReferences, restoreReferences } from './env.ts'

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
  const stars = doc.errors.filter(({ code }) => code === 'BAD_ALIAS').map(({ pos }) => pos[0])
  if (stars.length > 0) return withStars(text, stars, lines)
  const problems: Problem[] = [
    ...(doc.errors.some(isTooDeep) ? doc.errors.filter(isTooDeep).slice(0, 1) : doc.errors),
    ...doc.warnings.filter(({ code }) => code === 'TAG_RESOLVE_FAILED'),
  ].map((error) => ({ path: '', line: lines.linePos(error.pos[0]).line, message: messageOf(error) }))
  const { aliasesOfThemselves, repeatedKeys } = lookAround(doc)
  for (const at of repeatedKeys) {
    problems.push({ path: '', line: lines.linePos(at).line, message: duplicateKey(text, at) })
  }
  let usable = doc.errors.length === 0
  // Without its brace, a reference takes a quote or a brace of YAML for its own.
  const reference = usable ? -1 : malformedReference(text)
  if (reference >= 0) problems.unshift({ path: '', line: lines.linePos(reference).line, message: NO_REFERENCE })
  for (const at of aliasesOfThemselves) {
    usable = false
    problems.push({ path: '', line: lines.linePos(at).line, message: 'YAML: an alias stands within what it repeats' })
  }
  let data: unknown
  try {
    if (usable) data = doc.toJS() ?? {}
    if (hasMoreValues(data, MOST_VALUES)) {
      usable = false
      const message = `YAML: the file has more than ${MOST_VALUES} values, those repeated by aliases included`
      problems.push({ path: '', message })
    }
  } catch (error) {
    usable = false // An unknown alias.
    const message = withoutText((error as Error).message)
    problems.push({ path: '', message: `YAML: ${message}${/^Unresolved alias/.test(message) ? QUOTE : ''}` })
  }
  const members = new Map<YAMLMap, Members>()
  return { data, usable, problems, locate: (path) => locate(doc, lines, members, parsePath(path)) }
}

const QUOTE = '. A text that begins with * needs quotes: "*"'

/** YAML reads `model: *` as an alias. Parses the file as if the star were quoted, to report further problems. */
function withStars(text: string, stars: readonly number[], lines: LineCounter): Parsed {
  let quoted = text
  for (const at of stars) quoted = `${quoted.slice(0, at)}${STAR}${quoted.slice(at + 1)}`
  const parsed = parseYaml(quoted)
  const own = stars.map((at) => ({
    path: '',
    line: lines.linePos(at).line,
    message: `YAML: an alias without a name${QUOTE}`,
  }))
  const data = JSON.parse(JSON.stringify(parsed.data ?? null).replaceAll(STAR, '*')) as unknown
  return { ...parsed, data, problems: [...own, ...parsed.problems] }
}

/** A private-use character of the same length, so that positions stay valid. */
const STAR = '\uf8ff'

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

function messageOf(error: YAMLError): string {
  switch (error.code) {
    case 'MULTIPLE_DOCS':
      return 'YAML: a second document begins here; a config file has one, so remove the line ---'
    case 'RESOURCE_EXHAUSTION':
      return 'YAML: lists or maps are nested too deep'
    case 'TAG_RESOLVE_FAILED':
      return 'YAML: this tag is not known; remove it. A text that begins with ! needs quotes: "!"'
    default:
      return `YAML: ${withoutText(error.message)}`
  }
}

interface Around {
  /** Positions of aliases within the list or map that they stand for: it would have no end. */
  aliasesOfThemselves: number[]
  /** Positions of keys that the same map had before. */
  repeatedKeys: number[]
}

function lookAround(doc: Document): Around {
  const found: Around = { aliasesOfThemselves: [], repeatedKeys: [] }
  visit(doc, {
    Alias(_, node, path) {
      const source = node.resolve(doc)
      if (source !== undefined && path.includes(source)) found.aliasesOfThemselves.push(node.range?.[0] ?? 0)
    },
    Map(_, { items }) {
      const seen = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        if (seen.has(key.value)) found.repeatedKeys.push(key.range?.[0] ?? 0)
        seen.add(key.value)
      }
    },
  })
  return found
}

/** The parser repeats text of the file after a colon. */
const withoutText = (message: string): string => message.split(':', 1)[0] as string

function duplicateKey(text: string, at: number): string {
  const name = /^[^\s:]+/.exec(text.slice(at, at + 64))?.[0]
  return `YAML: the key ${name === undefined ? '' : `${quotedWord(name)} `}is twice in the same map`
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
