import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Json } from '../../../../core/engine/contract/plugin.ts'
import type { FromWorker, ToWorker } from '../../../../core/gateway/cluster/messages.ts'
import { PeerRelay, WorkerPeers } from '../../../../core/gateway/cluster/peers.ts'

/** Workers and their primary in one process; `silent` ones do not answer. */
function cluster(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const silent = new Set<number>()
  const ready = new Map<number, { number: number; send(message: ToWorker): void }>()
  const relay = new PeerRelay(() => [...ready.values()])
  const join = (number: number, value: Json) => {
    const send = (message: FromWorker) => relay.handle(peer, message as FromWorker & { type: 'ask' | 'answer' })
    const worker = new WorkerPeers(relay.inherited(number), send)
    worker.answer('p', async () => value)
    const peer = {
      number,
      send: (message: ToWorker) => {
        if (!silent.has(number)) void worker.handle(message as ToWorker & { type: 'asked' | 'answers' })
      },
    }
    ready.set(number, peer)
    return worker
  }
  return { join, silent, ready }
}

describe('a plugin in several workers', () => {
  it('asks all others', async (t) => {
    const { join } = cluster(t)
    const one = join(1, 'a')
    join(2, 'b')
    join(3, 'c')
    assert.deepEqual(await one.ask('p'), ['b', 'c'])
    assert.deepEqual(await one.ask('unknown'), [])
  })

  it('gets the last answer of one that died, and its successor inherits that', async (t) => {
    const { join, ready } = cluster(t)
    const one = join(1, 'a')
    join(2, 'b')
    await one.ask('p')
    ready.delete(2)
    assert.deepEqual(await one.ask('p'), ['b'])
    const next = join(2, 'b+')
    assert.deepEqual(next.inherited, { p: 'b' })
    assert.deepEqual(await one.ask('p'), ['b+'])
  })

  it('takes the last answer of one that hangs', async (t) => {
    const { join, silent } = cluster(t)
    const one = join(1, 'a')
    join(2, 'b')
    await one.ask('p')
    silent.add(2)
    const asked = one.ask('p')
    await new Promise(setImmediate)
    t.mock.timers.tick(2000)
    assert.deepEqual(await asked, ['b'])
  })
})
