import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { PACKAGE_ROOT } from '../../core/engine/util/package.ts'

/** Git merges this file line by line (`merge=union`), which may bring back what another change took out. */
it('the changelog says nothing twice: take the newer text of CHANGELOG.md, and add your line again', () => {
  const lines = readFileSync(join(PACKAGE_ROOT, 'CHANGELOG.md'), 'utf8').split('\n')
  const long = lines.filter((line) => line.length > 40)
  assert.deepEqual(
    long.filter((line, i) => long.indexOf(line) !== i),
    [],
  )
})
