import assert from 'node:assert/strict'
import {
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import type { Store } from '../../../../core/engine/contract/store.ts'
import { migrate } from '../../../../core/services/store/embedded/schema.ts'
import { rounds } from '../../../helpers/rounds.ts'
import { embeddedStores, kind, status } from './faults.ts'
import { scope } from './harness.ts'

const { folder, open } = embeddedStores()

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
    for (let round = 0; round < Math.max(5, rounds(12)); round++) {
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
      const isTrue = async (i: number) => {
        assert.equal(await store.get(`k${i}`), `value ${i} ${'x'.repeat(200)}`)
        const [team] = await store.inspect([{ key: `team${i}`, window: 'total' }])
        assert.deepEqual([team!.spent, team!.reserved], [1, 0])
      }
      for (let i = 0; i < 400; i += 20) await Promise.all(Array.from({ length: 20 }, (_, nth) => isTrue(i + nth)))
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
