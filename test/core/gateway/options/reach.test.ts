/** Overrides reach every worker and node, and no request is lost on the way. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { startPlugin } from '../../../../core/testing/index.ts'
import { chat, chunks, stream } from '../../../../core/testing/provider.ts'
import policy from '../../../../plugins/policy/index.ts'
import { asking, bearer, USER_KEY } from '../../../helpers/gateway.ts'
import { send } from '../../../helpers/http.ts'
import { until } from '../../../helpers/until.ts'
import { RedisServer } from '../../services/store/redis-server.ts'
import { gone, pidOf, startCluster } from '../cluster/setup.ts'
import { ADMIN_KEY, folder, opened } from './rig.ts'

const RULES = { rules: [{ name: 'no_falcon', keywords: ['falcon'] }] }
const PATH = '/api/plugins/policy/options'

describe('overridden options: several nodes on one Redis', () => {
  let server: RedisServer
  before(async () => {
    server = await RedisServer.start()
  })
  after(() => server.stop())

  it('are in force on all, told once, and stay while the store is down', async (t) => {
    const file = join(folder(t), 'gateway.yaml')
    const a = await opened(t, { store: server.url })
    const b = await opened(t, { store: server.url, file })
    assert.equal((await a.put({ word: 'other' })).status, 200)
    await until(() => b.now()?.word === 'other')
    await until(async () => (await b.get()).applied === true)
    assert.deepEqual((await b.get()).options, { word: 'other' })
    const told = [...a.events, ...b.events].filter(({ type }) => type === 'settings.updated')
    assert.equal(told.length, 1)
    const started = b.given.length
    await server.kill()
    await b.gateway.reload()
    assert.deepEqual([b.now(), b.given.length], [{ word: 'other' }, started], 'nothing was built anew')
    assert.equal((await b.put({ word: 'third' })).status, 503)
    await server.run()
    await until(async () => (await b.remove()).status === 200)
    await until(() => a.now()?.word === 'none')
  })
})

describe('overridden options: several workers', () => {
  it('are in force in all, in their successors, and through a reload of the file', async (t) => {
    const keys = [
      { id: 'user', key: USER_KEY },
      { id: 'admin', key: ADMIN_KEY, admin: true },
    ]
    const plugins = [{ use: 'policy' }]
    const settings = { override_options: ['policy'] }
    const { gateway, file, config, post } = await startCluster(t, { keys, plugins, settings })
    const statusOf = async () => (await post({ body: asking('The falcon flies') })).status
    const put = await send(gateway.url + PATH, { method: 'PUT', headers: bearer(ADMIN_KEY), body: RULES })
    assert.equal(put.status, 200)
    // A worker hears of it a moment later: in the end none of them says anything else.
    const allSay = async (status: number) => {
      let row = 0
      await until(async () => {
        row = (await statusOf()) === status ? row + 1 : 0
        return row === 12
      })
    }
    await allSay(403)
    const pid = await pidOf(gateway, 1)
    process.kill(pid, 'SIGKILL')
    await gone(pid)
    await pidOf(gateway, 1, 1)
    for (let i = 0; i < 8; i++) assert.equal(await statusOf(), 403)
    writeFileSync(file, config({ keys, plugins, settings, stream: { keep_alive_seconds: 20 } }))
    gateway.kill('SIGHUP')
    await gateway.logged('config reloaded')
    for (let i = 0; i < 8; i++) assert.equal(await statusOf(), 403)
    await send(gateway.url + PATH, { method: 'DELETE', headers: bearer(ADMIN_KEY) })
    await allSay(200)
  })
})

for (const isStream of [true, false]) {
  it(`an exchange under way keeps the options that it began with: ${isStream ? 'streamed' : 'buffered'}`, async (t) => {
    const rig = await startPlugin(policy, { config: { settings: { override_options: ['policy'] } } })
    t.after(() => rig.close())
    const arrived = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const wait = async () => {
      arrived.resolve()
      await go.promise
    }
    const script = isStream ? stream([wait, ...chunks('The falcon flies')]) : chat('The falcon flies')
    rig.provider.reply(async (one) => {
      if (!isStream) await wait()
      return script(one)
    })
    const running = rig.send({ stream: isStream, messages: [{ role: 'user', content: 'Hello' }] })
    await arrived.promise
    assert.equal((await rig.admin('PUT', PATH, RULES)).status, 200)
    go.resolve()
    assert.deepEqual([(await running).status, (await running).text], [200, 'The falcon flies'])
    assert.equal((await rig.send('The falcon flies', { stream: isStream })).status, 403)
  })
}
