import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import fc from 'fast-check'
import type { Exchange, Prompt } from 'governed-gateway'
import { promptOf } from '../../../core/engine/dialects/chat-completions/prompt.ts'
import { chat, hang } from '../../../core/testing/index.ts'
import { readLimits } from '../../../plugins/budget/limits.ts'
import type { Entry, Plan } from '../../../plugins/budget/plan.ts'
import { mostPromptTokens, promptTokens } from '../../../plugins/budget/prompt.ts'
import { Queue } from '../../../plugins/budget/queue.ts'
import { ReservationRequest } from '../../../plugins/budget/reservation-request.ts'
import { type Count, loadTokenizer } from '../../../plugins/budget/tokens.ts'
import { gated } from '../../helpers/gated.ts'
import { rounds } from '../../helpers/rounds.ts'
import { keyLimit, startBudget, toldOf } from './rig.ts'

const TEXT = 'The committee approved the minutes of January, and adjourned at a quarter past four. '
const ask = (content: string, more: object = {}) => ({ messages: [{ role: 'user', content }], max_tokens: 50, ...more })

let count: Count
before(async () => {
  count = await loadTokenizer()
})

describe('budget: the most tokens of a prompt', () => {
  const prompt = (content: string): Prompt =>
    promptOf({ model: 'm', messages: [{ role: 'user', content, name: 'Mary' }], tools: [{ type: 'function' }] })

  it('are never fewer than it has', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 3000 }), async (text) => {
        const one = prompt(text)
        assert.ok(mostPromptTokens(one) >= (await promptTokens(one, count)))
      }),
      { numRuns: rounds(100) },
    )
  })

  it('of what came before are summed up once', () => {
    const sums = new Map<string, number>()
    const whole = prompt(TEXT)
    const first = [{ before: undefined, fresh: whole, sums }]
    const most = mostPromptTokens(whole)
    assert.equal(mostPromptTokens({ ...whole, parts: first }), most)
    const gone = { ...whole, texts: [], messages: 0, names: 0, tools: 0 }
    const next = [{ before: { prompt: gone, sums }, fresh: gone, sums: undefined }]
    assert.equal(mostPromptTokens({ ...gone, parts: next }), most)
  })
})

describe('budget: a limit with ample room', () => {
  const silent = chat({ choices: [{ content: 'ok' }] })
  const spentOf = (reply: Parameters<typeof toldOf>[0]) => toldOf(reply)[0]?.spent ?? Number.NaN

  it('holds the most that a prompt can have, and charges what it has', async (t) => {
    const rig = await startBudget(t, keyLimit('tokens', 10_000_000))
    const reserved = async () => {
      const gate = gated(silent)
      const sending = rig.send(ask(TEXT.repeat(20)), { reply: gate.script })
      await gate.arrived
      const [listed] = (await rig.admin('GET', '/api/budgets')).body.budgets as { reserved: number }[]
      gate.open()
      return { reserved: listed?.reserved as number, spent: spentOf(await sending) }
    }
    const exact = await reserved()
    const most = await reserved()
    assert.ok(most.reserved > 2 * exact.reserved, `${most.reserved} after ${exact.reserved}`)
    assert.equal(most.spent, 2 * exact.spent)
    assert.ok(exact.spent < exact.reserved)
  })

  it('charges what the provider tells', async (t) => {
    const rig = await startBudget(t, keyLimit('tokens', 10_000_000))
    const reply = chat({ choices: [{ content: 'ok' }], usage: { prompt: 300, completion: 7 } })
    for (const spent of [307, 614, 921]) assert.equal(spentOf(await rig.send(ask(TEXT), { reply })), spent)
  })

  it('charges the counted prompt of a client that left, long ones too', async (t) => {
    const rig = await startBudget(t, keyLimit('tokens', 100_000_000))
    const leave = async (content: string) => {
      const arrived = rig.provider.next()
      await rig.send(ask(content), { reply: hang(), leaveAfter: arrived })
    }
    const reply = chat({ choices: [{ content: 'ok' }], usage: { prompt: 1, completion: 0 } })
    const spent = async () => spentOf(await rig.send(ask('Hello'), { reply }))
    const content = TEXT.repeat(60)
    await leave(content)
    const first = await spent()
    await leave(`${content}!`)
    const second = (await spent()) - first
    const counted = await promptTokens(promptOf(ask(content) as never), count)
    assert.ok(Math.abs(first - counted) < 3 && Math.abs(second - counted) < 4, `${first}, ${second} of ${counted}`)
  })
})

describe('budget: what does not fit by its most', () => {
  const limits = readLimits(keyLimit('tokens', 1000, { id: 'own' }) as never)
  const entries: Entry[] = limits.map((limit) => ({ limit, subject: 'tester', key: 'own/tester' }))
  const plan: Plan = {
    prompt: 800,
    choices: 1,
    most: 50,
    least: 16,
    rate: { input: 0, cached: 0, cacheWrite: 0, cacheWriteHour: 0, output: 0 },
  }
  const x = { request: { stream: false }, signal: new AbortController().signal } as Exchange
  const refusal = { key: 'own/tester', spent: 0, left: 300, resetsAt: null } as never

  for (const slow of [false, true]) {
    it(`is counted and asked for again, even without waiting (in turns: ${slow})`, async () => {
      let counted = 0
      const countPrompt = () => {
        counted++
        return slow ? Promise.resolve(200) : 200
      }
      const claim = new ReservationRequest(x, { entries, plan, countPrompt, queue: new Queue(), maxWaitMs: 0 })
      assert.partialDeepStrictEqual(claim.scopes, [{ amount: 850, least: 850 }], 'all or nothing')
      assert.partialDeepStrictEqual(await claim.again(refusal), [{ amount: 250, least: 216 }])
      assert.equal(claim.plan.prompt, 200)
      assert.equal(await claim.again(refusal), undefined)
      assert.equal(counted, 1)
    })
  }
})
