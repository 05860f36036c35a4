import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { apiError, chat } from '../../../core/testing/index.ts'
import { dollarsOf } from '../../../plugins/budget/plan.ts'
import { asking, bearer, post, setup, USER_KEY } from '../../helpers/gateway.ts'
import { keyLimit, startBudget, toldOf } from './rig.ts'

const usage = (prompt: number, completion: number) => ({
  choices: [{ content: 'Fine' }],
  usage: { prompt, completion },
})
const price = { model: 'gpt-test', input: 2, cached_input: 0.5, output: 8 }

describe('budget: dollars', () => {
  for (const stream of [false, true]) {
    it(`charges tokens at their prices (stream: ${stream})`, async (t) => {
      const rig = await startBudget(t, { ...keyLimit('usd', 1), prices: [price] })
      const { service } = await rig.send('Hello', { stream, reply: usage(1000, 500) })
      assert.equal(toldOf({ service })[0]?.spent, 0.006)
    })

    it(`lowers the maximum to the affordable tokens (stream: ${stream})`, async (t) => {
      const rig = await startBudget(t, { ...keyLimit('usd', 0.000816), prices: [price] })
      const { sent } = await rig.send('Hello', { stream, reply: usage(8, 1) })
      assert.equal(sent?.body.max_completion_tokens, 100, '8 × 2 + 100 × 8 = 816 millionths')
    })
  }

  it('charges tokens of the cache at their prices, those of the model that was sent', async (t) => {
    const dear = { model: 'gpt-dear', input: 100, output: 100 }
    const rig = await startBudget(t, { ...keyLimit('usd', 1), prices: [price, dear] })
    const body = {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'gpt-dear',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: 1000,
        completion_tokens: 0,
        prompt_tokens_details: { cached_tokens: 700, cache_write_tokens: 100 },
      },
    }
    const reply = ({
      response,
    }: {
      response: { writeHead: (...a: unknown[]) => void; end: (text: string) => void }
    }) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    const { service } = await rig.send('Hello', { reply: reply as never })
    assert.equal(toldOf({ service })[0]?.spent, (200 * 2 + 700 * 0.5 + 100 * 2.5) / 1e6)
  })

  it('charges no token twice if a provider reports more of the cache than of the prompt', () => {
    const rate = { input: 1, cached: 0.1, cacheWrite: 1.25, cacheWriteHour: 2, output: 0 }
    const tokens = { prompt: 1000, completion: 0, cached: 600, cacheWrite: 600, cacheWriteHour: 9000 }
    assert.equal(dollarsOf(rate, tokens), (600 * 0.1 + 400 * 2) / 1e6)
  })

  it('refuses a model without a price, and says how to add one', async (t) => {
    const rig = await startBudget(t, keyLimit('usd', 1))
    const { status, error, sent } = await rig.send('Hello')
    assert.deepEqual([status, error?.code, sent], [403, 'unknown_price', undefined])
    assert.match(String(error?.message), /No price is known of the model 'gpt-test' at the upstream 'provider'/)
    assert.match(String(error?.message), /prices: \[\{ model: "gpt-test", upstream: provider, input: …, output: … \}\]/)
    const known = await rig.send({ model: 'gpt-4o' }, { reply: usage(1000, 1000) })
    assert.equal(toldOf(known)[0]?.spent, 0.0125)
  })

  it('tells the model of a refusal only while it is a plain name', async (t) => {
    const rig = await startBudget(t, keyLimit('usd', 1))
    for (const model of ['gpt-jane@example.org', 'gpt-sk-proj-Q3EGRIXTNO5ZKLPVw9', 'gpt-4111111111111111']) {
      const { status, error, events } = await rig.send({ model })
      assert.deepEqual([status, error?.code], [403, 'unknown_price'])
      assert.match(String(error?.message), /of the model '…' at/)
      assert.ok(!JSON.stringify([error, events]).includes(model))
    }
  })

  it('charges nothing with unknown_price: allow', async (t) => {
    const rig = await startBudget(t, { ...keyLimit('usd', 1), unknown_price: 'allow' })
    const { status, service } = await rig.send('Hello')
    assert.deepEqual([status, toldOf({ service })[0]?.spent], [200, 0])
  })

  it('reserves for the most expensive upstream, and charges for the one that answered', async (t) => {
    const options = {
      ...keyLimit('usd', 1),
      prices: [
        { model: '*', upstream: 'cheap', input: 1, output: 1 },
        { model: 'dear-*', upstream: 'scripted', input: 100, output: 100 },
      ],
    }
    const dear = await setup(t, {})
    const { provider, gateway } = await setup(t, {
      plugins: [{ use: 'budget', options }],
      config: {
        upstreams: { cheap: { url: dear.provider.url } },
        routes: [{ model: '*', to: ['scripted', 'cheap'], rename: 'dear-model' }],
      },
    })
    provider.reply(apiError(503))
    dear.provider.reply(chat(usage(10, 10)))
    const { service } = (await (await post(gateway, asking())).json()) as { service: { budget: { spent: number }[] } }
    assert.equal(service.budget[0]?.spent, 20 / 1e6)
    provider.reply(chat(usage(10, 10)))
    const second = (await (await post(gateway, asking())).json()) as { service: { budget: { spent: number }[] } }
    assert.equal(second.service.budget[0]?.spent, (20 + 2000) / 1e6)
    const listed = await fetch(`${gateway.url}/api/budgets`, { headers: bearer(USER_KEY) })
    assert.equal(listed.status, 200)
  })
})
