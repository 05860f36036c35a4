/** One connection of the load client, and what it counts. */
import { connect, type Socket } from 'node:net'
import type { Conversation, RequestKind } from './requests.ts'
import { EventCounter, MessageReader } from './wire.ts'

export interface Target {
  port: number
  key: string
  request: RequestKind
}

export interface LoadResult {
  sent: number
  /** Complete replies with status 200. */
  replies: number
  /** Complete replies by any other status, and connections lost with a reply outstanding. */
  refused: number
  lost: number
  /** Server-sent events and body bytes of the complete replies. */
  events: number
  bytes: number
  wallMs: number
  /** The client gave up: nothing came any more. */
  silent?: boolean
  /** What the first reply that was not 200 said, for the error message. */
  sample?: string
}

export type Outcome = 'reply' | 'refused' | 'lost'

/** One keep-alive connection with at most one request outstanding. */
export class Connection {
  #socket: Socket
  #conversation: Conversation
  #result: LoadResult
  #counter = new EventCounter()
  #status = 0
  #text = ''
  #done: ((outcome: Outcome) => void) | undefined
  /** Called once, when the first body byte of a reply with status 200 has come. */
  onFirstByte: (() => void) | undefined

  constructor(target: Target, conversation: Conversation, result: LoadResult) {
    this.#conversation = conversation
    this.#result = result
    const reader = new MessageReader({
      head: (head) => {
        this.#status = Number(head.slice(9, 12))
        this.#counter = new EventCounter()
        this.#text = ''
      },
      body: (data, from, to) => {
        this.#counter.feed(data, from, to)
        if (this.#status !== 200 && this.#text.length < 300) this.#text += data.toString('latin1', from, to)
        if (this.onFirstByte === undefined || this.#status !== 200) return
        const call = this.onFirstByte
        this.onFirstByte = undefined
        call()
      },
      end: () => this.#finish(this.#status === 200 ? 'reply' : 'refused'),
    })
    this.#socket = connect({ port: target.port, host: '127.0.0.1', noDelay: true })
    this.#socket.on('data', (data: Buffer) => reader.feed(data))
    this.#socket.on('error', () => {})
    this.#socket.on('close', () => this.#finish('lost'))
  }

  send(done: (outcome: Outcome) => void): void {
    this.#done = done
    this.#result.sent += 1
    if (this.#socket.destroyed) process.nextTick(() => this.#finish('lost'))
    else this.#socket.write(this.#conversation.next())
  }

  get usable(): boolean {
    return !this.#socket.destroyed
  }

  close(reset = false): void {
    this.#done = undefined
    if (reset) this.#socket.resetAndDestroy()
    else this.#socket.destroy()
  }

  #finish(outcome: Outcome): void {
    const done = this.#done
    if (done === undefined) return
    this.#done = undefined
    const result = this.#result
    if (outcome === 'lost') result.lost += 1
    else if (outcome === 'refused') {
      result.refused += 1
      result.sample ??= `${this.#status} ${this.#text.slice(0, 300)}`
    } else {
      result.replies += 1
      result.events += this.#counter.count
      result.bytes += this.#counter.bytes
    }
    done(outcome)
  }
}

export function emptyResult(): LoadResult {
  return { sent: 0, replies: 0, refused: 0, lost: 0, events: 0, bytes: 0, wallMs: 0 }
}
