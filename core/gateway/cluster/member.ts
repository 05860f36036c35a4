import type { Worker } from 'node:cluster'
import type { Log } from '../../engine/contract/plugin.ts'
import { type FromWorker, hear, type StartOrder, send, type ToWorker } from './messages.ts'
import { Pulse } from './pulse.ts'

export type MemberState = 'starting' | 'ready' | 'ending' | 'hung' | 'ended'
export type Listening = FromWorker & { readonly type: 'listening' }

/** Longest time for a worker to build a new config, milliseconds: its plugins have 10 s each to start. */
const PREPARE_MS = 60_000
/** Allowed silence of a starting worker, milliseconds: importing plugins may block it longer than is allowed later. */
const START_MS = 60_000

export interface MemberEvents {
  /** The worker could serve and waits for the port. */
  built(member: Member): void
  ready(member: Member, message: Listening): void
  failed(member: Member, message: FromWorker & { readonly type: 'failed' }): void
  asks(member: Member, message: FromWorker & { readonly type: 'ask' | 'answer' }): void
  /** The worker stopped answering and is about to be killed. */
  hung(member: Member, silentSeconds: number): void
  ended(member: Member, code: number | null, signal: string | null): void
}

/** A worker's answer to a config; `ended` if it died or timed out. */
export type Verdict = 'prepared' | 'ended' | { readonly problem: string }

export interface MemberOptions {
  readonly order: StartOrder
  readonly events: MemberEvents
  readonly log: Log
  /** Allowed time without an answer to pings, milliseconds. */
  patience(): number
}

/** One worker process, as the primary sees it. */
export class Member {
  readonly number: number
  /** Its active config. */
  text: string
  state: MemberState = 'starting'
  readyAt = 0
  /** It ended because someone told it to, without an error. */
  wasTold = false
  readonly #worker: Worker
  readonly #answers = new Map<number, (verdict: Verdict) => void>()
  readonly #pulse: Pulse

  constructor(worker: Worker, { order, events, log, patience }: MemberOptions) {
    this.#worker = worker
    this.number = order.number
    this.text = order.text
    hear<FromWorker>(worker.process, (message) => {
      if (message.type === 'hello') send(worker.process, order)
      else if (message.type === 'built') events.built(this)
      else if (message.type === 'pong') this.#pulse.answered()
      else if (message.type === 'prepared') this.#answers.get(message.change)?.(verdictOf(message.problem))
      else if (message.type === 'ending') this.state = 'ending'
      else if (message.type === 'failed') events.failed(this, message)
      else if (message.type === 'ask' || message.type === 'answer') events.asks(this, message)
      else {
        if (this.state === 'starting') this.state = 'ready'
        this.readyAt = performance.now()
        events.ready(this, message)
      }
    })
    // The channel broke during a send; the exit follows.
    worker.on('error', (error) =>
      log.warn({ worker: this.number, error: error.name }, 'a message to a worker was lost'),
    )
    worker.once('exit', (code, signal) => {
      this.wasTold = this.state === 'ending' && code === 0
      this.state = 'ended'
      this.#pulse.stop()
      for (const answer of this.#answers.values()) answer('ended')
      events.ended(this, code, signal)
    })
    const allowed = () => (this.state === 'starting' ? Math.max(START_MS, patience()) : patience())
    this.#pulse = new Pulse({
      ping: () => this.send({ type: 'ping' }),
      allowed,
      silent: () => {
        const seconds = allowed() / 1000
        this.state = 'hung'
        events.hung(this, seconds)
        this.kill()
      },
    })
  }

  get pid(): number | undefined {
    return this.#worker.process.pid
  }

  send(message: ToWorker): void {
    send(this.#worker.process, message)
  }

  /** Lets it build a new config, beside the active one. */
  async prepare(change: number, text: string): Promise<Verdict> {
    if (this.state === 'ended') return 'ended'
    let timer: NodeJS.Timeout | undefined
    const answer = new Promise<Verdict>((resolve) => {
      this.#answers.set(change, resolve)
      const problem = `did not answer within ${PREPARE_MS / 1000} s`
      timer = setTimeout(() => resolve({ problem }), PREPARE_MS)
    })
    this.send({ type: 'prepare', change, text })
    try {
      return await answer
    } finally {
      clearTimeout(timer)
      this.#answers.delete(change)
    }
  }

  commit(change: number, text: string): void {
    this.text = text
    this.send({ type: 'commit', change })
  }

  /** Sets readiness to draining, while it still serves. */
  leave(): void {
    if (this.state === 'ready') this.send({ type: 'leave' })
  }

  /** Drains its exchanges. */
  close(): void {
    if (this.state === 'ended' || this.state === 'hung') return
    this.state = 'ending'
    this.send({ type: 'close' })
  }

  kill(): void {
    if (this.state !== 'ended') this.#worker.process.kill('SIGKILL')
  }
}

const verdictOf = (problem: string | undefined): Verdict => (problem === undefined ? 'prepared' : { problem })
