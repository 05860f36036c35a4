import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type PluginCase, testPlugin } from 'governed-gateway/testing'
import classification from '../../../plugins/classification/index.ts'
import { FORMS } from '../../helpers/rounds.ts'

const run = (rules: object[], testCase: PluginCase, more: object = {}) =>
  testPlugin(classification, { options: { rules, ...more }, variants: FORMS, ...testCase })

describe('classification of requests', () => {
  it('is PUBLIC when nothing is found, or what the operator says', async () => {
    await run([], { expect: { label: 'PUBLIC', headers: { 'x-service-classification': 'PUBLIC' } } })
    await run([], { expect: { label: 'INTERNAL' } }, { default: 'INTERNAL' })
  })

  it('takes the highest label of all rules, and names them in the event', async () => {
    const rules = [
      { name: 'projects', label: 'CONFIDENTIAL', keywords: ['Project Aurora', 'Blue Harvest'] },
      { name: 'any-number', label: 'INTERNAL', patterns: ['\\d+'] },
      { label: 'RESTRICTED', keywords: ['never said'] },
    ]
    await run(rules, {
      request: 'Tell me 3 things about project aurora, PROJECT AURORA!',
      expect: {
        label: 'CONFIDENTIAL',
        service: { classification: 'CONFIDENTIAL', action: 'flag' },
        detections: { projects: 2, any_number: 1 },
      },
      check: ({ events }) => assert.deepEqual(events.at(-1)?.rules, ['classification/projects']),
    })
  })

  it('looks everywhere: parts, tools, names, metadata', async () => {
    const rules = [{ name: 'word', label: 'RESTRICTED', keywords: ['falcon'] }]
    const user = (content: unknown) => ({ messages: [{ role: 'user', content }] })
    const text = (text: string) => ({ type: 'text', text })
    const tool = { type: 'function', function: { name: 'f', description: 'about falcon', parameters: {} } }
    for (const request of [user('falcon'), user([text('fal'), text('con')]), { tools: [tool] }, { user: 'falcon' }]) {
      await run(rules, { request, variants: ['buffered'], expect: { label: 'RESTRICTED', detections: { word: 1 } } })
    }
  })

  it('can be bound to roles, places, keys, teams and models', async () => {
    const keywords = ['falcon']
    const only = async (rule: object, testCase: PluginCase, label: string) => {
      const rules = [{ label: 'RESTRICTED', keywords, ...rule }]
      await run(rules, { request: 'falcon', variants: ['buffered'], ...testCase, expect: { label } })
    }
    await only({ roles: ['user'] }, {}, 'RESTRICTED')
    await only({ roles: ['system', 'tool'] }, {}, 'PUBLIC')
    await only({ channels: ['tool_result'] }, {}, 'PUBLIC')
    await only({ keys: ['tester'] }, {}, 'RESTRICTED')
    await only({ keys: ['other'] }, {}, 'PUBLIC')
    await only({ teams: ['web'] }, {}, 'PUBLIC')
    await only({ teams: ['web'] }, { key: { team: 'web' } }, 'RESTRICTED')
    await only({ models: ['gpt-*'] }, {}, 'RESTRICTED')
    await only({ models: ['claude-*'] }, {}, 'PUBLIC')
    await only({ on: 'output' }, {}, 'PUBLIC')
  })

  it('needs no text: a rule may speak of the caller or model alone', async () => {
    const rules = [{ name: 'hr-team', label: 'CONFIDENTIAL', teams: ['hr'] }]
    await run(rules, { key: { team: 'hr' }, expect: { label: 'CONFIDENTIAL', detections: {} } })
    await run(rules, { key: { team: 'it' }, expect: { label: 'PUBLIC' } })
  })

  it('has the flag `classification` as its floor, in every mode', async () => {
    const flags = (value: string) => ({ with: ['flags'], headers: { 'x-service-flags': value } })
    await run([], { ...flags('classification=CONFIDENTIAL'), expect: { label: 'CONFIDENTIAL' } })
    const off = { ...flags('classification=INTERNAL, mode=off'), key: { flags_allow: ['mode=off'] } }
    await run([{ label: 'RESTRICTED', keywords: ['falcon'] }], {
      ...off,
      request: 'falcon',
      expect: { label: 'INTERNAL' },
    })
    const lower = { ...flags('classification=PUBLIC'), key: { flags: { classification: 'INTERNAL' } } }
    await run([], { ...lower, expect: { status: 403, error: { code: 'flag_not_permitted' } } })
    await run([], { ...flags('classification=public'), expect: { status: 400, error: { code: 'invalid_flag' } } })
  })

  it('sends no text above the ceiling of a provider', async () => {
    await run([{ label: 'RESTRICTED', keywords: ['falcon'] }], {
      request: 'falcon',
      upstream: { max_classification: 'CONFIDENTIAL' },
      expect: { outcome: 'blocked', reason: /classified RESTRICTED/, sent: null },
    })
  })
})

describe('classification of replies', () => {
  it('finds keywords and patterns however the reply is cut', async () => {
    const rules = [
      { name: 'projects', label: 'CONFIDENTIAL', keywords: ['project aurora'], on: 'output' },
      { name: 'record', label: 'RESTRICTED', patterns: ['\\bMRN-\\d{6}\\b'] },
    ]
    await run(rules, {
      request: 'project aurora',
      variants: ['buffered', 'streamed', 'bytes', 'aborted'],
      reply: 'On Project Aurora: MRN-123456.',
      expect: {
        label: 'PUBLIC',
        text: 'On Project Aurora: MRN-123456.',
        service: { output_classification: 'RESTRICTED' },
        detections: { projects: 1, record: 1 },
      },
    })
  })

  it('does not change a reply without rules', async () => {
    const rules = [{ label: 'CONFIDENTIAL', keywords: ['aurora'], on: 'input' }]
    await run(rules, { reply: 'aurora', expect: { service: { output_classification: 'PUBLIC' }, detections: {} } })
  })
})
