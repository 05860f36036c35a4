import assert from 'node:assert/strict'
import { test } from 'node:test'
import plugin from '../../../plugins/injection/index.ts'
import { validateOptions } from '../../helpers/plugin-options.ts'

test('the defaults only detect', () => {
  assert.deepEqual(validateOptions(plugin.schema, {}), {
    action: 'detect',
    threshold: 0.5,
    weights: { user: 1, tool: 1.35, tool_definition: 1.3, system: 0.25, assistant: 0.4, other: 0.8 },
    max_length: 100_000,
    allow: [],
  })
})

test('one weight leaves the others as they are', () => {
  const filled = validateOptions(plugin.schema, { weights: { system: 0 } }) as { weights: object }
  assert.deepEqual(filled.weights, { user: 1, tool: 1.35, tool_definition: 1.3, system: 0, assistant: 0.4, other: 0.8 })
})

for (const [name, options] of Object.entries({
  'an unknown option': { actions: 'block' },
  'an unknown action': { action: 'tokenize' },
  'a threshold that everything passes': { threshold: 0 },
  'an unknown weight': { weights: { developer: 1 } },
  'a negative weight': { weights: { user: -1 } },
  'an unknown level': { level: 'SECRET' },
})) {
  test(`rejects ${name}`, () => assert.throws(() => validateOptions(plugin.schema, options)))
}
