import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertPrinted, assertShown, fits, jsonIn } from './answers.ts'
import { blocksIn } from './page.ts'

describe('answers of a page', () => {
  it('are found in what was printed, as JSON', () => {
    const printed = 'data: {"a":{"b":"}"}}\n\n> {curl}\n{\n  "c": [\n    1\n  ]\n}\n'
    assert.deepEqual(jsonIn(printed), [{ a: { b: '}' } }, { c: [1] }])
    assertShown('{"b": "}"}', printed)
    assert.throws(() => assertShown('{"b": ""}', printed), /no such answer/)
  })

  it('may differ in ids and times, and nothing else', () => {
    const shown = { id: 'req_01a1fe22-62fa-777a-af89-08c4fe5288e8', time: '2026-11-21T05:06:44.639Z', latency_ms: 3 }
    const real = { id: 'req_01a2035b-37b7-7624-9c99-083dcf87b9a6', time: '2026-11-22T13:03:59.415Z', latency_ms: 4 }
    assert.ok(fits(shown, real))
    assert.ok(!fits(shown, { ...real, id: 'req_1' }))
    assert.ok(!fits(shown, { ...real, latency_ms: '4' }))
    assert.ok(!fits(shown, { ...real, more: 1 }))
    assert.ok(fits({ ...shown, '…': '…' }, { ...real, more: 1 }))
    assert.ok(!fits({ ...shown, more: 2 }, { ...real, more: 1 }))
    assert.ok(!fits([1, 2], [1, 3]) && !fits([1], [1, 2]) && fits(['a…c'], ['abc']))
  })

  it('in plain text are lines in their order', () => {
    const printed = 'first: 48 records\nsecond\nthird\n'
    assertPrinted('first: 7 records\n…\nthird\n', printed)
    assertPrinted('sec…\n', printed)
    assert.throws(() => assertPrinted('third\nsecond\n', printed), /not printed: second/)
    assert.throws(() => assertPrinted('first\n', printed), /not printed: first/)
  })
})

it('a page is read block by block, with the marks in front of them', () => {
  const page =
    '# A\n\n```sh\nls\n```\n\n## B\n\n<!-- not run: needs a moon -->\n\n```\n# c\n```\n\nText\n\n```json\n```\n'
  assert.deepEqual(blocksIn(page), [
    { language: 'sh', text: 'ls\n', line: 3, heading: 'A', notRun: undefined },
    { language: '', text: '# c\n', line: 11, heading: 'B', notRun: 'needs a moon' },
    { language: 'json', text: '\n', line: 17, heading: 'B', notRun: undefined },
  ])
})
