/** Time grows with size and no faster. The full table: `npm run test:growth`. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { GrowthBench } from './bench.ts'
import { HEADS } from './heads.ts'
import { growingPause, judge } from './judge.ts'
import { type Kind, measure, SHAPES, startBench } from './shapes.ts'

/** Those in which something once grew faster, and one of each kind. */
const QUICK: Readonly<Record<Kind, readonly string[]>> = {
  request: [
    'links that are none',
    'key prefixes',
    'one long token',
    'many messages',
    'a finding on each word',
    'private keys that are none',
    'decimals in arguments',
    'one finding as many keys in metadata',
    'many parts with a finding',
    'brackets in brackets',
  ],
  messages: [],
  responses: [],
  embeddings: [],
  completions: [],
  reply: ['decimals in arguments', 'many choices', 'brackets in brackets', 'one integer'],
  stream: [
    'tiny events',
    'lines of an event',
    'a finding on each word, by words',
    'digits between seams, by words',
    'tool calls of one byte',
    'findings as values in fragments',
    'comments',
    'unknown fields',
    'combining marks, at once',
  ],
  'messages-stream': [],
  'responses-stream': [],
  gzip: ['one long token'],
  apart: ['plain, by words'],
  'request-head': ['many headers', 'a list of features'],
  'reply-head': ['rate limits'],
}
const SIZES = [50_000, 150_000] as const
const SIZES_OF_HEAD = [2_000, 14_000] as const
/** A busy processor is slower for the larger one; what is quadratic takes three times as long as its share. */
const LIMITS = { factor: 2, rounds: 2, mostRounds: 12, pause: growingPause }

describe('the time of an exchange grows like its size', () => {
  let bench: GrowthBench
  before(async () => {
    bench = await startBench()
  })
  after(() => bench?.close())

  for (const kind of Object.keys(QUICK) as Kind[]) {
    for (const shape of QUICK[kind]) {
      it(`${kind}: ${shape}`, async () => {
        assert.ok(SHAPES[kind][shape] !== undefined)
        const sizes = HEADS[kind] === undefined ? SIZES : SIZES_OF_HEAD
        assert.equal(await judge((size) => measure(bench, kind, shape, size), sizes, LIMITS), undefined)
      })
    }
  }
})
