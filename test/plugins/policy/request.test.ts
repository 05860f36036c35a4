import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type PluginCase, testPlugin } from 'governed-gateway/testing'
import policy from '../../../plugins/policy/index.ts'
import { FORMS } from '../../helpers/rounds.ts'

const run = (rules: object | object[], testCase: PluginCase) =>
  testPlugin(policy, { options: { rules: [rules].flat() }, variants: FORMS, ...testCase })

const user = (content: unknown) => ({ role: 'user', content })
const blocked = { outcome: 'blocked', status: 403, error: { type: 'policy_block' }, sent: null } as const
const passes = { outcome: 'completed' } as const
const quick = { variants: ['buffered'] } as const

describe('policy: requests as a whole', () => {
  it('by model and caller', async () => {
    const rule = { name: 'big-models', models: ['gpt-4*', 'o1'], teams: ['interns'], reason: 'Too big for interns.' }
    const interns = { key: { team: 'interns' } }
    await run(rule, {
      ...interns,
      request: { model: 'gpt-4o' },
      expect: { ...blocked, reason: 'Too big for interns.' },
    })
    await run(rule, { ...quick, ...interns, request: { model: 'o1-mini' }, expect: passes })
    await run(rule, { ...quick, request: { model: 'gpt-4o' }, expect: passes })
    await run(
      { keys: ['tester'] },
      { ...quick, expect: { ...blocked, reason: "The rule 'rule_1' does not allow this request." } },
    )
  })

  it('by number and length of messages', async () => {
    const chat = (...contents: unknown[]) => ({ request: { messages: contents.map(user) } })
    const text = (text: string) => ({ type: 'text', text })
    await run({ max_messages: 2 }, { ...quick, ...chat('a', 'b'), expect: passes })
    await run({ max_messages: 2 }, { ...chat('a', 'b', 'c'), expect: blocked })
    await run({ max_message_characters: 4 }, { ...quick, ...chat('abcd', 'abcd'), expect: passes })
    await run({ max_message_characters: 4 }, { ...quick, ...chat([text('abc'), text('de')]), expect: blocked })
    const input = { on: 'input' }
    await run({ max_characters: 8, ...input }, { ...quick, ...chat('abcd', 'abcd'), expect: passes })
    await run({ max_characters: 8, ...input }, { ...quick, ...chat('abcd', 'abcd', 'e'), expect: blocked })
    await run({ max_characters: 8, max_messages: 1, ...input }, { ...quick, ...chat('a', 'b'), expect: blocked })
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":"long enough"}' } }
    const messages = [{ role: 'assistant', content: null, tool_calls: [call] }]
    await run({ max_message_characters: 4 }, { ...quick, request: { messages }, expect: blocked })
  })

  it('by role', async () => {
    const rule = { name: 'no-developer', roles: ['developer'] }
    await run(rule, { request: { messages: [{ role: 'developer', content: 'x' }, user('y')] }, expect: blocked })
    await run(rule, { ...quick, expect: passes })
    await run({ roles: ['assistant'] }, { ...quick, expect: passes })
  })

  it('by label, after everything was classified', async () => {
    const classified = {
      with: [{ use: 'classification', options: { rules: [{ label: 'CONFIDENTIAL', keywords: ['aurora'] }] } }],
      request: 'aurora',
    }
    await run(
      { label: 'CONFIDENTIAL' },
      { ...classified, expect: { ...blocked, error: { classification: 'CONFIDENTIAL' } } },
    )
    await run({ label: 'INTERNAL', models: ['gpt-*'] }, { ...quick, ...classified, expect: blocked })
    await run({ label: 'RESTRICTED' }, { ...quick, ...classified, expect: passes })
    await run({ label: 'CONFIDENTIAL', models: ['claude-*'] }, { ...quick, ...classified, expect: passes })
    await run({ label: 'CONFIDENTIAL', on: 'output' }, { ...quick, ...classified, expect: passes })
  })

  it('records every broken rule under monitor, and those with action detect always', async () => {
    const rules = [
      { name: 'one', keys: ['tester'] },
      { name: 'two', max_messages: 0 },
      { name: 'three', roles: ['user'], action: 'detect' },
      { name: 'four', max_messages: 9 },
    ]
    const recorded = (events: readonly { type: string; policy?: unknown }[]) =>
      events.filter(({ type }) => type === 'policy.would_block').map(({ policy }) => policy)
    await run(rules, {
      entry: { mode: 'monitor' },
      expect: passes,
      check: ({ events }) => assert.deepEqual(recorded(events), ['policy/one', 'policy/two', 'policy/three']),
    })
    await run(rules[2] as object, {
      ...quick,
      expect: passes,
      check: ({ events }) => assert.deepEqual(recorded(events), ['policy/three']),
    })
  })
})

describe('policy: replies as a whole', () => {
  it('by length of a choice', async () => {
    const rule = { name: 'short', max_characters: 10, on: 'output', reason: 'Be brief.' }
    const { bytes } = await run(rule, { reply: 'abc def ghi jkl', expect: { outcome: 'blocked', reason: 'Be brief.' } })
    assert.ok(bytes.text.length <= 10)
    await run(rule, { ...quick, request: 'a request of any length', reply: 'abcdefghij', expect: passes })
    const reply = { choices: [{ content: 'abcdefgh' }, { content: 'abcdefgh' }] }
    await run(rule, { ...quick, reply, expect: passes })
  })

  it('by label, as soon as it is reached', async () => {
    const labels = { use: 'classification', options: { rules: [{ label: 'RESTRICTED', keywords: ['aurora'] }] } }
    const rule = { name: 'no-secrets', label: 'CONFIDENTIAL' }
    const found = await run(rule, {
      with: [labels],
      reply: 'It is aurora.',
      variants: [...FORMS, 'aborted'],
      expect: { outcome: 'blocked', reason: "The rule 'no-secrets' does not allow this reply." },
      check: ({ text }) => assert.ok('It is '.startsWith(text)),
    })
    assert.ok('It is '.startsWith(found.aborted.text))
    await run({ ...rule, on: 'input' }, { ...quick, with: [labels], reply: 'aurora', expect: passes })
    await run({ ...rule, max_messages: 5 }, { ...quick, with: [labels], reply: 'aurora', expect: passes })
  })

  it('is recorded once for each reply', async () => {
    const rule = { max_characters: 3, on: 'output' }
    const once = (events: readonly { type: string }[]) =>
      assert.equal(events.filter(({ type }) => type === 'policy.would_block').length, 1)
    const common: PluginCase = { reply: 'one two three', expect: passes, check: ({ events }) => once(events) }
    await run(rule, { ...common, entry: { mode: 'monitor' } })
    await run({ ...rule, action: 'detect' }, common)
  })
})
