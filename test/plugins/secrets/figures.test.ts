import assert from 'node:assert/strict'
import { test } from 'node:test'
import { harmlessCases } from './data/harmless.ts'
import { costOf, precision, recall, WORST } from './figures.ts'

test('recall of published formats, labelled values and structured credentials', async () => {
  const table = await recall(6, 41)
  for (const row of table) assert.ok(row.found / row.of >= 0.98, `${row.family}: ${row.found} of ${row.of}`)
})

test('harmless texts pass unchanged', async () => {
  const { altered, of } = await precision(harmlessCases(20, 43))
  assert.deepEqual(altered, [])
  assert.ok(of > 200)
})

test('no text costs more than linear time', () => {
  for (const [name, piece] of Object.entries(WORST)) {
    // Ten times what it takes on an idle core: the test is about order, not about speed.
    const ms = costOf(piece.repeat(Math.ceil(50_000 / piece.length)).slice(0, 50_000))
    assert.ok(ms < 250, `${name}: ${ms.toFixed(1)} ms`)
  }
})
