/** The thread that encodes batches, started with the first one. */
import { Worker } from 'node:worker_threads'
import type { Finished, Order, ThreadOptions } from './handover.ts'

/** Young objects of a batch; a larger space would only grow the process. */
const YOUNG_MB = 4
/** Without a bound, garbage of batches grows to several times what is in use. Prompts may need more. */
const OLD_MB = 48

type Batch = Order extends infer One ? (One extends Order ? Omit<One, 'id'> : never) : never

export class Encoder {
  readonly #file: URL
  readonly #options: ThreadOptions
  readonly #waiting = new Map<number, PromiseWithResolvers<Uint8Array>>()
  #worker: Worker | undefined
  #next = 0

  constructor(file: URL, options: ThreadOptions) {
    this.#file = file
    this.#options = options
  }

  /** The body of an export. Rejects if the thread fails or is closed; the next call starts another. */
  encode(batch: Batch): Promise<Uint8Array> {
    const id = this.#next++
    const answer = Promise.withResolvers<Uint8Array>()
    this.#waiting.set(id, answer)
    this.#worker ??= this.#start()
    this.#worker.ref()
    this.#worker.postMessage({ ...batch, id } satisfies Order)
    return answer.promise
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#failed(worker)
    await worker?.terminate()
  }

  #start(): Worker {
    const resourceLimits = {
      maxYoungGenerationSizeMb: YOUNG_MB,
      ...(!this.#options.withPrompts && { maxOldGenerationSizeMb: OLD_MB }),
    }
    const worker = new Worker(this.#file, { name: 'otel', workerData: this.#options, resourceLimits })
    worker.on('message', (finished: Finished) => this.#finished(finished))
    worker.on('error', () => this.#failed(worker))
    worker.on('exit', () => this.#failed(worker))
    return worker
  }

  #finished(finished: Finished): void {
    const answer = this.#waiting.get(finished.id)
    this.#waiting.delete(finished.id)
    if (this.#waiting.size === 0) this.#worker?.unref()
    if ('body' in finished) answer?.resolve(finished.body)
    else answer?.reject(new Error('the batch cannot be encoded'))
  }

  #failed(worker: Worker | undefined): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    const all = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const answer of all) answer.reject(new Error('the thread that encodes ended'))
  }
}
