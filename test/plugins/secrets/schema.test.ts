import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isGatewayError } from 'governed-gateway'
import plugin from '../../../plugins/secrets/index.ts'
import { harness } from '../../helpers/detector.ts'
import { validateOptions } from '../../helpers/plugin-options.ts'

test('the defaults block on input and redact on output', () => {
  assert.deepEqual(validateOptions(plugin.schema, {}), {
    input: 'block',
    output: 'redact',
    kinds: {},
    level: 'RESTRICTED',
    labelled: true,
    min_entropy: 3,
    allow: [],
    patterns: [],
  })
})

test('own patterns get a default length', () => {
  const filled = validateOptions(plugin.schema, { patterns: [{ type: 'ticket', pattern: 'TCK-[0-9]+' }] })
  assert.deepEqual((filled as { patterns: unknown }).patterns, [
    { type: 'ticket', pattern: 'TCK-[0-9]+', max_length: 64 },
  ])
})

for (const [name, options] of Object.entries({
  'an unknown option': { inputs: 'block' },
  'an unknown action': { input: 'tokenize' },
  'an unknown action of a type': { kinds: { jwt: 'tokenize' } },
  'an unknown level': { level: 'SECRET' },
  'an entropy out of range': { min_entropy: 7 },
  'a pattern without a type': { patterns: [{ pattern: 'x' }] },
  'a type that is no name': { patterns: [{ type: 'My Type', pattern: 'x' }] },
})) {
  test(`rejects ${name}`, () => assert.throws(() => validateOptions(plugin.schema, options)))
}

for (const [name, options, where] of [
  ['a look-behind', { patterns: [{ type: 'a_b', pattern: '(?<=x)y' }] }, 'options.patterns[0].pattern'],
  [
    'a pattern that matches nothing at all',
    { patterns: [{ type: 'a_b', pattern: 'x*' }] },
    'options.patterns[0].pattern',
  ],
  ['an action for a type that does not exist', { kinds: { githubtoken: 'off' } }, 'options.kinds.githubtoken'],
] as const) {
  test(`${name} is refused at start, naming the place`, () => {
    assert.throws(
      () => harness(plugin as never, options),
      (error: unknown) =>
        isGatewayError(error) && error.code === 'GW_CONFIG' && error.param === where && error.message.includes(where),
    )
  })
}
