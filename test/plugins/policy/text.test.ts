import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type PluginCase, testPlugin } from 'governed-gateway/testing'
import policy from '../../../plugins/policy/index.ts'
import { FORMS } from '../../helpers/rounds.ts'

const run = (rule: object, testCase: PluginCase, options: object = {}) =>
  testPlugin(policy, { options: { rules: [rule], ...options }, variants: FORMS, ...testCase })

const falcon = { name: 'no-falcon', keywords: ['Project Falcon', 'falcon'], reason: 'Falcon is not public.' }

describe('policy: text that blocks', () => {
  const blocked = {
    outcome: 'blocked',
    status: 403,
    reason: 'Falcon is not public.',
    error: { type: 'policy_block', code: 'permission_denied', classification: 'PUBLIC' },
    service: { blocked: true, action: 'block' },
  } as const

  it('in a request, which then goes nowhere', async () => {
    await run(falcon, {
      request: 'Where is project falcon?',
      expect: { ...blocked, sent: null, detections: { no_falcon: 1 }, events: ['request.blocked', 'policy.detected'] },
      check: ({ events }) => assert.equal(events.at(-1)?.policy, 'policy/no_falcon'),
    })
  })

  it('in a reply, however it is cut, and nothing of it gets out', async () => {
    const run1 = await run(falcon, {
      reply: 'The Project Falcon flies',
      variants: ['buffered', 'streamed', 'bytes', 'aborted'],
      expect: { ...blocked, events: ['response.blocked'] },
      check: ({ text }) => assert.ok('The '.startsWith(text), text),
    })
    assert.ok('The '.startsWith(run1.aborted.text))
  })

  it('in the capitals of its language, and in a stretched Arabic word', async () => {
    const keywords = ['straße sieben', 'İstanbul planı', 'مشروع الفجر']
    for (const text of ['STRASSE SIEBEN', 'ISTANBUL PLANI', 'مشـــروع الفجـر']) {
      const request = { request: `x ${text} y`, expect: { ...blocked, sent: null } }
      await run({ ...falcon, keywords }, request)
      await run({ ...falcon, keywords }, { reply: `x ${text} y`, expect: blocked })
    }
  })

  it('in reasoning, tool arguments and every choice', async () => {
    const call = { name: 'find', arguments: '{"what":"falcon"}' }
    for (const choice of [{ reasoning: 'falcon' }, { refusal: 'falcon' }, { toolCalls: [call] }]) {
      await run(falcon, { reply: { choices: [{ content: 'Hm' }, choice] }, expect: blocked })
    }
  })

  it('in every role and place of a request', async () => {
    const message = (role: string, content: unknown, more = {}) => ({ messages: [{ role, content, ...more }] })
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{"q":"falcon"}' } }
    const requests = [
      message('system', 'falcon'),
      message('developer', 'falcon'),
      message('tool', 'falcon', { tool_call_id: 'c' }),
      message('assistant', null, { tool_calls: [call] }),
      message('user', [
        { type: 'text', text: 'project fal' },
        { type: 'text', text: 'con' },
      ]),
      { metadata: { topic: 'falcon' } },
      { vendor_field: { deep: ['falcon'] } },
    ]
    for (const request of requests)
      await run(falcon, { request, variants: ['buffered'], expect: { ...blocked, sent: null } })
  })

  it('only where the rule looks', async () => {
    const look = (rule: object, testCase: PluginCase) => run({ ...falcon, ...rule }, testCase)
    const passes = { outcome: 'completed', detections: {} } as const
    await look({ on: 'output' }, { request: 'falcon', expect: passes })
    await look({ on: 'input' }, { reply: 'falcon', expect: passes })
    await look({ roles: ['system'] }, { request: 'falcon', reply: 'falcon', expect: passes })
    await look({ roles: ['assistant'] }, { request: 'falcon', expect: passes })
    await look({ roles: ['assistant'] }, { reply: 'falcon', expect: { outcome: 'blocked' } })
    await look({ channels: ['reasoning'] }, { reply: 'falcon', expect: passes })
    await look({ keys: ['other'] }, { request: 'falcon', expect: passes })
    await look({ teams: ['web'] }, { request: 'falcon', key: { team: 'web' }, expect: { outcome: 'blocked' } })
    await look({ models: ['claude-*'] }, { reply: 'falcon', expect: passes })
    await look({ case_sensitive: true }, { reply: 'FALCON', expect: passes })
    await look({ whole_words: false }, { reply: 'falconry', expect: { outcome: 'blocked' } })
  })

  it('with a reason of its own when the operator gave none, never with the text', async () => {
    const rule = { name: 'no-falcon', keywords: ['falcon'] }
    const reason = (what: string) => `The rule 'no-falcon' does not allow this ${what}.`
    await run(rule, { request: 'falcon', expect: { reason: reason('request') } })
    await run(rule, { reply: 'falcon', expect: { reason: reason('reply') } })
    await run({ keywords: ['falcon'] }, { reply: 'falcon', expect: { reason: /'rule_1'/ } })
  })

  it('by pattern, as far as the window reaches', async () => {
    const key = { name: 'key', patterns: ['-----BEGIN [A-Z ]+ KEY-----'] }
    await run(key, { reply: 'See -----BEGIN RSA PRIVATE KEY----- here', expect: { outcome: 'blocked' } })
  })
})

describe('policy: other actions', () => {
  it('redact the text in both directions', async () => {
    const rule = { ...falcon, patterns: ['F-\\d{2,4}'], action: 'redact' }
    await run(rule, {
      request: 'Is F-16 the falcon?',
      reply: 'Project Falcon, i.e. F-16, it is',
      expect: {
        outcome: 'completed',
        text: '[NO_FALCON], i.e. [NO_FALCON], it is',
        detections: { no_falcon: 4 },
        service: { action: 'redact' },
        sent: { messages: [{ role: 'user', content: 'Is [NO_FALCON] the [NO_FALCON]?' }] },
        events: ['request.redacted', 'response.redacted'],
      },
    })
  })

  it('redact with words of the operator, and in tool arguments', async () => {
    const rule = { ...falcon, action: 'redact', replace: 'the project' }
    const call = { name: 'find', arguments: '{"what":"project falcon"}' }
    await run(rule, {
      reply: { choices: [{ toolCalls: [call] }] },
      expect: { choices: [{ toolCalls: [{ id: 'call_0_0', name: 'find', arguments: '{"what":"the project"}' }] }] },
    })
  })

  it('detect and record', async () => {
    await run(
      { ...falcon, action: 'detect' },
      {
        request: 'falcon',
        reply: 'A falcon',
        expect: {
          text: 'A falcon',
          detections: { no_falcon: 2 },
          service: { action: 'flag' },
          events: ['policy.detected'],
        },
      },
    )
  })

  it('keep a stream as it came when nothing is found', async () => {
    const reply = 'A fact about a falc, a project fal'
    const { bytes } = await run(falcon, { reply, expect: { text: reply, detections: {} } })
    assert.equal(bytes.choices[0]?.finish, 'stop')
  })
})

describe('policy: monitor', () => {
  const recorded = {
    outcome: 'completed',
    text: 'A falcon',
    error: null,
    detections: { no_falcon: 2 },
    service: { blocked: false, action: 'flag' },
    events: ['policy.would_block', '!request.blocked', '!response.blocked'],
  } as const

  it('records what would be blocked and lets it pass: for the entry', async () => {
    await run(falcon, { entry: { mode: 'monitor' }, request: 'falcon', reply: 'A falcon', expect: recorded })
  })

  it('and for a request whose key may ask for it', async () => {
    await run(falcon, {
      with: ['flags'],
      key: { flags_allow: ['mode=monitor'] },
      headers: { 'x-service-flags': 'mode=monitor' },
      request: 'falcon',
      reply: 'A falcon',
      expect: recorded,
    })
  })
})
