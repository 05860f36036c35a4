/** A linear model over the words of a window. See README.md beside this file. */
import { existsSync, readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { BITS, Tokens, WINDOW } from './features.ts'

/** Weights of one origin: messages, or fetched documents. */
export interface Weights {
  /** By row, in steps of `scale`. */
  readonly rows: Int8Array | Float32Array
  readonly scale: number
  readonly bias: number
  /** Words of a block; a window is some blocks. */
  readonly block: number
  /** What the score falls by as a text's length doubles: of many windows some one looks like an attack. */
  readonly penalty: number
  /** Score above which a text alone is taken for an attack, and below which the model says nothing. */
  readonly sure: number
  readonly least: number
}

/** The window that looks most like an attack. */
export interface Likeness {
  /** Log-odds. */
  readonly score: number
  /** Offsets of its first word, and of the word after it. */
  readonly start: number
  readonly end: number
  /** How often the length of the text doubles that of a few sentences, up to 5. */
  readonly doublings: number
  /** Log-odds of the window with the highest, of all that have the word at an offset, also of shorter ones. Valid until the next text is read. */
  best(at: number): number
}

/** A window of fewer words counts as one of so many: three words are no evidence. */
export const LEAST = 12

/** Doublings of a text's length, in blocks; beyond the last a text may not grow to hide a window. */
export const lengthOf = (blocks: number): number => Math.min(MOST_DOUBLINGS, Math.log2(1 + blocks / 8))
const MOST_DOUBLINGS = 5

const TOKENS = new Tokens()
let sums = new Float64Array(256)

/**
 * The window of the text with the highest score; undefined without words.
 *
 * @param within words of the text that it is a part of, whose length counts
 */
export function likeness(
  text: string,
  {
    rows: weights,
    scale,
    bias,
    block: length,
    penalty,
  }: Pick<Weights, 'rows' | 'scale' | 'bias' | 'block' | 'penalty'>,
  within = 0,
): Likeness | undefined {
  const { count, starts } = TOKENS.read(text)
  if (count === 0) return undefined
  const blocks = Math.ceil(count / length)
  if (sums.length < blocks) sums = new Float64Array(2 * blocks)
  for (let block = 0; block < blocks; block++)
    sums[block] = TOKENS.sum(weights, block * length, Math.min((block + 1) * length, count))
  let best = Number.NEGATIVE_INFINITY
  let first = 0
  const last = Math.max(0, blocks - WINDOW)
  for (let block = 0; block <= last; block++) {
    let sum = 0
    const end = Math.min(blocks, block + WINDOW)
    for (let i = block; i < end; i++) sum += sums[i] as number
    const words = Math.min(end * length, count) - block * length
    const score = sum / Math.sqrt(Math.max(words, LEAST))
    if (score > best) {
      best = score
      first = block
    }
  }
  const end = (first + WINDOW) * length
  const doublings = lengthOf(Math.max(blocks, within / length))
  return {
    score: bias + scale * best - penalty * doublings,
    doublings,
    start: starts[first * length] as number,
    end: end < count ? (starts[end] as number) : text.length,
    best: (at) => bias + scale * bestAround(wordAt(starts, count, at), length, count),
  }
}

/** The highest score of the windows that have a word, also of shorter ones: a sentence may be all that is not ordinary. */
function bestAround(word: number, length: number, count: number): number {
  const blocks = Math.ceil(count / length)
  const own = Math.floor(word / length)
  let best = Number.NEGATIVE_INFINITY
  for (let from = Math.max(0, own - WINDOW + 1); from <= own; from++) {
    let sum = 0
    for (let to = from + 1; to <= Math.min(blocks, from + WINDOW); to++) {
      sum += sums[to - 1] as number
      if (to <= own) continue
      best = Math.max(best, sum / Math.sqrt(Math.max(Math.min(to * length, count) - from * length, LEAST)))
    }
  }
  return best
}

/** The last word that begins at or before an offset. */
function wordAt(starts: Int32Array, count: number, at: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] as number) <= at) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}

const FILE = 'weights.bin'
/** Its place in the package, whose bundle has the code elsewhere. */
const IN_PACKAGE = join('plugins', 'injection', 'model', FILE)
let loaded: readonly [messages: Weights, documents: Weights] | undefined

/** The trained weights for messages and for documents; read when a text is first looked at. */
export function trainedWeights(): readonly [messages: Weights, documents: Weights] {
  if (loaded === undefined) {
    const beside = new URL(FILE, import.meta.url)
    const root = (): string => dirname(findPackageJSON(import.meta.url)!)
    const bytes = brotliDecompressSync(readFileSync(existsSync(beside) ? beside : join(root(), IN_PACKAGE)))
    const half = bytes.length / 2
    loaded = [unpack(bytes.subarray(0, half)), unpack(bytes.subarray(half))]
  }
  return loaded
}

const HEADER = 24

/** As `unpack` reads them. */
export function pack({ rows, scale, bias, block, penalty, sure, least }: Weights): Buffer {
  const head = Buffer.alloc(HEADER)
  for (const [i, value] of [scale, bias, block, penalty, sure, least].entries()) head.writeFloatLE(value, 4 * i)
  return Buffer.concat([head, Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength)])
}

function unpack(bytes: Buffer): Weights {
  const [scale, bias, block, penalty, sure, least] = Array.from({ length: 6 }, (_, i) => bytes.readFloatLE(4 * i)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const rows = new Int8Array(2 ** BITS)
  rows.set(new Int8Array(bytes.buffer, bytes.byteOffset + HEADER, rows.length))
  return { rows, scale, bias, block, penalty, sure, least }
}
