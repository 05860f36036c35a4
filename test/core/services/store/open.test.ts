import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { isStoreError } from '../../../../core/engine/contract/store-errors.ts'
import { openStore } from '../../../../core/services/store/open.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'

const base = temporaryFolder()

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

it('lets nobody else read, or lock, what it keeps in a folder that all may enter', async () => {
  const folder = mkdtempSync(join(base, 'shared-'))
  chmodSync(folder, 0o755)
  const store = await openStore(`file:${folder}`)
  await store.set('key', 'value')
  const files = ['store.db', 'store.db-wal', 'store.db-shm', 'store.lock', 'store.pid']
  assert.deepEqual(
    files.map((name) => [name, statSync(join(folder, name)).mode & 0o777]),
    files.map((name) => [name, 0o600]),
  )
  await store.close()
})
