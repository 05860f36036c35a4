/** The settings of one plugin while it runs. */
import { isDeepStrictEqual } from 'node:util'
import type { Egress } from '../egress/egress.ts'
import { GatewayError } from '../errors.ts'
import type { Problem } from '../options.ts'
import type { Json, Log, Settings, SettingsProblem } from '../plugin.ts'
import type { Store } from '../store/store.ts'
import type { Declaration } from './declaration.ts'
import { clearText, fieldOf, judge, rejected } from './judge.ts'
import { type Effective, type Env, type Lower, layered, readLower } from './layers.ts'
import { masked } from './mask.ts'
import { mergePut } from './merge.ts'
import type { Fields } from './paths.ts'
import { decode, encode } from './stored.ts'

export interface LiveOptions {
  readonly plugin: string
  readonly declaration: Declaration
  /** Options of the entry as given, without defaults, and where they stand. */
  readonly given: Readonly<Record<string, unknown>>
  readonly path: string
  readonly env: Env
  /** Namespace that holds the settings of all plugins. */
  readonly store: Store
  /** 32 bytes. */
  readonly key: Buffer
  readonly egress: Pick<Egress, 'check'>
  readonly log: Log
  /** An admin changed these fields. */
  updated(fields: readonly string[], keyId: string): void
}

interface State {
  readonly effective: Effective
  readonly current: Readonly<Fields>
  readonly problems: readonly SettingsProblem[]
  readonly warnings: readonly string[]
}

const POLL_MS = 30_000
const ATTEMPTS = 50

export class LiveSettings implements Settings<Fields> {
  readonly #options: LiveOptions
  readonly #listeners = new Set<(settings: Readonly<Fields>) => void>()
  #lower: Lower
  #state: State | undefined = undefined
  #version: number | undefined = undefined
  #turn: Promise<void> = Promise.resolve()
  #stopWatching = (): void => {}
  #poll: NodeJS.Timeout | undefined = undefined

  private constructor(options: LiveOptions, lower: Lower) {
    this.#options = options
    this.#lower = lower
  }

  /** Reads what is stored and watches it. Throws `GW_CONFIG` when environment or config do not hold. */
  static async open(options: LiveOptions): Promise<LiveSettings> {
    const settings = new LiveSettings(options, lowerOf(options, options.env))
    await settings.#load()
    settings.#watch()
    return settings
  }

  get current(): Readonly<Fields> {
    return (this.#state as State).current
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

  #view(): { [key: string]: Json } {
    const { effective, problems, warnings } = this.#state as State
    const told = problems.map(({ field, message }) => ({ field, message }))
    return masked(this.#options.declaration, effective, { problems: told, warnings })
  }

  /** Merges, checks, stores and applies. Answers what `GET` would. */
  put(body: Fields, keyId: string): Promise<{ [key: string]: Json }> {
    return this.#inTurn(async () => {
      for (let i = 0; i < ATTEMPTS; i++) {
        const fields = await this.#try(body)
        if (fields === undefined) continue
        await this.#load()
        if (fields.length > 0) this.#options.updated(fields, keyId)
        return this.#view()
      }
      throw new GatewayError('GW_STORE_UNAVAILABLE', 'The settings are being changed by many at once. Try again.')
    })
  }

  /** Reads the store again; what cannot be read now stays as it is. */
  async refresh(): Promise<void> {
    try {
      await this.#inTurn(() => this.#load())
    } catch (error) {
      const why = error instanceof Error ? error.name : 'unknown'
      this.#options.log.warn({ error: why }, 'settings could not be read; the last known ones stay')
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
    clearInterval(this.#poll)
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
  async #try(body: Fields): Promise<string[] | undefined> {
    const { declaration, egress, store, plugin, key } = this.#options
    const entry = await reachable(store.entry<Json>(plugin))
    const { put } = decode(entry?.value, key, plugin)
    const before = await this.#stateOf(put)
    const merged = mergePut(declaration, body, put, before.effective, this.#lower)
    if (merged.problems.length > 0) throw rejected(merged.problems)
    const { values } = merged.effective
    const problems = await judge(declaration, values, egress, true)
    const known = new Set(Object.keys(body))
    const own = problems.filter((problem) => known.has(fieldOf(problem)) || !isOld(problem, before.problems))
    if (own.length > 0) throw rejected(own)
    const names = declaration.fields.filter((field) => !isDeepStrictEqual(merged.put[field], put[field]))
    if (names.length === 0) return []
    const value = encode(merged.put, declaration.secrets, key, plugin)
    const stored = await reachable(store.set(plugin, value, { ifVersion: entry?.version ?? 0, notify: true }))
    return stored ? names : undefined
  }

  async #load(strict = this.#state === undefined): Promise<void> {
    const { store, plugin, key, log } = this.#options
    const entry = await store.entry<Json>(plugin)
    const version = entry?.version ?? 0
    if (version === this.#version) return
    const { put, unreadable } = decode(entry?.value, key, plugin)
    const state = await this.#stateOf(put, strict)
    const lost = {
      field: '',
      message: 'stored secrets cannot be read, the secret of the deployment changed: send them again',
    }
    this.#version = version
    this.#apply(unreadable ? { ...state, problems: [lost, ...state.problems] } : state)
    for (const { field, message } of (this.#state as State).problems)
      log.warn({ field, problem: message }, 'stored setting left out')
    for (const warning of state.warnings) log.warn({}, warning)
  }

  /**
   * The effective settings; of what was PUT, what no longer holds is left out and told. A target that is left out takes
   * the stored secrets with it: they were meant for it.
   */
  async #stateOf(stored: Fields, strict = false): Promise<State> {
    const { declaration, egress } = this.#options
    const told: SettingsProblem[] = []
    let put = known(declaration, stored, told)
    for (;;) {
      const effective = layered(declaration, put, this.#lower)
      const problems = await judge(declaration, effective.values, egress, false)
      if (problems.length === 0) return stateOf(declaration, effective, told)
      const guilty = problems.map(fieldOf).filter((field) => put[field] !== undefined)
      if (guilty.length === 0 && Object.keys(put).length === 0) {
        if (strict) throw this.#unusable(problems, effective)
        return stateOf(declaration, effective, [...told, ...problems])
      }
      told.push(...problems)
      put = guilty.length === 0 ? {} : without(declaration, put, guilty)
    }
  }

  #unusable(problems: readonly SettingsProblem[], { sources }: Effective): GatewayError {
    const { declaration, path } = this.#options
    const told = problems.map((problem) => {
      const field = fieldOf(problem)
      const variable = sources[field] === 'env' ? declaration.spec.env?.[field] : undefined
      return `${variable ?? `${path}.${problem.field}`}: ${problem.message}`
    })
    return new GatewayError('GW_CONFIG', told.join('; '))
  }

  #apply(state: State): void {
    const before = this.#state
    this.#state = state
    if (before === undefined || isDeepStrictEqual(before.current, state.current)) return
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

function known(declaration: Declaration, stored: Fields, told: SettingsProblem[]): Fields {
  const put: Fields = {}
  for (const [field, value] of Object.entries(stored)) {
    if (declaration.fields.includes(field)) put[field] = value
    else told.push({ field, message: 'is no longer a setting' })
  }
  return put
}

function without({ secrets, targets }: Declaration, put: Fields, guilty: readonly string[]): Fields {
  const left = { ...put }
  const moves = targets.some(({ field, list }) => list === undefined && guilty.includes(field))
  const gone = moves
    ? [...guilty, ...secrets.filter(({ list }) => list === undefined).map(({ field }) => field)]
    : guilty
  for (const field of gone) delete left[field]
  return left
}

function stateOf(declaration: Declaration, effective: Effective, problems: readonly SettingsProblem[]): State {
  const { values } = effective
  return { effective, current: deepFreeze(structuredClone(values)), problems, warnings: clearText(declaration, values) }
}

const isOld = (problem: SettingsProblem, before: readonly SettingsProblem[]): boolean =>
  before.some(({ field, message }) => field === problem.field && message === problem.message)

/** A store that does not answer is not the admin's fault. */
async function reachable<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (cause) {
    throw new GatewayError('GW_STORE_UNAVAILABLE', 'The settings cannot be stored now: the store did not answer.', {
      cause,
    })
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) deepFreeze(member)
    Object.freeze(value)
  }
  return value
}
