import { usage } from '../../../engine/contract/store-errors.ts'
import type { Args, WireEntry } from '../ops.ts'
import type { Backing } from './table.ts'
import { type Codec, type Entity, Table } from './table.ts'

interface Value extends Entity {
  text: string
  version: number
}

interface Counter extends Entity {
  count: number
}

const values: Codec<Value> = {
  encode: (value) => `${value.version} ${value.text}`,
  decode(text, expires) {
    const space = text.indexOf(' ')
    return { version: Number(text.slice(0, space)), text: text.slice(space + 1), expires }
  },
}

const counters: Codec<Counter> = {
  encode: (counter) => String(counter.count),
  decode: (text, expires) => ({ count: Number(text), expires }),
}

/** Values and counters. All versions come from one counter, so that a deleted key never repeats a version. */
export class KeyValues {
  readonly table: Table<Value>
  readonly meta: Table<Counter>

  constructor(backing: Backing | undefined) {
    this.table = new Table('kv', values, backing, false)
    this.meta = new Table('meta', counters, backing, true)
  }

  get({ key }: Args<'get'>, now: number): WireEntry | null {
    const value = this.#live(key, now)
    return value === undefined ? null : { text: value.text, version: value.version, expiresAt: value.expires }
  }

  set({ key, text, ttlMs, ifVersion }: Args<'set'>, now: number): boolean {
    if (ifVersion !== null && (this.#live(key, now)?.version ?? 0) !== ifVersion) return false
    this.table.put(key, { text, version: this.#version(), expires: ttlMs === null ? null : now + ttlMs })
    return true
  }

  delete({ key, ifVersion }: Args<'delete'>, now: number): boolean {
    const value = this.#live(key, now)
    if (value === undefined || (ifVersion !== null && value.version !== ifVersion)) return false
    this.table.delete(key)
    return true
  }

  increment({ key, by, ttlMs, prolong }: Args<'increment'>, now: number): number {
    const value = this.#live(key, now)
    if (value !== undefined && !/^-?\d{1,16}$/.test(value.text)) throw notACounter(key)
    const sum = Number(value?.text ?? 0) + by
    if (!Number.isSafeInteger(sum)) throw usage(`The counter ${key} would leave the range of whole numbers (2^53 - 1).`)
    if (by === 0) return sum
    const expires = value === undefined || prolong ? (ttlMs === null ? null : now + ttlMs) : value.expires
    this.table.put(key, { text: String(sum), version: this.#version(), expires })
    return sum
  }

  #live(key: string, now: number): Value | undefined {
    const value = this.table.get(key)
    return value === undefined || (value.expires !== null && value.expires <= now) ? undefined : value
  }

  #version(): number {
    const counter = this.meta.get('version') ?? { count: 0, expires: null }
    counter.count += 1
    this.meta.put('version', counter)
    return counter.count
  }
}

const notACounter = (key: string): Error =>
  usage(`${key} cannot be incremented: its value is not a whole number. Use another key for the counter.`)
