import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { GovernanceEvent } from '../../../../core/engine/contract/plugin.ts'
import { type OcsfEvent, toOcsf } from '../../../../core/kit/formats/index.ts'
import { rounds } from '../../../helpers/rounds.ts'
import { loadFixture, ocsfProblems, validators } from './ocsf-schemas.ts'
import { anyEvent, SAMPLES, SOURCE } from './samples.ts'

interface Example {
  schema_class_uid: number
  event: OcsfEvent
}
const examples = loadFixture('examples.json') as {
  valid: (Example & { name: string })[]
  invalid: (Example & { why: string })[]
}

/** As a receiver reads it: through JSON. */
function encoded(event: GovernanceEvent): OcsfEvent {
  const out = JSON.parse(JSON.stringify(toOcsf(event, SOURCE))) as OcsfEvent
  assert.deepEqual(ocsfProblems(out), [], JSON.stringify(out, null, 1))
  return out
}

const sample = (type: string, at = 0): OcsfEvent =>
  encoded(SAMPLES.filter((one) => one.type === type)[at] as GovernanceEvent)

const pick = (event: OcsfEvent, ...names: string[]): unknown[] => names.map((name) => event[name])

describe('the schemas that judge', () => {
  for (const { name, event, schema_class_uid } of examples.valid) {
    it(`take: ${name}`, () => assert.ok(validators[schema_class_uid]!(event)))
  }
  for (const { why, event, schema_class_uid } of examples.invalid) {
    it(`refuse: ${why}`, () => assert.ok(!validators[schema_class_uid]!(event)))
  }
})

describe('events as OCSF', () => {
  for (const [i, event] of SAMPLES.entries()) {
    it(`${event.type} (${i}) is valid`, () => {
      const out = encoded(event)
      const metadata = out.metadata as Record<string, unknown>
      assert.equal(metadata.uid, event.id)
      assert.equal(metadata.log_provider, 'gw-prod-1')
      assert.deepEqual(metadata.labels, ['environment:production'])
      assert.equal((out.unmapped as Record<string, unknown>).source_name, 'gw-prod-1')
    })
  }

  it('finds the class for each kind of event', () => {
    const classes: Record<string, number[]> = { 6003: [], 2004: [], 2006: [] }
    for (const event of SAMPLES) classes[encoded(event).class_uid]!.push(SAMPLES.indexOf(event))
    const types = (uid: number) => [...new Set(classes[uid]!.map((i) => SAMPLES[i]!.type))]
    assert.deepEqual(types(2006), ['request.redacted', 'response.redacted', 'pii.detected', 'secret.detected'])
    assert.deepEqual(types(2004), [
      'flags.rejected',
      'flags.loosened',
      'policy.would_block',
      'plugin.failed',
      'injection.detected',
      'budget.threshold',
      'budget.exceeded',
      'ratelimit.exceeded',
      'vendor.thing',
      'vendor.other',
    ])
  })

  it('tells what was decided', () => {
    const decided = (event: OcsfEvent) => pick(event, 'severity_id', 'action_id', 'disposition_id', 'status_id')
    assert.deepEqual(decided(sample('request.completed')), [1, 1, 1, 1])
    assert.deepEqual(decided(sample('request.completed', 1)), [2, 4, 11, 1])
    assert.deepEqual(decided(sample('request.blocked')), [4, 2, 2, 2])
    assert.deepEqual(decided(sample('request.blocked', 1)), [5, 2, 2, 2])
    assert.deepEqual(decided(sample('request.blocked', 2)), [4, 2, 25, 2])
    assert.deepEqual(decided(sample('auth.failed', 1)), [5, 2, 26, 2])
    assert.deepEqual(decided(sample('upstream.failed')), [2, 1, 27, 2])
    assert.deepEqual(decided(sample('policy.would_block')), [3, 3, 15, 1])
    assert.deepEqual(decided(sample('pii.detected')), [2, 4, 11, 1])
    assert.deepEqual(decided(sample('ratelimit.exceeded')), [3, 2, 25, 1])
    assert.equal(sample('request.blocked').status_code, 'policy_block')
  })

  it('tells model, tokens, session and client of a request', () => {
    const out = sample('request.completed')
    assert.deepEqual(out.ai_model, { name: 'gpt-test', ai_provider: 'openai' })
    const service = { name: 'chat-completions' }
    const counted = { prompt_tokens: 210, completion_tokens: 30, total_tokens: 240 }
    assert.deepEqual(out.message_context, { service, uid: 'sess_42', ...counted })
    assert.deepEqual(out.src_endpoint, { ip: '198.51.100.7' })
    assert.deepEqual(pick(out, 'duration', 'start_time', 'end_time'), [1834, 1773655198289, 1773655200123])
  })

  it('tells the kind of data that was found', () => {
    const category = (type: string, at?: number) => (sample(type, at).data_security as { category?: string }).category
    assert.equal(category('pii.detected'), 'Financial')
    assert.equal(category('pii.detected', 1), 'Governmental')
    assert.equal(category('secret.detected'), 'Security')
    assert.equal(category('request.redacted'), undefined)
  })

  it('tells the operation of an exchange, and of old events that of chat', () => {
    type Told = { api: { operation: string; service: { name: string } }; http_request: { url: { path: string } } }
    const told = (operation?: string) => {
      const { api, http_request } = encoded({ ...SAMPLES[0]!, ...(operation && { operation }) }) as unknown as Told
      return [api.operation, api.service.name, http_request.url.path]
    }
    assert.deepEqual(told('POST /v1/messages'), ['POST /v1/messages', 'messages', '/v1/messages'])
    const chat = ['POST /v1/chat/completions', 'chat-completions', '/v1/chat/completions']
    assert.deepEqual([told(), told('nonsense')], [chat, chat])
  })

  it('names profiles whose attributes are used, and no others', () => {
    const profiles = (event: OcsfEvent) => (event.metadata as { profiles: string[] }).profiles
    assert.deepEqual(profiles(sample('request.completed')), ['security_control', 'ai_operation'])
    assert.deepEqual(profiles(sample('pii.detected')), ['security_control'])
    const traced = encoded({ ...SAMPLES[0]!, trace_id: '4bf92f3577b34da6a3ce929d0e0e4736' })
    assert.deepEqual(profiles(traced), ['security_control', 'ai_operation', 'trace'])
  })

  it('any event is valid', () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        encoded(event)
      }),
      { numRuns: rounds(400) },
    )
  })
})
