import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import type { GovernanceEvent, Json } from '../../../../core/engine/contract/plugin.ts'
import type { JsonObject } from '../../../../core/engine/contract/store.ts'
import { type Anchor, AnchorSigner, anchorIn, isGenuine, isPublicKey } from '../../../../core/services/audit/anchor.ts'
import { ANCHOR_FILE } from '../../../../core/services/audit/anchoring.ts'
import { type Retention, Upkeep } from '../../../../core/services/audit/upkeep.ts'
import { StoreClient } from '../../../../core/services/store/client.ts'
import { MemoryDriver } from '../../../../core/services/store/memory.ts'
import { silent } from '../../../helpers/core.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'

const signer = new AnchorSigner(Buffer.alloc(32, 1))
const DAY = 86_400_000

function rig(t: TestContext, retention: Retention = {}) {
  const folder = temporaryFolder()
  const clock = { now: Date.now() }
  const store = new StoreClient(new MemoryDriver({ instance: 'gw-1', clock: () => clock.now }))
  const state = { audited: true }
  const events: { type: string; anchor: Anchor }[] = []
  const emit = (type: string, payload: Readonly<Record<string, Json>>) => {
    const event = { type, ...payload }
    events.push(event as never)
    void store.append('audit', [event as JsonObject])
    return event as unknown as GovernanceEvent
  }
  const upkeep = new Upkeep({
    store,
    stream: 'audit',
    signer,
    emit,
    folder,
    log: silent,
    audited: () => state.audited,
    retention: () => retention,
  })
  t.after(() => upkeep.stop())
  const append = (n: number) =>
    store.append(
      'audit',
      Array.from({ length: n }, (_, i) => ({ type: 'x', i })),
    )
  const count = async () => (await store.stats('audit')).records
  return { store, upkeep, append, count, events, clock, state, file: join(folder, ANCHOR_FILE) }
}

describe('anchors', () => {
  it('are signed, told as events and kept beside the store', async (t) => {
    const { store, upkeep, append, events, file } = rig(t)
    await append(3)
    await upkeep.stop()
    const [event] = events
    const { records } = await store.scan('audit', { order: 'asc' })
    assert.equal(event?.type, 'audit.anchor')
    assert.deepEqual([event.anchor.seq, event.anchor.hash], [3, records[2]?.record.hash])
    assert.ok(isGenuine(event.anchor, signer.publicKey))
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), event.anchor)
    assert.equal(statSync(file).mode & 0o777, 0o600)
  })

  it('come only when there is something new', async (t) => {
    const { upkeep, append, events, state } = rig(t)
    await upkeep.stop()
    state.audited = false
    await append(1)
    await upkeep.stop()
    assert.equal(events.length, 0)
    state.audited = true
    await upkeep.stop()
    await upkeep.stop()
    assert.equal(events.length, 1)
  })

  it('come once more for what was recorded while the last one was written', async (t) => {
    const { store, upkeep, append, events } = rig(t)
    await append(2)
    const { scan } = store
    store.scan = async (...args) => {
      const page = await scan.apply(store, args)
      store.scan = scan
      await append(2)
      return page
    }
    await upkeep.stop()
    await upkeep.stop()
    await upkeep.stop()
    assert.deepEqual(
      events.map(({ anchor }) => anchor.seq),
      [2, 5],
    )
  })

  it('are genuine only as they were signed', () => {
    const anchor = signer.sign('gw-1', 7, 'ab', '2026-03-16T10:00:00.000Z')
    assert.ok(isGenuine(anchor))
    for (const change of [{ seq: 8 }, { hash: 'ac' }, { instance: 'gw-2' }, { time: '2027' }, { signature: 'AAAA' }]) {
      assert.ok(!isGenuine({ ...anchor, ...change }), JSON.stringify(change))
    }
    const other = new AnchorSigner(Buffer.alloc(32, 2))
    assert.ok(!isGenuine({ ...anchor, key: other.publicKey }))
    assert.ok(!isGenuine(anchor, other.publicKey))
    assert.ok(!isGenuine({ ...anchor, key: 'ed25519:AAAA' }))
    assert.ok(isPublicKey(signer.publicKey) && !isPublicKey('ed25519:x') && !isPublicKey(signer.publicKey.slice(8)))
  })

  it('are found in events and in lines of their own', () => {
    const anchor = signer.sign('gw-1', 7, 'ab', '2026-03-16T10:00:00.000Z')
    assert.deepEqual(anchorIn({ ...anchor }), anchor)
    assert.deepEqual(anchorIn({ type: 'audit.anchor', anchor: { ...anchor } }), anchor)
    assert.equal(anchorIn({ type: 'audit.anchor' }), undefined)
    assert.equal(anchorIn({ type: 'request.completed', seq: 1, hash: 'x' }), undefined)
  })
})

describe('retention', () => {
  it('removes what is old, but nothing that waits', async (t) => {
    const { store, upkeep, append, count, clock } = rig(t, { days: 2 })
    clock.now -= 3 * DAY
    await append(5)
    const consumer = store.consumer('audit', 'reader', { from: 'start' })
    t.after(() => consumer.close())
    const [, second] = await consumer.read(2)
    await consumer.ack(second!.cursor)
    clock.now += 3 * DAY
    await append(2)
    await upkeep.trim()
    assert.equal(await count(), 5)
  })

  it('keeps so many', async (t) => {
    const { upkeep, append, count } = rig(t, { records: 4 })
    await append(10)
    await upkeep.trim()
    assert.equal(await count(), 4)
  })

  it('goes on while nothing is written any more', async (t) => {
    const { upkeep, append, count, state } = rig(t, { records: 4 })
    await append(10)
    state.audited = false
    await upkeep.trim()
    assert.equal(await count(), 4)
  })
})
