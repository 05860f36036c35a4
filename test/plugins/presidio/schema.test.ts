import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isGatewayError } from 'governed-gateway'
import plugin from '../../../plugins/presidio/index.ts'
import { harness } from '../../helpers/detector.ts'
import { validateOptions } from '../../helpers/plugin-options.ts'

const url = 'http://presidio:3000'

test('only the address is needed', () => {
  assert.deepEqual(validateOptions(plugin.schema, { url }), {
    url,
    headers: {},
    language: 'en',
    entities: [],
    score_threshold: 0.5,
    input: 'redact',
    output: 'redact',
    types: {},
    allow: [],
    timeout_ms: 2000,
    batch_size: 16,
    max_text_length: 50_000,
    max_pending: 1000,
  })
})

for (const [name, options] of Object.entries({
  'no address': {},
  'an address without a scheme': { url: 'presidio:3000' },
  'an unknown option': { url, recognizers: [] },
  'tokenising, which needs the pii plugin': { url, input: 'tokenize' },
  'an entity that is no entity type': { url, entities: ['person'] },
  'a score above one': { url, score_threshold: 1.5 },
  'an unknown member of a type': { url, types: { PERSON: { label: 'x' } } },
})) {
  test(`rejects ${name}`, () => assert.throws(() => validateOptions(plugin.schema, options)))
}

test('a type that cannot be one is refused at start, naming the place', () => {
  assert.throws(
    () => harness(plugin as never, { url, types: { person: { action: 'off' } } }),
    (error: unknown) => isGatewayError(error) && error.code === 'GW_CONFIG' && error.param === 'options.types.person',
  )
})
