import type { StatementSync } from 'node:sqlite'
import type { StoreStatus } from '../../../engine/contract/store.ts'
import { StoreError } from '../../../engine/contract/store-errors.ts'
import { Engine } from '../engine/engine.ts'
import { GROWING, type Notice } from '../ops.ts'
import { type Call, failure, type Replies, type Reply } from '../protocol.ts'
import { packResult, unpackArgs } from '../wire.ts'
import { Ballast } from './ballast.ts'
import { Clients } from './clients.ts'
import { type Database, type DatabaseOptions, openDatabase } from './database.ts'
import { displaced, fault, full } from './faults.ts'
import { Rows } from './rows.ts'

export interface SqliteWorkerOptions extends DatabaseOptions {
  /** Name of the chains; an existing file keeps its original name. */
  readonly instance: string
  /** Space reserved for cleaning up a full disk; 0 for none. */
  readonly ballastBytes: number
  /** Maximum number of cached values, and of cached meters. */
  readonly cached: number
}

export interface Incoming {
  readonly client: number
  readonly calls: readonly Call[]
}

/** Messages for one client, or for all. */
export interface Outgoing {
  readonly client: number | 'all'
  readonly replies: Replies
}

type Batch = readonly Incoming[]

/**
 * The only code that accesses the file. Runs all pending calls in one transaction and answers after its commit: under
 * load many calls share a commit.
 */
export class SqliteWorker {
  status: StoreStatus = { state: 'ready', detail: '' }
  readonly #database: Database
  readonly #rows: Rows
  readonly #engine: Engine
  readonly #ballast: Ballast
  readonly #relaxed: boolean
  readonly #clients = new Clients()
  readonly #sql: { readonly begin: StatementSync; readonly commit: StatementSync }
  #instance: string
  #open = false
  /** Records were trimmed while the disk was full: return the space. */
  #shrink = false
  #failure: StoreError | undefined

  constructor(options: SqliteWorkerOptions) {
    this.#database = openDatabase(options)
    const { db, file } = this.#database
    try {
      this.#sql = { begin: db.prepare('BEGIN IMMEDIATE'), commit: db.prepare('COMMIT') }
      this.#rows = new Rows(db, file)
      this.#ballast = new Ballast(`${file}-ballast`, options.ballastBytes)
      this.#instance = options.instance
      this.#relaxed = options.durability === 'relaxed'
      this.#engine = new Engine({
        instance: () => this.#instance,
        backing: this.#rows,
        logs: this.#rows,
        cached: options.cached,
      })
      this.#start()
    } catch (error) {
      this.#database.close()
      throw fault(error, file)
    }
  }

  /** Runs pending calls; the answers may be sent at once. */
  process(batch: Batch): Outgoing[] {
    const before = this.status
    let out = this.#attempt(batch)
    // On the first full disk, the ballast was released: cleanup calls can continue.
    if (out instanceof StoreError && out.kind === 'full') out = this.#attempt(batch)
    return [...(out instanceof StoreError ? refused(batch, out) : out), ...this.#news(before)]
  }

  /** Releases what a dead client had claimed, and ends the leases of its open exchanges. */
  gone(client: number): Outgoing[] {
    const { undo, open } = this.#clients.gone(client)
    if (this.status.state === 'failed') return []
    const before = this.status
    const batch: Batch = [{ client, calls: undo.map(({ name, args }, i): Call => [i, name, args]) }]
    let out = this.#attempt(batch, open)
    if (out instanceof StoreError && out.kind === 'full') out = this.#attempt(batch, open)
    return [...(out instanceof StoreError ? [] : messages(new Map(), this.#clients.wakeAll())), ...this.#news(before)]
  }

  /** Handles leases, expired rows, and recovery from a full disk; call about once a second. */
  tick(now: number): Outgoing[] {
    if (this.status.state === 'failed') return []
    const before = this.status
    const away = this.#displaced()
    if (away !== undefined || this.status !== before) {
      this.#database.guard()
      return this.#news(before)
    }
    try {
      this.#begin()
      this.#engine.sweep(now)
      this.#rows.purge(now)
      this.#finish()
      if (this.status.state === 'full' && this.#ballast.raise()) this.status = { state: 'ready', detail: '' }
    } catch (error) {
      this.#rollback(error)
    }
    return this.#news(before)
  }

  /** Commits what `relaxed` durability deferred. */
  commit(): Outgoing[] {
    const before = this.status
    try {
      if (this.#open) this.#commit()
    } catch (error) {
      this.#rollback(error)
    }
    return this.#news(before)
  }

  close(): void {
    this.commit()
    this.#database.close()
  }

  #start(): void {
    const { db, file } = this.#database
    db.prepare("INSERT INTO meta(key, value) VALUES('instance', ?) ON CONFLICT DO NOTHING").run(this.#instance)
    this.#instance = String(db.prepare("SELECT value FROM meta WHERE key = 'instance'").get()?.value)
    this.#load(true)
    if (!this.#ballast.raise()) this.status = { state: 'full', detail: full(file).message }
  }

  /** Loads the resident tables. At start no lease holder is alive. */
  #load(started: boolean): void {
    for (const table of this.#engine.tables()) {
      if (table.resident) for (const [key, row] of this.#rows.loadAll(table.name)) table.adopt(key, row)
    }
    this.#engine.restore(Date.now(), started)
  }

  /** `ended`: open ids of a dead client. */
  #attempt(batch: Batch, ended: readonly string[] = []): Outgoing[] | StoreError {
    if (this.#failure !== undefined) return this.#failure
    const away = this.#displaced()
    if (away !== undefined) return away
    try {
      this.#begin()
      if (ended.length > 0) this.#engine.lapse(ended, Date.now())
      const replies = answered(batch, (client, call) => this.#answer(client, call))
      this.#finish()
      return messages(replies, this.#clients.route(merged(this.#engine.notices.splice(0))))
    } catch (error) {
      return this.#rollback(error)
    }
  }

  #answer(client: number, [number, name, packed, now]: Call): Reply {
    const isFull = this.status.state === 'full'
    // All others use the space freed by the ballast.
    if (isFull && GROWING.has(name)) return failure(number, full(this.#database.file))
    try {
      const args = unpackArgs(name, packed)
      const result = this.#engine.apply(name, args as never, now ?? Date.now())
      this.#clients.note(client, name, args, result)
      if (isFull && name === 'trim') this.#shrink = true
      return [number, 1, packResult(name, result)]
    } catch (error) {
      // A usage error changed nothing; any other error invalidates the transaction.
      if (error instanceof StoreError && error.kind === 'usage') return failure(number, error)
      throw error
    }
  }

  /** Checked before every transaction: writes to a displaced file are lost. */
  #displaced(): StoreError | undefined {
    const known = this.status.reason === 'folder_replaced'
    if (this.#database.inPlace()) {
      if (known) this.status = { state: 'ready', detail: '' }
      return undefined
    }
    const error = displaced(this.#database.file)
    if (!known) this.status = { state: 'unavailable', detail: error.message, reason: 'folder_replaced' }
    return error
  }

  #begin(): void {
    if (this.#open) return
    this.#sql.begin.run()
    this.#open = true
  }

  #finish(): void {
    if (!this.#relaxed) this.#commit()
  }

  #commit(): void {
    const { db } = this.#database
    this.#engine.flush()
    this.#sql.commit.run()
    this.#open = false
    this.#engine.committed()
    if (!this.#shrink) return
    this.#shrink = false
    db.exec('PRAGMA incremental_vacuum(4096); PRAGMA wal_checkpoint(TRUNCATE)')
  }

  /** Restores the state on disk. On a full disk, releases the ballast; on a damaged file, stops the work. */
  #rollback(cause: unknown): StoreError {
    const { db, file } = this.#database
    const error = fault(cause, file)
    this.#open = false
    try {
      if (db.isTransaction) db.exec('ROLLBACK')
      this.#engine.reset()
      this.#rows.reset()
      if (error.kind !== 'corrupt') this.#load(false)
    } catch (second) {
      return this.#fail(fault(second, file))
    }
    if (error.kind === 'corrupt') return this.#fail(error)
    if (error.kind === 'full' && this.status.state !== 'full') {
      this.#ballast.drop()
      this.status = { state: 'full', detail: error.message }
    }
    return error
  }

  #fail(error: StoreError): StoreError {
    this.#failure = error
    this.status = { state: 'failed', detail: error.message }
    return error
  }

  #news(before: StoreStatus): Outgoing[] {
    if (this.status === before) return []
    return [{ client: 'all', replies: [[], [{ type: 'status', status: this.status }]] }]
  }
}

function answered(batch: Batch, answer: (client: number, call: Call) => Reply): Map<number, Reply[]> {
  const replies = new Map<number, Reply[]>()
  for (const { client, calls } of batch) {
    const own = calls.map((call) => answer(client, call))
    replies.set(client, [...(replies.get(client) ?? []), ...own])
  }
  return replies
}

const refused = (batch: Batch, error: StoreError): Outgoing[] =>
  messages(
    answered(batch, (_, [number]) => failure(number, error)),
    new Map(),
  )

/** One message per client, since every message wakes a thread. */
function messages(
  replies: ReadonlyMap<number, readonly Reply[]>,
  notices: ReadonlyMap<number, readonly Notice[]>,
): Outgoing[] {
  const clients = new Set([...replies.keys(), ...notices.keys()])
  return [...clients].map((client) => ({ client, replies: [replies.get(client) ?? [], notices.get(client) ?? []] }))
}

/** One notice per stream, regardless of the number of appends. */
function merged(notices: readonly Notice[]): Notice[] {
  const streams = new Set<string>()
  return notices.filter((notice) => {
    if (notice.type !== 'appended') return true
    if (streams.has(notice.stream)) return false
    streams.add(notice.stream)
    return true
  })
}
