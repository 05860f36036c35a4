/** Commands of a user who may not write, or not read: what, where and what to do, and no stack. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { environment, NODE_FLAGS, runCli, runHere, startCli } from '../../../helpers/cli.ts'
import { asking, bearer, USER_KEY } from '../../../helpers/gateway.ts'
import { send } from '../../../helpers/http.ts'
import { smallDisk } from '../../../helpers/small-disk.ts'

const BIN = fileURLToPath(new URL('../../../../core/bin.js', import.meta.url))
/** Nobody: root may write everywhere. */
const OTHER = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

const root = mkdtempSync(join(tmpdir(), 'gw-closed-'))
chmodSync(root, 0o755)
/** Code that was compiled, the one thing that may be written: otherwise each command compiles all of it again. */
const cache = join(root, 'cache')
mkdirSync(cache)
chmodSync(cache, 0o777)

/** A command as nobody, in the working folder `root`; others than `start` in this process, which is nobody meanwhile. */
async function run(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  if (args[0] !== 'start') {
    if (OTHER.uid !== undefined) process.seteuid?.(OTHER.uid)
    return runHere(...args).finally(() => OTHER.uid !== undefined && process.seteuid?.(0))
  }
  const env = environment({ HOME: root, XDG_CACHE_HOME: cache })
  const command = [...NODE_FLAGS, BIN, ...args]
  const child = spawn(process.execPath, command, { ...OTHER, env, cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, stdout, stderr }
}

/** A folder that may be read, and not be written. */
function closed(path: string): string {
  for (const name of readdirSync(path)) chmodSync(join(path, name), 0o444)
  chmodSync(path, 0o555)
  return path
}

async function refused(args: string[], told: RegExp, exit = 1): Promise<void> {
  const { code, stdout, stderr } = await run(...args)
  assert.match(stderr, told)
  assert.doesNotMatch(stderr, /\n {4}at /)
  assert.deepEqual([code, stdout], [exit, ''], stderr)
}

/** A plugin that writes a file. */
const writing = (path: string) => ({ plugins: [{ use: 'audit-file', options: { path } }] })

const config = (name: string, more: object): string => {
  const file = join(root, name)
  const base = { listen: { port: 0 }, upstreams: { demo: { kind: 'demo' } } }
  writeFileSync(file, JSON.stringify({ ...base, ...more }))
  return file
}

describe('places that cannot be written', () => {
  const store = join(root, 'store')
  const full = config('full.yaml', {
    store: 'file:./store',
    keys: [{ id: 'user', key: USER_KEY }],
    plugins: [{ use: 'audit-file', options: { path: './audit.jsonl' } }],
  })

  const cwd = process.cwd()
  before(async () => {
    process.chdir(root)
    const gateway = await startCli(['--config', full])
    await send(`${gateway.url}/v1/chat/completions`, {
      body: asking('Hello', { model: 'demo' }),
      headers: bearer(USER_KEY),
    })
    while ((await runHere('audit', 'export', '--store', `file:${store}`)).stdout.split('\n').length < 3);
    // With the write-ahead log, as a copy of a gateway that runs.
    cpSync(store, join(root, 'running'), { recursive: true })
    gateway.kill('SIGTERM')
    await gateway.ended
    cpSync(store, join(root, 'at-rest'), { recursive: true })
    cpSync(join(root, 'running'), join(root, 'torn'), { recursive: true })
    rmSync(join(root, 'torn', 'store.db-shm'))
  })
  after(() => {
    process.chdir(cwd)
    for (const name of readdirSync(root, { withFileTypes: true }))
      if (name.isDirectory()) chmodSync(join(root, name.name), 0o755)
    rmSync(root, { recursive: true })
  })

  it('start: the data folder cannot be made, or cannot be written', async () => {
    mkdirSync(join(root, 'locked'))
    closed(join(root, 'locked'))
    await refused(
      ['start', '--config', config('none.yaml', { store: 'file:./locked/data' })],
      /^\S+\/locked\/data cannot be made: permission denied \(EACCES\)\. .*SERVICE_STORE/,
    )
    await refused(
      ['start', '--config', config('closed.yaml', { store: 'file:./locked' })],
      /^\S+\/locked\/keys\.json cannot be opened: permission denied \(EACCES\)\. .*SERVICE_STORE/,
    )
    const secret = 'a secret for tests, 32 characters or more'
    await refused(
      [
        'start',
        '--config',
        config('keys.yaml', { store: 'file:./locked', secret, keys: [{ id: 'a', key: USER_KEY }] }),
      ],
      /^store: The store file \S+\/locked\/store\.db cannot be used: .*may be written by this user/,
    )
  })

  it('check: says what a start would refuse, and leaves nothing', async () => {
    const open = join(root, 'open')
    mkdirSync(open)
    chmodSync(open, 0o777)
    mkdirSync(join(root, 'shut'))
    closed(join(root, 'shut'))
    for (const name of ['a-file', 'log.txt']) writeFileSync(join(open, name), '')
    const cases: [object, RegExp, number][] = [
      [{ store: 'file:./shut/data' }, /: store: \S+\/shut\S* cannot be used: permission denied \(EACCES\)\. Run as/, 3],
      [{ store: 'file:./open/a-file/data' }, /: store: \S+a-file is a file, not a folder/, 3],
      [{ store: 'file:/proc/no-such/data' }, /: store: \/proc\/no-such\/data cannot be used: /, 3],
      [{ store: 'memory', log: { file: './none/log.txt' } }, /: log\.file: .*there is no folder \S+none; make it/, 3],
      [{ store: 'memory', log: { file: './shut/log.txt' } }, /: log\.file: \S+shut\S* cannot be used: permission/, 3],
      [
        { store: 'memory', log: { file: './open/log.txt' } },
        /: log\.file: \S+log\.txt cannot be opened: permission/,
        3,
      ],
      [{ store: 'memory', log: { file: './open' } }, /: log\.file: \S+open is a folder/, 3],
      [{ listen: { socket: { path: './shut/s' } }, store: 'memory' }, /: listen\.socket\.path: \S+shut\S* cannot/, 3],
      [{ listen: { socket: { path: './open/a-file' } }, store: 'memory' }, /: listen\.socket\.path: .*not a socket/, 3],
      [
        { store: 'memory', ...writing('./shut/a/x.jsonl') },
        /^warning: .*: plugins\[0\]\.options\.path: \S+shut\S* cannot/,
        0,
      ],
      [
        { store: 'memory', ...writing('./open/a-file/x.jsonl') },
        /^warning: .*options\.path: \S+a-file is a file, not/,
        0,
      ],
      [{ store: 'memory', ...writing('./open/log.txt') }, /^warning: .*options\.path: \S+log\.txt cannot be opened/, 0],
      [{ store: 'memory', ...writing('./open') }, /^warning: .*options\.path: \S+open is a folder\. Name a file/, 0],
      [{ store: 'memory', audit: { spill_folder: './shut/a' } }, /^warning: .*: audit\.spill_folder: \S+shut/, 0],
    ]
    for (const [more, told, exit] of cases) {
      const { code, stderr } = await run('check', config('places.yaml', more))
      assert.match(stderr, told)
      assert.deepEqual([code, stderr.trim().split('\n').length], [exit, exit === 3 ? 2 : 1], stderr)
    }
    const fine = {
      store: 'file:./open/new/data',
      log: { file: './open/new.txt' },
      audit: { spill_folder: './open/spill' },
      ...writing('./open/trail/audit.jsonl'),
    }
    const { code, stderr } = await run('check', config('places.yaml', fine))
    assert.deepEqual([code, stderr], [0, ''])
    assert.deepEqual(readdirSync(open).sort(), ['a-file', 'log.txt'])
  })

  it('start: the exit code tells a store that is away from a store that is misspelt', async () => {
    for (const workers of [1, 2]) {
      const away = config(`away-${workers}.yaml`, {
        store: 'redis://127.0.0.1:1/0',
        workers,
        secret: 'a secret for tests, 32 characters or more',
        keys: [{ id: 'a', key: USER_KEY }],
      })
      const { code, stderr } = await run('start', '--config', away)
      assert.equal(code, 1, stderr)
      assert.match(stderr, /store: /)
    }
    await refused(['start', '--config', config('misspelt.yaml', { store: 'redsi://127.0.0.1' })], /store/, 3)
  })

  for (const copy of ['running', 'at-rest']) {
    it(`audit verify, export, tail and store backup read a copy that is read-only (${copy})`, async () => {
      const spec = `file:${closed(join(root, copy))}`
      const verified = await run('audit', 'verify', '--store', spec)
      assert.deepEqual([verified.code, verified.stderr], [0, ''])
      assert.match(verified.stdout, /ok: the trail is whole/)
      const lines = (await run('audit', 'export', '--store', spec)).stdout.trim().split('\n')
      assert.ok(lines.some((line) => JSON.parse(line).type === 'request.completed'))
      assert.match((await run('audit', 'tail', '--store', spec)).stdout, /request\.completed/)
      mkdirSync(join(root, `for-${copy}`))
      chmodSync(join(root, `for-${copy}`), 0o777)
      const backup = ['store', 'backup', '--config', config(`${copy}.yaml`, { store: spec }), `for-${copy}/backup`]
      const { code, stdout, stderr } = await run(...backup)
      assert.deepEqual([code, stderr], [0, ''])
      assert.match(stdout, /store copied and checked/)
    })
  }

  it('audit verify: what was not yet in the file of a read-only copy is not passed over in silence', async () => {
    await refused(
      ['audit', 'verify', '--store', `file:${closed(join(root, 'torn'))}`],
      /torn\/store\.db cannot be read: .*copy the whole folder/,
    )
  })

  it('what may not be read is not taken for what is not there', async () => {
    chmodSync(store, OTHER.uid === undefined ? 0 : 0o700)
    const denied = (name: string) =>
      new RegExp(`store/${name} cannot be looked at: permission denied \\(EACCES\\)\\. Run as`)
    await refused(['audit', 'verify', '--store', `file:${store}`], denied('store.db'))
    await refused(['audit', 'tail', '--config', full], denied('store.db'))
    await refused(['audit', 'key', '--config', full], denied('secret'))
    await refused(['store', 'backup', '--config', full, 'backup'], denied('store.db'))
    await refused(['start', '--config', full], denied('secret'))
    const unreadable = config('unreadable.yaml', {})
    chmodSync(unreadable, OTHER.uid === undefined ? 0 : 0o600)
    await refused(['check', unreadable], /unreadable\.yaml: cannot be read: permission denied/, 3)
    await refused(['check', join(root, 'nowhere.yaml')], /nowhere\.yaml: cannot be read: there is no such file/, 3)
  })

  it('store backup: the target cannot be made', async () => {
    chmodSync(store, 0o755)
    for (const name of readdirSync(store)) chmodSync(join(store, name), 0o444)
    await refused(
      ['store', 'backup', '--config', full, 'locked/backup'],
      /locked\/backup cannot be made: permission denied/,
    )
  })

  it('the spill folder and the audit file are told in the log, with their paths', async (t) => {
    chmodSync(join(root, 'locked'), 0o555)
    writeFileSync(join(root, 'a-file'), '')
    const file = config('later.yaml', {
      store: 'memory',
      secret: 'a secret for tests, 32 characters or more',
      keys: [{ id: 'user', key: USER_KEY }],
      audit: { spill_folder: './a-file/spill' },
      plugins: [{ use: 'audit-file', options: { path: './a-file/audit.jsonl' } }],
    })
    const gateway = await startCli(['--config', file])
    t.after(() => gateway.kill('SIGKILL'))
    const spill = await gateway.logged('audit.spill_folder cannot be used')
    assert.match(String(spill.problem), /a-file is a file/)
    const audit = await gateway.logged('the audit file cannot be written; events wait in the store')
    assert.match(String(audit.path), /a-file/)
  })

  it('a disk that is full: what is written to standard output, and what a first start makes', {
    skip: !existsSync('/dev/full'),
  }, async () => {
    const out = openSync('/dev/full', 'w')
    const child = spawn(process.execPath, [BIN, 'keys', 'create'], { stdio: ['ignore', out, 'pipe'] })
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    const stderr = await text(child.stderr as Readable)
    closeSync(out)
    assert.equal(
      stderr,
      'governed-gateway: standard output cannot be written: the disk is full (ENOSPC). Make room, or name another place.\n',
    )
    assert.equal(await ended, 1)
  })

  it('a disk that is full: first start and backup', { skip: process.getuid?.() !== 0 }, async (t) => {
    const disk = smallDisk(t)
    const source = config('on-disk.yaml', { store: `file:${disk.path}` })
    cpSync(join(root, 'at-rest'), join(disk.path), { recursive: true })
    disk.fill()
    const empty = config('on-full.yaml', { store: `file:${disk.path}-2` })
    const { code, stderr } = await runCli(['start', '--config', empty])
    assert.match(stderr, /data-2\S* cannot be (made|written): the disk is full \(ENOSPC\)/)
    assert.equal(code, 1)
    const backup = await runCli(['store', 'backup', '--config', source, `${disk.path}-3`])
    assert.equal(backup.code, 1, backup.stderr)
    assert.doesNotMatch(backup.stderr, /\n {4}at /)
    assert.match(backup.stderr, /disk/)
  })
})
