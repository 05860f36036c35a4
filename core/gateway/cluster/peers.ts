/** Questions of a plugin to itself in the other workers, passed on by the primary. */
import type { Json } from '../../engine/contract/plugin.ts'
import type { PeerChannel } from '../../services/peers.ts'
import type { FromWorker, ToWorker } from './messages.ts'

/** Longest wait for the other workers, milliseconds. */
const ANSWER_MS = 2000

type Answers = Readonly<Record<string, Json>>

/** A worker's side. */
export class WorkerPeers implements PeerChannel {
  readonly inherited: Answers
  readonly #send: (message: FromWorker) => void
  readonly #reads = new Map<string, () => Promise<Json>>()
  readonly #asked = new Map<number, (values: readonly Json[]) => void>()
  #last = 0

  constructor(inherited: Answers, send: (message: FromWorker) => void) {
    this.inherited = inherited
    this.#send = send
  }

  answer(plugin: string, read: () => Promise<Json>): void {
    this.#reads.set(plugin, read)
  }

  async ask(plugin: string): Promise<readonly Json[]> {
    const own = await this.#reads.get(plugin)?.()
    const id = ++this.#last
    const { promise, resolve } = Promise.withResolvers<readonly Json[]>()
    this.#asked.set(id, resolve)
    this.#send({ type: 'ask', id, plugin, ...(own === undefined ? {} : { own }) })
    return promise
  }

  async handle(message: ToWorker & { type: 'asked' | 'answers' }): Promise<void> {
    if (message.type === 'answers') {
      this.#asked.get(message.id)?.(message.values)
      this.#asked.delete(message.id)
      return
    }
    const value = await this.#reads
      .get(message.plugin)?.()
      .catch(() => undefined)
    this.#send({ type: 'answer', id: message.id, plugin: message.plugin, ...(value === undefined ? {} : { value }) })
  }
}

interface Peer {
  readonly number: number
  send(message: ToWorker): void
}

interface Question {
  readonly asker: Peer
  readonly id: number
  readonly plugin: string
  /** Numbers of the workers that have not answered. */
  readonly waiting: Set<number>
  readonly timer: NodeJS.Timeout
}

/** The primary's side. Remembers each worker's last answer, so that sums do not fall when a worker dies. */
export class PeerRelay {
  readonly #ready: () => readonly Peer[]
  readonly #last = new Map<string, Map<number, Json>>()
  readonly #questions = new Map<number, Question>()
  #count = 0

  constructor(ready: () => readonly Peer[]) {
    this.#ready = ready
  }

  /** The last answers of the worker with this number. */
  inherited(number: number): Answers {
    const own = [...this.#last].flatMap(([plugin, values]) =>
      values.has(number) ? [[plugin, values.get(number)]] : [],
    )
    return Object.fromEntries(own) as Answers
  }

  handle(peer: Peer, message: FromWorker & { type: 'ask' | 'answer' }): void {
    if (message.type === 'ask') return this.#ask(peer, message)
    const { plugin, value } = message
    if (value !== undefined) this.#keep(plugin, peer.number, value)
    const question = this.#questions.get(message.id)
    if (question?.waiting.delete(peer.number) !== true) return
    if (question.waiting.size === 0) this.#close(message.id, question)
  }

  #ask(asker: Peer, { id, plugin, own }: FromWorker & { type: 'ask' }): void {
    if (own !== undefined) this.#keep(plugin, asker.number, own)
    const others = this.#ready().filter(({ number }) => number !== asker.number)
    const turn = ++this.#count
    const waiting = new Set(others.map(({ number }) => number))
    const timer = setTimeout(() => this.#close(turn, question), ANSWER_MS)
    const question: Question = { asker, id, plugin, waiting, timer }
    this.#questions.set(turn, question)
    for (const peer of others) peer.send({ type: 'asked', id: turn, plugin })
    if (others.length === 0) this.#close(turn, question)
  }

  #close(turn: number, { asker, id, plugin, timer }: Question): void {
    clearTimeout(timer)
    if (!this.#questions.delete(turn)) return
    const known = [...(this.#last.get(plugin) ?? [])]
    asker.send({ type: 'answers', id, values: known.flatMap(([n, value]) => (n === asker.number ? [] : [value])) })
  }

  #keep(plugin: string, number: number, value: Json): void {
    const values = this.#last.get(plugin) ?? new Map<number, Json>()
    values.set(number, value)
    this.#last.set(plugin, values)
  }
}
