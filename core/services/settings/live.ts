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
  /** Options of the entry as given, without defaults, and where they stand. */
  readonly given: Readonly<Record<string, unknown>>
  readonly path: string
  readonly env: Env
  /** Namespace that holds the settings of all plugins. */
  readonly store: Pick<Store, 'entry' | 'set' | 'watch' | 'status'>
  /** 32 bytes. */
  readonly key: Buffer
  readonly egress: Pick<Egress, 'check'>
  /** Every type of events there is; a reload may change them. */
  readonly eventTypes: () => ReadonlySet<string>
  readonly log: Log
  /** An admin changed these fields. */
  updated(fields: readonly string[], keyId: string): void
}

const POLL_MS = 30_000
/** After a read that failed. */
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

  /** Reads what is stored and watches it. Throws `GW_CONFIG` when environment or config do not hold. */
  static async open(options: LiveOptions): Promise<LiveSettings> {
    const settings = new LiveSettings(options, lowerOf(options, options.env))
    // First, so that no change falls between.
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

  /** What `GET` answers, as fresh as the store. */
  async view(): Promise<{ [key: string]: Json }> {
    await this.refresh()
    return this.#view()
  }

  #view(more: readonly string[] = []): { [key: string]: Json } {
    const { effective, problems, warnings } = this.#state as State
    const told = problems.map(({ field, message }) => ({ field, message }))
    const shown = masked(this.#options.declaration, effective, { problems: told, warnings: [...warnings, ...more] })
    // Sent back as a null it would be cleared, by an admin who changed something else.
    for (const field of this.#unreadable) delete shown[field]
    return shown
  }

  /** Merges, checks, stores and applies. Answers what `GET` would. */
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
      throw new GatewayError('GW_STORE_UNAVAILABLE', 'The settings are being changed by many at once. Try again.')
    })
  }

  /** Reads the store again; what cannot be read now stays as it is. */
  async refresh(): Promise<void> {
    try {
      await this.#inTurn(() => this.#load())
    } catch (error) {
      // A store that is away is told once, and not by everyone who needs it.
      if (this.#options.store.status.state === 'ready') this.#trouble.note({ error: errorName(error) })
      clearTimeout(this.#retry)
      if (!this.#closed) this.#retry = setTimeout(() => void this.refresh(), RETRY_MS).unref()
    }
  }

  /** Takes the environment of a reload; throws `GW_CONFIG` and changes nothing when it does not hold. */
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

  /** The names of changed fields, or undefined when somebody else was faster. */
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
    // What was sent for these is not in the effective settings.
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

  /** Whatever may be encrypted in what is stored. */
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

/** A store that does not answer is not the admin's fault. */
async function reachable<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (cause) {
    const why = isStoreError(cause) ? cause.message : 'the store did not answer.'
    throw new GatewayError('GW_STORE_UNAVAILABLE', `The settings cannot be read or stored now: ${why}`, { cause })
  }
}
