import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { Reader } from './reader.ts'

it('docs/audit.md does what it says, block by block', async (t) => {
  const reader = await Reader.open(t, 'docs/audit.md')
  await reader.read('Audit trail')
  await reader.read('Look')
  for (const name of ['day', 'blocked']) {
    const lines = readFileSync(join(reader.copy.root, `my/${name}.jsonl`), 'utf8')
      .trimEnd()
      .split('\n')
    for (const line of lines) assert.equal(typeof JSON.parse(line), 'object', 'an export holds events and nothing else')
  }
  await reader.read('Trust', 4)
  await reader.stop()
  await reader.read('Trust')
  reader.finish()
})
