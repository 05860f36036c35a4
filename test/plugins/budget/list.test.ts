import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Faults } from '../../core/services/audit/faults.ts'
import { temporaryFolder } from '../../helpers/folder.ts'
import {
  ADMIN_KEY,
  asking,
  bearer,
  LIMITED_KEY,
  post,
  setup,
  type TestGateway,
  USER_KEY,
} from '../../helpers/gateway.ts'

const LIMITS = [
  { scope: 'key', unit: 'requests', limit: 10, window: 'day' },
  { scope: 'team', unit: 'tokens', limit: 1000, window: 'month' },
  { scope: 'model', unit: 'usd', limit: 2.5, window: { rolling: '24h' }, match: ['gpt-*'] },
  { scope: 'global', unit: 'requests', limit: 0, window: 'hour', id: 'closed' },
]
const prices = [{ model: '*', input: 100, output: 1000 }]

async function list(gateway: TestGateway, key: string) {
  const reply = await fetch(`${gateway.url}/api/budgets`, { headers: bearer(key) })
  assert.equal(reply.status, 200)
  return ((await reply.json()) as { budgets: Record<string, unknown>[] }).budgets
}

describe('budget: GET /api/budgets', () => {
  it('shows an admin every meter that was used', async (t) => {
    const options = { limits: LIMITS.slice(0, 3), prices }
    const { gateway } = await setup(t, { plugins: [{ use: 'budget', options }] })
    for (let i = 0; i < 2; i++) await (await post(gateway)).text()
    await (await post(gateway, asking(), { headers: bearer(LIMITED_KEY) })).text()
    const listed = await list(gateway, ADMIN_KEY)
    assert.deepEqual(
      listed.map(({ id, subject, spent, left }) => [id, subject, spent, left]),
      [
        ['key_requests_day', 'limited', 1, 9],
        ['key_requests_day', 'user', 2, 8],
        ['model_usd_24h', 'gpt-test', 0.0117, 2.4883],
      ],
    )
    const [{ resets_at: resetsAt, ...first } = {}] = listed
    assert.deepEqual(first, {
      ...{ id: 'key_requests_day', scope: 'key', subject: 'limited', unit: 'requests', window: 'day' },
      ...{ limit: 10, spent: 1, reserved: 0, left: 9 },
    })
    assert.match(String(resetsAt), /^\d{4}-\d\d-\d\dT00:00:00\.000Z$/)
  })

  it('shows others only their own key and team, used or not', async (t) => {
    const config = {
      keys: [
        { id: 'web-1', key: USER_KEY, team: 'web' },
        { id: 'ops', key: ADMIN_KEY, admin: true },
      ],
    }
    const { gateway } = await setup(t, { plugins: [{ use: 'budget', options: { limits: LIMITS, prices } }], config })
    const listed = await list(gateway, USER_KEY)
    assert.deepEqual(
      listed.map(({ id, subject, spent, left }) => [id, subject, spent, left]),
      [
        ['key_requests_day', 'web-1', 0, 10],
        ['team_tokens_month', 'web', 0, 1000],
      ],
    )
    assert.deepEqual(await list(gateway, ADMIN_KEY), [])
    const unknown = await fetch(`${gateway.url}/api/budgets`)
    assert.equal(unknown.status, 401)
  })

  it('reports that the store is unavailable', async (t) => {
    const faults = new Faults(t)
    const config = { store: `file:${temporaryFolder()}` }
    const { gateway } = await setup(t, { plugins: [{ use: 'budget', options: { limits: LIMITS, prices } }], config })
    for (const key of [USER_KEY, ADMIN_KEY]) {
      faults.begin('before', 'inspect', 'recent')
      const away = await fetch(`${gateway.url}/api/budgets`, { headers: bearer(key) })
      const { error } = (await away.json()) as { error: { code: string; message: string } }
      assert.deepEqual([away.status, error.code], [503, 'store_unavailable'])
      assert.doesNotMatch(error.message, /The test took/)
      faults.end()
      await list(gateway, key)
    }
  })
})
