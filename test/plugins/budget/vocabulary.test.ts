import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import fc from 'fast-check'
import ranks from 'gpt-tokenizer/bpeRanks/o200k_base'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { Vocabulary } from '../../../plugins/budget/vocabulary.ts'
import { rounds, some } from '../../helpers/rounds.ts'

const PLAIN = { disallowedSpecial: new Set<string>() }
const strings = ranks.filter((token) => typeof token === 'string')
const string = fc.nat({ max: strings.length - 1 }).map((i) => strings[i] as string)
let vocabulary: Vocabulary
before(async () => {
  vocabulary = await Vocabulary.read()
})

function assertSame(text: string): void {
  const counted = vocabulary.count(text)
  const expected = countTokens(text, PLAIN)
  if (counted !== expected) assert.fail(`${counted} instead of ${expected} tokens: ${JSON.stringify(text)}`)
}

/** All kinds of text: parts of tokens, tokens side by side, any code units, and words. */
const texts = fc.oneof(
  fc.array(string, { maxLength: 40 }).map((some) => some.join('')),
  fc.array(string, { maxLength: 40 }).map((some) => some.map((one) => one.slice(1)).join('')),
  fc.array(fc.nat({ max: 0xffff }), { maxLength: 60 }).map((units) => String.fromCharCode(...units)),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ maxLength: 200 }),
)
/** `gpt-tokenizer` loses the mark when it joins bytes that begin with one. */
const MARK = '\ufeff'

describe('budget: the vocabulary', () => {
  it('has every token', () => {
    for (const token of some(strings)) if (!token.includes(MARK)) assertSame(token)
  })

  it('counts texts as gpt-tokenizer does', () => {
    fc.assert(
      fc.property(texts, (text) => assertSame(text.replaceAll(MARK, ''))),
      { numRuns: rounds(20_000) },
    )
  })

  it('counts long texts as gpt-tokenizer does, and runs without a space', () => {
    const docs = ['README.md', 'docs/threat-model.md', 'package-lock.json', 'plugins/pii/names/weights.bin']
    for (const file of docs) {
      const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8').slice(0, 40_000)
      for (let at = 0; at < text.length; at += 999) assertSame(text.slice(at, at + 999).replaceAll(MARK, ''))
    }
    for (const unit of ['a', '界', 'é', '😀', '\ud800', '<|endoftext|>', '1', '=', '\r\n', ' ']) {
      assertSame(unit.repeat(700))
    }
  })

  it('counts a byte order mark as one token', () => {
    assert.equal(vocabulary.count(MARK), 1)
  })
})
