import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { GovernanceEvent } from 'governed-gateway'
import type { Store } from '../../../core/engine/contract/store.ts'
import type { DigestEvent } from '../../../plugins/alerting/digest.ts'
import { blocked } from './events.ts'
import { Deployment, rounds, until } from './replica.ts'

const event = (i: number, more: Partial<GovernanceEvent> = {}): GovernanceEvent =>
  blocked({ id: `event-${i}`, request_id: `req_${i}`, ...more })

/** Runs until `stop`; what it fails with is thrown there. */
function running(deployment: Deployment, store?: Store): { stop(): Promise<void>; ended: Promise<unknown> } {
  const stop = new AbortController()
  const ended = deployment
    .runner(store)
    .run(stop.signal)
    .catch((error: unknown) => error)
  return {
    ended,
    async stop() {
      stop.abort()
      const error = await ended
      if (error !== undefined) throw error
    },
  }
}

describe('a flood, through the store', () => {
  it('from 1,000 keys is at most the rate, and one digest that adds up', async () => {
    const deployment = new Deployment()
    const one = running(deployment)
    for (let second = 0; second < 60; second++) {
      await deployment.append(
        Array.from({ length: 10_000 / 60 + (second < 40 ? 1 : 0) }, (_, i) =>
          event(second * 1_000 + i, { key_id: `key-${(second * 167 + i) % 1_000}` }),
        ),
      )
      await deployment.clock.advance(1_000)
    }
    await until(async () => (await deployment.backlog) === 0)
    await deployment.clock.advance(900_000, 5_000)
    await one.stop()
    const alerts = deployment.types().filter((type) => type === 'request.blocked').length
    const digests = deployment.arrived.map(({ body }) => body).filter(({ type }) => type === 'alert.digest')
    assert.equal(alerts, 10)
    assert.equal(digests.length, 1)
    const { count, groups, others } = digests[0] as DigestEvent
    assert.equal(count + alerts, 10_000)
    assert.equal(groups.reduce((sum, group) => sum + group.count, 0) + others, count)
  })
})

describe('ten replicas', () => {
  it('send one alert', async () => {
    const deployment = new Deployment()
    const replicas = Array.from({ length: 10 }, (_, i) => deployment.replica(`node-${i}`))
    for (const replica of replicas) replica.start()
    await deployment.append([event(1), event(2), event(3)])
    await until(() => deployment.arrived.length > 0)
    await deployment.clock.advance(600_000, 5_000)
    for (const replica of replicas) await replica.stop()
    assert.deepEqual(deployment.types(), ['request.blocked', 'alert.digest'])
  })

  it('continue where the previous one stopped', async () => {
    const deployment = new Deployment()
    const first = running(deployment)
    await deployment.append([event(1)])
    await until(() => deployment.arrived.length === 1)
    await until(async () => (await deployment.backlog) === 0)
    await first.stop()
    await deployment.append([event(2), event(3, { key_id: 'other' })])
    const second = running(deployment)
    await until(() => deployment.arrived.length === 2)
    assert.equal(deployment.arrived[1]!.body.key_id, 'other')
    await deployment.clock.advance(600_000, 5_000)
    await second.stop()
    assert.equal((deployment.arrived[2]!.body as DigestEvent).count, 1)
  })

  it('notice that a process presumed dead still runs', async () => {
    const deployment = new Deployment()
    const first = running(deployment)
    await deployment.append([event(1)])
    await until(() => deployment.arrived.length === 1)
    await rounds(10)
    const second = running(deployment)
    await rounds(10)
    await deployment.append([event(2, { key_id: 'other' })])
    const error = await first.ended
    assert.equal((error as Error).name, 'TakenOver')
    await until(() => deployment.arrived.length === 2)
    await second.stop()
  })
})

describe('a process that dies', () => {
  /** A store whose process is killed right before a call: neither this nor any later one arrives. */
  function dyingStore(store: Store, dies: (name: string, key: string) => boolean): Store {
    let dead = false
    const wrap = (inner: Store): Store =>
      new Proxy(inner, {
        get(target, name) {
          const value = Reflect.get(target, name) as unknown
          if (name === 'namespace') return (prefix: string) => wrap(target.namespace(prefix))
          if (typeof value !== 'function') return value
          return (...args: unknown[]) => {
            dead ||= dies(String(name), String(args[0]))
            if (dead) return Promise.reject(new Error('killed'))
            return (value as (...args: unknown[]) => unknown).apply(target, args)
          }
        },
      })
    return wrap(store)
  }

  it('before it wrote anything has lost nothing', async () => {
    const deployment = new Deployment()
    let writes = 0
    const store = dyingStore(
      deployment.store,
      (name, key) => name === 'set' && key.startsWith('mailbox/') && ++writes === 2,
    )
    const first = running(deployment, store)
    await deployment.append([event(1), event(2)])
    await first.ended
    assert.equal(deployment.arrived.length, 0)
    const second = running(deployment)
    await until(() => deployment.arrived.length === 1)
    await deployment.clock.advance(600_000, 5_000)
    await second.stop()
    assert.deepEqual(deployment.types(), ['request.blocked', 'alert.digest'])
    assert.equal((deployment.arrived[1]!.body as DigestEvent).count, 1)
  })

  it('between event and delivery loses nothing, and alerts once', async () => {
    const deployment = new Deployment()
    deployment.answer = (_, signal) =>
      new Promise((_resolve, reject) => {
        const gone = () => reject(new Error('killed'))
        if (signal?.aborted) gone()
        else signal?.addEventListener('abort', gone, { once: true })
        reached()
      })
    let reached = () => {}
    const sending = new Promise<void>((resolve) => {
      reached = resolve
    })
    let dead = false
    const first = running(
      deployment,
      dyingStore(deployment.store, () => dead),
    )
    await deployment.append([event(1), event(2), event(3)])
    await sending
    await until(async () => (await deployment.backlog) === 0)
    dead = true
    deployment.answer = () => 200
    const second = running(deployment)
    await until(() => deployment.arrived.length === 1)
    await deployment.clock.advance(600_000, 5_000)
    await second.stop()
    assert.deepEqual(deployment.types(), ['request.blocked', 'alert.digest'])
    assert.equal(deployment.arrived[0]!.body.id, 'event-1')
    assert.equal((deployment.arrived[1]!.body as DigestEvent).count, 2)
    await first.stop().catch(() => {})
  })
})

describe('the settings', () => {
  it('apply to pending events when they change', async () => {
    const deployment = new Deployment({ max_retries: 10 })
    deployment.answer = (url) => (url.includes('receiver') ? 503 : 200)
    const one = running(deployment)
    await deployment.append([event(1)])
    await rounds(20)
    deployment.change({ webhook_url: 'http://elsewhere/' })
    await until(() => deployment.arrived.length === 1)
    assert.equal(deployment.arrived[0]!.url, 'http://elsewhere/')
    await one.stop()
    assert.deepEqual(deployment.failures, [])
  })

  it('that remove a destination drop its pending alerts and record this', async () => {
    const destinations = [{ name: 'team', url: 'http://team/' }] as never
    const deployment = new Deployment({ destinations, max_retries: 0, muted_until: '2026-11-21T09:00:00Z' })
    const one = running(deployment)
    await deployment.append([event(1)])
    await until(async () => (await deployment.backlog) === 0)
    deployment.change({ destinations: [] })
    await rounds(20)
    await deployment.clock.advance(60_000)
    const log = () => deployment.store.namespace('alerting').recent('deliveries', { limit: 10 })
    await until(async () => JSON.stringify((await log()).entries).includes('"dropped"'))
    await one.stop()
    assert.equal(deployment.arrived.length, 0)
  })

  it('that switch alerting off and on again within a minute lose nothing, whichever process learns of it first', async () => {
    const deployment = new Deployment()
    const one = running(deployment)
    await deployment.append([event(1)])
    await until(() => deployment.arrived.length === 1)
    deployment.change({ enabled: false })
    await rounds(20)
    await deployment.clock.advance(45_000)
    // The process of this event knows already that alerting is on again; the one that sends does not yet.
    await deployment.append([event(2, { key_id: 'another' })])
    await rounds(20)
    assert.equal(deployment.arrived.length, 1)
    assert.equal(await deployment.backlog, 1)
    deployment.change({ enabled: true })
    await until(() => deployment.arrived.length === 2)
    await one.stop()
    assert.deepEqual(
      deployment.arrived.map(({ body }) => body.id),
      ['event-1', 'event-2'],
    )
  })

  it('that turn alerting off stop delivery at once', async () => {
    const deployment = new Deployment()
    const one = running(deployment)
    await rounds(5)
    deployment.change({ enabled: false })
    await rounds(5)
    await deployment.append([event(1)])
    await rounds(20)
    await deployment.clock.advance(60_000)
    await until(async () => (await deployment.backlog) === -1)
    await one.stop()
    assert.equal(deployment.arrived.length, 0)
    // Nor is the log kept for it any more, in the end.
    assert.equal(await deployment.backlog, -1)
  })
})

describe('one exchange', () => {
  it('is one alert: a block includes its detections', async () => {
    const deployment = new Deployment({ min_severity: 'detect' })
    const one = running(deployment)
    const more = { request_id: 'req_1' }
    await deployment.append([
      event(1, { ...more, type: 'pii.detected', severity: 'detection' }),
      event(2, { ...more, type: 'budget.exceeded', severity: 'block' }),
      event(3, more),
      event(4, { request_id: 'req_2', type: 'pii.detected', severity: 'detection' }),
    ])
    await until(() => deployment.arrived.length === 2)
    await until(async () => (await deployment.backlog) === 0)
    await deployment.clock.advance(600_000, 5_000)
    await one.stop()
    assert.deepEqual(deployment.types(), ['request.blocked', 'pii.detected'])
  })
})
