/** A Redis without room: what is running is recorded, and once there is room everything is as before. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { JsonObject } from '../../../../core/engine/contract/store.ts'
import { openStore } from '../../../../core/services/store/open.ts'
import { GENESIS } from '../../../../core/services/store/ops.ts'
import { verify } from '../../../helpers/chain.ts'
import { send } from '../../../helpers/http.ts'
import { ALL } from '../../../helpers/rounds.ts'
import { until } from '../../../helpers/until.ts'
import { type ClusterRig, startCluster } from '../../gateway/cluster/setup.ts'
import { RedisServer } from '../store/redis-server.ts'
import { isTerminal } from './faults.ts'

const CLIENTS = 4

interface Answer {
  readonly id: string
  readonly status: number
}

/** Clients that go on all the time, each with thirty requests a second. */
class Load {
  readonly answers: Answer[] = []
  #stopped = false
  readonly #clients: readonly Promise<void>[]

  constructor(rig: ClusterRig) {
    this.#clients = Array.from({ length: CLIENTS }, async () => {
      while (!this.#stopped) {
        const reply = await rig.post()
        await reply.text()
        this.answers.push({ id: reply.headers['x-request-id'] as string, status: reply.status })
        await pause(30)
      }
    })
  }

  /** Settles when the next `count` answers all have the status. */
  async only(status: number, count: number): Promise<void> {
    const from = this.answers.length
    await until(() => {
      const wrong = this.answers.findLastIndex((answer, i) => i >= from && answer.status !== status)
      return this.answers.length >= Math.max(from, wrong + 1) + count
    })
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#clients)
  }
}

async function ready(rig: ClusterRig, wanted: number): Promise<void> {
  let row = 0
  await until(async () => {
    const reply = await send(`${rig.gateway.url}/health/ready`)
    await reply.text()
    row = reply.status === wanted ? row + 1 : 0
    return row === 12
  })
}

/** Every record of every chain; the chains are whole. */
async function trail(url: string): Promise<JsonObject[]> {
  const store = await openStore(url)
  try {
    const { instances } = await store.stats('audit')
    const all: JsonObject[] = []
    for (const { instance } of instances) {
      const head = { seq: 0, hash: GENESIS }
      for (let after: string | undefined; ; ) {
        const page = await store.scan('audit', { instance, limit: 1000, ...(after && { after }) })
        for (const { record } of page.records) assert.equal(verify(record, head), undefined)
        all.push(...page.records.map(({ record }) => record))
        after = page.next
        if (after === undefined) break
      }
    }
    return all
  } finally {
    await store.close()
  }
}

for (const workers of ALL ? [1, 2] : [2]) {
  test(`a Redis that was out of memory: all is well once it has room (workers: ${workers})`, async (t) => {
    const redis = await RedisServer.start('--maxmemory-policy', 'noeviction')
    t.after(() => redis.stop())
    const limits = [{ scope: 'key', unit: 'requests', limit: 1_000_000, window: { rolling: '1h' } }]
    const plugins = [{ use: 'audit-file' }, { use: 'budget', options: { limits } }]
    const rig = await startCluster(t, { workers, plugins, store: redis.url, audit: { spill_folder: './spill' } })
    const load = new Load(rig)
    t.after(() => load.stop())
    await load.only(200, 20)
    for (let round = 1; round <= 2; round++) {
      redis.cli('CONFIG', 'SET', 'maxmemory', '1')
      await load.only(503, 40)
      await ready(rig, 503)
      redis.cli('CONFIG', 'SET', 'maxmemory', '0')
      await ready(rig, 200)
      await load.only(200, 40)
    }
    await load.stop()
    rig.gateway.kill('SIGTERM')
    await rig.gateway.ended
    const records = await trail(redis.url)
    assert.equal(new Set(records.map(({ id }) => id)).size, records.length)
    const ends = new Map<unknown, string[]>()
    for (const record of records.filter(isTerminal)) {
      ends.set(record.request_id, [...(ends.get(record.request_id) ?? []), String(record.type)])
    }
    for (const { id, status } of load.answers) {
      // An exchange may have been answered by the model before its last write was refused.
      const expected = status === 200 ? ['request.completed'] : ends.get(id)?.slice(0, 1)
      assert.ok(expected !== undefined, `${id} (${status}) is lost`)
      assert.deepEqual(ends.get(id), expected, `${id} (${status})`)
    }
    const told = (type: string) => records.filter((record) => record.type === type)
    assert.ok(told('store.recovered').length >= workers)
    assert.ok(told('store.recovered').every(({ lost }) => lost === 0))
  })
}
