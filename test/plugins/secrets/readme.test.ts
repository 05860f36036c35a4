import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { KINDS } from '../../../plugins/secrets/kinds/index.ts'
import { STRUCTURED_TYPES } from '../../../plugins/secrets/types.ts'

test('the README lists every type and no other', () => {
  const readme = readFileSync(new URL('../../../plugins/secrets/README.md', import.meta.url), 'utf8')
  const listed = [...readme.slice(readme.indexOf('## Types')).matchAll(/`([a-z0-9_]+)`/g)].map((match) => match[1])
  assert.deepEqual(listed.sort(), [...KINDS.map((kind) => kind.type), ...STRUCTURED_TYPES].sort())
})
