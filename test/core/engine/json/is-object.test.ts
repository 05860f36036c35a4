import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isJsonObject } from 'governed-gateway/kit'

it('isJsonObject takes objects, and neither null nor arrays nor anything else', () => {
  for (const value of [{}, { a: 1 }]) assert.equal(isJsonObject(value), true)
  for (const value of [null, [], [{}], 'text', 0, true, undefined]) assert.equal(isJsonObject(value), false)
})
