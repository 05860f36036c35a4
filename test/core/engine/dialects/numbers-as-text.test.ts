import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NumbersAsText } from '../../../../core/engine/dialects/numbers-as-text.ts'

const read = (events: readonly object[]): unknown[] => {
  const numbers = new NumbersAsText()
  return events.map((event) => numbers.read(JSON.stringify(event)))
}

describe('numbers of a stream', () => {
  it('are texts in a member that said a text before', () => {
    assert.deepEqual(read([{ note: { to: '41' } }, { note: { to: 1111 } }, { note: { to: [7] } }]), [
      { note: { to: '41' } },
      { note: { to: '1111' } },
      { note: { to: [7] } },
    ])
  })

  it('are texts in a member that is a text in every API, though none came', () => {
    assert.deepEqual(
      read([
        { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: 4556 } }] } }] },
        { choices: [{ delta: { tool_calls: [{ index: 1, function: { arguments: 7375, name: 5 } }] } }] },
        { delta: { text: 1.5, content: [1], index: 2 }, timings: { text: 4242, input: 3 } },
      ]),
      [
        { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: '4556' } }] } }] },
        { choices: [{ delta: { tool_calls: [{ index: 1, function: { arguments: '7375', name: '5' } }] } }] },
        { delta: { text: 1.5, content: [1], index: 2 }, timings: { text: 4242, input: 3 } },
      ],
    )
  })

  it('stay numbers in a member that is one', () => {
    const numbers = new NumbersAsText()
    for (const data of ['{"at":1.5,"text":"a"}', '{"at":200,"text":"b"}', '{"text":null,"list":[1,2.5]}'])
      assert.equal(JSON.stringify(numbers.read(data)), data)
  })

  it('stand before the first text of their member, and of no other', () => {
    const numbers = new NumbersAsText()
    for (const to of [4111, 1111]) numbers.read(JSON.stringify({ to, other: 5, list: [{ id: 1 }] }))
    numbers.read('{"to":"x","other":6}')
    assert.equal(numbers.before(['to']), '41111111')
    assert.equal(numbers.before(['list', 1, 'id']), '')
    assert.equal(numbers.before(['away', 'to']), '')
  })

  it('are read as far as there is room', () => {
    const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`m${i}`, 'a']))
    const numbers = Object.fromEntries(Object.keys(wide).map((name) => [name, 1]))
    const [, last] = read([wide, numbers]) as [object, Record<string, unknown>]
    assert.equal(last.m0, '1')
    assert.equal(last.m9999, 1)
  })

  it('are not read in what is no JSON', () => {
    assert.equal(new NumbersAsText().read('{"a":'), undefined)
  })
})
