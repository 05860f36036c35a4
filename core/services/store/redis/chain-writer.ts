import { StoreError, unavailable } from '../../../engine/contract/store-errors.ts'
import { type Head, stamp } from '../../../engine/util/canonical-json.ts'
import { sentence } from '../../../engine/util/sentence.ts'
import { GENESIS } from '../ops.ts'
import { Down, type Script } from './connection.ts'

/** Runs a script over the current connection; throws `Down` if the connection fails during the call. */
export type Run = (script: Script, args: object, texts?: readonly string[]) => Promise<unknown>

interface Job {
  readonly script: Script
  readonly args: object
  /** Sealed. */
  readonly events: readonly string[]
  readonly deadline: number
  resolve(reply: unknown[]): void
  reject(error: Error): void
  /** Expected head after this job, once sent. */
  last: number | undefined
  /** The server ran it; only the answer is missing. */
  done: boolean
}

const MOST = 10_000

/**
 * Appends to one chain, in order. Stamps records here, since Redis has no SHA-256, and pipelines batches; the scripts
 * accept a batch only if it continues the chain. After a refusal or a failed connection, the writer waits for pending
 * batches. After a refusal it resumes from the last confirmed head. After a failure it claims the chain again, which
 * blocks late deliveries from the old connection. The chain's head then shows which batches ran, and the writer sends
 * the rest again.
 */
export class ChainWriter {
  readonly #run: Run
  readonly #onLost: (records: number, instance: string) => void
  readonly #stream: string
  readonly #instance: { readonly name: string; readonly key: string }
  #owner = ''
  /** undefined: claim the chain or wait for pending batches first. */
  #head: Head | undefined
  /** We own the chain on this connection. */
  #claimed = false
  #confirmed: Head = { seq: 0, hash: GENESIS }
  #waiting: Job[] = []
  #again: Job[] = []
  #flying = 0
  /**
   * Maximum number of pending batches. A refused batch invalidates all later ones, so the writer slows down after a
   * refusal.
   */
  #window = MOST
  #claiming = false

  constructor(run: Run, stream: string, instance: string, onLost: (records: number, instance: string) => void) {
    this.#run = run
    this.#onLost = onLost
    this.#stream = stream
    this.#instance = { name: instance, key: encodeURIComponent(instance) }
  }

  submit(script: Script, args: object, events: readonly string[], deadline: number): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ script, args, events, deadline, resolve, reject, last: undefined, done: false })
      this.pump()
    })
  }

  /** Sends waiting jobs. Call again after a reconnect. */
  pump(): void {
    if (this.#claiming || this.#waiting.length === 0) return
    if (this.#head === undefined) {
      if (this.#flying === 0) void this.#claim()
      return
    }
    while (this.#waiting.length > 0 && this.#flying < this.#window) void this.#send(this.#waiting.shift()!, this.#head)
  }

  /** Rejects jobs whose deadline passed. */
  expire(now: number, error: StoreError): void {
    const late = this.#waiting.filter((job) => job.deadline <= now)
    if (late.length === 0) return
    this.#waiting = this.#waiting.filter((job) => job.deadline > now)
    for (const job of late) job.reject(error)
  }

  get idle(): boolean {
    return this.#waiting.length === 0 && this.#flying === 0 && this.#again.length === 0
  }

  async #send(job: Job, head: Head): Promise<void> {
    const prev = head.seq
    const texts = job.done ? [] : job.events.map((event) => stamp(event, this.#instance.name, head))
    job.last ??= head.seq
    if (!job.done) job.last = head.seq
    const at = `${this.#instance.key}:${this.#stream}`
    const link = { at, stream: this.#stream, instance: this.#instance.key, owner: this.#owner, done: job.done }
    const chain = { ...link, prev, hash: head.hash }
    const after: Head = { ...head }
    this.#flying++
    try {
      const [status, ...reply] = (await this.#run(job.script, { ...job.args, chain }, texts)) as string[]
      if (status === 'A') {
        if (!job.done) this.#confirmed = after
        this.#window = Math.min(MOST, 2 * this.#window)
        job.resolve(reply)
      } else if (status === 'S') {
        this.#break()
        job.resolve(reply)
      } else if (status === 'F') {
        this.#break()
        this.#claimed = false
        const remedy = 'Give each gateway an instance name of its own.'
        job.reject(new StoreError('in_use', `Another gateway writes the audit chain ${this.#instance.name}. ${remedy}`))
      } else {
        if (status === 'L') this.#claimed = false
        this.#retry(job, true)
      }
    } catch (error) {
      // A refusal changed nothing, but later batches expect a head that does not exist.
      this.#break()
      if (error instanceof Down) {
        this.#claimed = false
        this.#retry(job, false)
      } else job.reject(error as Error)
    } finally {
      this.#flying--
      if (this.#head !== undefined) this.pump()
      else if (this.#flying === 0) this.#recover()
    }
  }

  #break(): void {
    this.#head = undefined
    this.#window = 1
  }

  #retry(job: Job, refused: boolean): void {
    this.#break()
    if (refused) job.last = undefined
    this.#again.push(job)
  }

  #recover(): void {
    this.#waiting = [...this.#again.splice(0), ...this.#waiting]
    if (this.#claimed) this.#head = { ...this.#confirmed }
    this.pump()
  }

  async #claim(): Promise<void> {
    this.#claiming = true
    const owner = crypto.randomUUID()
    const at = `${this.#instance.key}:${this.#stream}`
    try {
      const reply = await this.#run('claim', { at, owner, ...this.#confirmed })
      const [seq, hash, found] = reply as [string | number, string, number]
      // The server lost confirmed records: it was restored, or failed over to a lagging replica.
      if (found < this.#confirmed.seq) this.#onLost(this.#confirmed.seq - found, this.#instance.name)
      const head = { seq: Number(seq), hash }
      for (const job of this.#waiting) if (job.last !== undefined) job.done = job.last <= head.seq
      this.#owner = owner
      this.#claimed = true
      this.#head = head
      this.#confirmed = { ...head }
    } catch (error) {
      // After `Down` the jobs wait for another connection, until their deadline.
      if (!(error instanceof Down)) this.expire(Number.POSITIVE_INFINITY, storeError(error))
    } finally {
      this.#claiming = false
    }
    if (this.#head !== undefined) this.pump()
  }
}

const storeError = (error: unknown): StoreError =>
  error instanceof StoreError ? error : unavailable(sentence(`The store failed: ${String(error)}`), error)
