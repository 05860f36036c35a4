/** Runners on one store, with a clock that only moves when it is told to. */
import type { GovernanceEvent } from 'governed-gateway'
import type { FetchReply, Settings } from '../../../core/engine/contract/plugin.ts'
import type { JsonObject, Store } from '../../../core/engine/contract/store.ts'
import { describeCore } from '../../../core/engine/events/description.ts'
import type { Clock } from '../../../core/kit/deliver.ts'
import { Singleton } from '../../../core/services/leader.ts'
import { StoreClient } from '../../../core/services/store/client.ts'
import { MemoryDriver } from '../../../core/services/store/memory.ts'
import { Runner } from '../../../plugins/alerting/runner.ts'
import type { AlertingSettings } from '../../../plugins/alerting/schema.ts'
import { silent } from '../../helpers/core.ts'
import { fetched } from '../../helpers/fetched.ts'

export class TestClock implements Clock {
  #now = Date.parse('2026-11-21T04:00:00.000Z')
  readonly #sleepers = new Set<{ until: number; wake: () => void }>()

  now = (): number => this.#now

  sleep = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const sleeper = {
        until: this.#now + ms,
        wake: () => {
          this.#sleepers.delete(sleeper)
          signal.removeEventListener('abort', sleeper.wake)
          resolve()
        },
      }
      this.#sleepers.add(sleeper)
      signal.addEventListener('abort', sleeper.wake, { once: true })
    })

  /** Lets time pass second by second, and everybody act at every one of them. */
  async advance(ms: number, step = 1_000): Promise<void> {
    for (const end = this.#now + ms; this.#now < end; ) {
      this.#now = Math.min(end, this.#now + step)
      for (const sleeper of [...this.#sleepers]) if (sleeper.until <= this.#now) sleeper.wake()
      await rounds(3)
    }
  }
}

/** Everything that waits for nothing but its turn has had it. */
export async function rounds(count: number): Promise<void> {
  for (let round = 0; round < count; round++) await new Promise((resolve) => setImmediate(resolve))
}

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await rounds(1)
}

const STREAM = 'audit'

/** What the replicas of one deployment share. */
export class Deployment {
  readonly clock = new TestClock()
  readonly store: Store
  /** Bodies that arrived, parsed, by receiver. */
  readonly arrived: { readonly url: string; readonly body: GovernanceEvent }[] = []
  readonly failures: object[] = []
  /** What receivers answer; throws for one that cannot be reached. */
  answer: (url: string, signal: AbortSignal | undefined) => number | Promise<number> = () => 200
  settings: Settings<AlertingSettings> & { current: AlertingSettings }
  readonly #listeners = new Set<(settings: AlertingSettings) => void>()

  constructor(settings: Partial<AlertingSettings> = {}) {
    this.store = new StoreClient(new MemoryDriver({ clock: this.clock.now }))
    const listeners = this.#listeners
    this.settings = {
      current: { enabled: true, webhook_url: 'http://receiver/', ...settings } as AlertingSettings,
      unreadable: [],
      onChange(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    }
  }

  change(settings: Partial<AlertingSettings>): void {
    this.settings.current = { ...this.settings.current, ...settings }
    for (const listener of this.#listeners) listener(this.settings.current)
  }

  append(events: readonly GovernanceEvent[]): Promise<void> {
    // The log numbers its records itself.
    return this.store.append(
      STREAM,
      events.map(({ seq: _, ...event }) => event as unknown as JsonObject),
    )
  }

  get backlog(): Promise<number> {
    return this.store.stats(STREAM).then(({ groups }) => groups[0]?.backlog ?? -1)
  }

  /** A sender as one process has it; `store` may be one that fails. */
  runner(store: Store = this.store): Runner {
    const own = store.namespace('alerting')
    return new Runner({
      store: own,
      instance: 'gw-1',
      log: silent,
      settings: this.settings,
      clock: this.clock,
      describe: describeCore,
      fetch: async (url, { body, signal }): Promise<FetchReply> => {
        const status = await this.answer(url, signal)
        if (status < 300) this.arrived.push({ url, body: JSON.parse(String(body)) })
        return fetched(status)
      },
      paceMs: 0,
      emit: (_, payload) => void this.failures.push(payload),
      auditLog: () => {
        const consumer = this.store.consumer(STREAM, 'alerting', { from: 'start' })
        return {
          read: async (max, signal) =>
            (await consumer.read(max, signal)).map(({ cursor, text, record }) => ({
              cursor,
              text,
              event: record as unknown as GovernanceEvent,
            })),
          ack: (cursor) => consumer.ack(cursor),
          backlog: async () => ({ events: 0, oldest: null }),
          forget: () => this.store.forget(STREAM, 'alerting'),
          close: () => consumer.close(),
        }
      },
    })
  }

  /** One process of the deployment. */
  replica(holder: string): Singleton {
    const runner = this.runner()
    return new Singleton(this.store, 'alerting/send', holder, (signal) => runner.run(signal), silent)
  }

  types(): string[] {
    return this.arrived.map(({ body }) => body.type)
  }
}
