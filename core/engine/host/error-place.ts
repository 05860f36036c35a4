/** Where in an operator's own plugin an error arose: `FILE:LINE:COLUMN`, which editors and terminals make clickable. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { isMarked, lastLoaded } from './self-reference.ts'

/** What Node puts above a stack: the place, lines of the file, and carets below the text that is wrong. */
const HEADER = /^([^\n]+):(\d+)\n(?:[^\n]*\n)*?([ \t]*)\^+\n/
const HEADER_WITHOUT_CARETS = /^((?:file:|\/)[^\n]+):(\d+)\n/
const FRAME = /^ +at (?:.*\()?((?:file:|\/)[^\n]+?):(\d+):(\d+)\)?$/gm
/** Mistakes in the code itself. The message of any other error is meant for its reader, who needs no line. */
const MISTAKES: ReadonlySet<string> = new Set(['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError'])
/** How long Node may take to read a file again, milliseconds. */
const READ_AGAIN_MS = 5000

/** ` (FILE:LINE:COLUMN)` of the mistake in a plugin's code; empty if it is unknown, or not a mistake of the code. */
export function mistakeIn(error: unknown): string {
  if (!(error instanceof Error) || !MISTAKES.has(error.name) || typeof error.stack !== 'string') return ''
  const place = headerOf(error.stack) ?? frameOf(error.stack)
  return place === undefined ? '' : ` (${place})`
}

/** The same for an error of `import`. V8 keeps the place of a syntax error in an ES module to itself, so Node reads the file again. */
export async function mistakeInModule(error: unknown): Promise<string> {
  const known = mistakeIn(error)
  const file = lastLoaded()
  if (known !== '' || file === undefined || !(error instanceof SyntaxError)) return known
  const place = await syntaxPlace(file)
  return place === undefined ? '' : ` (${file}:${place})`
}

function headerOf(stack: string): string | undefined {
  const [, place, line, indent] = HEADER.exec(stack) ?? HEADER_WITHOUT_CARETS.exec(stack) ?? []
  if (place === undefined) return undefined
  return `${pathOf(place)}:${line}${indent === undefined ? '' : `:${indent.length + 1}`}`
}

function frameOf(stack: string): string | undefined {
  for (const [, place = '', line, column] of stack.matchAll(FRAME)) {
    if (isMarked(place)) return `${pathOf(place)}:${line}:${column}`
  }
  return undefined
}

const pathOf = (place: string): string => (place.startsWith('file:') ? fileURLToPath(place.replace(/\?.*/, '')) : place)

/** `LINE:COLUMN` of the first syntax error; undefined if Node finds none, or cannot be started. */
async function syntaxPlace(file: string): Promise<string | undefined> {
  const source = await readFile(file)
  const { NODE_OPTIONS: _, ...env } = process.env
  return new Promise((resolve) => {
    const options = { env, timeout: READ_AGAIN_MS }
    const child = execFile(
      process.execPath,
      ['--check', '--input-type=module', '-'],
      options,
      (_error, _out, report) => {
        const [, , line, indent] = HEADER.exec(report) ?? []
        resolve(line === undefined || indent === undefined ? undefined : `${line}:${indent.length + 1}`)
      },
    )
    child.stdin?.on('error', () => {})
    child.stdin?.end(source)
  })
}
