import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { encode } from 'gpt-tokenizer/encoding/cl100k_base'
import { embeddings } from '../../../../core/engine/dialects/embeddings/dialect.ts'
import { decodeTokens, decodeTokensInSteps } from '../../../../core/engine/dialects/tokens.ts'
import { allSteps } from '../../../../core/engine/util/steps.ts'
import { rounds } from '../../../helpers/rounds.ts'

const MODEL = 'text-embedding-3-small'
const decoded = (tokens: readonly number[]) => decodeTokens(MODEL, tokens)

describe('lists of tokens', () => {
  it('are the text that they were made of', () => {
    for (const text of ['Hello, world', '\u{1f600}\u{1f3fd} \u6f22\u5b57 e\u0301', ' \n\t', ''])
      assert.equal(decoded(encode(text)), text)
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => assert.equal(decoded(encode(text)), text)),
      { numRuns: rounds(50) },
    )
  })

  it('know the special tokens', () => {
    assert.equal(decoded([100257, ...encode('a')]), '<|endoftext|>a')
  })

  it('are refused with a token that is not known', () => {
    for (const id of [100261, 100300, 4_000_000]) {
      const tokens = [...encode('a'), id]
      assert.throws(() => decoded(tokens), RangeError)
      // Known by now.
      assert.throws(() => decoded(tokens), RangeError)
    }
  })

  it('may end within a character, and nothing of it shows in the next text', () => {
    const [first] = encode('\u{1f9ff}') as [number]
    assert.equal(decoded([first]), '\ufffd')
    assert.equal(decoded(encode('\u{1f600} a')), '\u{1f600} a')
    assert.equal(decoded([...encode('a'), first, ...encode('b')]), 'a\ufffdb')
  })

  it('of a large request are decoded in steps', () => {
    const list = Array.from({ length: 10 }, () => encode('some words and more ')).flat()
    const counted = (lists: readonly (readonly number[])[]): number => {
      const steps = decodeTokensInSteps(MODEL, lists)
      for (let count = 1; ; count++) if (steps.next().done === true) return count
    }
    decoded([40])
    const long = Array.from({ length: 500 }, () => list).flat()
    assert.ok(counted([long]) >= 5)
    assert.ok(counted(Array.from({ length: 500 }, () => [...list])) >= 5)
    assert.equal(counted([list]), 1)
  })

  it('of a large request are read like those of a small one', () => {
    const input = [encode('write to jo@example.org'), encode('\u6f22\u5b57')]
    const body = Buffer.from(JSON.stringify({ model: MODEL, input }))
    const shown = (request: ReturnType<typeof embeddings.readRequest>) =>
      request.fields().fields.map(({ text }) => text)
    const large = allSteps(embeddings.readRequestInSteps(body, 1000))
    assert.deepEqual(shown(large), shown(embeddings.readRequest(body)))
    assert.ok(shown(large).includes('write to jo@example.org'))
    const wrong = Buffer.from(JSON.stringify({ model: MODEL, input: [[40, 4_000_000]] }))
    assert.throws(() => allSteps(embeddings.readRequestInSteps(wrong, 1000)), { code: 'GW_INVALID_PARAMETER' })
  })

  it('of a model that nobody knows have no number that may be a value', () => {
    const body = (input: unknown) => Buffer.from(JSON.stringify({ model: 'house-model', input }))
    const card = 4_111_111_111_111_111
    for (const input of [[card], [5, card], [[5], [card]]])
      assert.throws(() => embeddings.readRequest(body(input)), { code: 'GW_INVALID_PARAMETER' })
    assert.deepEqual(
      [
        ...embeddings
          .readRequest(body([5, 9_999_999]))
          .fields()
          .uninspected.keys(),
      ],
      ['tokens'],
    )
  })
})
