import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { JSONSchema } from 'json-schema-to-ts'
import { joinPath, parsePath } from '../../../../core/engine/config/paths.ts'
import { compileSchema, parseOptions } from '../../../../core/engine/config/validate.ts'
import { isGatewayError } from '../../../../core/engine/contract/errors.ts'

const messages = (schema: JSONSchema, value: unknown): string[] =>
  parseOptions(schema, value, 'plugins[2].options').problems.map(({ path, message }) => `${path}: ${message}`)

const object = (properties: Record<string, JSONSchema>, more: object = {}): JSONSchema =>
  ({ type: 'object', additionalProperties: false, properties, ...more }) as JSONSchema

describe('options', () => {
  it('fills defaults into a copy, nested ones too', () => {
    const schema = object({
      action: { type: 'string', default: 'redact' },
      list: { type: 'array', default: [], items: object({ on: { type: 'string', default: 'both' } }) },
    })
    const given = Object.freeze({ list: Object.freeze([Object.freeze({})]) })
    const { value, problems } = parseOptions(schema, given, 'x')
    assert.deepEqual(problems, [])
    assert.deepEqual(value, { action: 'redact', list: [{ on: 'both' }] })
    assert.deepEqual(given, { list: [{}] })
    assert.deepEqual(parseOptions(schema, undefined, 'x').value, { action: 'redact', list: [] })
  })

  it('says what, where and what to do', () => {
    const schema = object(
      {
        action: { type: 'string', enum: ['detect', 'redact', 'block'] },
        limit: { type: 'integer', minimum: 1, maximum: 10 },
        url: { type: 'string', format: 'uri' },
        name: { type: 'string', minLength: 1, maxLength: 3, pattern: '^[a-z]+$', description: 'Lower-case letters.' },
        rules: { type: 'array', minItems: 1, items: object({ word: { type: 'string' } }, { required: ['word'] }) },
        map: { type: 'object', propertyNames: { pattern: '^[a-z]+$' }, additionalProperties: { type: 'number' } },
      },
      { required: ['limit'] },
    )
    assert.deepEqual(messages(schema, { action: 'mask', limit: 11 }), [
      'plugins[2].options.action: must be one of detect, redact, block; got a string of 4 characters',
      'plugins[2].options.limit: must be <= 10; got 11',
    ])
    assert.deepEqual(messages(schema, {}), ['plugins[2].options: needs "limit"'])
    assert.deepEqual(messages(schema, { limit: 1, rulez: [] }), [
      'plugins[2].options.rulez: is not a known key. Did you mean "rules"?',
    ])
    const retention = object({ retention_days: { type: 'number' }, path: { type: 'string' } })
    assert.deepEqual(messages(retention, { retention: 90 }), [
      'plugins[2].options.retention: is not a known key. Did you mean "retention_days"?',
    ])
    assert.deepEqual(messages(schema, { limit: '1', name: '', rules: [] }), [
      'plugins[2].options.limit: must be a whole number; got a string: write it without quotes',
      'plugins[2].options.name: must not be empty',
      'plugins[2].options.name: has the wrong form: Lower-case letters. (must match ^[a-z]+$)',
      'plugins[2].options.rules: must not be empty',
    ])
    assert.deepEqual(messages(schema, { limit: '1.5' }), [
      'plugins[2].options.limit: must be a whole number; got a string',
    ])
    assert.deepEqual(messages(schema, { limit: 1, rules: [{ word: 'a' }, {}], url: 'x y' }), [
      'plugins[2].options.url: must be a valid uri',
      'plugins[2].options.rules[1]: needs "word"',
    ])
    assert.deepEqual(messages(schema, { limit: 1, map: { 'A-b': 1, b: null } }), [
      'plugins[2].options.map.A-b: is not a valid name: it must match pattern "^[a-z]+$"',
      'plugins[2].options.map.b: must be a number; got nothing',
    ])
    assert.deepEqual(messages(schema, ['x']), ['plugins[2].options: must be a map; got a list'])
    assert.deepEqual(messages(schema, { limit: 1.5 }), ['plugins[2].options.limit: must be a whole number; got 1.5'])
  })

  it('reports the branch of a choice that the author most likely meant', () => {
    const schema = object({
      when: {
        anyOf: [
          { type: 'string' },
          object({ model: { type: 'string' } }, { required: ['model'] }),
          { type: 'array', items: { type: 'string' } },
        ],
      },
    })
    assert.deepEqual(messages(schema, { when: 'a' }), [])
    assert.deepEqual(messages(schema, { when: { modle: 'x' } }), [
      'plugins[2].options.when: needs "model"',
      'plugins[2].options.when.modle: is not a known key. Did you mean "model"?',
    ])
    assert.deepEqual(messages(schema, { when: 5 }), [
      'plugins[2].options.when: must be a string or a map or a list; got a number',
    ])
    assert.deepEqual(messages(schema, { when: ['a', 5] }), [
      'plugins[2].options.when[1]: must be a string; got a number: put it in quotes',
    ])
  })

  it('tells how to write what was given in another type', () => {
    const schema = object({
      on: { type: 'boolean' },
      seconds: { type: 'number' },
      models: { type: 'array', items: { type: 'string' } },
      mode: { type: 'string', enum: ['monitor'] },
      url: { type: 'string', pattern: '^https?://', description: 'Where it goes.' },
      workers: { anyOf: [{ type: 'integer' }, { const: 'auto' }] },
    })
    const given = { on: 'yes', seconds: '60s', models: 'gpt-4', mode: 'x', url: 'example.com', workers: 'many' }
    assert.deepEqual(messages(schema, given), [
      'plugins[2].options.on: must be true or false; got a string',
      'plugins[2].options.seconds: must be a number; got a string: write the number alone, without a unit',
      'plugins[2].options.models: must be a list; got a string: write [ … ]',
      'plugins[2].options.mode: must be monitor; got a string of 1 character',
      'plugins[2].options.url: must begin with http:// or https://',
      'plugins[2].options.workers: must be a whole number or auto; got a string of 4 characters',
    ])
    const told = 'plugins[2].options.models[0]: must be a string; got true: put it in quotes'
    assert.deepEqual(messages(schema, { models: [true], seconds: 1 }), [told])
    assert.deepEqual(messages(schema, { seconds: 'soon' }), [
      'plugins[2].options.seconds: must be a number; got a string',
    ])
  })

  it('names every member of which one is needed', () => {
    const one = (name: string) => ({ properties: { [name]: {} }, required: [name] })
    const number = { type: 'number' } as const
    const schema = object({ a: number, b: number, c: number }, { anyOf: [one('a'), one('b')] })
    assert.deepEqual(messages(schema, { c: 1 }), ['plugins[2].options: needs "a" or "b"'])
    assert.deepEqual(messages(schema, { b: 1 }), [])
  })

  it('knows RE2 patterns, and says why one is refused', () => {
    const schema = object({ pattern: { type: 'string', format: 're2' } })
    assert.deepEqual(messages(schema, { pattern: '(?i)\\bproject\\s+x\\b' }), [])
    assert.match(messages(schema, { pattern: '(a' })[0]!, /is not a valid RE2 pattern: missing closing \)$/)
    for (const pattern of ['(?=a)', '(?!a)', '(?<=a)b', '(?<!a)b'])
      assert.match(messages(schema, { pattern })[0]!, /is not a valid RE2 pattern: RE2 has no look-ahead/)
  })

  it('never shows free strings: they may be secrets', () => {
    const schema = object({
      auth_token: { type: 'string', minLength: 20, pattern: '^[a-z]+$', format: 'uri' },
      port: { type: 'integer' },
    })
    assert.doesNotMatch(messages(schema, { auth_token: 'HUNTER2', port: 'HUNTER2' }).join('\n'), /HUNTER2/)
  })

  it('refuses a schema that is wrong itself', () => {
    const contract = (error: unknown) => isGatewayError(error) && error.code === 'GW_PLUGIN_CONTRACT'
    assert.throws(() => compileSchema({ type: 'object', typo: 1 } as unknown as JSONSchema), contract)
    assert.throws(() => compileSchema({ type: 'strng' } as unknown as JSONSchema), contract)
  })

  it('compiles a schema once', () => {
    const schema = object({})
    assert.equal(compileSchema(schema), compileSchema(schema))
    assert.equal(compileSchema(schema), compileSchema(structuredClone(schema)), 'the next gateway has an equal one')
    assert.notEqual(compileSchema(schema), compileSchema(object({ port: { type: 'integer' } })))
  })
})

it('paths can be written and read back', () => {
  const segment = fc.oneof(fc.nat(20), fc.string({ minLength: 1 }), fc.constantFrom('a', 'b_c', 'x-y', 'a.b', '"', '0'))
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1 }), (segments) => {
      const path = joinPath('base', segments)
      assert.deepEqual(parsePath(path), ['base', ...segments])
    }),
  )
})
