import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { frame, type PluginRig, type PluginSetup, startPlugin } from '../../../core/testing/index.ts'
import keys from '../../../plugins/keys/index.ts'
import { startTestGateway } from '../../helpers/gateway.ts'

async function start(t: TestContext, setup: PluginSetup = {}): Promise<PluginRig> {
  const rig = await startPlugin(keys, { with: ['flags', 'budget'], ...setup })
  t.after(() => rig.close())
  return rig
}

const chunk = (content: string) =>
  JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content } }] })
const bearer = (key: unknown) => ({ headers: { authorization: `Bearer ${key}` } })
const typesOf = (rig: PluginRig) => rig.events.filter(({ type }) => type.startsWith('key.')).map(({ type }) => type)

describe('keys at run time', () => {
  it('creates a key whose secret is shown once, and which may do what was said', async (t) => {
    const rig = await start(t)
    const made = await rig.admin('POST', '/api/keys', { id: 'app', team: 'blue', models: ['gpt-*'] })
    assert.equal(made.status, 201)
    const { key } = made.body
    assert.match(String(key), /^gw_[\w-]{43}$/)
    assert.equal((await rig.send('Hello', bearer(key))).outcome, 'completed')
    const other = await rig.send({ model: 'other' }, bearer(key))
    assert.equal(other.error?.code, 'model_not_allowed')

    const list = await rig.admin('GET', '/api/keys')
    const text = JSON.stringify(list.body)
    assert.equal(text.includes(String(key)), false)
    assert.equal(/[0-9a-f]{64}/.test(text), false, 'hashes are not shown')
    const ids = (list.body.keys as { id: string; source: string }[]).map(({ id, source }) => [id, source])
    assert.deepEqual(ids, [
      ['tester', 'config'],
      ['admin', 'config'],
      ['app', 'runtime'],
    ])
    const [event] = rig.events.filter(({ type }) => type === 'key.created')
    assert.deepEqual([event?.subject, event?.changed_by, event?.team], ['app', 'admin', 'blue'])
    assert.equal(JSON.stringify(rig.events).includes(String(key)), false)
  })

  it('refuses what is not valid, and ids that are taken', async (t) => {
    const rig = await start(t)
    const refused = async (body: object) => {
      const { status, body: answer } = await rig.admin('POST', '/api/keys', body)
      const { code, message } = answer.error as { code: string; message: string }
      return [status, code, message] as const
    }
    await rig.admin('POST', '/api/keys', { id: 'app' })
    assert.deepEqual((await refused({ id: 'app' })).slice(0, 2), [409, 'key_exists'])
    assert.deepEqual((await refused({ id: 'tester' })).slice(0, 2), [409, 'key_exists'])
    assert.match((await refused({ id: 'a b' }))[2], /id: has the wrong form: Letters, digits, dot, dash and underscore/)
    for (const [method, change] of [['PATCH', { team: 'blue' }], ['DELETE']] as const) {
      const { status, body } = await rig.admin(method, '/api/keys/tester', change)
      assert.equal(status, 404)
      const { message } = body.error as { message: string }
      assert.equal(message, "The key 'tester' is in the config file: change it or remove it there.")
    }
    for (const [body, about] of [
      [{}, 'id'],
      [{ id: 'x', modles: [] }, 'modles'],
      [{ id: 'x', expires: '2027-02-30' }, 'expires'],
      [{ id: 'x', colour: 'red' }, 'colour'],
      [{ id: 'x', flags: { mod: 'monitor' } }, 'flags.mod is a flag'],
      [{ id: 'x', flags: { colour: 'red' } }, 'flags.colour is a flag'],
      [{ id: 'x', flags_allow: ['mode=loud'] }, "flags_allow 'mode=loud' must be"],
      [{ id: 'x', limits: [{ unit: 'tokens', limit: 1.5, window: 'day' }] }, 'limits'],
      [{ id: 'x', max_classification: 'SECRET' }, 'max_classification'],
      [{ id: '../x' }, 'id'],
    ] as const) {
      const [status, code, message] = await refused(body)
      assert.deepEqual([status, code], [400, 'validation_error'], message)
      assert.ok(message.includes(about), message)
      assert.match(message, /[^.?][.?]$/, 'one sentence')
    }
    assert.equal((await rig.admin('GET', '/api/keys/none')).status, 404)
    assert.equal((await rig.admin('PATCH', '/api/keys/tester', { team: 'x' })).status, 404)
    assert.equal((await rig.admin('DELETE', '/api/keys/none')).status, 404)
    assert.deepEqual(typesOf(rig), ['key.created'])
  })

  it('warns when nobody can manage keys', async (t) => {
    const warned = async (admin: boolean) => {
      const keys = [{ id: 'one', key: 'key-of-one-0123456789', admin }]
      const gateway = await startTestGateway({
        upstreamUrl: 'http://127.0.0.1:1/v1',
        plugins: [{ use: 'keys' }],
        config: { keys },
      })
      t.after(() => gateway.close())
      return gateway.log.some(({ msg }) => /no key is an admin/.test(String(msg)))
    }
    assert.deepEqual([await warned(false), await warned(true)], [true, false])
  })

  it('changes, disables and expires keys from the next request on', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2027-01-01T00:00:00Z') })
    const rig = await start(t)
    const { key } = (await rig.admin('POST', '/api/keys', { id: 'app', expires: '2027-01-31' })).body
    const statusNow = async () => (await rig.send('Hello', bearer(key))).status
    assert.equal(await statusNow(), 200)
    await rig.admin('PATCH', '/api/keys/app', { models: ['none'] })
    assert.equal(await statusNow(), 403)
    await rig.admin('PATCH', '/api/keys/app', { models: null, disabled: true })
    assert.equal(await statusNow(), 401)
    await rig.admin('PATCH', '/api/keys/app', { disabled: false })
    assert.equal(await statusNow(), 200)
    t.mock.timers.setTime(Date.parse('2027-02-01T00:00:00Z'))
    assert.equal(await statusNow(), 401)
    assert.equal((await rig.admin('GET', '/api/keys/app')).body.state, 'expired')
    await rig.admin('PATCH', '/api/keys/app', { expires: null })
    assert.equal(await statusNow(), 200)
    const fields = rig.events.filter(({ type }) => type === 'key.updated').map((event) => event.fields)
    assert.deepEqual(fields, [['models'], ['disabled', 'models'], ['disabled'], ['expires']])
  })

  it('rotates with an overlap, then only the new secret is valid', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2027-01-01T00:00:00Z') })
    const rig = await start(t)
    const first = (await rig.admin('POST', '/api/keys', { id: 'app' })).body.key
    const second = (await rig.admin('POST', '/api/keys/app/rotate', { overlap_seconds: 60 })).body.key
    const statuses = async () => [
      (await rig.send('Hello', bearer(first))).status,
      (await rig.send('Hello', bearer(second))).status,
    ]
    assert.notEqual(first, second)
    assert.deepEqual(await statuses(), [200, 200])
    t.mock.timers.setTime(Date.parse('2027-01-01T00:01:00Z'))
    assert.deepEqual(await statuses(), [401, 200])
    await rig.admin('POST', '/api/keys/app/rotate', { overlap_seconds: 0 })
    assert.deepEqual(await statuses(), [401, 401])
  })

  it('revokes for good, also what is under way', async (t) => {
    const rig = await start(t)
    const { key } = (await rig.admin('POST', '/api/keys', { id: 'app' })).body
    for (const stream of [true, false]) {
      const id = `app${stream}`
      const { key } = (await rig.admin('POST', '/api/keys', { id })).body
      const begun = Promise.withResolvers<void>()
      const open = rig.send('Hello', {
        ...bearer(key),
        stream,
        reply: async (x) => {
          if (stream) {
            x.response.writeHead(200, { 'content-type': 'text/event-stream' })
            await x.write(frame(chunk('Hello there'), {}))
          }
          begun.resolve()
          await x.wait(new Promise(() => {}))
        },
      })
      await begun.promise
      assert.equal((await rig.admin('DELETE', `/api/keys/${id}`)).body.state, 'revoked')
      const cut = await open
      assert.equal(cut.error?.code, 'invalid_api_key')
      assert.equal(cut.status, stream ? 200 : 401)
      const last = cut.events.at(-1)
      assert.deepEqual([last?.type, last?.reason, last?.code], ['stream.aborted', 'cancelled', 'invalid_api_key'])
    }
    await rig.admin('DELETE', '/api/keys/app')
    assert.equal((await rig.send('Hello', bearer(key))).status, 401)
    assert.equal((await rig.admin('PATCH', '/api/keys/app', { disabled: false })).status, 400)
    assert.equal((await rig.admin('POST', '/api/keys', { id: 'app' })).status, 409)
    assert.equal(typesOf(rig).filter((type) => type === 'key.revoked').length, 3)
  })

  it('shows a changed limit among the budgets at once, and a removed one no more', async (t) => {
    const rig = await start(t)
    const day = (limit: number) => [{ unit: 'requests', limit, window: 'day' }]
    const { key } = (await rig.admin('POST', '/api/keys', { id: 'app', team: 'blue', limits: day(5) })).body
    await rig.admin('PUT', '/api/teams/blue', { limits: day(9) })
    assert.equal((await rig.send('Hello', bearer(key))).outcome, 'completed')
    const budgets = async () => {
      const { body } = await rig.admin('GET', '/api/budgets')
      return (body.budgets as Record<string, unknown>[]).map(({ id, limit, left }) => [id, limit, left])
    }
    assert.deepEqual(await budgets(), [
      ['key:requests_day', 5, 4],
      ['team:requests_day', 9, 8],
    ])
    await rig.admin('PATCH', '/api/keys/app', { limits: day(50) })
    await rig.admin('PUT', '/api/teams/blue', { limits: day(2) })
    assert.deepEqual(await budgets(), [
      ['key:requests_day', 50, 49],
      ['team:requests_day', 2, 1],
    ])
    await rig.admin('PATCH', '/api/keys/app', { limits: [] })
    await rig.admin('DELETE', '/api/teams/blue')
    assert.deepEqual(await budgets(), [])
    await rig.admin('PATCH', '/api/keys/app', { limits: day(3) })
    assert.deepEqual(await budgets(), [['key:requests_day', 3, 2]], 'what was used still counts')
    await rig.admin('DELETE', '/api/keys/app')
    assert.deepEqual(await budgets(), [])
  })
})
