import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseOptions } from '../../../core/engine/config/validate.ts'
import policy from '../../../plugins/policy/index.ts'

const check = (options: object) => parseOptions(policy.schema, options, 'options')
const problems = (options: object) => check(options).problems.map(({ path, message }) => `${path}: ${message}`)
const rule = (one: object) => problems({ rules: [one] })

describe('policy: options', () => {
  it('need not be given', () => {
    assert.deepEqual(check({}), { value: { window: 64, rules: [] }, problems: [] })
  })

  it('fill in what a rule leaves out', () => {
    const { value } = check({ rules: [{ keywords: ['x'] }] })
    assert.deepEqual((value as { rules: object[] }).rules, [
      { action: 'block', keywords: ['x'], case_sensitive: false, whole_words: true, on: 'both' },
    ])
  })

  it('accept every kind of rule', () => {
    const rules = [
      { name: 'no-payroll', keywords: ['payroll export'], reason: 'Payroll data stays where it is.', on: 'input' },
      { patterns: ['(?i)begin private key'], action: 'redact', replace: '***', channels: ['tool_arguments'] },
      { models: ['gpt-4*'], keys: ['intern'], teams: ['web'] },
      { label: 'CONFIDENTIAL', models: ['claude-*'], on: 'both' },
      { max_messages: 50, max_message_characters: 4000, max_characters: 20_000, action: 'detect' },
      { roles: ['developer'] },
    ]
    assert.deepEqual(problems({ rules, window: 1024 }), [])
  })

  it('say what is wrong with a rule', () => {
    assert.equal(rule({ name: 'refuses-all' }).length, 1)
    assert.equal(rule({ models: ['x'], action: 'redact' }).length, 1, 'there is nothing to redact')
    assert.deepEqual(rule({ keywords: ['x'], label: 'INTERNAL' }), [
      'options.rules[0].label: does not go with the other options here',
    ])
    assert.deepEqual(rule({ patterns: ['x'], max_messages: 1 }), [
      'options.rules[0].max_messages: does not go with the other options here',
    ])
    assert.match(rule({ patterns: ['a(b'] })[0] ?? '', /patterns\[0\]: is not a valid RE2 pattern/)
    assert.match(rule({ keywords: ['x'], action: 'deny' })[0] ?? '', /action: must be one of detect, redact, block/)
    assert.deepEqual(rule({ models: ['gpt ?'] }), [
      'options.rules[0].models[0]: must not contain " ": only * is a wildcard',
    ])
    assert.deepEqual(rule({ max_messages: -1 }), ['options.rules[0].max_messages: must be >= 0; got -1'])
  })
})
