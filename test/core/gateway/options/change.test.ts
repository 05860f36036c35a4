/** Changes of options that meet others, a damaged store, or a lost answer; and trials that cost little. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it, mock } from 'node:test'
import { PluginOptions } from '../../../../core/gateway/options/live.ts'
import { StoreClient } from '../../../../core/services/store/client.ts'
import { MemoryDriver } from '../../../../core/services/store/memory.ts'
import { startPlugin } from '../../../../core/testing/index.ts'
import { call } from '../../../../core/testing/plugin/client.ts'
import classification from '../../../../plugins/classification/index.ts'
import { until } from '../../../helpers/until.ts'
import { withStore } from '../../services/store/here.ts'
import { RedisServer } from '../../services/store/redis-server.ts'
import { ADMIN_KEY, folder, node, opened } from './rig.ts'

const MASK = '********'
const PATH = '/api/plugins/recorder/options'

it('refuses a change of options that another admin changed meanwhile', async (t) => {
  const { gateway, get, put, now } = await opened(t, { options: { word: 'hello' } })
  const send = (method: string, seen: unknown, body?: object) =>
    call(gateway.url + PATH, method, { authorization: `Bearer ${ADMIN_KEY}`, 'if-match': `"${seen}"` }, body)
  const { revision } = await get()
  assert.equal((await send('PUT', revision, { word: 'first' })).status, 200)
  for (const method of ['PUT', 'DELETE']) {
    const { status, body } = await send(method, revision, method === 'PUT' ? { word: 'second' } : undefined)
    assert.deepEqual([status, (body.error as { code: string }).code], [409, 'options_changed'])
  }
  assert.deepEqual(now(), { word: 'first' })
  assert.equal((await send('PUT', 'not a revision', {})).status, 400)
  assert.equal((await put({ word: 'third' })).status, 200)
  assert.equal((await send('DELETE', (await get()).revision)).status, 200)
})

it('takes no stored value for none that it cannot read', async (t) => {
  const path = folder(t)
  const store = `file:${path}`
  const sealed = { recorder: 'AAAA' }
  const sound = { form: 1, revision: 'r', changed_by: 'ops', sealed }
  for (const [value, message] of [
    ['text', /are damaged, or another version/],
    [null, /are damaged, or another version/],
    [[1], /are damaged, or another version/],
    [{ revision: 'r', sealed }, /are damaged, or another version/],
    [{ ...sound, form: 2 }, /are damaged, or another version/],
    [{ ...sound, sealed: 'abc' }, /are damaged, or another version/],
    [{ ...sound, sealed: { recorder: 123 } }, /override that is damaged/],
    [sound, /cannot be read, since the secret/],
  ] as const) {
    await withStore(path, (raw) => raw.namespace('core.options').set('overrides', value as never))
    await assert.rejects(node({ store }), ({ message: told }: Error) => {
      assert.match(told, message)
      return /settings\.override_options/.test(told)
    })
    const off = await opened(t, { store, names: [] })
    assert.equal((await off.remove()).status, 200)
    await off.gateway.close()
    const kept = await withStore(path, (raw) => raw.namespace('core.options').get<typeof sound>('overrides'))
    assert.deepEqual([kept?.form, kept?.sealed], [1, {}])
  }
  const on = await opened(t, { store })
  assert.equal((await on.get()).source, 'file')
})

it('tells at the start whose options are in force', async (t) => {
  const store = `file:${folder(t)}`
  const first = await opened(t, { store })
  await first.put({ word: 'other' })
  await first.gateway.close()
  const { log } = await opened(t, { store })
  const told = log.find(({ msg }) => msg === 'options are those that an admin set')
  assert.deepEqual([told?.plugin, told?.changed_by], ['recorder', 'ops'])
})

describe('changes of options on several nodes', () => {
  let server: RedisServer
  before(async () => {
    server = await RedisServer.start()
  })
  after(() => server.stop())

  it('reach the others when they come from a node that does not use them', async (t) => {
    const on = await opened(t, { store: server.url })
    const off = await opened(t, { store: server.url, names: [] })
    for (const word of ['first', 'second']) {
      assert.equal((await on.put({ word })).status, 200)
      assert.equal((await off.remove()).status, 200)
      await until(() => on.now()?.word === 'none')
    }
  })

  it('are judged against what is stored, so a rotated secret stays rotated', async (t) => {
    const options = { auth_token: 'token-of-the-file' }
    const [a, b] = [await opened(t, { store: server.url, options }), await opened(t, { store: server.url, options })]
    for (let i = 1; i <= 6; i++) {
      assert.equal((await a.put({ auth_token: `rotated-token-${i}` })).status, 200)
      const { status, error } = await b.put({ auth_token: MASK, most: i })
      assert.equal(status, 200, error?.message)
      assert.equal(b.now()?.auth_token, `rotated-token-${i}`)
    }
    assert.ok(b.events.some(({ type, changed_by }) => type === 'config.reloaded' && changed_by === 'ops'))
    await a.remove()
  })
})

/** The options of one plugin without a gateway: what is prepared and told. */
function alone(store: unknown, prepare: () => Promise<unknown>) {
  const spec = { name: 'p', schema: { type: 'object' }, create: () => ({ apply() {} }) }
  const entry = { use: 'p', options: {}, enabled: true }
  const config = {
    plugins: [entry],
    settings: { override_options: ['p'] },
    egress: { allow: [] },
    keys: [],
    upstreams: {},
  }
  const told: string[] = []
  const options = new PluginOptions({
    ...{ store, subkey: () => Buffer.alloc(32, 1), folder: '/', env: {} },
    log: { debug() {}, info() {}, warn() {}, error() {} },
    current: () => ({ config, plugins: [{ path: 'plugins[0]', entry, spec, options: {} }], revision: '' }),
    alone: (work: () => Promise<unknown>) => work(),
    prepare,
    emit: (type: string) => void told.push(type),
    rejected: () => void told.push('rejected'),
  } as never)
  return { options, told }
}

it('commits a change whose answer was lost, and none that was not stored', async () => {
  for (const isStored of [true, false]) {
    const real = new StoreClient(new MemoryDriver()).namespace('core.options')
    const flaky = {
      entry: (key: string) => real.entry(key),
      async set(...change: Parameters<typeof real.set>) {
        if (isStored) await real.set(...change)
        throw new Error('the connection broke')
      },
    }
    const done: string[] = []
    const prepared = { commit: async () => void done.push('commit'), discard: async () => void done.push('discard') }
    const { options, told } = alone({ namespace: () => flaky }, async () => prepared)
    const put = options.put('p', { x: 1 }, { by: 'ops', seen: undefined })
    if (isStored) await put
    else await assert.rejects(put, { code: 'GW_STORE_UNAVAILABLE' })
    assert.deepEqual([done, told], isStored ? [['commit'], ['settings.updated']] : [['discard'], []])
  }
})

it('builds overrides that do not work once, not at each look', async (t) => {
  const store = new StoreClient(new MemoryDriver())
  await alone(store, async () => ({ commit: async () => {} })).options.put('p', {}, { by: 'ops', seen: undefined })
  mock.timers.enable({ apis: ['setInterval'] })
  t.after(() => mock.timers.reset())
  let built = 0
  const other = alone(store, async () => {
    built++
    throw new Error('does not start')
  })
  for (let i = 0; i < 5; i++) await other.options.refresh()
  assert.deepEqual([built, other.told], [1, ['rejected']])
})

it('tries nothing that options name in the file system where only the file sets them', async (t) => {
  const victim = folder(t)
  mkdirSync(join(victim, 'labels'))
  writeFileSync(join(victim, 'labels', 'gateway.yaml'), 'terms: [unclosed\n')
  const rig = await startPlugin(classification)
  t.after(() => rig.close())
  const answers = []
  for (const labels_dir of [join(victim, 'labels'), join(victim, 'nothing')])
    answers.push(
      (await rig.admin('POST', '/api/plugins/classification/options/check', { labels: ['gateway'], labels_dir })).body,
    )
  for (const { valid, problems } of answers) assert.deepEqual([valid, problems], [true, []])
})

it('takes no options of more than 256 KiB', async (t) => {
  const { put, check } = await opened(t)
  const body = { rows: Array.from({ length: 20_000 }, (_, i) => ({ name: `row ${i}` })) }
  for (const { status, error } of [await put(body), await check(body)]) {
    assert.equal(status, 413)
    assert.match(error?.message ?? '', /at most 256 KiB.*config file/)
  }
})
