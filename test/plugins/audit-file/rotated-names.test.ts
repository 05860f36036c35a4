import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RotatedNames } from '../../../plugins/audit-file/rotated-names.ts'

const NOW = Date.parse('2026-03-16T10:00:00Z')

/** What `ls` does in the C locale, in others, and in those that leave out punctuation at first. */
const SORTINGS = [
  undefined,
  new Intl.Collator('en').compare,
  new Intl.Collator('en', { ignorePunctuation: true }).compare,
]

describe('names of rotated files', () => {
  const names = new RotatedNames('/var/log/audit.jsonl')

  it('are in order however they are sorted, also thousands of one second', () => {
    const made: string[] = []
    for (let i = 0; i < 2100; i++) made.push(names.after(made.slice(-1), NOW))
    made.push(names.after(made, NOW + 1000))
    assert.deepEqual([made[998], made[999], made[1998]].map(shortened), ['-998', '-999000', '-999999000'])
    assert.deepEqual(names.among([...made].reverse()), made)
    for (const sorting of SORTINGS) assert.deepEqual([...made, 'audit.jsonl'].sort(sorting), [...made, 'audit.jsonl'])
  })

  it('stay in order when the clock goes back', () => {
    const first = names.after([], NOW)
    const second = names.after([first], NOW - 3_600_000)
    assert.deepEqual([first, second].map(shortened), ['-000', '-001'])
  })

  it('continue after names of early versions', () => {
    const early = ['Z', 'Z-001', 'Z-999', 'Z-1000'].map((mark) => `audit-20260316T100000${mark}.jsonl`)
    assert.deepEqual(names.among([...early].sort()), early)
    const next = names.after(early, NOW)
    const other = names.after([...early, next], NOW)
    assert.deepEqual(names.among([other, next, ...early]), [...early, next, other])
    assert.deepEqual([...early, next, other].sort().slice(-2), [next, other])
  })

  it('are distinguished from other files', () => {
    const others = ['audit.jsonl', 'audit-notes.jsonl', 'audit-20260316T100000Z-1.jsonl', 'audit-20260316T100000Z.log']
    assert.deepEqual(names.among(others), [])
    const bare = new RotatedNames('audit')
    assert.deepEqual(bare.among(['audit', bare.after([], NOW)]), ['audit-20260316T100000Z-000'])
  })
})

const shortened = (name = ''): string => name.replace('audit-20260316T100000Z', '').replace('.jsonl', '')
