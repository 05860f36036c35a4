import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN_KEY, asking, bearer, LIMITED_KEY, setup, type TestGateway, USER_KEY } from '../../helpers/gateway.ts'
import { rounds } from '../../helpers/rounds.ts'
import { CountingProvider, Crowd, PROMPT } from './load.ts'

/** `npm test` has smaller crowds. */
const MANY = Math.max(160, rounds(400))
const MIXED = Math.max(240, rounds(1000))
const CROWD = Math.max(125, rounds(500))

interface Listed {
  id: string
  subject: string
  spent: number
  reserved: number
  left: number
}

async function budgets(gateway: TestGateway): Promise<Listed[]> {
  const reply = await fetch(`${gateway.url}/api/budgets`, { headers: bearer(ADMIN_KEY) })
  return ((await reply.json()) as { budgets: Listed[] }).budgets
}

const plugins = (limits: object[]) => [{ use: 'budget', options: { limits } }]
const inKeys = { scope: 'key', window: 'month' }

for (const stream of [false, true]) {
  const most = MANY / 4
  test(`of ${MANY} requests at once against ${most} exactly ${most} are sent (stream: ${stream})`, async (t) => {
    const began = Date.now()
    const limits = [{ ...inKeys, unit: 'requests', limit: most }]
    const { provider, gateway } = await setup(t, { plugins: plugins(limits) })
    provider.otherwise(new CountingProvider(() => ({ tokens: 3 })).script)
    const crowd = new Crowd(gateway, USER_KEY, most)
    t.after(() => crowd.close())
    const replies = await Promise.all(Array.from({ length: MANY }, () => crowd.send(asking('Hello', { stream }))))
    assert.equal(provider.requests.length, most)
    assert.equal(replies.filter(({ status }) => status === 200).length, most)
    const refused = replies.filter(({ status }) => status === 403)
    assert.equal(refused.length, MANY - most)
    const { error } = JSON.parse(refused[0]?.text ?? '')
    assert.deepEqual([error.type, error.code], ['policy_block', 'budget_exceeded'])
    assert.deepEqual([error.limit, error.scope, error.unit, error.left], [most, 'key', 'requests', 0])
    assert.ok(Date.parse(error.resets_at) > began)
  })

  for (const [what, asked] of [
    ['with a maximum', { max_tokens: 200 }],
    ['without a maximum', {}],
  ] as const) {
    test(`of ${CROWD} at once ${what} no token is used over the limit, and hardly one is left (stream: ${stream})`, async (t) => {
      const LIMIT = Math.min(15_000, 60 * CROWD)
      const { provider, gateway } = await setup(t, { plugins: plugins([{ ...inKeys, unit: 'tokens', limit: LIMIT }]) })
      let count = 0
      const counting = new CountingProvider(() => ({ tokens: 20 + ((count++ * 37) % 160) }))
      provider.otherwise(counting.script)
      const crowd = new Crowd(gateway, USER_KEY, 200)
      t.after(() => crowd.close())
      const body = asking('Hello', { stream, ...asked })
      const replies = await Promise.all(Array.from({ length: CROWD }, () => crowd.send(body)))
      const used = counting.used.get('') ?? 0
      assert.ok(replies.some(({ status }) => status === 403))
      assert.ok(used <= LIMIT, `${used} tokens were used`)
      assert.ok(used >= LIMIT - 300, `${used} tokens were used`)
      const [listed] = await budgets(gateway)
      assert.deepEqual([listed?.spent, listed?.reserved], [used, 0])
    })
  }
}

test(`after ${MIXED} mixed requests the books are those of the provider`, async (t) => {
  const limits = [
    { ...inKeys, unit: 'tokens', limit: 100_000_000 },
    { ...inKeys, unit: 'requests', limit: 100_000_000 },
  ]
  const { provider, gateway } = await setup(t, { plugins: plugins(limits) })
  const conducts = new Map([
    ['told', { tokens: 30 }],
    ['untold', { tokens: 30, usage: false }],
    ['failed', { tokens: 0, status: 500 }],
    ['left', { tokens: 20, hangs: true }],
  ])
  const counting = new CountingProvider(({ user = '' }) => conducts.get(user.split('-')[0] ?? '') ?? { tokens: 1 })
  provider.otherwise(counting.script)
  const exact = new Crowd(gateway, USER_KEY)
  const counted = new Crowd(gateway, LIMITED_KEY)
  t.after(() => Promise.all([exact.close(), counted.close()]))
  const isLast = (text: string) => text.split('"content"').length > 20
  const work = Array.from({ length: MIXED }, (_, i) => () => {
    const stream = i % 4 >= 2
    if (i % 25 === 0) return exact.send(asking('Hello', { stream, user: 'failed' }))
    if (i % 25 === 1) return counted.leave(asking('Hello', { stream: true, user: 'left' }), isLast)
    if (i % 5 === 2) return counted.send(asking('Hello', { stream, user: 'untold' }))
    return exact.send(asking('Hello', { stream, user: 'told' }))
  })
  await inParallel(work, 100)
  await provider.idle()
  const listed = await budgets(gateway)
  const spent = (id: string, subject: string) =>
    listed.find((one) => one.id === id && one.subject === subject)?.spent ?? Number.NaN
  assert.equal(spent('key_tokens_month', 'user'), counting.used.get('told'))
  assert.equal(spent('key_requests_month', 'user'), (counting.used.get('told') ?? 0) / (PROMPT + 30))
  const own = (counting.used.get('untold') ?? 0) + (counting.used.get('left') ?? 0)
  const ours = spent('key_tokens_month', 'limited')
  assert.ok(Math.abs(ours - own) <= own * 0.05, `${ours} booked, ${own} used`)
  assert.ok(listed.every(({ reserved }) => reserved === 0))
})

async function inParallel(work: readonly (() => Promise<unknown>)[], width: number): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < work.length) await work[next++]?.()
  }
  await Promise.all(Array.from({ length: width }, lane))
}
