import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, afterEach, describe, it, type TestContext } from 'node:test'
import { StoreClient } from '../../../core/store/client.ts'
import { EmbeddedDriver, type EmbeddedOptions } from '../../../core/store/embedded/driver.ts'
import { migrate } from '../../../core/store/embedded/schema.ts'
import { isStoreError, type StoreErrorKind } from '../../../core/store/errors.ts'
import type { Store, StoreStatus } from '../../../core/store/store.ts'
import { scope } from './harness.ts'

const root = mkdtempSync(join(tmpdir(), 'gg-faults-'))
after(() => rmSync(root, { recursive: true }))

let folders = 0
const folder = (): string => join(root, String(folders++))

const stores = new Set<Store>()
// What a failed test left open would keep the process alive.
afterEach(async () => {
  for (const store of stores) await store.close()
  stores.clear()
})

async function open(path: string, options: Partial<EmbeddedOptions> = {}): Promise<Store> {
  const store = new StoreClient(await EmbeddedDriver.open({ folder: path, ballastBytes: 0, ...options }))
  stores.add(store)
  return store
}

const kind =
  (wanted: StoreErrorKind, ...words: string[]) =>
  (error: unknown): boolean =>
    isStoreError(error, wanted) && words.every((word) => error.message.includes(word))

const status = (store: Store, state: StoreStatus['state']): Promise<StoreStatus> =>
  new Promise((resolve) => {
    const stop = store.onStatus((now) => {
      if (now.state !== state) return
      stop()
      resolve(now)
    })
  })

/** A closed store with some hundred rows of each sort. */
async function filled(): Promise<string> {
  const path = folder()
  const store = await open(path)
  const writes = Array.from({ length: 400 }, (_, i) => [
    store.set(`k${i}`, `value ${i} ${'x'.repeat(200)}`),
    store.append('audit', [{ n: i, text: 'y'.repeat(300) }]),
    store.reserve({ id: `r${i}`, leaseMs: 60_000, scopes: [scope(1e6, 1, { key: `team${i}`, window: 'total' })] }),
    store.push('log', [`entry ${i}`], 1000),
  ])
  await Promise.all(writes.flat())
  await store.close()
  return path
}

describe('embedded store: one owner', () => {
  it('refuses a folder that is in use, and names the process', async () => {
    const path = folder()
    const store = await open(path)
    await assert.rejects(open(path), kind('in_use', path, `process ${process.pid}`, 'store: file:'))
    const script = join(root, 'other.ts')
    const driver = join(import.meta.dirname, '../../../core/store/embedded/driver.ts')
    const attempt = `EmbeddedDriver.open({ folder: '${path}' }).catch((error) => process.stdout.write(error.message))`
    writeFileSync(script, `import { EmbeddedDriver } from '${driver}'\n${attempt}`)
    const argv = process.execArgv.filter((arg) => !arg.startsWith('--test'))
    const said = execFileSync(process.execPath, [...argv, script], { encoding: 'utf8' })
    assert.match(said, new RegExp(`in use by process ${process.pid}`))
    await store.close()
    const again = await open(path)
    await again.close()
  })

  it('says what to do when the folder cannot be used', async () => {
    const path = folder()
    writeFileSync(path, 'a file')
    await assert.rejects(open(join(path, 'below')), kind('unavailable', path, 'may be written'))
  })

  it('starts its thread again when it dies, without losing what was answered', async () => {
    const driver = await EmbeddedDriver.open({ folder: folder(), ballastBytes: 0 })
    const store = new StoreClient(driver)
    stores.add(store)
    await store.set('k', 1)
    const [down, up] = [status(store, 'unavailable'), status(store, 'ready')]
    driver.connect(() => {}).receive('this is no message')
    const pending = store.set('k', 2)
    await assert.rejects(pending, kind('unavailable', 'thread'))
    await down
    await up
    assert.equal(await store.get('k'), 1)
    await store.close()
  })

  it('keeps its chain name, whatever the host is called later', async () => {
    const path = folder()
    for (const instance of ['first', 'second']) {
      const store = await open(path, { instance })
      await store.append('audit', [{ type: 'start' }])
      await store.close()
    }
    const store = await open(path, { durability: 'relaxed' })
    const { records } = await store.scan('audit')
    assert.deepEqual(
      records.map(({ record }) => [record.instance, record.seq]),
      [
        ['first', 1],
        ['first', 2],
      ],
    )
    await store.close()
  })

  it('keeps all of it over a clean restart with relaxed durability', async () => {
    const path = folder()
    const store = await open(path, { durability: 'relaxed' })
    await Promise.all(Array.from({ length: 100 }, () => store.increment('n', 1)))
    await store.close()
    const again = await open(path)
    assert.equal(await again.get('n'), 100)
    await again.close()
  })
})

describe('embedded store: damaged files', () => {
  const file = (path: string): string => join(path, 'store.db')

  it('names the file and the way out, every time, and changes nothing', async () => {
    const path = await filled()
    const handle = openSync(file(path), 'r+')
    writeSync(handle, 'garbage', 0)
    closeSync(handle)
    const before = readFileSync(file(path))
    for (let i = 0; i < 2; i++) {
      await assert.rejects(open(path), kind('corrupt', file(path), 'restore a backup', 'aside', '.recover'))
    }
    assert.deepEqual(readFileSync(file(path)), before)
  })

  it('notices a file that was cut off', async () => {
    for (const share of [0.3, 0.9]) {
      const path = await filled()
      truncateSync(file(path), Math.floor((statSync(file(path)).size * share) / 4096) * 4096)
      await assert.rejects(open(path), kind('corrupt', file(path)))
    }
  })

  it('answers with an error or the truth, wherever a byte is flipped', async () => {
    const source = await filled()
    const size = statSync(file(source)).size
    const random = generator(7)
    for (let round = 0; round < 12; round++) {
      const path = folder()
      cpSync(source, path, { recursive: true })
      const bytes = readFileSync(file(path))
      for (let i = 0; i < 40; i++) bytes[100 + Math.floor(random() * (size - 100))]! ^= 1 << (i % 8)
      writeFileSync(file(path), bytes)
      await assertTruthOrError(path)
    }
  })

  /** Park and Miller's generator, so that a failure can be seen again. */
  function generator(seed: number): () => number {
    let state = seed
    return () => {
      state = (state * 48_271) % 2_147_483_647
      return state / 2_147_483_647
    }
  }

  async function assertTruthOrError(path: string): Promise<void> {
    const honest = kind('corrupt')
    let store: Store
    try {
      store = await open(path)
    } catch (error) {
      assert.ok(honest(error), String(error))
      return
    }
    try {
      for (let i = 0; i < 400; i++) {
        assert.equal(await store.get(`k${i}`), `value ${i} ${'x'.repeat(200)}`)
        const [team] = await store.inspect([{ key: `team${i}`, window: 'total' }])
        assert.deepEqual([team!.spent, team!.reserved], [1, 0])
      }
      const { records } = await store.scan('audit', { limit: 1000 })
      assert.deepEqual(
        records.map(({ record }) => record.n),
        Array.from({ length: 400 }, (_, i) => i),
      )
    } catch (error) {
      assert.ok(honest(error), String(error))
    } finally {
      await store.close()
    }
  }

  it('stops, and goes on answering with the reason, when the file is damaged under its hands', async () => {
    const path = await filled()
    const store = await open(path, { check: 'none' })
    const failed = status(store, 'failed')
    const handle = openSync(file(path), 'r+')
    writeSync(handle, Buffer.alloc(statSync(file(path)).size - 4096, 0x5a), 0, null, 4096)
    closeSync(handle)
    for (let i = 0; i < 400; i++) {
      const value = await store
        .get(`k${i}`)
        .catch((error) => assert.ok(kind('corrupt', file(path))(error), String(error)))
      if (value === undefined) break
      assert.equal(value, `value ${i} ${'x'.repeat(200)}`)
    }
    assert.match((await failed).detail, /restore a backup/)
    await assert.rejects(store.set('k', 1), kind('corrupt', file(path)))
    await store.close()
  })

  it('tells a foreign database and a newer schema from damage', async () => {
    const foreign = folder()
    mkdirSync(foreign)
    const db = new DatabaseSync(file(foreign))
    db.exec('CREATE TABLE t(x)')
    db.close()
    await assert.rejects(open(foreign), kind('corrupt', file(foreign), 'not a store'))

    const newer = await filled()
    const later = new DatabaseSync(file(newer))
    later.exec('PRAGMA user_version = 99')
    later.close()
    await assert.rejects(open(newer), kind('too_new', 'schema 99'))
  })

  it('migrates step by step, each step whole or not at all', () => {
    const db = new DatabaseSync(':memory:')
    const steps = ['CREATE TABLE a(x)', 'INSERT INTO a VALUES(1); CREATE TABLE b(x)']
    migrate(db, 'f', steps.slice(0, 1))
    assert.throws(() => migrate(db, 'f', [...steps, 'INSERT INTO a VALUES(2); nonsense']))
    assert.equal(db.prepare('PRAGMA user_version').get()?.user_version, 2)
    assert.deepEqual(
      db
        .prepare('SELECT x FROM a')
        .all()
        .map((row) => row.x),
      [1],
    )
    migrate(db, 'f', [...steps, 'INSERT INTO a VALUES(3)'])
    migrate(db, 'f', [...steps, 'INSERT INTO a VALUES(3)'])
    assert.deepEqual(
      db
        .prepare('SELECT x FROM a')
        .all()
        .map((row) => row.x),
      [1, 3],
    )
    db.close()
  })
})

describe('embedded store: full disk', () => {
  /** A file system of a few megabytes. */
  function smallDisk(t: TestContext, megabytes: number): string {
    const path = folder()
    mkdirSync(path)
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stdio: 'pipe' })
    } catch (error) {
      throw new Error('This test mounts a tmpfs and needs root; run the tests as root in a container.', {
        cause: error,
      })
    }
    t.after(() => execFileSync('umount', ['--lazy', path]))
    return path
  }

  it('refuses to grow, still finishes and cleans up, and recovers by itself', async (t) => {
    const disk = smallDisk(t, 24)
    const store = await open(join(disk, 'data'), { ballastBytes: 2 << 20 })
    for (let i = 0; i < 50; i++) {
      await store.begin({ id: `x${i}`, leaseMs: 600_000, scopes: [scope(1e6, 10, { window: 'total' })], marker: { i } })
    }
    const filler = join(disk, 'filler')
    const full = status(store, 'full')
    const megabyte = Buffer.alloc(1 << 20, 1)
    for (;;) {
      try {
        appendFileSync(filler, megabyte)
      } catch {
        break
      }
    }
    let appended = 0
    const failure = await (async () => {
      for (;;) {
        try {
          await store.append('audit', [{ n: appended, text: 'z'.repeat(2000) }])
          appended++
        } catch (error) {
          return error
        }
      }
    })()
    assert.ok(kind('full', join(disk, 'data', 'store.db'), 'Free space')(failure), String(failure))
    assert.match((await full).detail, /is full/)

    await assert.rejects(store.set('k', 1), kind('full'))
    for (let i = 0; i < 50; i++) {
      const end = await store.end({ id: `x${i}`, used: { team: 1 }, events: [{ n: -1, type: 'request.completed' }] })
      assert.equal(end.closed, true)
    }
    assert.equal((await store.inspect([{ key: 'team', window: 'total' }]))[0]!.spent, 50)
    const half = Math.floor(appended / 2)
    assert.equal((await store.trim('audit', { keep: appended + 50 - half })).removed, half)

    const ready = status(store, 'ready')
    rmSync(filler)
    await ready
    await store.append('audit', [{ n: appended, type: 'after' }])
    const numbers: unknown[] = []
    for (let after: string | undefined; ; ) {
      const page = await store.scan('audit', { limit: 1000, ...(after === undefined ? {} : { after }) })
      numbers.push(...page.records.map(({ record }) => record.n).filter((n) => n !== -1))
      after = page.next
      if (after === undefined) break
    }
    assert.deepEqual(
      numbers,
      Array.from({ length: appended + 1 - half }, (_, i) => half + i),
    )
  })

  it('opens on a full disk, to read and to clean', async (t) => {
    const disk = smallDisk(t, 12)
    const path = join(disk, 'data')
    const options = { ballastBytes: 1 << 20 }
    const first = await open(path, options)
    await first.append(
      'audit',
      Array.from({ length: 200 }, (_, n) => ({ n, text: 'z'.repeat(2000) })),
    )
    await first.close()
    rmSync(join(path, 'store.db-ballast'))
    const handle = openSync(join(disk, 'filler'), 'w')
    assert.throws(() => {
      for (;;) writeSync(handle, Buffer.alloc(1 << 16))
    }, /ENOSPC/)
    closeSync(handle)
    truncateSync(join(disk, 'filler'), statSync(join(disk, 'filler')).size - 300_000)
    const store = await open(path, options)
    assert.equal(store.status.state, 'full')
    assert.equal((await store.scan('audit', { limit: 1000 })).records.length, 200)
    await assert.rejects(store.append('audit', [{ n: 0 }]), kind('full'))
    const ready = status(store, 'ready')
    rmSync(join(disk, 'filler'))
    await ready
    await store.append('audit', [{ n: 200 }])
    await store.close()
  })
})
