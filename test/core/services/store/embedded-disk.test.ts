import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, closeSync, mkdirSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { allRecords, embeddedStores, kind, status } from './faults.ts'
import { scope } from './harness.ts'

const { folder, open } = embeddedStores()

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
    const numbers = (await allRecords(store)).map((record) => record.n).filter((n) => n !== -1)
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
