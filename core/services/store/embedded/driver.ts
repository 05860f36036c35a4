import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { StoreStatus } from '../../../engine/contract/store.ts'
import { StoreError, type StoreErrorKind, unavailable } from '../../../engine/contract/store-errors.ts'
import { codeUrl } from '../../../engine/util/package.ts'
import { sentence } from '../../../engine/util/sentence.ts'
import { CallDriver, type CallOptions } from '../calls.ts'
import type { Call, Replies } from '../protocol.ts'
import type { Port, Shareable } from '../remote.ts'
import type { Durability } from './database.ts'
import type { SqliteWorkerOptions } from './sqlite-worker.ts'
import type { FromThread, ToThread } from './thread.ts'

export type { Durability } from './database.ts'

export interface EmbeddedOptions extends CallOptions {
  /** Created if missing; see `DatabaseOptions`. */
  folder: string
  /** Default `stored`. */
  durability?: Durability
  /** Default `quick`. */
  check?: 'quick' | 'none'
  /** Name of the hash chains of a new file; default: the host name. */
  instance?: string
  /** Space reserved for cleaning up a full disk, bytes, default 8 MiB; 0 for none. */
  ballastBytes?: number
  /** Maximum number of cached values, and of cached meters; default 100,000. */
  cached?: number
}

/** A thread without a file, until it is known which. */
let spare: Worker | undefined

/** Starts a thread for the next `EmbeddedDriver.open`, and waits until its code is loaded. It keeps no process alive. */
export async function prepareThread(): Promise<void> {
  if (spare !== undefined) return
  const thread = newThread()
  spare = thread
  const { promise: settled, resolve: settle } = Promise.withResolvers<void>()
  // `open` then starts another, and reports what is wrong.
  thread.once('error', () => settle())
  thread.once('exit', () => {
    if (spare === thread) spare = undefined
    settle()
  })
  thread.once('message', () => settle())
  await settled
  thread.unref()
}

const newThread = (): Worker => new Worker(codeUrl('core/services/store/embedded/thread'), { name: 'store' })

function takeThread(): Worker {
  const thread = spare ?? newThread()
  spare = undefined
  thread.ref()
  return thread
}

/** SQLite in a worker thread of this process. */
export class EmbeddedDriver extends CallDriver implements Shareable {
  readonly kind = 'embedded'
  readonly reach = 'machine'
  readonly #options: SqliteWorkerOptions
  readonly #ports = new Map<number, (replies: Replies) => void>()
  #worker: Worker | undefined
  #clients = 0
  #restartMs = 100

  private constructor(options: EmbeddedOptions) {
    super(options)
    const { durability = 'stored', check = 'quick', instance = hostname() } = options
    const { ballastBytes = 8 << 20, cached = 100_000 } = options
    this.#options = { folder: resolve(options.folder), durability, check, instance, ballastBytes, cached }
  }

  /** Rejects with a `StoreError` that says what to do. */
  static async open(options: EmbeddedOptions): Promise<EmbeddedDriver> {
    const driver = new EmbeddedDriver(options)
    await driver.#start()
    return driver
  }

  /** Shares the store with another process; `send` gets the messages for it. */
  connect(send: (replies: Replies) => void): Port {
    const client = ++this.#clients
    this.#ports.set(client, send)
    return {
      receive: (calls) => this.#post([client, calls]),
      close: () => {
        this.#ports.delete(client)
        this.#post({ gone: client })
      },
    }
  }

  async close(): Promise<void> {
    if (this.status.state === 'closed') return
    await this.idle()
    this.status = { state: 'closed', detail: 'closed' }
    const worker = this.#worker
    if (worker === undefined) return
    const exited = new Promise((done) => worker.once('exit', done))
    this.#post({ close: true })
    await exited
  }

  protected send(calls: readonly Call[]): void {
    this.#post([0, calls])
  }

  #post(message: ToThread): void {
    this.#worker?.postMessage(message)
  }

  #start(): Promise<void> {
    const worker = takeThread()
    worker.postMessage(this.#options)
    return new Promise((ready, failed) => {
      worker.on('message', (message: FromThread) => {
        if ('length' in message) this.#deliver(message[0], message[1])
        else if ('loaded' in message) return
        else if ('ready' in message) {
          if (this.status.state === 'closed') return void worker.terminate()
          this.#worker = worker
          this.#restartMs = 100
          this.#announce(message.ready)
          ready()
        } else {
          failed(new StoreError(message.failed.kind as StoreErrorKind, message.failed.message))
          void worker.terminate()
        }
      })
      worker.on('error', (error) => failed(unavailable(sentence(`The store's thread failed: ${error.message}`), error)))
      worker.on('exit', () => this.#exited(worker))
    })
  }

  #deliver(client: number | 'all', replies: Replies): void {
    if (client === 0 || client === 'all') this.receive(replies)
    if (client === 'all') for (const send of this.#ports.values()) send(replies)
    else this.#ports.get(client)?.(replies)
  }

  /** The thread should never exit. If it does, the data on disk is intact and a new thread takes over. */
  #exited(worker: Worker): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    const error = unavailable('The thread of the store ended unexpectedly; it is being restarted.')
    if (this.status.state === 'closed') {
      this.drop(error)
      return
    }
    this.#announce({ state: 'unavailable', detail: error.message })
    this.#restart()
  }

  /** Notifies this process and those that share the store. */
  #announce(status: StoreStatus): void {
    const notice = { type: 'status', status } as const
    this.notify(notice)
    for (const send of this.#ports.values()) send([[], [notice]])
  }

  #restart(): void {
    setTimeout(() => {
      if (this.status.state === 'closed') return
      this.#start().then(
        () => this.notify({ type: 'changed', key: null }),
        () => this.#restart(),
      )
    }, this.#restartMs).unref()
    this.#restartMs = Math.min(this.#restartMs * 2, 30_000)
  }
}
