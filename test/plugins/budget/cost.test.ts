/** What an exchange cost, in its last event. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { chunks, hang, json, stream } from '../../../core/testing/index.ts'
import { keyLimit, policy, startBudget } from './rig.ts'

const PRICES = { prices: [{ model: 'gpt-test', input: 2, cached_input: 0.5, output: 8 }] }
const TOKENS = keyLimit('tokens', 1_000_000)
const reply = { choices: [{ content: 'Fine' }], usage: { prompt: 1001, completion: 500 } }

type Rig = Awaited<ReturnType<typeof startBudget>>
const started = (t: TestContext, options: object, setup = {}): Promise<Rig> =>
  startBudget(t, { ...PRICES, ...options }, setup)

const ENDS = /^(request\.(completed|blocked|rejected)|response\.blocked|stream\.aborted|upstream\.failed)$/
/** Types and costs of the last events, in order. */
const told = ({ events }: Rig): unknown[][] =>
  events.filter(({ type }) => ENDS.test(type)).map(({ type, cost }) => [type, cost])

for (const streamed of [false, true]) {
  describe(`budget: cost of an exchange (stream: ${streamed})`, () => {
    for (const unit of ['usd', 'tokens']) {
      it(`is reported with a limit in ${unit}`, async (t) => {
        const rig = await started(t, keyLimit(unit, 1000))
        if (unit === 'tokens')
          await rig.send('Hello', { stream: streamed, reply: { ...reply, usage: { prompt: 1, completion: 1 } } })
        else await rig.send('Hello', { stream: streamed, reply })
        assert.deepEqual(told(rig), [['request.completed', unit === 'tokens' ? 0.00001 : 0.006002]])
      })
    }

    it('covers estimated tokens when the provider reports none', async (t) => {
      const rig = await started(t, TOKENS)
      await rig.send('Hello', { stream: streamed, reply: { choices: [{ content: 'one two' }], usage: null } })
      assert.deepEqual(told(rig), [['request.completed', (8 * 2 + 2 * 8) / 1e6]])
    })

    it('is reported without token limits when the client asked for usage', async (t) => {
      const rig = await started(t, keyLimit('requests', 10))
      const more = streamed ? { stream_options: { include_usage: true } } : {}
      await rig.send(more, { stream: streamed, reply })
      assert.deepEqual(told(rig), [['request.completed', 0.006002]])
    })

    it('is the prompt when the client leaves before a reply', async (t) => {
      const rig = await started(t, TOKENS)
      await rig.send('Hello', { stream: streamed, reply: hang(), leaveAfter: rig.provider.next() })
      assert.deepEqual(told(rig), [['stream.aborted', 0.000016]])
    })

    it('is reported for a blocked reply, not for a blocked request', async (t) => {
      const rig = await started(t, TOKENS, { with: ['flags', policy('both')] })
      await rig.send('forbidden', { stream: streamed, reply })
      await rig.send('Hello', { stream: streamed, reply: { choices: [{ content: 'forbidden' }], usage: null } })
      const [asked, answered] = told(rig)
      assert.deepEqual(asked, ['request.blocked', undefined])
      assert.equal(answered?.[0], 'response.blocked')
      assert.ok((answered?.[1] as number) > 0.000016)
    })

    it('is not reported for a model without a price, nor for an error', async (t) => {
      const rig = await started(t, { ...TOKENS, prices: [] })
      await rig.send('Hello', { stream: streamed, reply })
      const priced = await started(t, TOKENS)
      await priced.send('Hello', { stream: streamed, reply: json({ error: { message: 'Busy' } }) })
      assert.deepEqual(
        [told(rig), told(priced)],
        [[['request.completed', undefined]], [['upstream.failed', undefined]]],
      )
    })
  })
}

describe('budget: cost of a stream', () => {
  it('covers the received part when the stream breaks off', async (t) => {
    const rig = await started(t, TOKENS)
    const cut = stream(chunks({ choices: [{ content: 'one two red cat' }] }).slice(0, 4), { end: 'close', done: false })
    await rig.send('Hello', { stream: true, reply: cut })
    const [[type, cost] = []] = told(rig)
    assert.equal(type, 'upstream.failed')
    assert.ok((cost as number) > 0.000016 && (cost as number) <= 0.000016 + 4 * 0.000008)
  })

  it('counts what the provider had in its cache at its price', async (t) => {
    const rig = await started(t, TOKENS)
    const usage = { prompt_tokens: 1000, completion_tokens: 0, prompt_tokens_details: { cached_tokens: 800 } }
    const [first, ...rest] = chunks({ choices: [{ content: 'Hi' }], usage: { prompt: 1000, completion: 0 } })
    const last = { ...(rest.pop() as object), usage }
    await rig.send('Hello', { stream: true, reply: stream([first, ...rest, last] as never) })
    assert.deepEqual(told(rig), [['request.completed', (200 * 2 + 800 * 0.5) / 1e6]])
  })
})

describe('a cost', () => {
  it('is an amount of money', async () => {
    const { ReplySide } = await import('../../../core/engine/exchange/reply.ts')
    const side = new ReplySide({} as never, () => {})
    for (const wrong of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.throws(() => side.bill(wrong), { code: 'GW_PLUGIN_CONTRACT' })
    }
    assert.equal(side.cost, undefined)
    side.bill(0)
    assert.equal(side.cost, 0)
  })
})
