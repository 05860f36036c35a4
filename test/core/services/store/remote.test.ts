import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { join } from 'node:path'
import { afterEach, describe, it } from 'node:test'
import { isStoreError } from '../../../../core/engine/contract/store-errors.ts'
import { StoreClient } from '../../../../core/services/store/client.ts'
import { EmbeddedDriver } from '../../../../core/services/store/embedded/driver.ts'
import { MemoryDriver } from '../../../../core/services/store/memory.ts'
import { type Channel, RemoteDriver, serve } from '../../../../core/services/store/remote.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { until } from '../../../helpers/until.ts'
import { conformance } from './conformance.ts'

const root = temporaryFolder()

/** The two ends of an IPC channel, within this process. */
function channels(): [Channel & EventEmitter, Channel & EventEmitter] {
  const ends = [new EventEmitter(), new EventEmitter()] as [Channel & EventEmitter, Channel & EventEmitter]
  ends.forEach((end, i) => {
    Object.assign(end, {
      connected: true,
      send(message: unknown) {
        const copy = JSON.stringify(message)
        setImmediate(() => ends[1 - i]!.emit('message', JSON.parse(copy)))
        return true
      },
    })
  })
  return ends
}

conformance({
  name: 'remote (memory)',
  async open({ clock = Date.now, ...options } = {}) {
    const [worker, primary] = channels()
    serve(new MemoryDriver({ clock, ...options }), primary)
    return new StoreClient(await RemoteDriver.open(worker, { clock }))
  },
})

describe('one store for a primary and its workers', () => {
  const children = new Set<ChildProcess>()
  let driver: EmbeddedDriver | undefined
  afterEach(async () => {
    for (const child of children) {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    }
    children.clear()
    await driver?.close()
  })

  let folders = 0
  async function primary(): Promise<StoreClient> {
    driver = await EmbeddedDriver.open({ folder: join(root, String(folders++)), ballastBytes: 0 })
    return new StoreClient(driver)
  }

  async function worker(name: string): Promise<ChildProcess> {
    const execArgv = process.execArgv.filter((arg) => !arg.startsWith('--test'))
    const script = join(import.meta.dirname, 'remote-worker.ts')
    const child = fork(script, [name], { execArgv, serialization: 'advanced' })
    children.add(child)
    child.once('exit', () => children.delete(child))
    serve(driver!, child as unknown as Channel)
    await told(child, 'ready')
    return child
  }

  const told = <T>(child: ChildProcess, key: string): Promise<T> =>
    new Promise((resolve) => {
      child.on('message', (message: Record<string, T>) => {
        if (Object.hasOwn(message, key)) resolve(message[key]!)
      })
    })

  it('lets exactly 500 of 2,000 pass on four workers', async () => {
    const store = await primary()
    const workers = await Promise.all(['a', 'b', 'c', 'd'].map(worker))
    const passed = workers.map((child) => told<number>(child, 'passed'))
    for (const child of workers) child.send({ job: 'reserve', count: 500 })
    const sum = (await Promise.all(passed)).reduce((total, count) => total + count, 0)
    assert.equal(sum, 500)
    const [state] = await store.inspect([{ key: 'team', window: 'total' }])
    assert.deepEqual([state!.spent, state!.reserved], [0, 500])
  })

  it('frees the claims and locks of a worker that is killed, at once', async () => {
    const store = await primary()
    await store.append('audit', [{ n: 1 }, { n: 2 }])
    const doomed = await worker('doomed')
    const read = told<number[]>(doomed, 'read')
    doomed.send({ job: 'read' })
    assert.deepEqual(await read, [1, 2])
    const got = told<boolean>(doomed, 'got')
    doomed.send({ job: 'lock' })
    assert.equal(await got, true)
    assert.equal(await store.acquire('job', 'heir', 60_000), false)
    const heir = store.consumer('audit', 'siem', { pollMs: 60_000 })
    const waiting = heir.read(10)
    await store.stats('audit')
    doomed.kill('SIGKILL')
    assert.deepEqual(
      (await waiting).map(({ record }) => record.n),
      [1, 2],
    )
    assert.equal(await store.acquire('job', 'heir', 60_000), true)
    await heir.close()
  })

  it('charges what a killed worker held once its leases run out: spent and free are 500 again', async () => {
    const store = await primary()
    const doomed = await worker('doomed')
    const passed = told<number>(doomed, 'passed')
    doomed.send({ job: 'reserve', count: 120, leaseMs: 400 })
    assert.equal(await passed, 120)
    const window = 'total' as const
    doomed.kill('SIGKILL')
    const scopes = [{ key: 'team', window, limit: 500, amount: 1 }]
    const late = Array.from({ length: 500 }, (_, i) => store.reserve({ id: `late-${i}`, leaseMs: 60_000, scopes }))
    assert.equal((await Promise.all(late)).filter((answer) => answer.ok).length, 380)
    for (let i = 0; i < 380; i++) await store.settle(`late-${i}`, i % 2 === 0 ? { team: 1 } : {})
    const state = async () => (await store.inspect([{ key: 'team', window }]))[0]!
    await until(async () => (await state()).reserved === 0)
    assert.equal((await state()).spent, 120 + 190)
  })

  it('ends the leases of a worker that is killed, at once: what it had open is found and charged', async () => {
    const store = await primary()
    const doomed = await worker('doomed')
    const begun = told<number>(doomed, 'begun')
    doomed.send({ job: 'exchanges', count: 3 })
    assert.equal(await begun, 3)
    await store.begin({ id: 'ours', leaseMs: 60_000, scopes: [], marker: { id: 'ours' } })
    assert.deepEqual(await store.lapsed(10, 1000), [])
    const gone = once(doomed, 'exit')
    doomed.kill('SIGKILL')
    await gone
    const found = await until(async () => {
      const lapsed = await store.lapsed(10, 60_000)
      return lapsed.length > 0 && lapsed
    })
    assert.deepEqual(found.map(({ marker }) => marker.n).sort(), [1, 2])
    const [state] = await store.inspect([{ key: 'team', window: 'total' }])
    assert.deepEqual([state!.spent, state!.reserved], [2, 0])
  })

  it('tells workers that the primary is gone', async () => {
    const [end, other] = channels()
    serve(new MemoryDriver(), other)
    const store = new StoreClient(await RemoteDriver.open(end))
    const pending = store.get('k')
    end.emit('disconnect')
    await assert.rejects(pending, (error) => isStoreError(error, 'unavailable'))
    assert.equal(store.status.state, 'unavailable')
    await assert.rejects(store.get('k'), /gone/)
    await store.close()
  })

  it('gives up on a primary that offers no store', async () => {
    const [end] = channels()
    await assert.rejects(RemoteDriver.open(end, { timeoutMs: 10 }), /did not offer/)
  })

  it('bounds the time and the number of calls', async () => {
    const [end, other] = channels()
    serve(new MemoryDriver(), other)
    const store = new StoreClient(await RemoteDriver.open(end, { timeoutMs: 20, maxPending: 2 }))
    const scopes = [{ key: 'k', window: 'total' as const, limit: 10, amount: 1 }]
    const held: unknown[] = []
    const listeners = end.listeners('message')
    end.removeAllListeners('message')
    end.on('message', (message) => held.push(message))
    const calls = [store.reserve({ id: 'a', leaseMs: 1000, scopes }), store.get('k'), store.get('k')]
    const results = await Promise.allSettled(calls)
    assert.deepEqual(
      results.map(
        (result) => result.status === 'rejected' && /overloaded|within 20 ms/.exec(String(result.reason))?.[0],
      ),
      ['within 20 ms', 'within 20 ms', 'overloaded'],
    )
    // The reservation was made after all, and is taken back.
    end.removeAllListeners('message')
    for (const listener of listeners) end.on('message', listener as (message: unknown) => void)
    // A busy machine takes longer than 20 ms to answer.
    await until(() =>
      store.inspect([scopes[0]!]).then(
        ([state]) => state!.reserved === 0,
        () => false,
      ),
    )
    await store.close()
  })
})
