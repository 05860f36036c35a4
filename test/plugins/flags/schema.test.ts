import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseOptions } from '../../../core/engine/config/validate.ts'
import flags from '../../../plugins/flags/index.ts'

const problems = (options: object) =>
  parseOptions(flags.schema, options, 'options').problems.map(({ path, message }) => `${path}: ${message}`)

describe('flags: options', () => {
  it('need not be given', () => {
    assert.deepEqual(parseOptions(flags.schema, {}, 'options'), { value: { defaults: {} }, problems: [] })
  })

  it('take flags as text, number and boolean', () => {
    assert.deepEqual(problems({ defaults: { mode: 'strict', budget: 500, dry_run: true } }), [])
  })

  it('refuse other names and values', () => {
    assert.deepEqual(problems({ default: {} }), ['options.default: is not a known key. Did you mean "defaults"?'])
    assert.equal(problems({ defaults: { Mode: 'strict' } }).length, 1)
    assert.equal(problems({ defaults: { mode: ['strict'] } }).length, 1)
  })
})
