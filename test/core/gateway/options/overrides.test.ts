/** Options of plugins that admins override while the gateway runs. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { loadEverything } from '../../../../core/gateway/load.ts'
import { until } from '../../../helpers/until.ts'
import { ADMIN_KEY, folder, node, type Options, opened, USER_KEY } from './rig.ts'

const SECRET = 'a-token-that-nobody-reads-back'
// biome-ignore lint/suspicious/noTemplateCurlyInString: how the config file names the environment.
const [ENVIRONMENT, TOKEN] = ['${HOME}', '${TOKEN}'] as const

it('lists every plugin, and shows its options with their schema', async (t) => {
  const { ask, get } = await opened(t, { options: { word: 'hello' } })
  const list = await ask('GET', '/api/plugins')
  assert.deepEqual(list.body, {
    plugins: [{ name: 'recorder', use: 'recorder', source: 'file', overridable: true }],
  })
  const { schema, yaml, revision, ...view } = await get()
  assert.match(String(revision), /^[\w-]{22}$/)
  assert.deepEqual(Object.keys((schema as { properties: object }).properties), [
    'word',
    'most',
    'url',
    'auth_token',
    'rows',
  ])
  assert.equal(yaml, '- use: recorder\n  options:\n    word: hello\n')
  assert.deepEqual(view, {
    ...{ plugin: 'recorder', source: 'file', overridable: true, applied: true },
    ...{ options: { word: 'hello' }, effective: { word: 'hello' } },
  })
})

it('needs an admin key', async (t) => {
  const { ask } = await opened(t)
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/recorder/options'],
    ['DELETE', '/recorder/options'],
  ] as const) {
    assert.equal((await ask(method, `/api/plugins${path}`, undefined, USER_KEY)).status, 403)
  }
  assert.equal((await ask('PUT', '/api/plugins/recorder/options', {}, USER_KEY)).status, 403)
  assert.equal((await ask('POST', '/api/plugins/recorder/options/check', {}, USER_KEY)).status, 403)
})

it('overrides options, tells whose they are, and goes back to those of the file', async (t) => {
  const { put, get, remove, now, events } = await opened(t, { options: { word: 'hello', most: 3 } })
  const { status, body } = await put({ word: 'other' })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(now(), { word: 'other' })
  const { source, options, file_options, changed_by, applied } = await get()
  assert.deepEqual(
    { source, options, file_options, changed_by, applied },
    {
      ...{ source: 'override', options: { word: 'other' }, file_options: { word: 'hello', most: 3 } },
      ...{ changed_by: 'ops', applied: true },
    },
  )
  assert.equal((await remove()).status, 200)
  assert.deepEqual(now(), { word: 'hello', most: 3 })
  assert.equal((await get()).source, 'file')
  const told = events.filter(({ type }) => type === 'settings.updated')
  assert.deepEqual(
    told.map(({ plugin, path, fields, key_id }) => ({ plugin, path, fields, key_id })),
    [0, 1].map(() => ({
      ...{ plugin: 'recorder', path: '/api/plugins/recorder/options', fields: ['word', 'most'], key_id: 'ops' },
    })),
  )
})

it('judges options as the config file is judged, and changes nothing when they are wrong', async (t) => {
  const { put, check, get, given } = await opened(t, { options: { word: 'hello' } })
  for (const [body, param, message] of [
    [{ word: 7 }, 'word', /must be a string/],
    [{ most: 10 }, 'most', /must be <= 9/],
    [{ rows: [{ name: 'one' }, {}] }, 'rows[1]', /needs "name"/],
    [{ wrod: 'typo' }, 'wrod', /is not a known key/],
    [{ word: 'forbidden' }, 'word', /must not be this one/],
    [{ word: 'uncreatable' }, 'word', /must be another one/],
    [{ word: ENVIRONMENT }, 'word', /only the config file/],
    [{ auth_token: '********' }, 'auth_token', /is only the mask/],
  ] as const) {
    const { status, error } = await put(body)
    assert.deepEqual([status, error?.code, error?.param], [400, 'validation_error', param])
    assert.match(error?.message ?? '', message)
    const { valid, problems } = (await check(body)).body as { valid: boolean; problems: Options[] }
    assert.equal(valid, false)
    assert.equal(problems[0]?.param, param)
    assert.match(String(problems[0]?.message), message)
  }
  assert.equal((await get()).source, 'file')
  assert.equal(given.filter(({ word }) => word !== 'hello').length, 0)
})

it('keeps what runs when options pass every check and then do not start', async (t) => {
  const { put, get, events } = await opened(t, { options: { word: 'hello' } })
  const { status, error } = await put({ word: 'unstartable' })
  assert.deepEqual([status, error?.code, error?.param], [400, 'validation_error', null])
  assert.match(error?.message ?? '', /did not start/)
  const { source, options } = await get()
  assert.deepEqual({ source, options }, { source: 'file', options: { word: 'hello' } })
  assert.deepEqual(
    events.filter(({ type }) => type === 'settings.updated'),
    [],
  )
})

it('is off unless the config file names the plugin; then options can only be tried', async (t) => {
  const { put, check, get, now } = await opened(t, { names: [], options: { word: 'hello' } })
  const { status, error } = await put({ word: 'other' })
  assert.deepEqual([status, error?.code], [403, 'override_not_allowed'])
  assert.match(error?.message ?? '', /settings\.override_options/)
  assert.equal((await get()).overridable, false)
  const { body } = await check({ word: 'other', most: 2 })
  assert.deepEqual(body, {
    ...{ valid: true, problems: [], warnings: [] },
    yaml: '- use: recorder\n  options:\n    word: other\n    most: 2\n',
  })
  assert.deepEqual(now(), { word: 'hello' })
})

it('never reads secrets back, keeps them when they come back masked, and sends them nowhere else', async (t) => {
  const file = { url: 'https://one.example/in', auth_token: TOKEN, rows: [{ name: 'a', code: 'code-of-a' }] }
  const one = await opened(t, { options: file, env: { TOKEN: SECRET } })
  const { options } = await one.get()
  assert.deepEqual(options, {
    ...{ url: 'https://one.example/in', auth_token: '********', auth_token_set: true },
    rows: [{ name: 'a', code: '********', code_set: true }],
  })
  const moved = await one.put({ ...options, url: 'https://two.example/in' })
  assert.equal(moved.status, 400)
  assert.match(moved.error?.message ?? '', /auth_token: must be sent again: url is another now/)
  const kept = await one.put({ ...options, most: 4 })
  assert.equal(kept.status, 200, JSON.stringify(kept.body))
  assert.deepEqual(one.now(), { ...file, auth_token: SECRET, most: 4, word: 'none' })
  assert.equal(JSON.stringify([kept.body, one.events, one.log, (await one.get()).yaml]).includes(SECRET), false)
  assert.match(String((await one.get()).yaml), /auth_token: "\*{8}" # as it is in the config file now/)
  assert.deepEqual((await one.put({ ...(await one.get()).options, auth_token: 'another-token' })).status, 200)
  assert.equal(one.now()?.auth_token, 'another-token')
  const stolen = await one.put({ rows: [{ name: 'b', code: '********' }] })
  assert.deepEqual([stolen.status, stolen.error?.param], [400, 'rows[0].code'])
})

it('is in force after a restart, with secrets as the file has them then', async (t) => {
  const store = `file:${folder(t)}`
  const options = { auth_token: TOKEN }
  const first = await node({ store, options, env: { TOKEN: SECRET } })
  await first.put({ ...(await first.get()).options, most: 4 })
  await first.gateway.close()
  const second = await opened(t, { store, options, env: { TOKEN: 'rotated-in-the-file' } })
  assert.deepEqual(second.now(), { most: 4, auth_token: 'rotated-in-the-file', word: 'none' })
})

it('refuses to start with an override that does not work, and says what to do', async (t) => {
  const store = `file:${folder(t)}`
  const first = await node({ store, options: { auth_token: TOKEN }, env: { TOKEN: SECRET } })
  await first.put({ ...(await first.get()).options, most: 4 })
  await first.gateway.close()
  const remedy = /remove the names from settings\.override_options.*DELETE \/api\/plugins\/recorder\/options/
  await assert.rejects(
    node({ store }),
    ({ message }: Error) => /auth_token: was to stay/.test(message) && remedy.test(message),
  )
  await assert.rejects(
    node({ store, secret: 'another secret of the deployment, for tests' }),
    ({ message }: Error) => /cannot be read, since the secret/.test(message) && remedy.test(message),
  )
  const again = await opened(t, { store, names: [], options: { word: 'hello' } })
  assert.deepEqual(again.now(), { word: 'hello' })
  assert.equal((await again.remove()).status, 200)
})

it('stays through a reload of the file, and yields to one that takes the name away', async (t) => {
  const file = join(folder(t), 'gateway.yaml')
  const one = await opened(t, { file, options: { word: 'hello' } })
  await one.put({ word: 'other' })
  const text = (names: string[], word: string) =>
    JSON.stringify({
      listen: { port: 0, drain_seconds: 1 },
      ...{ store: 'memory', secret: 'a secret that all nodes share, for tests' },
      upstreams: { demo: { kind: 'demo' } },
      keys: [{ id: 'ops', key: ADMIN_KEY, admin: true }],
      settings: { override_options: names },
      plugins: [{ use: 'recorder', options: { word } }],
    })
  writeFileSync(file, text(['*'], 'changed'))
  await one.gateway.reload()
  assert.deepEqual(one.now(), { word: 'other' })
  writeFileSync(file, text([], 'changed'))
  await one.gateway.reload()
  assert.deepEqual(one.now(), { word: 'changed' })
  await until(() => one.log.some(({ msg }) => /options that admins set are not used/.test(String(msg))))
})

it('lets one of two changes win, whole', async (t) => {
  const one = await opened(t)
  const words = ['first', 'second', 'third', 'fourth']
  const replies = await Promise.all(words.map((word, i) => one.put({ word, most: i + 1 })))
  assert.deepEqual(
    replies.map(({ status }) => status),
    words.map(() => 200),
  )
  const { word, most } = (await one.get()).options
  assert.equal(words.indexOf(String(word)) + 1, most)
  assert.deepEqual(one.now(), { word, most })
})

it('warns of names that no enabled plugin has', async (t) => {
  const file = join(folder(t), 'gateway.yaml')
  const config = { upstreams: { demo: { kind: 'demo' } }, plugins: [{ use: 'budget' }] }
  writeFileSync(file, JSON.stringify({ ...config, settings: { override_options: ['budget', 'budgte'] } }))
  const { warnings } = await loadEverything(file)
  assert.deepEqual(
    warnings.map(({ path, message }) => [path, message]),
    [['settings.override_options[1]', 'names no enabled plugin. Did you mean "budget"?']],
  )
})
