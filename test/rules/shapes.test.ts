/** What must be true of every API shape is tested for every API shape. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { DIALECTS } from '../../core/engine/dialects/index.ts'
import { ADAPTERS } from '../spec/shapes/adapters.ts'

it('every dialect has an adapter in test/spec/shapes', () => {
  const paths = (list: readonly { readonly path: string }[]) => list.map(({ path }) => path).sort()
  assert.deepEqual(paths(ADAPTERS), paths(DIALECTS))
})
