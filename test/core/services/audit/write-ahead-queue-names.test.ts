import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { WriteAheadQueue } from '../../../../core/services/audit/write-ahead-queue.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'

test('two processes of one host name, number and moment, as in containers, share no file', async (t) => {
  const path = temporaryFolder()
  t.mock.timers.enable({ apis: ['Date'], now: 1_000 })
  const [a, b] = [new WriteAheadQueue(path, 1 << 20), new WriteAheadQueue(path, 1 << 20)]
  await Promise.all([a.add({ events: [{ of: 'a' }] }), b.add({ events: [{ of: 'b' }] })])
  assert.equal(readdirSync(join(path, 'spill')).length, 2)
})
