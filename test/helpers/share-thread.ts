/**
 * A thread of the embedded store costs more than most tests that open one, and ends with its store. Here it stays, without
 * one, for the next store of this process: `store-thread.ts` loads the code of the thread anew.
 */
import { EventEmitter } from 'node:events'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import type { Worker, WorkerOptions } from 'node:worker_threads'

type Workers = { Worker: new (file: URL, options?: WorkerOptions) => Worker }

const workers = createRequire(import.meta.url)('node:worker_threads') as Workers
const { Worker: Started } = workers
const THREAD = new URL('./store-thread.ts', import.meta.url)

const idle: Worker[] = []

/** As much of a `Worker` as the store uses. */
class StoreThread extends EventEmitter {
  readonly #thread: Worker
  #ending = false

  constructor(code: URL) {
    super()
    const waiting = idle.pop()
    this.#thread = waiting ?? new Started(THREAD, { name: 'store', workerData: code.href })
    this.#thread.ref()
    if (waiting !== undefined) queueMicrotask(() => this.emit('message', { loaded: true }))
    this.#thread.on('message', (message) => {
      if ('left' in message) this.#leave()
      else this.emit('message', message)
    })
    this.#thread.on('error', (error) => this.emit('error', error))
    this.#thread.on('exit', (code) => this.emit('exit', code))
  }

  #leave(): void {
    for (const event of ['message', 'error', 'exit']) this.#thread.removeAllListeners(event)
    this.#thread.unref()
    idle.push(this.#thread)
    this.emit('exit', 0)
  }

  /** What comes after the end is lost, as with a thread that ended. The next store would take it for its options. */
  postMessage(message: object): void {
    if (this.#ending) return
    this.#ending = 'close' in message
    this.#thread.postMessage(message)
  }

  ref(): void {
    this.#thread.ref()
  }

  unref(): void {
    this.#thread.unref()
  }

  terminate(): Promise<number> {
    return this.#thread.terminate()
  }
}

/** Before the tests load. */
export function shareThread(): void {
  workers.Worker = new Proxy(Started, {
    construct: (_, [file, options]) =>
      (options as WorkerOptions | undefined)?.name === 'store' ? new StoreThread(file) : new Started(file, options),
  })
  syncBuiltinESMExports()
}
