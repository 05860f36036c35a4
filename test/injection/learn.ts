/** Learns a linear model of windows: of a text only the window counts that looks most like an attack, as when it is used. */

import { BITS, FEATURES, Tokens, WINDOW } from '../../plugins/injection/model/features.ts'
import { LEAST, lengthOf } from '../../plugins/injection/model/model.ts'
import type { Random } from '../eval/random.ts'
import { shuffled } from './corpora.ts'

export interface Example {
  readonly rows: Int32Array
  readonly attack: boolean
  readonly weight: number
}

const TOKENS = new Tokens()

export function exampleOf(text: string, attack: boolean, weight: number): Example {
  return { rows: TOKENS.read(text).rows(), attack, weight }
}

export interface Settings {
  readonly epochs: number
  readonly rate: number
  /** Shrinks weights with each step. */
  readonly l1: number
  /** Words of a block. */
  readonly block: number
  /** Texts that must have a feature. */
  readonly least: number
  /** What a text's score falls by as its length doubles. */
  readonly penalty: number
}

export interface Learned {
  readonly rows: Float32Array
  readonly bias: number
}

/** Logistic regression with AdaGrad. */
export function learn(
  examples: readonly Example[],
  { epochs, rate, l1, least, block, penalty }: Settings,
  random: Random,
): Learned {
  const size = 2 ** BITS
  const texts = new Uint16Array(size)
  const seen = new Int32Array(size).fill(-1)
  examples.forEach(({ rows }, number) => {
    for (const row of rows) {
      if (seen[row] === number) continue
      seen[row] = number
      texts[row] = Math.min(0xffff, texts[row]! + 1)
    }
  })
  const weights = new Float32Array(size)
  const squares = new Float32Array(size).fill(1e-3)
  const means = new Float32Array(size)
  let averaged = 0
  let bias = -2
  let biasSquare = 1e-3
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const { rows, attack, weight } of shuffled(examples, random)) {
      const { from, to, score } = strongest(rows, weights, block, penalty)
      const words = (to - from) / FEATURES
      const norm = 1 / Math.sqrt(Math.max(words, LEAST))
      const p = 1 / (1 + Math.exp(-(bias + score)))
      const gradient = (p - (attack ? 1 : 0)) * weight
      if (Math.abs(gradient) < 1e-4) continue
      biasSquare += gradient * gradient
      bias -= (rate * 0.1 * gradient) / Math.sqrt(biasSquare)
      const g = gradient * norm
      for (let i = from; i < to; i++) {
        const row = rows[i]!
        if (texts[row]! < least) continue
        squares[row]! += g * g
        let next = weights[row]! - (rate * g) / Math.sqrt(squares[row]!)
        const shrink = l1 * rate
        next = next > shrink ? next - shrink : next < -shrink ? next + shrink : 0
        weights[row] = next
      }
    }
    // The last steps swing around the optimum.
    if (epoch < epochs / 2) continue
    averaged++
    for (let row = 0; row < size; row++) means[row]! += weights[row]!
  }
  for (let row = 0; row < size; row++) means[row]! /= averaged
  return { rows: means, bias }
}

function strongest(
  rows: Int32Array,
  weights: Float32Array,
  length: number,
  penalty: number,
): { from: number; to: number; score: number } {
  const step = length * FEATURES
  const blocks = Math.max(1, Math.ceil(rows.length / step))
  const sums: number[] = []
  for (let block = 0, at = 0; block < blocks; block++) {
    let sum = 0
    for (const end = Math.min(rows.length, (block + 1) * step); at < end; at++) sum += weights[rows[at]!]!
    sums.push(sum)
  }
  let best = { from: 0, to: 0, score: Number.NEGATIVE_INFINITY }
  for (let block = 0; block <= Math.max(0, blocks - WINDOW); block++) {
    const from = block * step
    const to = Math.min(rows.length, from + WINDOW * step)
    let sum = 0
    for (let i = block; i < Math.min(blocks, block + WINDOW); i++) sum += sums[i]!
    const score = sum / Math.sqrt(Math.max((to - from) / FEATURES, LEAST))
    if (score > best.score) best = { from, to, score }
  }
  return { ...best, score: best.score - penalty * lengthOf(blocks) }
}
