import assert from 'node:assert/strict'
import { it } from 'node:test'
import { loadPlugin } from '../../core/engine/host/loader.ts'
import { Reader, save } from './reader.ts'

it('README.md does what it says, block by block', async (t) => {
  const reader = await Reader.open(t, 'README.md')
  reader.others.set('ts', async (text) => {
    save(reader.copy.root, 'my/shown.ts', text)
    assert.equal((await loadPlugin('./my/shown.ts', reader.copy.root)).name, 'no-codenames')
  })
  reader.others.set('mermaid', () => {})
  const [, streamed] = await reader.read('Start')
  assert.doesNotMatch(streamed?.stdout ?? '', /ann@/)
  await reader.read('How it works')
  await reader.read('Configure')
  reader.finish()
})
