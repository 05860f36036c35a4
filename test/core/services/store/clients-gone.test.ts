import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type Outgoing, SqliteWorker } from '../../../../core/services/store/embedded/sqlite-worker.ts'
import type { OpName } from '../../../../core/services/store/ops.ts'
import { packArgs } from '../../../../core/services/store/wire.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { smallDisk } from '../../../helpers/small-disk.ts'

const root = temporaryFolder()

const open = (folder: string, ballastBytes = 0): SqliteWorker =>
  new SqliteWorker({ folder, durability: 'stored', check: 'none', instance: 'node-a', ballastBytes, cached: 10 })

const call = (client: number, ...ops: [OpName, unknown][]) => ({
  client,
  calls: ops.map(([name, args], i) => [i, name, packArgs(name, args)] as const),
})
const results = (out: readonly Outgoing[]): unknown[] => out[0]!.replies[0].map((reply) => reply[2])
const begin = (id: string): [OpName, unknown] => {
  const scope = { key: 'k', meter: 't/k', limit: 1000, amount: 1, least: 1, due: null }
  return ['begin', { id, leaseMs: 600_000, marker: '{}', stream: '', events: [], scopes: [scope] }]
}
const lapsed: [OpName, unknown] = ['lapsed', { max: 1000, claimMs: 60_000 }]

describe('embedded store: a client that is gone', () => {
  it('is ended by another: nothing is left of what it had open', () => {
    const owner = open(join(root, 'ended'))
    owner.process([call(1, begin('a'), begin('b'))])
    owner.process([call(2, ['end', { id: 'a', used: { k: 1 }, stream: '', events: [] }])])
    owner.gone(1)
    owner.gone(1)
    const [found] = results(owner.process([call(2, lapsed)])) as [{ id: string }[]]
    assert.deepEqual(
      found.map(({ id }) => id),
      ['b'],
    )
    owner.close()
  })

  it('ends what it had open also when its reservation was taken back before', () => {
    const owner = open(join(root, 'cancelled'))
    owner.process([call(1, begin('a'), ['cancel', { id: 'a' }])])
    owner.gone(1)
    const [found] = results(owner.process([call(2, lapsed)])) as [{ id: string }[]]
    assert.deepEqual(
      found.map(({ id }) => id),
      ['a'],
    )
    owner.close()
  })

  it('ends what it had open on a disk that is full, and says that it is full', (t) => {
    const disk = smallDisk(t)
    const owner = open(disk.path, 1 << 20)
    owner.process([call(1, ...Array.from({ length: 200 }, (_, i) => begin(`x${i}`)))])
    disk.fill()
    const told = owner.gone(1).map(({ client, replies: [, notices] }) => [client, notices[0]])
    const status = owner.status
    assert.equal(status.state, 'full')
    assert.deepEqual(told, [['all', { type: 'status', status }]])
    const [found] = results(owner.process([call(2, lapsed)])) as [unknown[]]
    assert.equal(found.length, 200)
    owner.close()
  })
})
