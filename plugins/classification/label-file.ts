/** Reads label files: the operator's, and those of this plugin's folder. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { GatewayError, type Options } from 'governed-gateway'
import { checkAgainst, matchesGlob, readTextFile } from 'governed-gateway/kit'
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import { labelSchema } from './label-schema.ts'

/** A label file; its name is the file's. */
export type Label = Options<typeof labelSchema> & { readonly name: string }

export interface Labels {
  readonly list: readonly Label[]
  /** Changes with the files. */
  readonly digest: string
}

/**
 * The label files that the names or globs select. A file in `folder` replaces the shipped one of its name.
 *
 * @throws `GW_CONFIG` with every problem, each on a line of its own
 */
export function readLabels(wanted: readonly string[], folder: string | undefined): Labels {
  const files = new Map([...filesOf(shipped()), ...(folder === undefined ? [] : ownFiles(folder))])
  const problems: string[] = []
  const names = new Set<string>()
  for (const [i, glob] of wanted.entries()) {
    const fitting = [...files.keys()].filter((name) => matchesGlob(glob, name))
    if (fitting.length === 0) problems.push(`options.labels[${i}]: no label is called "${glob}". Known: ${list(files)}`)
    for (const name of fitting) names.add(name)
  }
  const hash = createHash('sha256')
  const labels = [...names].sort().map((name) => {
    const file = files.get(name) as string
    const text = readFile(file, problems)
    hash.update(`${name}\0${text}\0`)
    return { ...(parseLabel(text, file, problems) as object), name } as Label
  })
  if (problems.length > 0) throw new GatewayError('GW_CONFIG', problems.join('\n'))
  return { list: labels, digest: hash.digest('base64url').slice(0, 16) }
}

const list = (files: ReadonlyMap<string, string>): string => [...files.keys()].sort().join(', ')

const ENDING = /\.ya?ml$/
const NAME = /^[a-z][a-z0-9_]{0,63}$/

const filesOf = (folder: string): [string, string][] =>
  readdirSync(folder)
    .filter((file) => ENDING.test(file))
    .sort()
    .map((file) => [file.slice(0, -extname(file).length), join(folder, file)])

function ownFiles(folder: string): [string, string][] {
  let files: [string, string][]
  try {
    files = filesOf(folder)
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new GatewayError('GW_CONFIG', `options.labels_dir: ${folder} cannot be read: ${code}`)
  }
  const wrong = files.find(([name]) => !NAME.test(name))
  if (wrong === undefined) return files
  const form = 'a name has lower-case letters, digits and _, at most 64'
  throw new GatewayError('GW_CONFIG', `options.labels_dir: ${wrong[1]}: ${form}`)
}

/** The bundle of the package has the code elsewhere. */
function shipped(): string {
  const beside = fileURLToPath(new URL('labels', import.meta.url))
  if (existsSync(beside)) return beside
  return join(dirname(findPackageJSON(import.meta.url) as string), 'plugins', 'classification', 'labels')
}

function readFile(file: string, problems: string[]): string {
  try {
    return readTextFile(file)
  } catch (error) {
    problems.push(`options.labels_dir: ${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}`)
    return 'label: PUBLIC'
  }
}

/** Adds problems with the file and line. */
function parseLabel(text: string, file: string, problems: string[]): unknown {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const tell = (offset: number, message: string) =>
    problems.push(`options.labels_dir: ${file}:${lines.linePos(offset).line}: ${message.replace(/\s+/g, ' ')}`)
  for (const { pos, message } of document.errors) tell(pos[0], `YAML: ${message}`)
  if (document.errors.length > 0) return {}
  let data: unknown
  try {
    data = document.toJS({ maxAliasCount: 100 }) ?? {}
  } catch (error) {
    tell(0, `YAML: ${(error as Error).message}`)
    return {}
  }
  for (const { path, message } of checkAgainst(labelSchema, data).problems) {
    tell(offsetOf(document.contents, path), `${path}${path === '' ? '' : ': '}${message}`)
  }
  return data
}

/** Where the value of a path such as `terms.en[2]` begins, or the nearest one around it. */
function offsetOf(contents: unknown, path: string): number {
  let node = contents
  let at = 0
  for (const [, member, index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (isMap(node) && member !== undefined) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === member)
      if (pair === undefined) break
      at = (pair.key as { range?: readonly number[] }).range?.[0] ?? at
      node = pair.value
    } else if (isSeq(node)) {
      node = node.items[Number(index ?? member)]
      at = (node as { range?: readonly number[] } | undefined)?.range?.[0] ?? at
    } else break
  }
  return at
}
