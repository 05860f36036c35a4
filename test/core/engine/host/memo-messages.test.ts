/** Conversations of Anthropic's API: what came before is known, whatever stands in front of it. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import fc from 'fast-check'
import { json } from '../../../../core/testing/provider.ts'
import { rounds } from '../../../helpers/rounds.ts'
import { finder, remembering, user, WORD, WORDS } from './finder.ts'

const REPLY = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [{ type: 'text', text: 'Yes.' }] },
  ...{ stop_reason: 'end_turn', stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } },
}

/** Sends conversations, and returns what left, what was found, and which texts the plugin saw. */
async function open(t: TestContext, memo_bytes: number) {
  const { plugin, take } = finder({ pure: true })
  const rig = await remembering(t, plugin, memo_bytes)
  rig.provider.otherwise(json(REPLY))
  let turns = 0
  return async (body: object) => {
    take()
    const id = `turn-${++turns}`
    const type = { 'content-type': 'application/json' }
    const headers = { authorization: `Bearer ${rig.apiKey}`, 'x-client-request-id': id, ...type }
    const init = { method: 'POST', headers, body: JSON.stringify({ model: 'm', max_tokens: 9, ...body }) }
    const reply = await fetch(`${rig.url}/v1/messages`, init)
    assert.equal(reply.status, 200)
    const { service, error } = (await reply.json()) as { service?: object; error?: object }
    const { request_id, ...told } = service as Record<string, unknown>
    const sent = rig.provider.requests.at(-1)?.json
    return { told: structuredClone({ service: told, error, sent }), shown: take() }
  }
}

const text = (one: string, more: object = {}) => ({ type: 'text', text: one, ...more })
const MARK = { cache_control: { type: 'ephemeral' } }
const use = (path: string) => ({
  role: 'assistant',
  content: [text('Looking.'), { type: 'tool_use', id: 'toolu_1', name: 'find', input: { path } }],
})
const result = (content: unknown) => user([{ type: 'tool_result', tool_use_id: 'toolu_1', content }])
const tools = [{ name: 'find', description: 'Finds.', input_schema: { type: 'object', properties: {} } }]
const system = [text('Be brief. '.repeat(30), MARK)]

describe('messages that came before', () => {
  it('are not shown again behind a system prompt, while the mark for the cache moves', async (t) => {
    const on = await open(t, 1e6)
    const off = await open(t, 0)
    const before: object[] = [user('Question first.'), use(`src/${WORD}.ts`), result('Result first.')]
    for (let i = 0; i < 6; i++) {
      before.push(use(`src/${i}.ts`))
      const body = { system, messages: [...before, user([text(`Question ${i}.`, MARK)])], tools }
      const { told, shown } = await on(body)
      assert.deepEqual(told, (await off(body)).told)
      assert.ok(shown.includes(`Question ${i}.`))
      const old = shown.filter((one) => /first|Finds|brief|src/.test(one) && !one.includes(`src/${i}`))
      if (i > 1)
        assert.deepEqual(
          old,
          old.filter((one) => one.includes(WORD)),
        )
      before.push(user([text(`Question ${i}.`)]))
    }
  })

  it('are read with a system prompt that is another one', async (t) => {
    const on = await open(t, 1e6)
    const off = await open(t, 0)
    const model = (content: string) => ({ role: 'assistant', content })
    const cuts: [string, object[]][] = [
      ['it is f4l', [user('c0n is')]],
      ['it is f4', [user('lc'), model('0n is')]],
      ['it is f4', [user('lc'), model('0'), user('n is')]],
    ]
    for (const [i, [first, cut]] of cuts.entries()) {
      const messages = [...cut, model(`Answer ${i}.`), use('src/a.ts'), user('More.')]
      await on({ system: 'Be brief.', messages: messages.slice(0, -1), tools })
      for (const given of [{ system: first }, { system: 'Be brief.' }, {}, { system: first }]) {
        const body = { ...given, messages, tools }
        const { told } = await off(body)
        assert.deepEqual((await on(body)).told, told)
        if (i === 0) assert.equal(JSON.stringify(told.service).includes('bird'), given.system === first)
      }
    }
  })

  it('change nothing, whatever stands around them', async (t) => {
    const on = await open(t, 1e6)
    const off = await open(t, 0)
    const word = fc.constantFrom(...WORDS, 'long '.repeat(40))
    const part = fc.tuple(word, fc.constantFrom({}, {}, MARK)).map(([one, mark]) => text(one, mark))
    const message = fc.oneof(
      { weight: 3, arbitrary: fc.record({ role: fc.constantFrom('user', 'assistant', 'x'), content: word }) },
      fc.array(part, { minLength: 1, maxLength: 2 }).map(user),
      word.map(result),
      fc.array(part, { minLength: 1, maxLength: 2 }).map(result),
      word.map(use),
    )
    const conversation = fc.record({
      messages: fc.array(message, { minLength: 2, maxLength: 9 }),
      step: fc.integer({ min: 1, max: 3 }),
      systems: fc.array(fc.option(fc.oneof(word, fc.array(part, { maxLength: 2 })), { nil: undefined }), {
        minLength: 1,
        maxLength: 3,
      }),
      isLast: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(conversation, async ({ messages, step, systems, isLast }) => {
        for (let n = 1, turn = 0; n <= messages.length; n += step, turn++) {
          const first = systems[turn % systems.length]
          const given = first === undefined ? {} : { system: first }
          const rest = { messages: messages.slice(0, n), tools }
          const body = isLast ? { ...rest, ...given } : { ...given, ...rest }
          assert.deepEqual((await on(body)).told, (await off(body)).told, `turn ${turn}`)
        }
      }),
      { numRuns: rounds(60) },
    )
  })
})
