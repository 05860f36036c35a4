import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { definePlugin } from 'governed-gateway'
import { chat } from '../../../core/testing/index.ts'
import { gated } from '../../helpers/gated.ts'
import { keyLimit, startBudget, toldOf } from './rig.ts'

const reply = chat({ choices: [{ content: 'ok' }], usage: { prompt: 8, completion: 2 } })

/** With it, events are durable, and an exchange is open in the store from its first write. */
const reader = definePlugin({
  name: 'reader',
  schema: { type: 'object', properties: {}, additionalProperties: false },
  create: (_options, { auditLog }) => {
    auditLog()
    return {}
  },
})

/** A gateway with room for one request of the usual size, which is under way. */
async function occupied(t: TestContext, options: object, audited = false) {
  const rig = await startBudget(
    t,
    { ...keyLimit('tokens', 1100), ...options },
    audited ? { with: ['flags', reader] } : {},
  )
  const gate = gated(reply)
  rig.provider.reply(gate.script)
  const first = rig.send('Hello')
  await gate.arrived
  rig.provider.otherwise(reply)
  return { rig, first, open: gate.open }
}

for (const audited of [false, true]) {
  describe(`budget: what others hold (audited: ${audited})`, () => {
    it('is waited for, and then granted in full', async (t) => {
      const { rig, first, open } = await occupied(t, {}, audited)
      const second = rig.send('Hello')
      const third = rig.send('Hello', { stream: true })
      await looked(rig)
      assert.equal(rig.provider.requests.length, 1)
      open()
      const statuses = (await Promise.all([second, third])).map(({ status }) => status)
      assert.deepEqual(statuses, [200, 200])
      const maxima = rig.provider.requests.map(
        ({ json }) => (json as { max_completion_tokens: number }).max_completion_tokens,
      )
      // Nothing but the limit itself lowers it.
      assert.deepEqual(maxima, [1092, 1082, 1072])
      assert.equal((await first).status, 200)
      assert.deepEqual(toldOf(await rig.send('Hello'))[0]?.spent, 40)
    })

    it('is waited for up to wait_seconds', async (t) => {
      const { rig, first, open } = await occupied(t, { wait_seconds: 0.05 }, audited)
      const part = await rig.send('Hello')
      assert.deepEqual([part.status, part.sent?.body.max_completion_tokens], [200, 60], 'a part is better than none')
      const none = await rig.send({ messages: [{ role: 'user', content: 'word '.repeat(200) }] })
      assert.deepEqual([none.status, none.error?.code], [403, 'budget_exceeded'])
      open()
      await first
    })
  })
}

describe('budget: waiting', () => {
  it('ends when the client leaves', async (t) => {
    const { rig, first, open } = await occupied(t, {})
    const left = await rig.send({ max_tokens: 1050 }, { leaveAfter: looked(rig) })
    assert.equal(left.outcome, 'aborted')
    open()
    await first
    assert.equal(rig.provider.requests.length, 1)
    assert.equal(toldOf(await rig.send('Hello'))[0]?.spent, 20)
  })

  it('does not happen when the amount is spent', async (t) => {
    const rig = await startBudget(t, { ...keyLimit('tokens', 30), wait_seconds: 300 })
    await rig.send('Hello', { reply: chat({ choices: [{ content: 'ok' }], usage: { prompt: 8, completion: 2 } }) })
    // It would wait for longer than a test may take.
    assert.equal((await rig.send('Hello')).status, 403)
  })

  it('can be switched off', async (t) => {
    const { rig, first, open } = await occupied(t, { wait_seconds: 0 })
    const part = await rig.send('Hello')
    assert.deepEqual([part.status, part.sent?.body.max_completion_tokens], [200, 60])
    open()
    await first
  })
})

/** What was sent before has come to the store: it goes round twice. */
async function looked(rig: { url: string; apiKey: string }): Promise<void> {
  const headers = { authorization: `Bearer ${rig.apiKey}` }
  for (let i = 0; i < 3; i++) await (await fetch(`${rig.url}/api/budgets`, { headers })).text()
}
