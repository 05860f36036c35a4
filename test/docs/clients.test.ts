import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Reader } from './reader.ts'

it('docs/clients.md does what it says, block by block', async (t) => {
  const reader = await Reader.open(t, 'docs/clients.md')
  const [, answer] = await reader.read('An SDK')
  assert.match(answer?.stdout ?? '', /You said: Hello!/)
  assert.deepEqual(await reader.read('Messages'), [])
  reader.finish()
})
