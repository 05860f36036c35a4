/** `npm run train:injection -- FOLDER`: trains the model of injection from the corpora in FOLDER. See plugins/injection/model/README.md. */
import { writeFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'
import { likeness, pack, trainedWeights, type Weights } from '../../plugins/injection/model/model.ts'
import { Random, seedOf } from '../eval/random.ts'
import { readCorpora, type Source } from './corpora.ts'
import { described, form, inCode, instruction, letter, within } from './generate.ts'
import { type Example, exampleOf, type Learned, learn } from './learn.ts'

const folder = process.argv[2] ?? ''
const print = (line: string): void => void process.stdout.write(`${line}\n`)
let random = new Random(seedOf('train injection'))
const corpora = readCorpora(folder, random)
/** `least`: texts that must have a feature. */
const SETTINGS = { epochs: 20, rate: 0.08, l1: 2e-5, least: 12 }
/** From no evidence to certainty, in log-odds. */
const RANGE = 2.5

/** Models that are averaged. */
const MODELS = 4
/** Most steps of a weight, in either direction. */
const STEPS = 7

/** Every fifth text is kept out of the training, to set the threshold and print figures. */
const isKept = (index: number): boolean => index % 5 === 4
interface Part {
  readonly name: string
  readonly attack: boolean
  readonly training: string[]
  readonly kept: string[]
  readonly weight: number
}
const part = ({ name, texts }: Source, attack: boolean, weight = 1): Part => {
  return {
    name,
    attack,
    weight,
    // Our own are few, and each has its reason.
    training: name === 'own' ? [...texts] : texts.filter((_, index) => !isKept(index)),
    kept: texts.filter((_, index) => isKept(index)),
  }
}
const capped = (source: Source, attack: boolean, share: number): Part =>
  part(source, attack, Math.min(source.name === 'own' ? 8 : 2, share / Math.max(1, source.texts.length)))

const times = <T>(n: number, make: () => T): T[] => Array.from({ length: n }, make)
const quotable = (corpora.attacks.find(({ name }) => name === 'own') as Source).texts.filter(
  ({ length }) => length < 90,
)
const messages = (): Part[] => [
  ...corpora.attacks.map((source) => capped(source, true, 900)),
  ...corpora.harmless.map((source) => capped(source, false, source.name === 'own' ? 4000 : 2500)),
  capped({ name: 'described', texts: times(900, () => described(random, quotable)) }, false, 1500),
  ...corpora.documents.map((source) => capped({ ...source, name: `pasted ${source.name}` }, false, 800)),
]
const contexts = corpora.documents.flatMap(({ texts }) => texts)
const records = corpora.records
const placed = (plain: string): string => {
  const text = random.chance(0.25) ? inCode(plain, random) : plain
  return random.chance(0.35)
    ? random.pick(records).replace('<>', text.replaceAll("'", '’'))
    : random.chance(0.12)
      ? text
      : within(random.pick(contexts), text, random)
}
const short = corpora.attacks
  .filter(({ name }) => name !== 'pair' && name !== 'purplellama' && name !== 'giskard')
  .flatMap(({ texts }) => texts)
  .filter(({ length }) => length < 700)
const chats = corpora.harmless
  .filter(({ name }) => ['roleplay', 'self-instruct'].includes(name))
  .flatMap(({ texts }) => texts)
const questions = chats.filter(({ length }) => length < 240)
/** Harmless values of records: sentences of ordinary documents. */
const sentences = contexts
  .flatMap((text) => text.split(/(?<=[.!?])\s+|\n+/))
  .filter(({ length }) => length > 25 && length < 200)
const documents = (): Part[] => [
  capped({ name: 'generated', texts: times(5000, () => placed(instruction(random))) }, true, 2500),
  ...corpora.tasks.map(({ name, texts }) => {
    const often = Math.ceil(1200 / texts.length)
    return capped(
      {
        name,
        texts: texts.flatMap((text) =>
          times(often, () => placed(random.chance(0.6) ? text : instruction(random, text))),
        ),
      },
      true,
      300,
    )
  }),
  capped({ name: 'messages', texts: short.flatMap((text) => times(4, () => placed(text))) }, true, 2000),
  capped({ name: 'questions', texts: questions.slice(0, 900).map((text) => placed(text)) }, true, 250),
  ...corpora.documents.map((source) => capped(source, false, source.share ?? 1500)),
  capped({ name: 'written letters', texts: times(1500, () => letter(random)) }, false, 2500),
  capped({ name: 'forms', texts: times(500, () => form(random)) }, false, 1000),
  capped(
    {
      name: 'records',
      texts: times(1500, () => random.pick(records).replace('<>', random.pick(sentences).replaceAll("'", '’'))),
    },
    false,
    1500,
  ),
]

/**
 * @param block words of a block; a window is three
 * @param rate share of the kept harmless texts that may score above certainty
 * @param margin added, since harmless texts of unknown sources score higher than those of known ones
 */
function train(
  name: string,
  draw: () => readonly Part[],
  block: number,
  rate: number,
  margin: number,
  penalty: number,
): Weights {
  // One head's weights do not depend on the other's training.
  random = new Random(seedOf(`train injection, ${name}`))
  const parts = draw()
  const examples = examplesOf(parts)
  const learned = mean(
    [examples, ...times(MODELS - 1, () => examplesOf(draw()))].map((one) =>
      learn(one, { ...SETTINGS, block, penalty }, random),
    ),
  )
  const weights = quantised(learned, block, penalty)
  const scored = parts.map((one) => ({ ...one, scores: one.kept.map((text) => likeness(text, weights)?.score ?? -9) }))
  const harmless = scored
    .filter(({ attack }) => !attack)
    .flatMap(({ scores }) => scores)
    .sort((a, b) => b - a)
  print(
    `${name}: ${examples.length} texts, ${weights.rows.filter((one) => one !== 0).length} weights, bias ${learned.bias.toFixed(2)}`,
  )
  for (const rate of [0.001, 0.005, 0.01]) {
    const at = harmless[Math.floor(rate * harmless.length)]!
    const found = scored.map(
      ({ name, attack, scores }) =>
        `${attack ? '' : '-'}${name} ${((100 * scores.filter((score) => score > at).length) / Math.max(1, scores.length)).toFixed(attack ? 0 : 2)}`,
    )
    print(`  ${(100 * rate).toFixed(1)} % of ${harmless.length}: above ${at.toFixed(2)}: ${found.join(', ')}`)
  }
  const above = (rate: number): number => harmless[Math.floor(rate * harmless.length)]!
  return { ...weights, sure: above(rate) + margin, least: above(rate) + margin - RANGE }
}

const examplesOf = (parts: readonly Part[]): Example[] =>
  parts.flatMap(({ training, attack, weight }) => training.map((text) => exampleOf(text, attack, weight)))

/** What the models agree on: each saw instructions in other places, in another order. */
function mean(models: readonly Learned[]): Learned {
  const rows = new Float32Array(models[0]!.rows.length)
  for (const model of models) for (let row = 0; row < rows.length; row++) rows[row]! += model.rows[row]! / models.length
  return { rows, bias: models.reduce((sum, { bias }) => sum + bias, 0) / models.length }
}

/** Weights in few steps: the file is small, and rare words of one corpus fall to zero. */
function quantised({ rows, bias }: Learned, block: number, penalty: number): Weights {
  const sizes = rows
    .filter((one) => one !== 0)
    .map(Math.abs)
    .sort()
  const most = sizes[Math.floor(sizes.length * 0.9995)]!
  const scale = most / STEPS
  const small = Int8Array.from(rows, (one) => Math.max(-STEPS, Math.min(STEPS, Math.round(one / scale))))
  return { rows: small, scale, bias, block, penalty, sure: 0, least: 0 }
}

const kept = process.argv.includes('--documents')
const both = [
  kept ? trainedWeights()[0] : train('messages', messages, 24, 0.001, 0.8, 0),
  train('documents', documents, 8, 0.005, 0.3, 1.3),
]
const packed = brotliCompressSync(Buffer.concat(both.map(pack)))
print(`${packed.length} bytes packed`)
writeFileSync(new URL('../../plugins/injection/model/weights.bin', import.meta.url), packed)
