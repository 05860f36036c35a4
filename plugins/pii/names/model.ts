import { existsSync, readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { type Beside, FEATURES, Features } from './features.ts'
import type { Run } from './runs.ts'

const LABELS = ['O', 'B-PER', 'I-PER', 'B-LOC', 'I-LOC', 'B-ORG', 'I-ORG'] as const
export const L = LABELS.length
/** Score of what cannot follow: an inside after another kind. */
export const NEVER = -1e6

/** Whether label `to` may follow `from`; -1 is the start of a run. */
export const mayFollow = (from: number, to: number): boolean =>
  to === 0 || to % 2 === 1 || (from >= 0 && (from === to || from === to - 1))

/** Weights of a linear-chain conditional random field. */
export interface Weights {
  readonly bits: number
  /** By row and label. */
  readonly emissions: Int8Array | Float32Array
  /** What one step of `emissions` is worth. */
  readonly scale: number
  /** From the start and from each label, to each label. */
  readonly transitions: Float32Array
}

/** A name in a run: indexes of its words. */
export interface Named {
  readonly kind: 'PER' | 'LOC' | 'ORG'
  readonly from: number
  readonly to: number
}

const KINDS = ['PER', 'LOC', 'ORG'] as const

export class Model {
  readonly #weights: Weights
  readonly #features: Features
  #scores = new Float64Array(L * 16)
  #best = new Float64Array(L * 16)
  #from = new Uint8Array(L * 16)

  constructor(weights: Weights) {
    this.#weights = weights
    this.#features = new Features(weights.bits)
  }

  /**
   * The names in a run.
   *
   * @param taken from the score of ordinary words: 0 is as trained, more finds more names
   * @param given to the score of persons
   */
  names(text: string, run: Run, beside: Beside, taken: number, given = 0): readonly Named[] {
    const n = run.words.length
    this.#emit(text, run, beside, taken, given)
    const labels = this.#viterbi(n)
    if (labels === undefined) return []
    const found: Named[] = []
    for (let i = 0; i < n; i++) {
      const label = labels[i]!
      if (label === 0) continue
      let to = i + 1
      while (to < n && labels[to] === label + 1 && label % 2 === 1) to++
      found.push({ kind: KINDS[(label - 1) >> 1]!, from: i, to })
      i = to - 1
    }
    return found
  }

  #emit(text: string, run: Run, beside: Beside, taken: number, given: number): void {
    const n = run.words.length
    if (this.#scores.length < n * L) {
      this.#scores = new Float64Array(n * L * 2)
      this.#best = new Float64Array(n * L * 2)
      this.#from = new Uint8Array(n * L * 2)
    }
    const { emissions, scale } = this.#weights
    this.#features.read(text, run, beside)
    const { rows } = this.#features
    const sums = this.#scores
    for (let i = 0; i < n; i++) {
      let a = 0
      let b = 0
      let c = 0
      let d = 0
      let e = 0
      let f = 0
      let g = 0
      for (let k = i * FEATURES; k < (i + 1) * FEATURES; k++) {
        const row = rows[k]! * L
        a += emissions[row]!
        b += emissions[row + 1]!
        c += emissions[row + 2]!
        d += emissions[row + 3]!
        e += emissions[row + 4]!
        f += emissions[row + 5]!
        g += emissions[row + 6]!
      }
      const at = i * L
      sums[at] = a * scale - taken
      sums[at + 1] = b * scale + given
      sums[at + 2] = c * scale + given
      sums[at + 3] = d * scale
      sums[at + 4] = e * scale
      sums[at + 5] = f * scale
      sums[at + 6] = g * scale
    }
  }

  /** The best labels; undefined if all words are ordinary. */
  #viterbi(n: number): Uint8Array | undefined {
    const { transitions } = this.#weights
    const best = this.#best
    const from = this.#from
    const scores = this.#scores
    for (let y = 0; y < L; y++) best[y] = scores[y]! + transitions[y]!
    for (let i = 1; i < n; i++) {
      for (let y = 0; y < L; y++) {
        let top = Number.NEGATIVE_INFINITY
        let at = 0
        for (let x = 0; x < L; x++) {
          const score = best[(i - 1) * L + x]! + transitions[(x + 1) * L + y]!
          if (score > top) {
            top = score
            at = x
          }
        }
        best[i * L + y] = top + scores[i * L + y]!
        from[i * L + y] = at
      }
    }
    let y = 0
    for (let k = 1; k < L; k++) if (best[(n - 1) * L + k]! > best[(n - 1) * L + y]!) y = k
    const labels = new Uint8Array(n)
    let some = false
    for (let i = n - 1; i >= 0; i--) {
      labels[i] = y
      some ||= y !== 0
      y = from[i * L + y]!
    }
    return some ? labels : undefined
  }
}

const FILE = 'weights.bin'
/** Its place in the package, whose bundle has the code elsewhere. */
const IN_PACKAGE = join('plugins', 'pii', 'names', FILE)
let loaded: Weights | undefined

/** The trained weights; read once, when names are first asked for. */
export function trainedWeights(): Weights {
  if (loaded === undefined) {
    const beside = new URL(FILE, import.meta.url)
    const root = () => dirname(findPackageJSON(import.meta.url)!)
    loaded = unpack(readFileSync(existsSync(beside) ? beside : join(root(), IN_PACKAGE)))
  }
  return loaded
}

/** Header of the unpacked file: bits, scale. */
const HEADER = 8

function unpack(file: Buffer): Weights {
  const bytes = brotliDecompressSync(file)
  const bits = bytes.readUInt32LE(0)
  const scale = bytes.readFloatLE(4)
  const transitions = new Float32Array((L + 1) * L)
  for (let i = 0; i < transitions.length; i++) transitions[i] = bytes.readFloatLE(HEADER + 4 * i)
  const from = HEADER + 4 * transitions.length
  const emissions = new Int8Array(2 ** bits * L)
  emissions.set(new Int8Array(bytes.buffer, bytes.byteOffset + from, emissions.length))
  return { bits, scale, transitions, emissions }
}

export function pack({ bits, scale, transitions, emissions }: Weights): Buffer {
  const head = Buffer.alloc(HEADER + 4 * transitions.length)
  head.writeUInt32LE(bits, 0)
  head.writeFloatLE(scale, 4)
  for (const [i, value] of transitions.entries()) head.writeFloatLE(value, HEADER + 4 * i)
  return Buffer.concat([head, Buffer.from(emissions.buffer, emissions.byteOffset, emissions.byteLength)])
}
