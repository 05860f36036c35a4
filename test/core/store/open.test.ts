import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { isStoreError } from '../../../core/store/errors.ts'
import { openStore } from '../../../core/store/open.ts'

const base = mkdtempSync(join(tmpdir(), 'gg-open-'))
after(() => rmSync(base, { recursive: true }))

it('opens what a config names', async () => {
  for (const spec of ['memory', 'file:./data', `file:${join(base, 'data')}`, pathToFileURL(join(base, 'data')).href]) {
    const store = await openStore(spec, { base, instance: 'node-a', durability: 'synced' })
    assert.equal(store.kind, spec === 'memory' ? 'memory' : 'embedded')
    const n = await store.increment('n', 1)
    assert.ok(n >= 1)
    await store.close()
    await assert.rejects(store.get('n'), (error) => isStoreError(error, 'unavailable'))
  }
  assert.ok(existsSync(join(base, 'data', 'store.db')))
})

it('does not repeat what it cannot read', async () => {
  await assert.rejects(openStore('rediss:/user:hunter2@host'), (error) => {
    return isStoreError(error, 'usage') && !error.message.includes('hunter2') && error.message.includes('file:FOLDER')
  })
})
