import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attacks, costOf, harmless, WORST } from './figures.ts'

test('attacks are found, also those nobody tuned on', async () => {
  for (const { name, found, of } of await attacks()) assert.ok(found / of >= 0.6, `${name}: ${found} of ${of}`)
})

test('ordinary prompts pass', async () => {
  for (const { name, texts, of } of await harmless())
    assert.ok(texts.length / of <= 0.005, `${name}: ${texts.join(' | ')}`)
})

test('no text costs more than linear time', () => {
  for (const [name, piece] of Object.entries(WORST)) {
    // Ten times what it takes on an idle core: the test is about order, not about speed.
    const ms = costOf(piece.repeat(Math.ceil(50_000 / piece.length)).slice(0, 50_000))
    assert.ok(ms < 800, `${name}: ${ms.toFixed(1)} ms`)
  }
})
