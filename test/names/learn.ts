/** Trains the weights of a linear-chain conditional random field by AdaGrad, in one thread and the same each time. */
import { FEATURES, Features } from '../../plugins/pii/names/features.ts'
import { L, mayFollow, NEVER, type Weights } from '../../plugins/pii/names/model.ts'
import { besideOf, runsOf } from '../../plugins/pii/names/tagger.ts'
import type { Random } from '../eval/random.ts'
import type { Kind, Unit } from './corpora.ts'

export interface Example {
  readonly rows: Uint32Array
  readonly labels: Uint8Array
  readonly weight: number
}

const FIRST: Readonly<Record<Kind, number>> = { PER: 1, LOC: 3, ORG: 5 }

/** The runs of a text that the tagger would judge, with their labels. */
export function examplesOf(units: readonly Unit[], bits: number, weight: number): Example[] {
  const features = new Features(bits)
  const examples: Example[] = []
  for (const { text, spans } of units) {
    for (const run of runsOf(text)) {
      features.read(text, run, besideOf(text, run))
      const labels = new Uint8Array(run.words.length)
      let previous: object | undefined
      for (const [i, word] of run.words.entries()) {
        const span = spans.find(({ start, end }) => start < word.end && word.start < end)
        if (span !== undefined) labels[i] = FIRST[span.kind] + (span === previous ? 1 : 0)
        previous = span
      }
      examples.push({ rows: features.rows.slice(0, run.words.length * FEATURES), labels, weight })
    }
  }
  return examples
}

export interface Settings {
  readonly bits: number
  readonly epochs: number
  readonly rate: number
  /** Pulls small weights to zero. */
  readonly l1: number
  /** Rows seen in fewer words are left at zero. */
  readonly least: number
}

export function train(
  examples: readonly Example[],
  settings: Settings,
  random: Random,
  log: (line: string) => void,
): Weights {
  const { bits, epochs, rate, l1, least } = settings
  const size = 2 ** bits * L
  const emissions = new Float32Array(size)
  const squares = new Float32Array(size).fill(1e-6)
  const transitions = new Float32Array((L + 1) * L)
  const transitionSquares = new Float32Array((L + 1) * L).fill(1e-6)
  for (let x = -1; x < L; x++) for (let y = 0; y < L; y++) if (!mayFollow(x, y)) transitions[(x + 1) * L + y] = NEVER
  const seen = new Uint16Array(2 ** bits)
  for (const { rows } of examples) for (const row of rows) if (seen[row]! < 60_000) seen[row]!++
  const order = examples.map((_, i) => i)
  const work = new Work()
  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffle(order, random)
    let loss = 0
    for (const index of order) {
      const { rows, labels, weight } = examples[index]!
      const n = labels.length
      work.fit(n)
      const { scores, gradient } = work
      for (let i = 0; i < n; i++) {
        for (let y = 0; y < L; y++) scores[i * L + y] = 0
        for (let k = i * FEATURES; k < (i + 1) * FEATURES; k++) {
          const at = rows[k]! * L
          for (let y = 0; y < L; y++) scores[i * L + y]! += emissions[at + y]!
        }
      }
      loss += weight * work.run(n, labels, transitions)
      for (let i = 0; i < n; i++) {
        for (let k = i * FEATURES; k < (i + 1) * FEATURES; k++) {
          const row = rows[k]!
          if (seen[row]! < least) continue
          const at = row * L
          for (let y = 0; y < L; y++) {
            const g = weight * gradient[i * L + y]!
            if (Math.abs(g) < 1e-5) continue
            const sum = squares[at + y]! + g * g
            squares[at + y] = sum
            const step = rate / Math.sqrt(sum)
            const w = emissions[at + y]! - step * g
            const shrink = step * l1
            emissions[at + y] = w > shrink ? w - shrink : w < -shrink ? w + shrink : 0
          }
        }
      }
      for (let t = 0; t < transitions.length; t++) {
        const g = weight * work.transitionGradient[t]!
        if (g === 0 || transitions[t] === NEVER) continue
        transitionSquares[t]! += g * g
        transitions[t]! -= (rate * g) / Math.sqrt(transitionSquares[t]!)
      }
    }
    log(`epoch ${epoch + 1}: loss ${(loss / examples.length).toFixed(4)}`)
  }
  return { bits, scale: 1, emissions, transitions }
}

/** Weights in steps of one byte. */
export function quantise({ bits, emissions, transitions }: Weights): Weights {
  let top = 0
  const sorted = Float32Array.from(emissions.filter((w) => w !== 0).map(Math.abs)).sort()
  top = sorted[Math.floor(sorted.length * 0.9998)] ?? 1
  const scale = top / 127
  const bytes = new Int8Array(emissions.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = Math.max(-127, Math.min(127, Math.round(emissions[i]! / scale)))
  return { bits, scale, emissions: bytes, transitions }
}

function shuffle(items: number[], random: Random): void {
  for (let i = items.length - 1; i > 0; i--) {
    const j = random.int(0, i)
    const item = items[i]!
    items[i] = items[j]!
    items[j] = item
  }
}

/** Forward and backward sums of one run. */
class Work {
  scores = new Float64Array(L * 64)
  gradient = new Float64Array(L * 64)
  #forward = new Float64Array(L * 64)
  #backward = new Float64Array(L * 64)
  readonly transitionGradient = new Float64Array((L + 1) * L)

  fit(n: number): void {
    if (this.scores.length >= n * L) return
    this.scores = new Float64Array(n * L * 2)
    this.gradient = new Float64Array(n * L * 2)
    this.#forward = new Float64Array(n * L * 2)
    this.#backward = new Float64Array(n * L * 2)
  }

  /** Fills the gradients of the loss, and returns it. */
  run(n: number, labels: Uint8Array, transitions: Float32Array): number {
    const { scores, gradient, transitionGradient } = this
    const forward = this.#forward
    const backward = this.#backward
    const terms = new Float64Array(L)
    for (let y = 0; y < L; y++) forward[y] = scores[y]! + transitions[y]!
    for (let i = 1; i < n; i++)
      for (let y = 0; y < L; y++) {
        for (let x = 0; x < L; x++) terms[x] = forward[(i - 1) * L + x]! + transitions[(x + 1) * L + y]!
        forward[i * L + y] = scores[i * L + y]! + logSum(terms)
      }
    for (let y = 0; y < L; y++) backward[(n - 1) * L + y] = 0
    for (let i = n - 2; i >= 0; i--)
      for (let x = 0; x < L; x++) {
        for (let y = 0; y < L; y++)
          terms[y] = transitions[(x + 1) * L + y]! + scores[(i + 1) * L + y]! + backward[(i + 1) * L + y]!
        backward[i * L + x] = logSum(terms)
      }
    for (let y = 0; y < L; y++) terms[y] = forward[(n - 1) * L + y]!
    const all = logSum(terms)
    transitionGradient.fill(0)
    let right = 0
    for (let i = 0; i < n; i++) {
      const label = labels[i]!
      for (let y = 0; y < L; y++)
        gradient[i * L + y] = Math.exp(forward[i * L + y]! + backward[i * L + y]! - all) - (y === label ? 1 : 0)
      const from = i === 0 ? 0 : labels[i - 1]! + 1
      right += scores[i * L + label]! + transitions[from * L + label]!
      transitionGradient[from * L + label]! -= 1
      if (i === 0) for (let y = 0; y < L; y++) transitionGradient[y]! += Math.exp(forward[y]! + backward[y]! - all)
      else
        for (let x = 0; x < L; x++)
          for (let y = 0; y < L; y++)
            transitionGradient[(x + 1) * L + y]! += Math.exp(
              forward[(i - 1) * L + x]! +
                transitions[(x + 1) * L + y]! +
                scores[i * L + y]! +
                backward[i * L + y]! -
                all,
            )
    }
    return all - right
  }
}

function logSum(terms: Float64Array): number {
  let top = Number.NEGATIVE_INFINITY
  for (const term of terms) if (term > top) top = term
  let sum = 0
  for (const term of terms) sum += Math.exp(term - top)
  return top + Math.log(sum)
}
