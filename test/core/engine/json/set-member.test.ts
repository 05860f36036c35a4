import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { setMember } from '../../../../core/engine/json/set-member.ts'
import { parseStrict } from '../../../../core/engine/json/strict.ts'

const set = (text: string): string => setMember(Buffer.from(text), 'model', 'new').toString()

describe('setting a member of a body', () => {
  it('replaces it, or adds it in front, and keeps every other byte', () => {
    for (const [given, expected] of [
      ['{}', '{"model":"new"}'],
      [' { } ', ' {"model":"new" } '],
      ['{"a":1}', '{"model":"new","a":1}'],
      ['{"model":"old"}', '{"model":"new"}'],
      ['{ "model" : null , "a": [1, {"model":"x"}] }', '{ "model" : "new", "a": [1, {"model":"x"}] }'],
      ['{"a":"é\\"model\\":{[","model":{"model":[1,"}"]},"b":"ü"}', '{"a":"é\\"model\\":{[","model":"new","b":"ü"}'],
      ['{"a":"model","b":{"model":1}}', '{"model":"new","a":"model","b":{"model":1}}'],
      ['{"a":"\\\\","model":"old"}', '{"a":"\\\\","model":"new"}'],
    ] as const) {
      assert.equal(set(given), expected)
      assert.doesNotThrow(() => JSON.parse(set(given)))
    }
  })

  it('leaves to the strict parser what it could not read', () => {
    for (const text of ['', '[]', '"model"', 'null', '{"model":"x', '{"model', '{"a":"', '{"model":[1', '\ufeff{}']) {
      assert.throws(() => {
        const { tree } = parseStrict(Buffer.from(set(text)))
        assert.ok(typeof tree === 'object' && tree !== null && !Array.isArray(tree))
      }, text)
    }
  })

  it('never leaves a second model that another parser could take', () => {
    for (const text of [
      '{"model":"a","model":"b"}',
      '{"mod\\u0065l":"a"}',
      '{"mod\\u0065l":"a","model":"b"}',
      '{"model":"a","\\u006dodel":"b"}',
    ]) {
      assert.throws(() => parseStrict(Buffer.from(set(text))), /repeats a member/, text)
    }
  })

  it('gives any object this member and no other change', () => {
    const objects = fc.dictionary(fc.oneof(fc.string(), fc.constant('model')), fc.jsonValue())
    fc.assert(
      fc.property(objects, fc.constantFrom(undefined, 2), (object, indent) => {
        const tree = JSON.parse(JSON.stringify(object)) as object
        const text = JSON.stringify(tree, null, indent)
        assert.deepEqual(JSON.parse(set(text)), { ...tree, model: 'new' })
      }),
      { numRuns: 300 },
    )
  })
})
