import { randomUUID } from 'node:crypto'
import type { Json, Services } from 'governed-gateway'
import { Trouble } from 'governed-gateway/kit'
import { Figures, numbersOf, type Used } from './figures.ts'
import { type Counted, Journal, takeOver } from './journal.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const TRIES = 50
/** Further models of a key in an hour are counted together: a client that invents names takes room from itself only. */
const MAX_MODELS = 100
/** More rows with a model of their own in an hour are counted without it, */
const MAX_ROWS = 5_000
/** and more keys than this together. */
const MAX_KEYS = 20_000
export const OTHERS = '(others)'

/** Figures by key, team and model. */
export type Rows = Map<string, Figures>
type StoredRows = Record<string, Json>

/** A finished part of a day, and what processes have not finished yet. */
interface StoredDay {
  /** Names of the values of hours that are not in `rows`. */
  readonly open: readonly string[]
  readonly rows: StoredRows
  /** Totals by hour. */
  readonly hours: StoredRows
}

/** What a process counted in an hour. */
interface StoredHour {
  /** Number of the newest exchange in it, of the journal of that process. */
  readonly at: number
  readonly rows: StoredRows
}

interface Row {
  readonly name: string
  readonly figures: Figures
}

interface Hour {
  /** Its value in the store. */
  readonly name: string
  readonly start: number
  readonly rows: Rows
  /** Number of rows by caller. */
  readonly models: Map<string, number>
  /** What the newest exchange counted in: the next one often does, too. */
  newest: (Pick<Used, 'key' | 'team' | 'model'> & Row) | undefined
  dirty: boolean
  listed: boolean
}

const NO_DAY: StoredDay = { open: [], rows: {}, hours: {} }

type BookServices = Pick<Services, 'store' | 'log' | 'localFolder'>

/**
 * Counts in memory, and writes what this process counted in an hour as one value of its own: writing it again never counts
 * twice. When the hour is over, its figures move into the value of the day in one step.
 */
export class Book {
  readonly #services: BookServices
  readonly #journal: Journal
  readonly #ttlMs: number
  readonly #hours = new Map<number, Hour>()
  /** Written for the last time; they move into their day. */
  readonly #over = new Set<Hour>()
  readonly #trouble: Trouble
  #writing: Promise<void> = Promise.resolve()
  #unwatch: (() => void) | undefined = undefined

  constructor(services: BookServices, retentionDays: number) {
    this.#services = services
    this.#journal = new Journal(services.localFolder, services.log)
    this.#ttlMs = retentionDays * DAY_MS
    const words = { begins: 'usage could not be stored; it is kept in memory', ends: 'usage is stored again' }
    this.#trouble = new Trouble({ log: services.log, ...words })
  }

  /** Until `close`, whatever the store may have lost is written again with the next `flush`. */
  start(): void {
    this.#unwatch = this.#services.store.watch('hour/', (key) => {
      if (key !== undefined) return
      for (const hour of this.#hours.values()) {
        hour.dirty = true
        hour.listed = false
      }
    })
  }

  /**
   * Returns a promise if a killed process could still lose it.
   * @param at when the exchange began, Unix milliseconds
   */
  add(at: number, used: Used): Promise<void> | undefined {
    const hour = this.#hourOf(at - (at % HOUR_MS))
    const { key, team, model } = used
    const { newest } = hour
    if (newest?.key !== key || newest.team !== team || newest.model !== model) {
      hour.newest = { key, team, model, ...this.#rowOf(hour, used) }
    }
    const { name, figures } = hour.newest as Row
    const numbers = numbersOf(used)
    figures.add(numbers)
    hour.dirty = true
    return this.#journal.add(hour.name, name, figures, numbers)
  }

  #rowOf(hour: Hour, { key, team, model }: Used): Row {
    const own = rowName(key, team, model)
    const known = hour.rows.get(own)
    if (known !== undefined) return { name: own, figures: known }
    const caller = rowName(key, team, OTHERS)
    const models = hour.models.get(caller) ?? 0
    let name = own
    if (model !== OTHERS && (models >= MAX_MODELS || hour.rows.size >= MAX_ROWS)) name = caller
    if (name === caller && hour.rows.size >= MAX_KEYS && !hour.rows.has(name)) name = rowName(OTHERS, '', OTHERS)
    if (name !== caller) hour.models.set(caller, models + 1)
    const figures = hour.rows.get(name) ?? new Figures()
    hour.rows.set(name, figures)
    return { name, figures }
  }

  /** Writes what changed. Calls wait for each other. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#flush()).catch((error: unknown) => this.#note(error))
    return this.#writing
  }

  /** Writes what killed processes on this disk counted. It counts once, however often and wherever this runs. */
  takeOver(): Promise<void> {
    const { localFolder } = this.#services
    this.#writing = this.#writing
      .then(() => takeOver(localFolder, (left) => this.#writeLeft(left)))
      .catch((error: unknown) => this.#note(error))
    return this.#writing
  }

  close(): void {
    this.#unwatch?.()
    this.#journal.close()
    this.#trouble.close()
  }

  /** Figures of one day (Unix milliseconds of its start): by row, and totals by hour. */
  async day(start: number): Promise<{ readonly rows: Rows; readonly hours: Map<number, Figures> }> {
    const { store } = this.#services
    for (let i = 0; ; i++) {
      const entry = await store.entry<Json>(nameOfDay(start))
      const day = (entry?.value ?? NO_DAY) as unknown as StoredDay
      const open = await Promise.all(day.open.map((name) => store.get<Json>(name)))
      // An hour that moved meanwhile would be missing.
      if (open.includes(undefined) && i < TRIES && (await store.entry(nameOfDay(start)))?.version !== entry?.version)
        continue
      const rows = rowsOf(day.rows)
      const hours = new Map([...rowsOf(day.hours)].map(([at, figures]) => [Number(at), figures]))
      for (const [n, value] of open.entries()) {
        if (value === undefined) continue
        const part = rowsOf(hourOf(value).rows)
        mergeInto(rows, part)
        mergeHour(hours, startOf(day.open[n] as string), part)
      }
      return { rows, hours }
    }
  }

  #hourOf(start: number): Hour {
    const known = this.#hours.get(start)
    if (known !== undefined) return known
    const name = `hour/${start}/${randomUUID()}`
    const hour = { name, start, rows: new Map(), models: new Map(), newest: undefined, dirty: false, listed: false }
    this.#hours.set(start, hour)
    return hour
  }

  async #flush(): Promise<void> {
    const now = Date.now()
    const hours = [...this.#hours.values()]
    this.#journal.cut()
    for (const hour of hours) if (hour.dirty) await this.#write(hour)
    await this.#journal.forget()
    for (const hour of hours) {
      // Exchanges that began in it may still run; a later one opens the hour again under another name.
      if (now - hour.start < 2 * HOUR_MS || hour.dirty) continue
      this.#hours.delete(hour.start)
      this.#over.add(hour)
    }
    for (const hour of this.#over) {
      await this.#finish(hour)
      this.#over.delete(hour)
    }
  }

  async #write(hour: Hour): Promise<void> {
    hour.dirty = false
    try {
      const value = { at: this.#journal.newest, rows: storedOf(hour.rows) }
      await this.#services.store.set(hour.name, value, { ttlMs: this.#ttlMs })
      if (hour.listed) return
      // Before the call, during which the store may lose its data.
      hour.listed = true
      await this.#change(hour.start, (day) => withOpen(day, hour.name))
    } catch (error) {
      hour.dirty = true
      hour.listed = false
      throw error
    }
  }

  /** As their process would have written them, if they are newer than what it wrote. */
  async #writeLeft(left: readonly Counted[]): Promise<void> {
    for (const [name, counted] of Map.groupBy(left, ({ hour }) => hour)) {
      await this.#update(name, (value) => {
        const { at, rows: stored } = hourOf(value ?? {})
        const rows = rowsOf(stored)
        for (const { number, row, numbers } of counted) {
          if (number <= at) continue
          const figures = rows.get(row) ?? new Figures()
          figures.add(numbers)
          rows.set(row, figures)
        }
        return { at: Math.max(at, counted.at(-1)?.number ?? 0), rows: storedOf(rows) }
      })
      await this.#change(startOf(name), (day) => withOpen(day, name))
    }
  }

  async #finish(hour: Hour): Promise<void> {
    await this.#change(hour.start, (day) => {
      // Moved already, by a call whose answer was lost.
      if (!day.open.includes(hour.name)) return day
      const rows = rowsOf(day.rows)
      mergeInto(rows, hour.rows)
      const hours = new Map([...rowsOf(day.hours)].map(([at, figures]) => [Number(at), figures]))
      mergeHour(hours, hour.start, hour.rows)
      const open = day.open.filter((name) => name !== hour.name)
      return { open, rows: storedOf(rows), hours: storedOf(new Map([...hours].map(([at, one]) => [String(at), one]))) }
    })
    await this.#services.store.delete(hour.name)
  }

  #change(at: number, change: (day: StoredDay) => StoredDay): Promise<void> {
    const name = nameOfDay(at - (at % DAY_MS))
    return this.#update(name, (value) => change((value ?? NO_DAY) as unknown as StoredDay) as unknown as Json)
  }

  async #update(name: string, change: (value: Json | undefined) => Json): Promise<void> {
    const { store } = this.#services
    for (let i = 0; i < TRIES; i++) {
      const entry = await store.entry<Json>(name)
      const options = { ttlMs: this.#ttlMs, ifVersion: entry?.version ?? 0 }
      if (await store.set(name, change(entry?.value), options)) return
    }
    throw new Error('other processes changed it meanwhile')
  }

  #note(error: unknown): void {
    this.#trouble.note({ error: (error as Error).message })
  }
}

/** Names of keys, teams and models have no line breaks. */
const rowName = (key: string, team: string, model: string): string => `${key}\n${team}\n${model}`

const nameOfDay = (start: number): string => `day/${start}`
const startOf = (name: string): number => Number(name.split('/')[1])

/** Version 0.2.0 wrote rows alone. */
const hourOf = (value: Json): StoredHour =>
  (Object.hasOwn(value as object, 'rows') ? value : { at: 0, rows: value }) as unknown as StoredHour

const withOpen = (day: StoredDay, name: string): StoredDay =>
  day.open.includes(name) ? day : { ...day, open: [...day.open, name] }

const rowsOf = (stored: StoredRows): Rows =>
  new Map(Object.entries(stored).map(([name, value]) => [name, Figures.of(value)]))

const storedOf = (rows: Rows): StoredRows =>
  Object.fromEntries([...rows].map(([name, figures]) => [name, figures.toJson()]))

function mergeInto(rows: Rows, more: Rows): void {
  for (const [name, figures] of more) {
    const known = rows.get(name)
    if (known === undefined) rows.set(name, new Figures(figures.sums, figures.latencies))
    else known.merge(figures)
  }
}

function mergeHour(hours: Map<number, Figures>, start: number, rows: Rows): void {
  const total = hours.get(start) ?? new Figures()
  for (const figures of rows.values()) total.merge(figures)
  hours.set(start, total)
}
