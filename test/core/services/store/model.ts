import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Consumer, ScopeRequest, Store, Window } from '../../../../core/engine/contract/store.ts'
import { isStoreError } from '../../../../core/engine/contract/store-errors.ts'
import { StoreClient } from '../../../../core/services/store/client.ts'
import { MemoryDriver } from '../../../../core/services/store/memory.ts'
import { type Clock, fakeClock, type Harness } from './harness.ts'

/** One step: the same on the model (the in-memory store) and on the store under test. */
interface Step {
  readonly name: string
  run(world: World): Promise<unknown>
}

class World {
  store: Store
  readonly consumers = new Map<string, Consumer>()
  constructor(store: Store) {
    this.store = store
  }

  consumer(group: string): Consumer {
    let consumer = this.consumers.get(group)
    if (consumer === undefined) {
      consumer = this.store.consumer('audit', group)
      this.consumers.set(group, consumer)
    }
    return consumer
  }
}

const key = fc.constantFrom('a', 'b', 'c')
const id = fc.constantFrom('x1', 'x2', 'x3', 'x4', 'x5')
const amount = fc.integer({ min: 0, max: 30 })
const leaseMs = fc.constantFrom(1000, 30_000, 60_000)
const windows: readonly Window[] = [
  ...(['minute', 'hour', 'week', 'month'] as const).map((calendar) => ({ calendar })),
  ...[{ rolling: 1000 }, { rolling: 60_000 }],
  'total',
]
const window = fc.constantFrom(...windows)
const scope: fc.Arbitrary<ScopeRequest> = fc.record(
  { key, window, limit: fc.constantFrom(20, 50, 1000), amount, least: fc.integer({ min: 0, max: 5 }), due: amount },
  { requiredKeys: ['key', 'window', 'limit', 'amount'] },
)
const scopes = fc.uniqueArray(scope, { selector: (s) => s.key, minLength: 0, maxLength: 3 })
const events = fc.array(fc.record({ type: fc.constantFrom('e1', 'e2'), n: fc.integer() }), { maxLength: 3 })
const used = fc.dictionary(key, amount, { maxKeys: 3 })

const step = <T>(
  name: string,
  args: fc.Arbitrary<T>,
  run: (world: World, args: T) => Promise<unknown>,
): fc.Arbitrary<Step> =>
  args.map((values) => ({ name: `${name}(${JSON.stringify(values)})`, run: (world) => run(world, values) }))

const fixLeast = (list: ScopeRequest[]): ScopeRequest[] =>
  list.map((s) => (s.least === undefined ? s : { ...s, least: Math.min(s.least, s.amount) }))

const keyValueSteps = [
  step('set', fc.record({ key, value: fc.integer(), ttlMs: fc.option(leaseMs, { nil: undefined }) }), ({ store }, a) =>
    store.set(a.key, a.value, a.ttlMs === undefined ? {} : { ttlMs: a.ttlMs }),
  ),
  step('cas', fc.record({ key, version: fc.nat(12) }), ({ store }, a) =>
    store.set(a.key, 'cas', { ifVersion: a.version }),
  ),
  step('entry', key, ({ store }, k) => store.entry(k)),
  step('delete', key, ({ store }, k) => store.delete(k)),
  step(
    'increment',
    fc.record({ key, by: fc.integer({ min: -3, max: 3 }), ttlMs: leaseMs, prolong: fc.boolean() }),
    ({ store }, a) => store.increment(a.key, a.by, a.ttlMs, { prolong: a.prolong }),
  ),
  step('acquire', fc.record({ key, holder: fc.constantFrom('h1', 'h2'), leaseMs }), ({ store }, a) =>
    store.acquire(a.key, a.holder, a.leaseMs),
  ),
  step('release', fc.record({ key, holder: fc.constantFrom('h1', 'h2') }), ({ store }, a) =>
    store.release(a.key, a.holder),
  ),
]

const limitSteps = [
  step('reserve', fc.record({ id, leaseMs, scopes }), ({ store }, a) =>
    store.reserve({ ...a, scopes: fixLeast(a.scopes) }),
  ),
  step('topUp', fc.record({ id, op: fc.constantFrom('1', '2'), scopes }), ({ store }, a) =>
    store.topUp({ ...a, scopes: fixLeast(a.scopes) }),
  ),
  step('settle', fc.record({ id, used }), ({ store }, a) => store.settle(a.id, a.used)),
  step('renew', fc.record({ id, due: used, leaseMs }), ({ store }, a) =>
    store.renew([{ id: a.id, due: a.due }], a.leaseMs),
  ),
  step('inspect', fc.array(fc.record({ key, window }), { maxLength: 4 }), ({ store }, a) => store.inspect(a)),
  step('begin', fc.record({ id, leaseMs, scopes, events }), ({ store }, a) =>
    store.begin({ ...a, scopes: fixLeast(a.scopes), marker: { of: a.id } }),
  ),
  step('end', fc.record({ id, used: fc.option(used, { nil: undefined }), events }), ({ store }, a) => store.end(a)),
  step('lapsed', fc.record({ max: fc.constantFrom(1, 10), claimMs: leaseMs }), ({ store }, a) =>
    store.lapsed(a.max, a.claimMs),
  ),
]

const logSteps = [
  step('append', events, ({ store }, list) => store.append('audit', list)),
  step('scan', fc.constantFrom('asc' as const, 'desc' as const), async ({ store }, order) =>
    (await store.scan('audit', { order, limit: 5 })).records.map(({ record }) => record),
  ),
  step(
    'read',
    fc.record({ group: fc.constantFrom('g1', 'g2'), max: fc.integer({ min: 1, max: 4 }), ack: fc.boolean() }),
    async (world, a) => {
      const abort = new AbortController()
      const reading = world.consumer(a.group).read(a.max, abort.signal)
      abort.abort()
      const found = await reading
      if (a.ack && found.length > 0) await world.consumer(a.group).ack(found.at(-1)!.cursor)
      return found.map(({ record }) => record.seq)
    },
  ),
  step(
    'trim',
    fc.record({ keep: fc.nat(5), unread: fc.constantFrom('keep' as const, 'drop' as const) }),
    ({ store }, a) => store.trim('audit', a),
  ),
  step('stats', fc.constant('audit'), async ({ store }, stream) => ({ ...(await store.stats(stream)), bytes: 0 })),
  step('push', fc.record({ n: fc.integer(), cap: fc.constantFrom(3, 5) }), ({ store }, a) =>
    store.push('log', [a.n, -a.n], a.cap),
  ),
  step('recent', fc.constantFrom(2, 10), async ({ store }, limit) => (await store.recent('log', { limit })).entries),
]

/** Steps that are one call each: made at once, they share a transaction of the store. */
const batch = fc.array(fc.oneof(...keyValueSteps, ...limitSteps), { minLength: 2, maxLength: 6 })

const wait = fc.constantFrom(1, 400, 900, 20_000, 59_999, 61_000, 700_000, 4_000_000).map((ms) => ms)

async function outcome(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return { value: (await work()) ?? null }
  } catch (error) {
    if (isStoreError(error)) return { error: error.kind }
    throw error
  }
}

async function compare(steps: readonly Step[], real: World, model: World): Promise<void> {
  const outcomes = (world: World) => Promise.all(steps.map((step) => outcome(() => step.run(world))))
  assert.deepEqual(await outcomes(real), await outcomes(model), steps.map(({ name }) => name).join(', '))
}

/** Runs random steps on both and compares every answer. `reopen` restarts the store under test. */
export async function compareWithModel(
  harness: Harness,
  runs: number,
  reopen?: (store: Store, clock: Clock) => Promise<Store>,
) {
  const steps = fc.oneof(...keyValueSteps, ...limitSteps, ...logSteps)
  const action = fc.oneof(
    { weight: 12, arbitrary: steps },
    // Elsewhere calls may pass each other.
    { weight: reopen === undefined ? 0 : 4, arbitrary: batch },
    { weight: 2, arbitrary: wait },
    { weight: reopen === undefined ? 0 : 1, arbitrary: fc.constant('reopen' as const) },
  )
  const property = fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 60, size: 'max' }), async (actions) => {
    const clock = fakeClock('2040-01-31T23:58:00.000Z')
    const model = new World(new StoreClient(new MemoryDriver({ clock: clock.read, instance: 'node-a' })))
    const real = new World(await harness.open({ clock: clock.read, instance: 'node-a' }))
    try {
      for (const what of actions) {
        if (typeof what === 'number') clock.now += what
        else if (what === 'reopen') await restart(model, real, clock, reopen!)
        else await compare([what].flat(), real, model)
      }
    } finally {
      await real.store.close()
      await model.store.close()
    }
  })
  await fc.assert(property, { numRuns: runs, examples: [] })
}

/** A restart ends every lease, so first all of them run out on both sides. */
async function restart(
  model: World,
  real: World,
  clock: Clock,
  reopen: (store: Store, clock: Clock) => Promise<Store>,
) {
  clock.now += 700_000
  await Promise.all([model.store.get('a'), real.store.get('a')])
  for (const world of [model, real]) {
    for (const consumer of world.consumers.values()) await consumer.close()
    world.consumers.clear()
  }
  real.store = await reopen(real.store, clock)
}
