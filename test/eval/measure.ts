import type { PluginSpec, TextView } from '../../core/engine/contract/plugin.ts'
import { normalise } from '../../core/engine/text/unicode.ts'
import type { Case, Corpus } from './corpus.ts'
import { Drive, type Finding, type Run } from './drive.ts'
import { MAX_FIRST_OUTPUT } from './limits.ts'

export interface Recall {
  readonly values: number
  readonly buffered: number
  /** Found when streamed one character at a time, in pieces of token size, and cut at arbitrary bytes. */
  readonly characters: number
  readonly tokens: number
  readonly bytes: number
  /** The first values that passed. */
  readonly missed: readonly string[]
}

export interface Harm {
  readonly texts: number
  readonly altered: number
  readonly held: readonly number[]
  /** Pieces that came before the first one of which something left, for each text. */
  readonly waited: readonly number[]
  /** Of the waits that were longer than two pieces, the ones that a value with the same beginning explains. */
  readonly explained: readonly { readonly opening: string; readonly pieces: number }[]
  readonly examples: readonly string[]
}

/** Pieces of about the size of a token: a word with the space before it, long words in two. */
export const tokens = (text: string): string[] => text.match(/\s?[^\s]{1,6}|\s+/gu) ?? [text]

/** What a decoder of UTF-8 gives for chunks of `size` bytes: no half characters, but any other cut. */
export function byteChunks(text: string, size: number): string[] {
  const bytes = Buffer.from(text)
  const decoder = new TextDecoder()
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; at += size)
    pieces.push(decoder.decode(bytes.subarray(at, at + size), { stream: at + size < bytes.length }))
  return pieces.filter((piece) => piece !== '')
}

const isWord = (char: string): boolean => /[\p{L}\p{N}]/u.test(char)

/** Prompt injection is looked for in what goes in, which comes whole; all else in a reply, which may be streamed. */
const isInput = (corpus: Corpus): boolean => corpus.plugin === 'injection'

/**
 * True when every letter and digit of the value is inside a finding that keeps it from passing; with `detectOnly`, when
 * any finding touches it.
 */
function isCovered(
  text: string,
  value: { start: number; end: number },
  findings: readonly Finding[],
  detectOnly: boolean,
): boolean {
  if (detectOnly) return findings.some((finding) => finding.start < value.end && finding.end > value.start)
  const hits = findings.filter((finding) => finding.action !== 'detect')
  for (let i = value.start; i < value.end; i++) {
    if (isWord(text[i]!) && !hits.some((hit) => hit.start <= i && i < hit.end)) return false
  }
  return true
}

function runsOf(drive: Drive, corpus: Corpus, text: string): readonly Run[] {
  if (isInput(corpus)) return Array<Run>(4).fill(drive.input(text))
  const bytes = byteChunks(text, 1 + (text.length % 7))
  return [drive.reply(text), drive.stream([...text]), drive.stream(tokens(text)), drive.stream(bytes)]
}

export function measureRecall(plugin: PluginSpec, corpus: Corpus): Recall {
  const drive = new Drive(plugin, corpus.options, { channel: corpus.channel ?? 'content' })
  const result = { values: 0, buffered: 0, characters: 0, tokens: 0, bytes: 0, missed: [] as string[] }
  for (const { text, values = [] } of corpus.cases()) {
    const runs = runsOf(drive, corpus, text)
    for (const value of values) {
      result.values++
      const found = runs.map((run) => isCovered(text, value, run.findings, corpus.detectOnly === true))
      if (found[0]) result.buffered++
      else if (result.missed.length < 20) result.missed.push(text)
      if (found[1]) result.characters++
      if (found[2]) result.tokens++
      if (found[3]) result.bytes++
    }
  }
  return result
}

export function measureHarm(plugin: PluginSpec, corpus: Corpus): Harm {
  const drive = new Drive(plugin, corpus.options, { channel: corpus.channel ?? 'content' })
  const cases = corpus.cases()
  const held: number[] = []
  const waited: number[] = []
  const explained: { opening: string; pieces: number }[] = []
  const examples: string[] = []
  let altered = 0
  for (const { text } of cases) {
    const hits = (isInput(corpus) ? drive.input(text) : drive.reply(text)).findings.filter(
      (finding) => finding.action !== 'detect' || corpus.detectOnly,
    )
    if (hits.length > 0) {
      altered++
      if (examples.length < 20)
        examples.push(hits.map((hit) => `${hit.type} ${JSON.stringify(text.slice(hit.start, hit.end))}`).join(', '))
    }
    if (isInput(corpus)) continue
    const pieces = tokens(text)
    const run = drive.stream(pieces)
    for (const n of run.held) held.push(n)
    const wait = run.released.findIndex((released) => released > 0)
    const opening = pieces.slice(0, wait).join('')
    if (wait > MAX_FIRST_OUTPUT && mayOpenValue(drive, opening)) explained.push({ opening, pieces: wait })
    else waited.push(wait)
  }
  const ascending = (a: number, b: number) => a - b
  return {
    texts: cases.length,
    altered,
    held: held.sort(ascending),
    waited: waited.sort(ascending),
    explained,
    examples,
  }
}

/** How values go on that begin with a word or two. */
const CONTINUATIONS: readonly string[] = ['@example.com', ' Straße 5, 10115 Berlin']

/**
 * Whether some value begins with the whole of `opening`, or behind an equal sign in it, which may begin an escape
 * (`=3f`): then nothing of it may leave.
 */
const mayOpenValue = (drive: Drive, opening: string): boolean =>
  CONTINUATIONS.some((rest) =>
    drive
      .reply(opening + rest)
      .findings.some(
        ({ start, end }) => (start === 0 || opening[start - 1] === '=') && end === opening.length + rest.length,
      ),
  )

/** Milliseconds of processor time of the best of some rounds; on a busy machine the clock would measure the others. */
function bestOf(rounds: number, work: () => void): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    const start = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(start)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}

export interface Cost {
  /** Microseconds for each unit of work. */
  readonly each: number
  /** Times the cost of the yardstick on the same texts in the same rounds: other work on the machine slows both. */
  readonly ratio: number
}

const ROUNDS = 12

/** The same texts through all plugins, warm: for each KB (UTF-16 units) of input. */
export function measureCost(plugins: readonly PluginSpec[], cases: readonly Case[]): Cost {
  const drives = plugins.map((plugin) => new Drive(plugin))
  const size = cases.reduce((sum, { text }) => sum + text.length, 0)
  const work = () => {
    for (const { text } of cases) for (const drive of drives) drive.input(text)
  }
  return costOf(work, cases, size / 1024)
}

/** For each streamed piece of token size, all plugins together. */
export function measureTokenCost(plugins: readonly PluginSpec[], cases: readonly Case[]): Cost {
  const drives = plugins.map((plugin) => new Drive(plugin))
  const streams = cases.map(({ text }) => tokens(text))
  const count = streams.reduce((sum, pieces) => sum + pieces.length, 0)
  const work = () => {
    for (const pieces of streams) for (const drive of drives) drive.stream(pieces)
  }
  return costOf(work, cases, count)
}

function costOf(work: () => void, cases: readonly Case[], units: number): Cost {
  let best = Number.POSITIVE_INFINITY
  let yardstick = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    yardstick = Math.min(
      yardstick,
      bestOf(1, () => countWords(cases)),
    )
    best = Math.min(best, bestOf(1, work))
  }
  return { each: (best * 1000) / units, ratio: best / yardstick }
}

/** The yardstick: counts each word of the texts three times, as a simple program would. */
function countWords(cases: readonly Case[]): number {
  const counts = new Map<string, number>()
  for (let pass = 0; pass < 3; pass++) {
    for (const { text } of cases) {
      for (const [word] of text.matchAll(/[\p{L}\p{N}]+/gu)) counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  return counts.size
}

/** Milliseconds for one text in all plugins, without what the core makes of the findings. */
export function measureWorst(plugins: readonly PluginSpec[], text: string): number {
  const drives = instancesOf(plugins)
  return bestOf(5, () => {
    const view = plainView(normalise(text).text)
    for (const drive of drives) void drive.instance.detect?.(view, drive.x)
  })
}

const kept = new Map<string, Drive[]>()

function instancesOf(plugins: readonly PluginSpec[]): Drive[] {
  const key = plugins.map((plugin) => plugin.name).join()
  let drives = kept.get(key)
  if (drives === undefined) {
    drives = plugins.map((plugin) => new Drive(plugin))
    kept.set(key, drives)
  }
  return drives
}

function plainView(text: string): TextView {
  const nothing = () => undefined
  const origin = { id: 0, channel: 'content', role: 'user', choice: 0, path: 'content', direction: 'input' } as const
  const source = (start: number, end: number) => text.slice(start, end)
  return {
    ...origin,
    text,
    before: '',
    fresh: 0,
    offset: 0,
    final: true,
    source,
    sourceAt: (index: number) => index,
    report: nothing,
    hold: nothing,
  }
}

export const average = (numbers: readonly number[]): number =>
  numbers.reduce((sum, n) => sum + n, 0) / Math.max(1, numbers.length)
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
