import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, watch, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { chat, stream } from '../../../../core/testing/provider.ts'
import { type LogLine, runCli, runHere } from '../../../helpers/cli.ts'
import { gated } from '../../../helpers/gated.ts'
import { ADMIN_KEY, asking, bearer, USER_KEY } from '../../../helpers/gateway.ts'
import { send } from '../../../helpers/http.ts'
import { until } from '../../../helpers/until.ts'
import { type ClusterRig, gone, listening, pidOf, shareCluster, startCluster } from './setup.ts'

const session = { headers: { 'x-service-session-id': 's' } }
const plugins = [{ use: 'sessions' }]
const ENDED = 'worker ended: another takes its place'

/** Secrets come to workers neither by arguments nor by environment. */
function assertHidden({ folder }: ClusterRig, pids: readonly number[], key: string): void {
  const secret = readFileSync(join(folder, 'data', 'secret'), 'utf8').trim()
  for (const pid of pids) {
    for (const name of ['cmdline', 'environ']) {
      const text = readFileSync(`/proc/${pid}/${name}`, 'utf8')
      assert.ok(!text.includes(secret) && !text.includes(key) && !text.includes('sha256:'), name)
    }
  }
}

describe('cluster', () => {
  it('greets once, hides secrets, serves from every worker, counts across them, lets exchanges end, and ends with 0', async (t) => {
    const rig = await startCluster(t, { plugins, keys: [], secret: undefined })
    const { gateway, provider } = rig
    const key = /gw_\S+/.exec(gateway.greeting())?.[0] as string
    const post = ({ body, headers = {} }: { body?: object; headers?: Readonly<Record<string, string>> } = {}) =>
      rig.post({ ...(body && { body }), headers: { ...bearer(key), ...headers } })
    assert.equal(gateway.greeting().match(/listens on/g)?.length, 1)
    assert.match(gateway.greeting(), /\n {2}workers {2}2\n/)
    const turns: number[] = []
    const served = () =>
      new Set(gateway.lines.filter(({ msg }) => msg === 'request.completed').map(({ worker }) => worker))
    const both = gateway.logged(() => served().size === 2)
    let done = false
    void both.then(() => (done = true))
    // The kernel chooses by address and port: each of them gets its share in time.
    while (!done) {
      const reply = await post(session)
      turns.push(Number(reply.headers['x-service-turn-index']))
      await reply.text()
    }
    // Without --trace-hooks it says nothing of taps.
    assert.doesNotMatch(gateway.greeting(), /preRequest/)
    // 0 where the store did not answer in time.
    assert.ok(turns.every((turn, i) => turn === i || turn === 0) && turns.some((turn) => turn > 0), turns.join())
    const pids = [await pidOf(gateway, 1), await pidOf(gateway, 2)]
    assertHidden(rig, pids, key)
    const scripts = [gated(chat('the end')), gated(chat('the end'))]
    provider.reply(...scripts.map(({ script }) => script))
    const replies = [false, true].map((stream) => post({ body: asking('Hello', { stream }) }))
    await Promise.all(scripts.map(({ arrived }) => arrived))
    gateway.kill('SIGTERM')
    await gateway.logged('closing: running exchanges may end; a second signal ends at once')
    for (const { open } of scripts) open()
    const [buffered, streamed] = await Promise.all(replies.map(async (reply) => (await reply).text()))
    assert.match(buffered as string, /the end/)
    assert.match(streamed as string, /\[DONE\]/)
    assert.deepEqual(await gateway.ended, { code: 0, signal: null })
    await Promise.all(pids.map(gone))
    const events = gateway.lines.filter(({ msg }) => msg === 'service.stopped').map(({ worker }) => worker)
    assert.deepEqual(events.toSorted(), [1, 2])
  })

  it('serves by round robin where ports are not shared; ends at once on a second signal, with all workers', async (t) => {
    const listen = { port: 0, drain_seconds: 600, reuse_port: false }
    const { gateway, provider, post } = await startCluster(t, { listen })
    const completed = () => gateway.lines.filter(({ msg }) => msg === 'request.completed')
    for (let i = 0; i < 4; i++) assert.equal((await post()).status, 200)
    await gateway.logged(() => completed().length === 4)
    assert.deepEqual(
      completed()
        .map(({ worker }) => worker)
        .toSorted(),
      [1, 1, 2, 2],
    )
    const arrived = Promise.withResolvers<void>()
    provider.reply(stream([() => arrived.resolve()], { end: 'hang', done: false }))
    const reply = post({ body: asking('Hello', { stream: true }) }).then(
      (one) => one.text(),
      () => '',
    )
    await arrived.promise
    const pids = [await pidOf(gateway, 1), await pidOf(gateway, 2)]
    gateway.kill('SIGTERM')
    await gateway.logged('closing: running exchanges may end; a second signal ends at once')
    gateway.kill('SIGTERM')
    assert.deepEqual(await gateway.ended, { code: 143, signal: null })
    await Promise.all([reply, ...pids.map(gone)])
  })
})

const reloads = (lines: readonly Record<string, unknown>[]) =>
  lines.filter(({ msg }) => msg === 'config.reloaded').map(({ worker }) => worker)

describe('a cluster, from one test to the next', () => {
  const keys = [
    { id: 'user', key: USER_KEY },
    { id: 'admin', key: ADMIN_KEY, admin: true },
  ]
  const shared = shareCluster(() => ({ keys, plugins: [...plugins, { use: 'alerting' }, { use: 'audit-file' }] }))

  it('has a setting in force in every worker, whichever took it', async () => {
    const { gateway } = shared()
    const settings = (body?: object) =>
      send(`${gateway.url}/api/settings/alerting`, {
        headers: { authorization: `Bearer ${ADMIN_KEY}` },
        ...(body === undefined ? {} : { method: 'PUT', body }),
      }).then((reply) => reply.json())
    await settings({ min_severity: 'detect' })
    // A worker hears of it a moment later: in the end none of them says anything else.
    let row = 0
    await until(async () => {
      row = (await settings()).min_severity === 'detect' ? row + 1 : 0
      return row === 12
    })
  })

  it('has a new config in force in every worker; a bad file changes nothing anywhere', async () => {
    const { gateway, file, config, post } = shared()
    writeFileSync(file, config({ keys: [{ id: 'other', key: `${USER_KEY}-2` }] }))
    gateway.kill('SIGHUP')
    // The change of the file is noticed as well: some workers may reload twice.
    await gateway.logged(() => new Set(reloads(gateway.lines)).size === 2)
    for (let i = 0; i < 8; i++) assert.equal((await post()).status, 401)
    writeFileSync(file, config({ keys: [{ id: 'user', key: USER_KEY }], log: { level: 'loud' } }))
    gateway.kill('SIGHUP')
    await gateway.logged('config not reloaded: the last good one stays in force')
    for (let i = 0; i < 8; i++) assert.equal((await post()).status, 401)
    writeFileSync(file, config())
    gateway.kill('SIGHUP')
    let row = 0
    await until(async () => {
      row = (await post()).status === 200 ? row + 1 : 0
      return row === 12
    })
  })

  it('says that a port is taken, and leaves nothing behind', async (t) => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await once(blocker, 'listening')
    t.after(() => blocker.close())
    const { port } = blocker.address() as AddressInfo
    const { file } = shared()
    const taken = await runCli(['start', '--config', file], {
      SERVICE_PORT: String(port),
      SERVICE_STORE: 'memory',
    })
    assert.equal(taken.code, 1, taken.stderr)
    assert.match(taken.stderr, /Cannot listen on 127\.0\.0\.1:\d+ \(EADDRINUSE\)\. Stop .*SERVICE_PORT/)
  })

  it('does not share a port with another gateway of the same user', async () => {
    const { gateway, file } = shared()
    const { port } = new URL(gateway.url)
    const second = await runCli(['start', '--config', file], { SERVICE_PORT: port, SERVICE_STORE: 'memory' })
    assert.match(second.stderr, /EADDRINUSE/)
  })

  it('replaces a worker that was killed, and loses nothing that was counted', async () => {
    const { gateway, post } = shared()
    const pid = await pidOf(gateway, 1)
    const turns = async () => {
      const replies = [await post(session), await post(session), await post(session)]
      return replies.map(({ headers }) => Number(headers['x-service-turn-index']))
    }
    const before = await turns()
    process.kill(pid, 'SIGKILL')
    const ended = await gateway.logged(ENDED)
    assert.deepEqual([ended.worker, ended.signal, ended.restarts, ended.restart_in_ms], [1, 'SIGKILL', 1, 100])
    assert.deepEqual([ended.workers_ready, ended.workers], [1, 2])
    assert.notEqual(await pidOf(gateway, 1, 1), pid)
    // 0 also where the store did not answer in time. Without what was counted, three turns would not go so far.
    const after = await turns()
    assert.ok(Math.max(...after) >= 3, `${before.join()}, then ${after.join()}`)
    await gateway.logged(
      ({ msg, event }) =>
        msg === 'service.started' &&
        (event as { worker: number }).worker === 1 &&
        (event as { restarts: number }).restarts === 1,
    )
  })

  it('drains a worker that gets a SIGTERM of its own, and replaces it', async () => {
    const { gateway } = shared()
    process.kill(await pidOf(gateway, 2), 'SIGTERM')
    const ended = await gateway.logged(
      ({ msg, worker }) => msg === `worker ended, as it was told: another takes its place` && worker === 2,
    )
    assert.deepEqual([ended.level, ended.worker, ended.exit_code], ['info', 2, 0])
    await pidOf(gateway, 2, 1)
  })

  it('names the chain of the store in events of the log, as the audit trail does', async () => {
    const { gateway, post } = shared()
    const reply = await post()
    const { request_id: id } = JSON.parse(await reply.text()).service as { request_id: string }
    const eventOf = ({ event }: LogLine) => event as { id: string; request_id?: string; instance: string } | undefined
    const line = await gateway.logged((one) => eventOf(one)?.request_id === id)
    const trail = await send(`${gateway.url}/api/audit?request_id=${id}`, { headers: bearer(ADMIN_KEY) })
    const { events } = JSON.parse(await trail.text()) as { events: { id: string; instance: string }[] }
    const stored = events.find((event) => event.id === eventOf(line)?.id)
    assert.equal(eventOf(line)?.instance, stored?.instance)
    assert.doesNotMatch(String(stored?.instance), /-w\d$/)
  })

  it('leaves no worker behind when the primary is killed', async () => {
    const { gateway } = shared()
    const pids = [await pidOf(gateway, 1, 1), await pidOf(gateway, 2, 1)]
    gateway.kill('SIGKILL')
    await gateway.ended
    await Promise.all(pids.map(gone))
  })
})

it('is not alarmed by workers that end before it, as where SIGTERM goes to each process', async (t) => {
  const { gateway } = await startCluster(t, { listen: { port: 0, pre_stop_seconds: 2, drain_seconds: 5 } })
  const pids = [await pidOf(gateway, 1), await pidOf(gateway, 2)]
  gateway.kill('SIGTERM')
  await gateway.logged('closing: running exchanges may end; a second signal ends at once')
  for (const pid of pids) process.kill(pid, 'SIGTERM')
  assert.deepEqual(await gateway.ended, { code: 0, signal: null })
  const told = gateway.lines.filter(({ msg }) => String(msg).startsWith('worker ended'))
  assert.deepEqual(
    told.map(({ level, msg }) => `${level} ${msg}`).toSorted(),
    Array(2).fill('info worker ended, as it was told'),
  )
})

/** Settles when a file of that name is written in the folder. */
function written(folder: string, name: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(folder, (_, changed) => {
      if (changed !== name) return
      watcher.close()
      resolve()
    })
  })
}

const REFUSED = 'config not reloaded: the last good one stays in force'

describe('cluster: a reload changes nothing', () => {
  const shared = shareCluster(() => ({ workers: 3, worker_timeout_seconds: 4 }))
  /** Tries a config with a plugin that does `start`, and returns why it was refused. */
  async function tryPlugin(name: string, start: string): Promise<string> {
    const { gateway, file, folder, config } = shared()
    const refusals = () => gateway.lines.filter(({ msg }) => msg === REFUSED)
    const before = refusals().length
    const plugin = `import { writeFileSync } from 'node:fs'
      export default { name: '${name}', schema: { type: 'object' }, create: () => ({ start() { ${start} } }) }`
    writeFileSync(join(folder, `${name}.mjs`), plugin)
    writeFileSync(file, config({ keys: [{ id: 'other', key: `${USER_KEY}-2` }], plugins: [{ use: `./${name}.mjs` }] }))
    const { err } = await gateway.logged((line) => line === refusals()[before])
    return (err as { message: string }).message
  }

  it('anywhere when a plugin starts in one worker but not in the others', async () => {
    const { gateway, folder, post } = shared()
    const told = await tryPlugin('once', `writeFileSync(${JSON.stringify(join(folder, 'taken'))}, '', { flag: 'wx' })`)
    assert.match(told, /Worker \d: The plugin 'once' did not start: EEXIST/)
    for (let i = 0; i < 8; i++) assert.equal((await post()).status, 200)
    assert.deepEqual(reloads(gateway.lines), [])
  })

  for (const [how, code] of [
    ['kills', 'process.exit(7)'],
    ['hangs', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'],
  ] as const) {
    it(`when a plugin ${how} its worker, and does not lose all of them to it`, async () => {
      const { gateway, post } = shared()
      const starts = [1, 2].map((worker) => listening(gateway, worker).length)
      assert.match(await tryPlugin(how, code), /^Workers 1 and 2 ended while building the new config: /)
      await Promise.all(starts.map((before, i) => pidOf(gateway, i + 1, before)))
      const third = gateway.lines.find(({ msg, worker }) => msg === ENDED && worker === 3)
      assert.equal(third, undefined)
      for (let i = 0; i < 8; i++) assert.equal((await post()).status, 200)
    })
  }
})

describe('cluster: reload', () => {
  const shared = shareCluster(() => ({ plugins: [{ use: 'audit-file' }] }))
  it('records a config that was not taken once, by one worker, with how much was wrong', async () => {
    const { gateway, file, config } = shared()
    const trail = async () => {
      const { stdout } = await runHere('audit', 'export', '--config', file)
      return stdout
        .split('\n')
        .filter((line) => line.includes('"config.rejected"'))
        .map((line) => JSON.parse(line) as { problems: number; instance: string })
    }
    const told = () => gateway.lines.filter(({ msg }) => msg === 'config.rejected')
    writeFileSync(file, config({ log: { level: 'loud' }, workerz: 3 }))
    await gateway.logged('config.rejected')
    // The trail is asked with a file that is good again; that change is taken, and is behind the other.
    writeFileSync(file, config())
    await gateway.logged('config reloaded')
    assert.equal(told().length, 1)
    const [{ worker, event }] = told() as [{ worker: number; event: { problems: number } }]
    assert.ok([1, 2].includes(worker))
    assert.equal(event.problems, 2)
    const recorded = await until(async () => {
      const found = await trail()
      return found.length > 0 && found
    })
    assert.deepEqual(
      recorded.map(({ problems }) => problems),
      [2],
    )
  })

  it('waits for a worker that can try the new config, and reaches one that starts later', async () => {
    const { gateway, file, config, post } = shared()
    const count = (message: string) => gateway.lines.filter(({ msg }) => msg === message).length
    const reload = async (more: object) => {
      const before = count('config reloaded')
      writeFileSync(file, config(more))
      gateway.kill('SIGHUP')
      await gateway.logged(() => count('config reloaded') > before)
    }
    for (const worker of [1, 2]) process.kill(await pidOf(gateway, worker), 'SIGKILL')
    await gateway.logged(({ msg, workers_ready }) => msg === ENDED && workers_ready === 0)
    await reload({ keys: [{ id: 'other', key: `${USER_KEY}-2` }] })
    await Promise.all([pidOf(gateway, 1, 1), pidOf(gateway, 2, 1)])
    // The file's last change may have been seen twice: then what was told is the reload before this one.
    await until(async () => (await post()).status === 401)
    for (let i = 0; i < 8; i++) assert.equal((await post()).status, 401)
    process.kill(await pidOf(gateway, 1, 1), 'SIGKILL')
    await gateway.logged(() => count(ENDED) === 3)
    await reload({})
    await pidOf(gateway, 1, 2)
    for (let i = 0; i < 8; i++) assert.equal((await post()).status, 200)
  })

  it('reaches a worker that begins to listen while the others still build the new config', async () => {
    const { gateway, file, folder, config, post } = shared()
    const from = gateway.lines.length
    const lines = () => gateway.lines.slice(from)
    const plugin = `import { existsSync, watch, writeFileSync } from 'node:fs'
      const at = (name) => ${JSON.stringify(folder)} + '/' + name
      export default { name: 'slow', schema: { type: 'object' }, create: () => ({
        async start() {
          writeFileSync(at('building'), '')
          await new Promise((resolve) => {
            const look = () => existsSync(at('go')) && (watcher.close(), resolve())
            const watcher = watch(at('.'), look)
            look()
          })
        } }) }`
    writeFileSync(join(folder, 'slow.mjs'), plugin)
    const building = written(folder, 'building')
    const starts = listening(gateway, 1).length
    process.kill(await pidOf(gateway, 1, starts - 1), 'SIGKILL')
    await gateway.logged(() => lines().some(({ msg }) => msg === ENDED))
    writeFileSync(file, config({ keys: [{ id: 'other', key: `${USER_KEY}-2` }], plugins: [{ use: './slow.mjs' }] }))
    await building
    await pidOf(gateway, 1, starts)
    writeFileSync(join(folder, 'go'), '')
    await gateway.logged(() => new Set(reloads(lines())).size === 2)
    for (let i = 0; i < 8; i++) assert.equal((await post()).status, 401)
  })
})
