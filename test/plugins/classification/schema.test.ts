import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseOptions } from '../../../core/engine/config/validate.ts'
import classification from '../../../plugins/classification/index.ts'

const check = (options: object) => parseOptions(classification.schema, options, 'options')
const problems = (options: object) => check(options).problems.map(({ path, message }) => `${path}: ${message}`)

describe('classification: options', () => {
  it('need not be given', () => {
    assert.deepEqual(check({}), { value: { default: 'PUBLIC', window: 64, labels: [], rules: [] }, problems: [] })
  })

  it('fill in what a rule leaves out', () => {
    const { value } = check({ rules: [{ label: 'INTERNAL', keywords: ['x'] }] })
    assert.deepEqual((value as { rules: object[] }).rules, [
      { label: 'INTERNAL', keywords: ['x'], case_sensitive: false, whole_words: true, on: 'both' },
    ])
  })

  it('accept every kind of rule', () => {
    const rules = [
      { name: 'projects', label: 'CONFIDENTIAL', keywords: ['project aurora'], whole_words: false, on: 'input' },
      { label: 'RESTRICTED', patterns: ['\\bMRN-\\d{6}\\b'], roles: ['user', 'tool'], channels: ['content'] },
      { label: 'INTERNAL', keys: ['app'], teams: ['web'], models: ['gpt-*'] },
    ]
    assert.deepEqual(problems({ default: 'INTERNAL', window: 128, rules }), [])
  })

  it('say what is wrong with a rule', () => {
    const rule = (more: object) => problems({ rules: [{ label: 'INTERNAL', keywords: ['x'], ...more }] })
    assert.deepEqual(rule({ label: 'SECRET' }), [
      'options.rules[0].label: must be one of PUBLIC, INTERNAL, CONFIDENTIAL, RESTRICTED; got a string of 6 characters',
    ])
    assert.match(rule({ patterns: ['a(b'] })[0] ?? '', /patterns\[0\]: is not a valid RE2 pattern/)
    assert.deepEqual(rule({ models: ['gpt-?'] }), [
      'options.rules[0].models[0]: must not contain "?": only * is a wildcard',
    ])
    assert.deepEqual(rule({ keywords: [] }), ['options.rules[0].keywords: must not be empty'])
    assert.match(rule({ name: 'My rule' })[0] ?? '', /name: has the wrong form: Names the rule in events/)
    assert.match(rule({ on: 'reply' })[0] ?? '', /on: must be one of input, output, both/)
    assert.match(rule({ keyword: 'x' })[0] ?? '', /keyword: is not a known key\. Did you mean "keywords"\?/)
    assert.equal(problems({ rules: [{ label: 'INTERNAL' }] }).length, 1, 'a rule without any condition')
    assert.deepEqual(problems({ rules: [{ keywords: ['x'] }] }), ['options.rules[0]: needs "label"'])
  })
})
