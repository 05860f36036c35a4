import assert from 'node:assert/strict'
import { it } from 'node:test'
import { examples, schemas } from '../../../helpers/schemas.ts'

it('the wire schemas judge their examples as labelled', () => {
  assert.ok(examples.length > 0)
  for (const { schema, name, value, valid } of examples) {
    if (schemas[schema]) assert.equal(schemas[schema](value), valid, `${schema}: ${name}`)
  }
})
