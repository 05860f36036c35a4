import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BeginningsMemory } from '../../../../core/engine/text/beginnings.ts'

/** Messages that end alike, so that conversations differ only in the middle. */
const message = (name: string) => `{"role":"user","content":"${name} ${'-'.repeat(60)}"}`
const array = (names: readonly string[]) => `[${names.map(message).join(',')}]`

function memory() {
  const beginnings = new BeginningsMemory(1_000_000, 1).of('key', () => Buffer.alloc(32, 7))
  const rangesOf = (names: readonly string[]) => {
    const ranges: number[] = []
    let at = 0
    for (const name of names) {
      ranges.push(at, at + message(name).length)
      at = (ranges.at(-1) as number) + 1
    }
    return { ranges, notes: names.map(() => 'user') }
  }
  const find = (names: readonly string[]) => {
    return beginnings.find('messages', Buffer.from(array(names)), 1)
  }
  const keep = (names: readonly string[], known?: ReturnType<typeof find>) => {
    return beginnings.keep('messages', Buffer.from(array(names)), 1, rangesOf(names), known)
  }
  return { find, keep }
}

describe('beginnings of bodies', () => {
  it('are found as long as they go, among others of the same sizes', () => {
    const { find, keep } = memory()
    for (const names of [['one'], ['one', 'two'], ['one', 'two', 'six']]) keep(names)
    for (const names of [
      ['one', 'ten'],
      ['one', 'ten', 'six'],
    ])
      keep(names)
    const lengthOf = (names: readonly string[]) => find(names)?.notes.length
    assert.equal(lengthOf(['one', 'two', 'six', 'ten']), 3)
    assert.equal(lengthOf(['one', 'two', 'ten', 'ten']), 2)
    assert.equal(lengthOf(['one', 'six', 'six', 'ten']), 1)
    assert.equal(lengthOf(['one', 'ten', 'six', 'ten']), 3)
    assert.equal(lengthOf(['two', 'ten', 'six', 'ten']), undefined)
  })

  it('have the same key however they were found', () => {
    const names = ['one', 'two', 'six']
    const fresh = memory().keep(names)
    assert.ok(fresh !== undefined)
    const { find, keep } = memory()
    keep(['one'])
    // Of the same size as what is kept below: it is tried, too, while the beginning is looked for.
    keep(['one', 'ten', 'six'])
    const known = find(names)
    assert.equal(known?.notes.length, 1)
    assert.equal(keep(names, known)?.key, fresh.key)
    assert.equal(find([...names, 'ten'])?.key, fresh.key)
    const other = memory()
    other.keep(['one', 'two'])
    assert.equal(other.keep(names, other.find(names))?.key, fresh.key)
  })
})
