import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Journal } from '../../../plugins/usage/journal.ts'

it('usage: a folder that cannot be there is told, and nothing waits for it', {
  skip: process.platform !== 'linux',
}, async () => {
  const told: unknown[] = []
  const log = {
    ...console,
    warn: (...line: unknown[]) => told.push(line),
    error: (...line: unknown[]) => told.push(line),
  }
  const journal = new Journal('/proc/no-such/usage', log as never)
  await journal.add('2026-03-16T10', 'row', {}, [1])
  assert.match(JSON.stringify(told), /usage could not be noted on the disk.*ENOENT|ENOENT.*usage could not be noted/)
  journal.close()
})
