/** `npm run train:names -- FOLDER`: trains the tagger of names from the corpora in FOLDER, and prints what it finds in texts that it never saw. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { pack } from '../../plugins/pii/names/model.ts'
import { CAUTION } from '../../plugins/pii/names/name-finder.ts'
import { type Name, Tagger } from '../../plugins/pii/names/tagger.ts'
import { Random, seedOf } from '../eval/random.ts'
import { readCorpora, type Unit } from './corpora.ts'
import { generated } from './generate.ts'
import { type Example, examplesOf, quantise, train } from './learn.ts'
import { Names } from './namer.ts'
import { rows, score } from './score.ts'
import { varied } from './vary.ts'

const folder = process.argv[2] ?? ''
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const BITS = 18
const random = new Random(seedOf('train names'))
const names = new Names(random, join(folder, 'cities.txt'))
const { training, heldOut } = readCorpora(folder)
const WEIGHTS: Record<string, number> = { btc: 0.7, wnut: 0.7, gum: 1.2, uner: 1.2, germeval: 1, plain: 0.7 }
const examples: Example[] = []
const addAll = (units: readonly Unit[], weight: number) => {
  for (const example of examplesOf(units, BITS, weight)) examples.push(example)
}
for (const [name, units] of Object.entries(training)) {
  addAll(units, WEIGHTS[name] ?? 1)
  for (let i = 0; i < 2; i++) addAll(varied(units, names, random, name === 'germeval' ? 'de' : 'en'), 0.6)
}
addAll(generated(names, random, 6), 0.6)
print(`${examples.length} runs`)
const weights = quantise(
  train(
    examples,
    {
      bits: BITS,
      epochs: 8,
      rate: 0.12,
      l1: 0.001,
      least: 2,
    },
    random,
    print,
  ),
)
const packed = brotliCompressSync(pack(weights))
print(`${packed.length} bytes packed`)
writeFileSync(new URL('../../plugins/pii/names/weights.bin', import.meta.url), packed)
const tagger = new Tagger(weights)
for (const [name, units] of Object.entries(heldOut)) {
  const find = (text: string) => {
    const list: Name[] = []
    tagger.find(text, 0, true, CAUTION, (found) => list.push(found))
    return list
  }
  print(rows(name, score(units, find), true))
}
