import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pii from '../../../plugins/pii/index.ts'
import { Drive } from '../../eval/drive.ts'

const TEXT = 'Mail a@example.com, card 4111 1111 1111 1111, aged 34.'

const actions = (options: object, flag?: string, direction: 'input' | 'reply' = 'input') => {
  const drive = new Drive(pii, options, flag === undefined ? {} : { flags: { pii: flag } })
  return drive[direction](TEXT).findings.map(({ type, action }) => `${type} ${action}`)
}

describe('pii: what happens to a value', () => {
  it('is redaction by default, and detection for what is only a hint', () => {
    assert.deepEqual(actions({}), ['email redact', 'credit_card redact', 'age detect'])
    assert.deepEqual(actions({}, undefined, 'reply'), ['email redact', 'credit_card redact', 'age detect'])
  })

  it('can differ by direction', () => {
    const options = { action: 'block', input: { action: 'tokenize' }, output: { action: 'detect' } }
    assert.deepEqual(actions(options), ['email tokenize', 'credit_card tokenize', 'age detect'])
    assert.deepEqual(actions(options, undefined, 'reply'), ['email detect', 'credit_card detect', 'age detect'])
    assert.deepEqual(actions({ output: { action: 'off' } }, undefined, 'reply'), [])
  })

  it('never tokenises in a reply', () => {
    assert.deepEqual(actions({ action: 'tokenize' }, undefined, 'reply'), [
      'email redact',
      'credit_card redact',
      'age detect',
    ])
  })

  it('can differ by type', () => {
    const types = { credit_card: { action: 'block' }, age: { action: 'redact' } }
    assert.deepEqual(actions({ types }), ['email redact', 'credit_card block', 'age redact'])
  })

  const flags: readonly (readonly [flag: string, options: object, expected: readonly string[]])[] = [
    ['off', {}, []],
    ['detect', {}, ['email detect', 'credit_card detect', 'age detect']],
    ['tokenize', {}, ['email tokenize', 'credit_card tokenize', 'age detect']],
    ['redact', {}, ['email redact', 'credit_card redact', 'age detect']],
    ['block', {}, ['email block', 'credit_card block', 'age detect']],
    [
      'redact',
      { action: 'detect', types: { credit_card: { action: 'block' } } },
      ['email redact', 'credit_card block', 'age detect'],
    ],
    ['detect', { types: { credit_card: { action: 'block' } } }, ['email detect', 'credit_card detect', 'age detect']],
    ['block', { types: { age: { action: 'redact' } } }, ['email block', 'credit_card block', 'age block']],
    ['redact', { input: { action: 'off' } }, ['email redact', 'credit_card redact', 'age detect']],
  ]
  for (const [flag, options, expected] of flags) {
    it(`pii=${flag} on ${JSON.stringify(options)}`, () => assert.deepEqual(actions(options, flag), expected))
  }

  it('gives each type its level, or the one of the operator', () => {
    const drive = new Drive(pii, { types: { email: { level: 'INTERNAL' } } })
    drive.input(TEXT)
    assert.deepEqual(drive.levels, ['INTERNAL', 'RESTRICTED', 'CONFIDENTIAL'])
  })
})
