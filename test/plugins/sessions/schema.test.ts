import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseOptions } from '../../../core/engine/config/validate.ts'
import sessions from '../../../plugins/sessions/index.ts'

const problems = (options: object) =>
  parseOptions(sessions.schema, options, 'options').problems.map(({ path, message }) => `${path}: ${message}`)

describe('sessions: options', () => {
  it('default to a week', () => {
    assert.deepEqual(parseOptions(sessions.schema, {}, 'options'), { value: { ttl_hours: 168 }, problems: [] })
  })

  it('take hours within bounds', () => {
    assert.deepEqual(problems({ ttl_hours: 0.5 }), [])
    assert.deepEqual(problems({ ttl_hours: 0 }), ['options.ttl_hours: must be >= 0.01; got 0'])
    assert.deepEqual(problems({ ttl_hours: 'week' }), ['options.ttl_hours: must be a number; got a string'])
    assert.equal(problems({ ttl: 1 }).length, 1)
  })
})
