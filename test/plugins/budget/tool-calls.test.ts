/** Tool calls are held until they are whole; what they cost is known before. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ChoiceDescription, chunks, stream } from '../../../core/testing/index.ts'
import { keyLimit, startBudget, toldOf, words } from './rig.ts'

const calling = (n: number): { choices: ChoiceDescription[]; usage: null } => ({
  choices: [{ toolCalls: [{ name: 'send', arguments: JSON.stringify({ text: words(n) }) }] }],
  usage: null,
})
const probe = { choices: [{ content: 'ok' }], usage: { prompt: 8, completion: 1 } }

describe('budget: tool calls', () => {
  it('cost the same in a stream as in a whole reply', async (t) => {
    for (const streamed of [false, true]) {
      const rig = await startBudget(t, keyLimit('tokens', 10_000))
      const { service, choices } = await rig.send('Hello', { stream: streamed, reply: calling(300) })
      assert.equal(choices[0]?.finish, 'tool_calls')
      assert.equal(toldOf({ service })[0]?.spent, 8 + 306)
    }
  })

  it('are paid by a client that leaves, and when the provider breaks off', async (t) => {
    const rig = await startBudget(t, keyLimit('tokens', 10_000))
    const seen = Promise.withResolvers<void>()
    const begun = chunks(calling(300)).slice(0, 202)
    const left = stream([...begun, () => seen.resolve()], { end: 'hang', done: false })
    assert.equal((await rig.send('Hello', { stream: true, reply: left, leaveAfter: seen.promise })).outcome, 'aborted')
    const first = (toldOf(await rig.send('Hello', { reply: probe }))[0]?.spent ?? 0) - 9
    assert.ok(first >= 8 + 200 && first <= 8 + 210, `${first} tokens for a call of 200`)
    const cut = stream(begun, { end: 'close', done: false })
    assert.equal((await rig.send('Hello', { stream: true, reply: cut })).outcome, 'upstream_failed')
    assert.equal(toldOf(await rig.send('Hello', { reply: probe }))[0]?.spent, 2 * first + 18)
  })

  it('take more of the limit while they are written', async (t) => {
    const rig = await startBudget(t, { ...keyLimit('tokens', 5_000), default_completion_tokens: 100 })
    const { choices, service } = await rig.send('Hello', { stream: true, reply: calling(2_000) })
    assert.equal(choices[0]?.finish, 'tool_calls')
    assert.equal(toldOf({ service })[0]?.spent, 8 + 2_006)
  })

  it('end by length where nothing is left, and none of it leaves', async (t) => {
    const rig = await startBudget(t, { ...keyLimit('tokens', 500), default_completion_tokens: 100 })
    const { choices, service, done } = await rig.send('Hello', { stream: true, reply: calling(3_000) })
    assert.ok(done)
    assert.deepEqual([choices[0]?.finish, choices[0]?.toolCalls], ['length', []])
    const spent = toldOf({ service })[0]?.spent ?? 0
    assert.ok(spent >= 490 && spent <= 510, `${spent} of 500`)
  })
})
