/** What shares a transaction: random batches, rollbacks, restarts and purges, on the owner itself and on a plain engine. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isStoreError } from '../../../../core/engine/contract/store-errors.ts'
import type { Durability } from '../../../../core/services/store/embedded/database.ts'
import { SqliteWorker } from '../../../../core/services/store/embedded/sqlite-worker.ts'
import { Engine } from '../../../../core/services/store/engine/engine.ts'
import { MemoryLogs } from '../../../../core/services/store/engine/storage.ts'
import type { OpName } from '../../../../core/services/store/ops.ts'
import type { Call } from '../../../../core/services/store/protocol.ts'
import { packArgs, unpackResult } from '../../../../core/services/store/wire.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { rounds } from '../../../helpers/rounds.ts'

const root = temporaryFolder()
let folders = 0

type Op = readonly [name: OpName, args: unknown]

/** The embedded store without its thread: batches and rollbacks are where the test wants them. */
class Embedded {
  readonly #folder = join(root, String(folders++))
  readonly #durability: Durability
  #owner: SqliteWorker

  constructor(durability: Durability) {
    this.#durability = durability
    this.#owner = this.#open()
  }

  #open(): SqliteWorker {
    const rest = { check: 'none', instance: 'node-a', ballastBytes: 0, cached: 2 } as const
    return new SqliteWorker({ folder: this.#folder, durability: this.#durability, ...rest })
  }

  run(ops: readonly Op[], now: number): unknown[] {
    const calls = ops.map(([name, args], i): Call => [i, name, packArgs(name, args), now])
    const [out] = this.#owner.process(structuredClone([{ client: 1, calls }]))
    return structuredClone(out!.replies)[0].map((reply) => {
      return reply[1] === 1 ? unpackResult(ops[reply[0]]![0], reply[2]) : { error: reply[2] }
    })
  }

  tick(now: number): void {
    this.#owner.tick(now)
  }

  commit(): void {
    this.#owner.commit()
  }

  reopen(): void {
    this.#owner.close()
    this.#owner = this.#open()
  }

  close(): void {
    this.#owner.close()
  }
}

/** An engine that can go back to the last commit: by doing everything before it again. */
class Model {
  #engine = this.#fresh()
  #history: (readonly [ops: readonly Op[], now: number])[] = []
  #committed = 0

  run(ops: readonly Op[], now: number): unknown[] {
    this.#history.push([ops, now])
    return this.#apply(ops, now)
  }

  commit(): void {
    this.#committed = this.#history.length
  }

  rollback(): void {
    this.#history.length = this.#committed
    this.#engine = this.#fresh()
    for (const [ops, now] of this.#history) this.#apply(ops, now)
  }

  #apply(ops: readonly Op[], now: number): unknown[] {
    return ops.map(([name, args]) => {
      try {
        return JSON.parse(JSON.stringify(this.#engine.apply(name, args as never, now))) as unknown
      } catch (error) {
        if (isStoreError(error, 'usage')) return { error: 'usage' }
        throw error
      }
    })
  }

  #fresh(): Engine {
    return new Engine({ instance: () => 'node-a', logs: new MemoryLogs() })
  }
}

const key = fc.constantFrom('a', 'b', 'c', 'd')
const ttlMs = fc.constantFrom(null, null, 500, 1000, 60_000)
const meter = fc.constantFrom('r1000/a', 'r1000/b', 'i/a', 't/a', 't/b')
let ids = 0

const op: fc.Arbitrary<Op[]> = fc.oneof(
  fc
    .record({ key, ttlMs, text: fc.constantFrom('1', '2'), ifVersion: fc.constantFrom(null, null, 0) })
    .map((args): Op[] => [['set', { ...args, notify: false }]]),
  key.map((of): Op[] => [['delete', { key: of, ifVersion: null, notify: false }]]),
  key.map((of): Op[] => [['get', { key: of }]]),
  fc
    .record({ key, ttlMs, by: fc.integer({ min: -1, max: 2 }), prolong: fc.boolean() })
    .map((args): Op[] => [['increment', args]]),
  fc.record({ meter, amount: fc.nat(3), used: fc.nat(4) }).map(({ meter: name, amount, used }): Op[] => {
    const scope = { key: name, meter: name, limit: 20, amount, least: amount, due: null }
    const id = `x${ids++}`
    return [
      ['begin', { id, leaseMs: 1000, marker: null, stream: '', events: [], scopes: [scope] }],
      ['end', { id, used: { [name]: used }, stream: '', events: [] }],
    ]
  }),
  meter.map((name): Op[] => [['inspect', { scopes: [{ key: name, meter: name }] }]]),
)
const batch = fc.array(op, { minLength: 1, maxLength: 5 }).map((ops) => ops.flat())
const action = fc.oneof(
  { weight: 8, arbitrary: batch.map((ops) => ({ ops, fails: false })) },
  { weight: 1, arbitrary: batch.map((ops) => ({ ops, fails: true })) },
  { weight: 3, arbitrary: fc.constantFrom(1, 400, 999, 61_000) },
  { weight: 2, arbitrary: fc.constantFrom('tick' as const, 'commit' as const, 'reopen' as const) },
)
/** No operation: whatever else shares its transaction is undone. */
const BOOM: Op = ['boom' as OpName, {}]

const everything: Op[] = [
  ...['a', 'b', 'c', 'd'].map((of): Op => ['get', { key: of }]),
  ...['r1000/a', 'r1000/b', 'i/a', 't/a', 't/b'].map((m): Op => ['inspect', { scopes: [{ key: m, meter: m }] }]),
]

describe('embedded store: batches', () => {
  for (const durability of ['stored', 'relaxed'] as const) {
    it(`behaves like an engine in memory over batches, rollbacks, purges and restarts (${durability})`, () => {
      const property = fc.property(fc.array(action, { minLength: 1, maxLength: 40, size: 'max' }), (actions) => {
        const [real, model] = [new Embedded(durability), new Model()]
        let now = Date.parse('2040-01-31T23:58:00.000Z')
        const both = (ops: readonly Op[]): void => assert.deepEqual(real.run(ops, now), model.run(ops, now))
        const commit = (): void => {
          real.commit()
          model.commit()
        }
        for (const what of actions) {
          if (typeof what === 'number') now += what
          else if (what === 'tick') real.tick(now)
          else if (what === 'commit') commit()
          else if (what === 'reopen') {
            real.reopen()
            model.commit()
          } else if (what.fails) {
            real.run([...what.ops, BOOM], now)
            model.rollback()
          } else both(what.ops)
          if (durability === 'stored') model.commit()
        }
        both(everything)
        real.reopen()
        both(everything)
        real.close()
      })
      fc.assert(property, { numRuns: rounds(60) })
    })
  }

  it('deletes what was set in the same batch, also when the value before it was never read', () => {
    const store = new Embedded('stored')
    const set = (text: string): Op => ['set', { key: 'k', text, ttlMs: null, ifVersion: null, notify: false }]
    store.run([set('1')], 1)
    store.reopen()
    store.run([set('2'), ['delete', { key: 'k', ifVersion: null, notify: false }]], 2)
    assert.deepEqual(store.run([['get', { key: 'k' }]], 3), [null])
    store.close()
  })
})
