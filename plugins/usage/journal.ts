/**
 * What this process counted since its last write to the store, in files that outlive it. What one turn of the event loop
 * brings is one write.
 */
import { closeSync, openSync, writeSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from 'governed-gateway'
import { fileOwner, isOrphan, makeFolder, Trouble } from 'governed-gateway/kit'

/** Of one book, in the order of their numbers. */
export interface Counted {
  /** Rises with each exchange of a book. */
  readonly number: number
  /** Name of the value of the hour. */
  readonly hour: string
  /** Name of the row in it. */
  readonly row: string
  readonly numbers: readonly number[]
}

/** One for all books of a process, so that none takes over files of another. */
const OWNER = fileOwner()
let files = 0

/** While the store is down; what comes later is kept in memory only. */
const MAX_BYTES = 64 * 1024 * 1024
/** After a failure of the disk. */
const PAUSE_MS = 10_000

export class Journal {
  readonly #folder: string | undefined
  readonly #trouble: Trouble
  /** Rows of the open file, by what stands for them in memory. */
  #rows = new Map<object, number>()
  #open: { readonly file: string; readonly fd: number } | undefined
  #bytes = 0
  /** Lines of this turn. */
  #lines = ''
  /** Settles when they are written. */
  #written: PromiseWithResolvers<void> | undefined
  #pausedUntil = 0
  /** Files that the next write to the store makes superfluous. */
  #cut: string[] = []
  /** Number of the newest exchange. */
  newest = 0

  /** Without a folder, only numbers are counted. */
  constructor(folder: string | undefined, log: Log) {
    this.#folder = folder
    const words = { begins: 'usage could not be noted on the disk', ends: 'usage is noted on the disk again' }
    this.#trouble = new Trouble({ log, ...words })
  }

  /**
   * Written at the end of this turn; returns a promise of that, which never rejects, unless nothing is written.
   * @param row stands for the row as long as the hour is counted
   */
  add(hour: string, name: string, row: object, numbers: readonly number[]): Promise<void> | undefined {
    this.newest++
    if (this.#folder === undefined || this.#bytes > MAX_BYTES || this.#isPaused) return undefined
    if (this.#written === undefined) {
      this.#written = Promise.withResolvers()
      setImmediate(() => this.#write())
    }
    let at = this.#rows.get(row)
    if (at === undefined) {
      at = this.#rows.size
      this.#rows.set(row, at)
      this.#lines += `${JSON.stringify([hour, name])}\n`
    }
    this.#lines += `[${this.newest},${at},${numbers.join(',')}]\n`
    return this.#written.promise
  }

  #write(): void {
    const lines = this.#lines
    if (lines === '') return
    this.#lines = ''
    const written = this.#written
    this.#written = undefined
    try {
      this.#open ??= create(this.#folder as string)
      this.#bytes += writeSync(this.#open.fd, lines)
    } catch (error) {
      this.#leave()
      this.#pausedUntil = performance.now() + PAUSE_MS
      this.#trouble.note({ error: (error as NodeJS.ErrnoException).code })
    }
    written?.resolve()
  }

  /** Call when everything so far is about to be written to the store, and `forget` when it is. */
  cut(): void {
    this.#write()
    if (this.#cut.length === 0) this.#leave()
  }

  async forget(): Promise<void> {
    await Promise.all(this.#cut.map((file) => rm(file, { force: true })))
    this.#cut = []
  }

  close(): void {
    this.#write()
    this.#leave()
    this.#trouble.close()
  }

  get #isPaused(): boolean {
    return this.#pausedUntil > 0 && performance.now() < this.#pausedUntil
  }

  /** Later exchanges go to another file. */
  #leave(): void {
    this.#rows = new Map()
    this.#bytes = 0
    if (this.#open === undefined) return
    this.#cut.push(this.#open.file)
    closeSync(this.#open.fd)
    this.#open = undefined
  }
}

function create(folder: string): { file: string; fd: number } {
  makeFolder(folder)
  const file = join(folder, `${OWNER}-${files++}.jsonl`)
  return { file, fd: openSync(file, 'ax', 0o600) }
}

/** Passes on what dead processes left, and removes it afterwards. */
export async function takeOver(
  folder: string | undefined,
  write: (left: readonly Counted[]) => Promise<void>,
): Promise<void> {
  if (folder === undefined) return
  const left: string[] = []
  for (const name of await readdir(folder).catch(() => [])) {
    if (await isOrphan(folder, name, OWNER)) left.push(join(folder, name))
  }
  if (left.length === 0) return
  // Another process may take over the same at this moment.
  const texts = await Promise.all(left.map((file) => readFile(file, 'utf8').catch(() => '')))
  await write(texts.flatMap(read).sort((a, b) => a.number - b.number))
  await Promise.all(left.map((file) => rm(file, { force: true })))
}

function read(text: string): Counted[] {
  const rows: [hour: string, row: string][] = []
  const found: Counted[] = []
  for (const line of text.split('\n')) {
    const values = parse(line)
    if (typeof values?.[0] === 'string') rows.push(values as [string, string])
    if (typeof values?.[0] !== 'number') continue
    const [number, at, ...numbers] = values as number[]
    const [hour, row] = rows[at as number] ?? []
    if (hour !== undefined && row !== undefined) found.push({ number: number as number, hour, row, numbers })
  }
  return found
}

/** The last line of a killed process may be torn. */
function parse(line: string): unknown[] | undefined {
  try {
    return JSON.parse(line) as unknown[]
  } catch {
    return undefined
  }
}
