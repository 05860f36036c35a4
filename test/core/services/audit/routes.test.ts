import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { GovernanceEvent, Route } from '../../../../core/engine/contract/plugin.ts'
import { AUDIT } from '../../../../core/services/audit/audit-log.ts'
import { storeTrail } from '../../../../core/services/audit/reader.ts'
import { auditRoutes } from '../../../../core/services/audit/routes.ts'
import { openStore } from '../../../../core/services/store/open.ts'
import { type Plugin, running, spec } from '../../../helpers/core.ts'
import { ADMIN_KEY, asking, bearer, post, setup } from '../../../helpers/gateway.ts'
import { send } from '../../../helpers/http.ts'

/** Reads the audit log, so that events are durable. */
const READER = {
  ...spec({}, 'reader'),
  create: (_: unknown, services: { auditLog(): unknown }) => {
    services.auditLog()
    return {}
  },
}

interface Answer {
  events: GovernanceEvent[]
  next_cursor: string | null
  durable: boolean
}

async function audited(t: TestContext, plugins: readonly Plugin[] = []) {
  const specs = [READER as never, ...plugins.map((plugin) => spec(plugin, plugin.name ?? 'p'))]
  const parts = await setup(t, {
    plugins: specs.map(({ name }) => ({ use: name })),
    specs: new Map(specs.map((one) => [one.name, one])),
  })
  const get = async (query = '', key = ADMIN_KEY) => {
    const reply = await send(`${parts.gateway.url}/api/audit${query}`, { method: 'GET', headers: bearer(key) })
    return { status: reply.status, body: JSON.parse(await reply.text()) as Answer & { error: Record<string, string> } }
  }
  const list = async (query = '') => (await get(query)).body.events.map(({ type }) => type)
  return { ...parts, get, list }
}

const ask = async (parts: { gateway: Parameters<typeof post>[0] }, more: object = {}) =>
  (await post(parts.gateway, asking('Hello', more))).text()

describe('GET /api/audit', () => {
  it('lists events, newest first, by pages', async (t) => {
    const parts = await audited(t)
    for (const model of ['m-1', 'm-2', 'm-3']) await ask(parts, { model })
    const { body } = await parts.get('?limit=2')
    assert.deepEqual(
      body.events.map(({ model }) => model),
      ['m-3', 'm-2'],
    )
    assert.equal(body.durable, true)
    const rest = await parts.get(`?limit=2&cursor=${body.next_cursor}`)
    assert.deepEqual(
      rest.body.events.map(({ type }) => type),
      ['request.completed', 'service.started'],
    )
    const end = await parts.get(`?cursor=${rest.body.next_cursor}`)
    assert.deepEqual([end.body.events, end.body.next_cursor], [[], null])
  })

  it('filters', async (t) => {
    const parts = await audited(t, [
      {
        apply: (hooks) =>
          hooks.block.tap('p', (x) => {
            if (x.request.model === 'm-2') x.emit('policy.would_block', { policy: 'p', reason: 'no' })
          }),
      },
    ])
    for (const model of ['m-1', 'm-2', 'm-3']) await ask(parts, { model })
    assert.deepEqual(await parts.list('?type=policy.would_block,budget.exceeded'), ['policy.would_block'])
    assert.deepEqual(await parts.list('?severity=block,detection'), ['policy.would_block'])
    assert.deepEqual(await parts.list('?model=m-3'), ['request.completed'])
    assert.deepEqual(await parts.list('?key_id=user&model=m-2'), ['request.completed', 'policy.would_block'])
    assert.deepEqual(await parts.list('?key_id=other'), [])
    assert.deepEqual(await parts.list('?since=1h&model=m-1'), ['request.completed'])
    assert.deepEqual(await parts.list('?until=1h'), [])
    assert.deepEqual(await parts.list('?since=2999-01-01'), [])
    const { body } = await parts.get('?model=m-1')
    const [event] = body.events
    assert.deepEqual(await parts.list(`?request_id=${event?.request_id}`), ['request.completed'])
    assert.deepEqual(await parts.list(`?since=${event?.time}&until=2999-01-01&model=m-1`), ['request.completed'])
  })

  it('finds what is new behind what is old: a process writes late what waited while the store was away', async (t) => {
    const store = await openStore('memory', { instance: 'gw-1' })
    t.after(() => store.close())
    const route = auditRoutes(storeTrail(store, AUDIT), () => true)[0] as Route
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
    const append = (id: string, time: string) => store.append(AUDIT, [{ id, type: 'request.completed', time }])
    for (let i = 0; i < 3; i++) await append(`one-${i}`, at(9 - i))
    for (let i = 0; i < 1500; i++) await append(`two-${i}`, at(30 + i / 10))
    await append('live', at(0))
    const query = new URLSearchParams('since=20m&limit=200')
    const { body } = (await route.handle({ query } as never)) as unknown as { body: Answer }
    assert.deepEqual([body.events.map(({ id }) => id), body.next_cursor], [['live', 'one-2', 'one-1', 'one-0'], null])
  })

  it('names every parameter that is wrong', async (t) => {
    const parts = await audited(t)
    const { status, body } = await parts.get('?limit=500&severity=loud&since=yesterday&colour=red&cursor=x')
    assert.equal(status, 400)
    assert.equal(body.error.code, 'validation_error')
    for (const name of ['limit', 'severity', 'since', 'colour', 'cursor']) {
      assert.match(String(body.error.message), new RegExp(`\\b${name}: expected`))
    }
    for (const query of [
      '?limit=0',
      '?limit=1e1',
      '?type=',
      '?limit=1&limit=2',
      '?model=',
      '?until=1x',
      '?since=2026-02-30',
      '?until=2026-13-01T10:00:00Z',
      '?cursor=e30x',
    ]) {
      assert.equal((await parts.get(query)).status, 400, query)
    }
  })

  it('is for admins', async (t) => {
    const parts = await audited(t)
    const reply = await send(`${parts.gateway.url}/api/audit`, { method: 'GET' })
    assert.equal(reply.status, 401)
    await reply.text()
    assert.equal((await parts.get('', 'sk-test-user-key-0123456789')).status, 403)
  })

  it('says when nothing is kept', async (t) => {
    const { gateway } = await running(t, [{}])
    await (await post(gateway)).text()
    const reply = await send(`${gateway.url}/api/audit`, { method: 'GET', headers: bearer(ADMIN_KEY) })
    assert.deepEqual(JSON.parse(await reply.text()), { events: [], next_cursor: null, durable: false })
  })
})
