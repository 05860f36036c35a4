import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { GatewayError } from '../../../../../core/engine/contract/errors.ts'
import { readReplyInSteps, replyFieldsInSteps } from '../../../../../core/engine/dialects/chat-completions/reply.ts'
import { readRequest, readRequestInSteps } from '../../../../../core/engine/dialects/chat-completions/request.ts'
import {
  requestFields,
  requestFieldsInSteps,
} from '../../../../../core/engine/dialects/chat-completions/request-fields.ts'
import type { FieldList } from '../../../../../core/engine/json/fields.ts'
import { allSteps } from '../../../../../core/engine/util/steps.ts'
import { shown } from '../../../../helpers/listed.ts'
import { REQUESTS } from '../../../growth/documents.ts'

/** What was read, or why it was not. */
function outcome(read: () => FieldList): string {
  try {
    return shown(read())
  } catch (error) {
    return String((error as GatewayError).code)
  }
}

describe('a large request that is read in steps', () => {
  for (const [shape, make] of Object.entries(REQUESTS)) {
    it(`has the same texts: ${shape}`, () => {
      const made = make(80_000)
      const body = Buffer.from(typeof made === 'string' ? made : JSON.stringify(made))
      const inSteps = () => allSteps(readRequestInSteps(body, 1_000_000))
      const expected = outcome(() => requestFields(readRequest(body)))
      // No diff of megabytes, should they differ.
      assert.ok(outcome(() => allSteps(requestFieldsInSteps(inSteps()))) === expected)
      assert.ok(outcome(() => requestFields(inSteps())) === expected)
      assert.ok(/^(?:\[\[|GW_INVALID_JSON$)/.test(expected), expected.slice(0, 80))
    })
  }
})

describe('a large reply that is read in steps', () => {
  it('is refused when an object has more members than can be looked at in a turn', () => {
    const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`member_${i}`, i]))
    const reply = (count: number) => JSON.stringify({ choices: [], vendor: members(count) })
    assert.throws(() => allSteps(readReplyInSteps(reply(65_537))), { code: 'GW_UPSTREAM_INVALID' })
    assert.doesNotThrow(() => allSteps(readReplyInSteps(reply(65_536))))
  })

  const MOST = 500_000
  const strings = (count: number) => Array.from({ length: count }, () => 'a')
  const calls = (count: number) =>
    [count, 20_000].map((count, i) => ({
      id: `call_${i}`,
      type: 'function',
      function: { name: 'f', arguments: JSON.stringify(strings(count)) },
    }))
  const reply = (message: object, more: object = {}) =>
    JSON.stringify({
      choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
      ...more,
    })
  for (const [where, texts, make] of [
    ['in unknown members', MOST, (count: number) => reply({ content: null }, { vendor: strings(count - 1) })],
    ['in the arguments of its calls', MOST, (count: number) => reply({ tool_calls: calls(count - 20_002) })],
  ] as const) {
    it(`is refused with more texts ${where} than can be inspected`, () => {
      const fieldsOf = (count: number) => allSteps(replyFieldsInSteps(allSteps(readReplyInSteps(make(count))))).fields
      assert.equal(fieldsOf(MOST).length, texts)
      assert.throws(() => fieldsOf(MOST + 1), { code: 'GW_TOO_MANY_VALUES' })
    })
  }

  it('may have more texts if it is a request: `listen` limits them', () => {
    const body = Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'assistant', tool_calls: calls(MOST) }] }))
    const request = allSteps(readRequestInSteps(body, 2_000_000))
    assert.ok(allSteps(requestFieldsInSteps(request)).fields.length > MOST)
  })
})
