import type { TestContext } from 'node:test'
import type { Store, Window } from '../../../../core/engine/contract/store.ts'

/** How a suite gets at one kind of store. */
export interface Harness {
  readonly name: string
  /** Opens an empty store of its own. */
  open(options?: { clock?: () => number; instance?: string }): Promise<Store>
}

export interface Clock {
  now: number
  read: () => number
}

/** A clock that only moves when told to. Far in the future, so that Redis does not expire keys by its own clock. */
export function fakeClock(iso = '2040-01-31T12:00:00.000Z'): Clock {
  const clock: Clock = { now: Date.parse(iso), read: () => clock.now }
  return clock
}

/** Opens a store on a fake clock and closes it after the test. */
export async function opened(t: TestContext, harness: Harness, clock = fakeClock()): Promise<[Store, Clock]> {
  const store = await harness.open({ clock: clock.read, instance: 'node-a' })
  t.after(() => store.close())
  return [store, clock]
}

export const DAY: Window = { calendar: 'day' }

export function scope(
  limit: number,
  amount: number,
  more: { key?: string; window?: Window; least?: number; due?: number } = {},
) {
  return { key: 'team', window: DAY, limit, amount, ...more }
}

let ids = 0
export const nextId = (): string => `x${ids++}`
