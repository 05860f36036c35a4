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

  for (const window of ['day', { rolling: '24h' }] as const) {
    it(`is topped up before its first use: ${JSON.stringify(window)}`, async (t) => {
      const rig = await startBudget(t, { limits: [{ ...DAY, id: 'mine', window }] })
      const body = { id: 'mine', subject: 'tester', amount: 1 }
      const { status, body: told } = await rig.admin('POST', '/api/budgets/top-up', body)
      assert.deepEqual([status, told.limit, told.spent, told.left], [200, 3, 0, 3])
      const [listed] = (await rig.admin('GET', '/api/budgets')).body.budgets as Record<string, unknown>[]
      assert.deepEqual([listed?.subject, listed?.limit, listed?.left], ['tester', 3, 3])
      const outcomes: string[] = []
      for (let i = 0; i < 4; i++) outcomes.push((await rig.send('Hello')).outcome)
      assert.deepEqual(outcomes, ['completed', 'completed', 'completed', 'blocked'])
    })
  }

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

describe('budget: a body that is wrong', () => {
  it('is 400 and names the member', async (t) => {
    const limits = [
      { ...DAY, id: 'mine', match: ['test*'] },
      { ...DAY, id: 'all', scope: 'global' },
    ]
    const rig = await startBudget(t, { limits })
    const mine = { id: 'mine', subject: 'tester', amount: 1 }
    const cases: [object, string][] = [
      [{ ...mine, subject: undefined }, 'subject'],
      [{ ...mine, subject: 7 }, 'subject'],
      [{ ...mine, subject: '' }, 'subject'],
      [{ ...mine, subject: 'nobody' }, 'subject'],
      [{ ...mine, id: 'all' }, 'subject'],
      [{ ...mine, id: 'other' }, 'id'],
      [{ ...mine, id: undefined }, 'id'],
      [{ ...mine, amount: undefined }, 'amount'],
      [{ ...mine, amount: '1' }, 'amount'],
      [{ ...mine, amount: 1e308 }, 'amount'],
      [{ ...mine, amount: 0.5 }, 'amount'],
      [{ ...mine, amount: -1 }, 'amount'],
      [{ ...mine, amout: 1 }, 'amout'],
    ]
    for (const [body, param] of cases) {
      const reply = await rig.admin('POST', '/api/budgets/top-up', body)
      const error = reply.body.error as { param: string; message: string }
      assert.deepEqual([reply.status, error.param], [400, param], JSON.stringify(body))
      assert.match(error.message, new RegExp(param === 'id' ? 'id|no such budget' : `${param}|match`))
    }
  })

  it('has a note if nobody of that name is known, as after a typing error', async (t) => {
    const rig = await startBudget(t, { limits: [{ ...DAY, id: 'mine' }] })
    const topUp = (subject: string) => rig.admin('POST', '/api/budgets/top-up', { id: 'mine', subject, amount: 1 })
    const stranger = await topUp('testre')
    assert.deepEqual([stranger.status, stranger.body.limit], [200, 3])
    assert.match(String(stranger.body.note), /no key has it: check subject/)
    assert.equal((await topUp('tester')).body.note, undefined)
  })
})

describe('budget: whose meter is changed', () => {
  it('is never guessed: only a limit for all needs no subject', async (t) => {
    const limits = [
      { ...DAY, id: 'mine' },
      { ...DAY, id: 'all', scope: 'global' },
    ]
    const rig = await startBudget(t, { limits })
    for (const [path, more] of [
      ['top-up', { amount: 1 }],
      ['reset', {}],
    ] as const) {
      const { status, body } = await rig.admin('POST', `/api/budgets/${path}`, { id: 'mine', ...more })
      assert.deepEqual([status, (body.error as Record<string, unknown>).param], [400, 'subject'])
      assert.equal((await rig.admin('POST', `/api/budgets/${path}`, { id: 'all', ...more })).status, 200)
    }
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

  it('can be topped up before their first use', async (t) => {
    const rig = await start(t)
    const limits = [{ unit: 'requests', limit: 1, window: 'day' }]
    const { key } = (await rig.admin('POST', '/api/keys', { id: 'app', team: 'blue', limits })).body
    await rig.admin('PUT', '/api/teams/blue', { limits })
    for (const [id, subject] of [
      ['key:requests_day', 'app'],
      ['team:requests_day', 'blue'],
    ]) {
      const more = await rig.admin('POST', '/api/budgets/top-up', { id, subject, amount: 1 })
      assert.deepEqual([more.status, more.body.limit, more.body.left], [200, 2, 2])
    }
    const listed = (await rig.admin('GET', '/api/budgets')).body.budgets as Record<string, unknown>[]
    assert.deepEqual(
      listed.map(({ id, limit }) => [id, limit]),
      [
        ['key:requests_day', 2],
        ['team:requests_day', 2],
      ],
    )
    const outcomes: string[] = []
    for (let i = 0; i < 3; i++) outcomes.push((await rig.send('Hello', as(key))).outcome)
    assert.deepEqual(outcomes, ['completed', 'completed', 'blocked'])
    const unknown = await rig.admin('POST', '/api/budgets/top-up', { id: 'key:usd_day', subject: 'app', amount: 1 })
    assert.equal(unknown.status, 400)
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
