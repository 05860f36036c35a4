import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { startPlugin } from '../../../core/testing/index.ts'
import budget from '../../../plugins/budget/index.ts'
import { startBudget } from './rig.ts'

const DAY = { scope: 'key', unit: 'requests', limit: 2, window: 'day' }

describe('budget: topped up and reset by an admin', () => {
  it('has room again until its window ends', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2027-01-01T12:00:00Z') })
    const rig = await startBudget(t, { limits: [DAY] })
    const outcome = async () => (await rig.send('Hello')).outcome
    assert.deepEqual([await outcome(), await outcome(), await outcome()], ['completed', 'completed', 'blocked'])
    const meter = { id: 'key_requests_day', subject: 'tester' }
    const more = await rig.admin('POST', '/api/budgets/top-up', { ...meter, amount: 1 })
    assert.deepEqual([more.status, more.body.limit, more.body.spent, more.body.left], [200, 3, 2, 1])
    assert.deepEqual([await outcome(), await outcome()], ['completed', 'blocked'])
    const reset = await rig.admin('POST', '/api/budgets/reset', meter)
    assert.deepEqual([reset.body.spent, reset.body.left], [3, 2], 'what was used stays counted')
    assert.deepEqual([await outcome(), await outcome(), await outcome()], ['completed', 'completed', 'blocked'])
    const [listed] = (await rig.admin('GET', '/api/budgets')).body.budgets as Record<string, unknown>[]
    assert.deepEqual([listed?.limit, listed?.spent, listed?.left], [5, 5, 0])
    t.mock.timers.setTime(Date.parse('2027-01-02T00:00:00Z'))
    assert.deepEqual([await outcome(), await outcome(), await outcome()], ['completed', 'completed', 'blocked'])
    const told = rig.events.filter(({ type }) => type === 'budget.adjusted')
    assert.deepEqual(
      told.map(({ action, amount, changed_by }) => [action, amount, changed_by]),
      [
        ['top_up', 1, 'admin'],
        ['reset', 3, 'admin'],
      ],
    )
  })

  it('refuses unknown budgets and odd amounts', async (t) => {
    const rig = await startBudget(t, { limits: [{ ...DAY, match: ['tester'] }] })
    const meter = { id: 'key_requests_day', subject: 'tester' }
    for (const [path, body] of [
      ['top-up', { ...meter, amount: 0.5 }],
      ['top-up', { ...meter, amount: -1 }],
      ['top-up', meter],
      ['top-up', { ...meter, id: 'other', amount: 1 }],
      ['reset', { ...meter, subject: 'nobody' }],
      ['reset', { ...meter, more: 1 }],
    ] as const) {
      const { status } = await rig.admin('POST', `/api/budgets/${path}`, body)
      assert.equal(status, 400, JSON.stringify(body))
    }
    assert.deepEqual(
      rig.events.filter(({ type }) => type === 'budget.adjusted'),
      [],
    )
  })
})

describe('budget: limits of keys and teams', () => {
  const start = async (t: TestContext) => {
    const rig = await startPlugin(budget, { with: ['flags', 'keys'], key: { team: 'blue' } })
    t.after(() => rig.close())
    return rig
  }
  const as = (key: unknown) => ({ headers: { authorization: `Bearer ${key}` } })

  it('hold for the key, from the next request on', async (t) => {
    const rig = await start(t)
    const limits = [{ unit: 'tokens', limit: 60, window: 'day' }]
    const { key } = (await rig.admin('POST', '/api/keys', { id: 'app', limits })).body
    const first = await rig.send({ max_tokens: 20 }, as(key))
    assert.equal(first.outcome, 'completed')
    const [told] = (first.service?.budget ?? []) as Record<string, unknown>[]
    assert.deepEqual([told?.id, told?.limit], ['key:tokens_day', 60])
    const listed = (await rig.admin('GET', '/api/budgets')).body.budgets as Record<string, unknown>[]
    assert.deepEqual(
      listed.map(({ id, subject, spent }) => [id, subject, spent]),
      [['key:tokens_day', 'app', told?.spent]],
    )
    await rig.admin('PATCH', '/api/keys/app', { limits: [{ unit: 'tokens', limit: 1, window: 'day' }] })
    assert.equal((await rig.send('Hello', as(key))).error?.code, 'budget_exceeded')
    await rig.admin('PATCH', '/api/keys/app', { limits: null })
    assert.equal((await rig.send('Hello', as(key))).outcome, 'completed')
  })

  it('hold for a team, keys of the config included', async (t) => {
    const rig = await start(t)
    const put = await rig.admin('PUT', '/api/teams/blue', { limits: [{ unit: 'requests', limit: 1, window: 'day' }] })
    assert.equal(put.status, 200)
    const { key } = (await rig.admin('POST', '/api/keys', { id: 'app', team: 'blue' })).body
    assert.equal((await rig.send('Hello', as(key))).outcome, 'completed')
    assert.equal((await rig.send('Hello')).outcome, 'blocked')
    const { teams } = (await rig.admin('GET', '/api/teams')).body as { teams: { name: string; keys: number }[] }
    assert.deepEqual(
      teams.map(({ name, keys }) => [name, keys]),
      [['blue', 2]],
    )
    await rig.admin('DELETE', '/api/teams/blue')
    assert.equal((await rig.send('Hello')).outcome, 'completed')
  })
})
