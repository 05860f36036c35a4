import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { byWords } from '../../../plugins/budget/word-counts.ts'

const whole = (text: string): number => countTokens(text, { disallowedSpecial: new Set() })

/** Everything that the vocabulary's pattern tells apart, and the blanks and letters around its borders. */
const PIECES = [
  ...[
    ' ',
    '  ',
    '\n',
    '\r\n',
    '\t',
    '\u00a0',
    '\u3000',
    'a',
    'B',
    'word',
    'Word',
    'WORD',
    'camelCase',
    "it's",
    "'S",
    "'",
    '/',
  ],
  ...[
    '.',
    ',',
    ')',
    '—',
    '…',
    '1',
    '12',
    '1234',
    'é',
    'e\u0301',
    'ß',
    'Ж',
    '漢字',
    'ๆ',
    '😀',
    '\ud83d',
    '\u200b',
    '\u00ad',
  ],
  ...['_', '-', '#', '\u0000', '\u007f', '<|endoftext|>', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
]

describe('budget: counts by words', () => {
  it('are those of the whole text', () => {
    const count = byWords(whole)
    const texts = fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 4 })), {
      maxLength: 24,
    })
    fc.assert(
      fc.property(texts, (pieces) => {
        const text = pieces.join('')
        assert.equal(count(text), whole(text))
        // As remembered.
        assert.equal(count(text), whole(text))
      }),
      { numRuns: 300 },
    )
  })

  it('ask the vocabulary for a common word once, and for a rare one each time', () => {
    const asked: string[] = []
    const count = byWords((text) => {
      asked.push(text)
      return whole(text)
    })
    const english = readFileSync(new URL('../../../LICENSE', import.meta.url), 'utf8').replace(/ {2,}/g, ' ')
    assert.equal(count(english), whole(english))
    const first = asked.length
    assert.equal(count(english), whole(english))
    assert.ok(asked.length - first < first / 4, `${asked.length - first} of ${first}`)
    assert.ok(count('a hunter2-xkcd-Tr0ub4dor b') > 4)
    const before = asked.length
    count('a hunter2-xkcd-Tr0ub4dor b')
    assert.deepEqual(asked.slice(before), [' hunter2-xkcd-Tr0ub4dor'])
  })
})
