/** The settings of one plugin while it runs. */
import { isDeepStrictEqual } from 'node:util'
import type { Problem } from '../../engine/config/validate.ts'
import { GatewayError } from '../../engine/contract/errors.ts'
import type { Json, Log, Settings } from '../../engine/contract/plugin.ts'
import type { Store } from '../../engine/contract/store.ts'
import { isStoreError } from '../../engine/contract/store-errors.ts'
import type { Declaration } from '../../engine/host/declaration.ts'
import type { Fields, SettingPath } from '../../engine/host/paths.ts'
import { errorName } from '../../engine/util/outside.ts'
import { Trouble } from '../../engine/util/trouble.ts'
import type { Egress } from '../egress/egress.ts'
import { fieldOf, judge, rejected } from './judge.ts'
import { type Env, type Lower, readLower } from './layers.ts'
import { masked } from './mask.ts'
import { mergePut } from './merge.ts'
import { isOld, leftOut, type State, settle, unreadableProblem } from './state.ts'
import { decode, encode } from './stored.ts'

export interface LiveOptions {
  readonly plugin: string
  readonly declaration: Declaration
  /** The entry's options, without defaults, and their location. */
  readonly given: Readonly<Record<string, unknown>>
  readonly path: string
  readonly env: Env
  /** Namespace for the settings of all plugins. */
  readonly store: Pick<Store, 'entry' | 'set' | 'watch' | 'status'>
  /** 32 bytes. */
  readonly key: Buffer
  readonly egress: Pick<Egress, 'check'>
  /** All known event types; a reload may change them. */
  readonly eventTypes: () => ReadonlySet<string>
  readonly log: Log
  /** Called when an admin changed these fields. */
  updated(fields: readonly string[], keyId: string): void
}

const POLL_MS = 30_000
/** Delay after a failed read. */
const RETRY_MS = 1000
const ATTEMPTS = 50
const UNREADABLE =
  'stored secrets cannot be read, since the secret of the deployment changed: nothing is sent until they are PUT again, or null'

export class LiveSettings implements Settings<Fields> {
  readonly #options: LiveOptions
  readonly #listeners = new Set<(settings: Readonly<Fields>) => void>()
  #lower: Lower
  #state: State | undefined = undefined
  #version: number | undefined = undefined
  #unreadable: readonly string[] = []
  #turn: Promise<void> = Promise.resolve()
  #stopWatching = (): void => {}
  #poll: NodeJS.Timeout | undefined = undefined
  #retry: NodeJS.Timeout | undefined = undefined
  #closed = false
  readonly #trouble: Trouble

  private constructor(options: LiveOptions, lower: Lower) {
    this.#options = options
    this.#trouble = new Trouble({
      log: options.log,
      begins: 'settings could not be read; the last known ones stay',
      ends: 'settings are read again',
    })
    this.#lower = lower
  }

  /** Reads and watches the stored settings. Throws `GW_CONFIG` if environment or config are invalid. */
  static async open(options: LiveOptions): Promise<LiveSettings> {
    const settings = new LiveSettings(options, lowerOf(options, options.env))
    // Watch first, so that no change is missed.
    settings.#watch()
    try {
      await settings.#inTurn(() => settings.#load())
    } catch (error) {
      settings.close()
      throw error
    }
    return settings
  }

  get current(): Readonly<Fields> {
    return (this.#state as State).current
  }

  get unreadable(): readonly string[] {
    return this.#unreadable
  }

  onChange(listener: (settings: Readonly<Fields>) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** The answer to `GET`, read from the store. */
  async view(): Promise<{ [key: string]: Json }> {
    await this.refresh()
    return this.#view()
  }

  #view(more: readonly string[] = []): { [key: string]: Json } {
    const { effective, problems, warnings } = this.#state as State
    const listed = problems.map(({ field, message }) => ({ field, message }))
    const shown = masked(this.#options.declaration, effective, { problems: listed, warnings: [...warnings, ...more] })
    // An admin who edits another field would send it back as null and so clear it.
    for (const field of this.#unreadable) delete shown[field]
    return shown
  }

  /** Merges, validates, stores and applies. Returns the answer of `GET`. */
  put(body: Fields, keyId: string): Promise<{ [key: string]: Json }> {
    return this.#inTurn(async () => {
      for (let i = 0; i < ATTEMPTS; i++) {
        const warnings: string[] = []
        const fields = await this.#try(body, warnings)
        if (fields === undefined) continue
        await this.#load()
        if (fields.length > 0) this.#options.updated(fields, keyId)
        return this.#view(warnings)
      }
      throw new GatewayError('GW_STORE_UNAVAILABLE', 'Too many changes of the settings at once. Try again.')
    })
  }

  /** Reads the store again; keeps settings that cannot be read now. */
  async refresh(): Promise<void> {
    try {
      await this.#inTurn(() => this.#load())
    } catch (error) {
      // Outages are logged once, elsewhere.
      if (this.#options.store.status.state === 'ready') this.#trouble.note({ error: errorName(error) })
      clearTimeout(this.#retry)
      if (!this.#closed) this.#retry = setTimeout(() => void this.refresh(), RETRY_MS).unref()
    }
  }

  /** Applies a reload's environment; throws `GW_CONFIG`, without any change, if it is invalid. */
  reload(env: Env): Promise<void> {
    const lower = lowerOf(this.#options, env)
    return this.#inTurn(async () => {
      const before = this.#lower
      this.#lower = lower
      this.#version = undefined
      try {
        await this.#load(true)
      } catch (error) {
        this.#lower = before
        throw error
      }
    })
  }

  close(): void {
    this.#closed = true
    this.#trouble.close()
    clearInterval(this.#poll)
    clearTimeout(this.#retry)
    this.#stopWatching()
    this.#listeners.clear()
  }

  #watch(): void {
    const { store, plugin } = this.#options
    this.#stopWatching = store.watch(plugin, (key) => {
      if (key === undefined || key === plugin) void this.refresh()
    })
    this.#poll = setInterval(() => void this.refresh(), POLL_MS).unref()
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work)
    this.#turn = result.then(
      () => {},
      () => {},
    )
    return result
  }

  /** The names of changed fields, or undefined on a concurrent change. */
  async #try(body: Fields, warnings: string[]): Promise<string[] | undefined> {
    const { declaration, egress, eventTypes, store, plugin, key } = this.#options
    const entry = await reachable(store.entry<Json>(plugin))
    const { put: stored, unreadable } = decode(entry?.value, this.#secrets, key, plugin)
    const before = await this.#stateOf(stored, unreadable)
    const merged = mergePut(declaration, body, before.put, before.effective, this.#lower)
    const warn = (text: string): void => void warnings.push(text)
    const sent = (field: string): boolean => Object.hasOwn(body, field)
    const look = { egress, eventTypes: eventTypes(), resolve: true, sent, warn }
    const found = await judge(declaration, merged.effective.values, look)
    const own = found.filter((problem) => fieldOf(problem) in body || !isOld(problem, before.problems))
    // Rejected fields are not in the effective settings.
    const refused = new Set(merged.problems.map(fieldOf))
    const lost = unreadable.filter((field) => !(field in body)).map(unreadableProblem)
    const problems = [...lost, ...merged.problems, ...own.filter((problem) => !refused.has(fieldOf(problem)))]
    if (problems.length > 0) throw rejected(problems)
    const next = { ...leftOut(declaration, stored, before.put, body), ...merged.put }
    const changed = (field: string): boolean =>
      unreadable.includes(field) || !isDeepStrictEqual(next[field], stored[field])
    const names = Object.keys({ ...stored, ...next }).filter(changed)
    if (names.length === 0) return []
    const value = encode(next, declaration.secretsIn(next), key, plugin)
    const done = await reachable(store.set(plugin, value, { ifVersion: entry?.version ?? 0, notify: true }))
    return done ? names : undefined
  }

  async #load(strict = this.#state === undefined): Promise<void> {
    const { store, plugin, key, log } = this.#options
    const entry = await reachable(store.entry<Json>(plugin))
    const version = entry?.version ?? 0
    if (version === this.#version) return
    const { put, unreadable } = decode(entry?.value, this.#secrets, key, plugin)
    const state = await this.#stateOf(put, unreadable, strict)
    this.#version = version
    this.#apply({ ...state, problems: [...unreadable.map(unreadableProblem), ...state.problems] }, unreadable)
    if (unreadable.length > 0) log.error({ fields: unreadable }, UNREADABLE)
    for (const { field, message } of state.problems)
      log.warn({ field, problem: message }, 'a stored setting is not used')
    for (const warning of state.warnings) log.warn({}, warning)
  }

  #stateOf(stored: Fields, unreadable: readonly string[], strict = false): Promise<State> {
    const { declaration, egress, path } = this.#options
    const eventTypes = this.#options.eventTypes()
    const incomplete = unreadable.length > 0
    return settle(stored, { declaration, egress, eventTypes, lower: this.#lower, path, strict, incomplete })
  }

  /** All stored fields that may be encrypted. */
  get #secrets(): readonly SettingPath[] {
    const { secrets, secretUrls } = this.#options.declaration
    return [...secrets, ...secretUrls]
  }

  #apply(state: State, unreadable: readonly string[]): void {
    const before = this.#state
    const readable = isDeepStrictEqual(this.#unreadable, unreadable)
    this.#unreadable = unreadable
    const same = readable && before !== undefined && isDeepStrictEqual(before.current, state.current)
    this.#state = same ? { ...state, current: before.current } : state
    if (before === undefined || same) return
    for (const listener of this.#listeners) {
      try {
        listener(state.current)
      } catch (error) {
        this.#options.log.error({ error: error instanceof Error ? error.name : 'unknown' }, 'settings listener failed')
      }
    }
  }
}

function lowerOf({ declaration, given, path }: LiveOptions, env: Env): Lower {
  const { lower, problems } = readLower(declaration, given, env, path)
  if (problems.length > 0) throw new GatewayError('GW_CONFIG', problems.map(lineOf).join('; '))
  return lower
}

const lineOf = ({ path, message }: Problem): string => `${path}: ${message}`

/** A store outage is not the admin's error. */
async function reachable<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (cause) {
    const why = isStoreError(cause) ? cause.message : 'the store did not answer.'
    throw new GatewayError('GW_STORE_UNAVAILABLE', `The settings cannot be read or stored now: ${why}`, { cause })
  }
}
