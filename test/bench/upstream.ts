/**
 * A scripted provider in a process of its own: replies are prepared bytes on raw sockets, so that it costs little
 * beside the subject. What it answers is set by the runner, never read from the request, and it counts everything.
 */
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { serve } from './ipc.ts'
import { bufferedMessage, bufferedReply, bufferedResponse, EXTRA_EVENTS, STREAM_HEAD, streamScript } from './script.ts'
import { httpChunk, LAST_CHUNK, MessageReader } from './wire.ts'

const REPLIES = { responses: bufferedResponse, messages: bufferedMessage }

/** What every request is answered with. Sizes are numbers of content chunks. */
export type Mode =
  | { kind: 'buffered'; bytes?: number; shape?: keyof typeof REPLIES }
  /** One content chunk every `everyMs` for each stream; streams are spread over the milliseconds between. */
  | { kind: 'paced'; chunks: number; everyMs: number }
  /** All at once, `perWrite` events in each write; `framed` puts each event in an HTTP chunk of its own. */
  | { kind: 'burst'; chunks: number; perWrite: number; framed: boolean }
  /** A few chunks at once, then silence until the client goes. */
  | { kind: 'idle'; chunks: number }

export interface UpstreamStats {
  /** Completely received chat requests. */
  requests: number
  requestBytes: number
  /** Replies written to their end. */
  replies: number
  /** Server-sent events written, those of unfinished streams too. */
  events: number
  /** Streams that are open now, and those that the other side closed before their end. */
  open: number
  aborted: number
}

interface Plan {
  mode: Mode
  /** Buffered: the whole reply. Streams: what opens them. */
  opening: Buffer
  /** One write each. */
  writes: Buffer[]
  events: number
}

let plan = makePlan({ kind: 'buffered' })
let stats = emptyStats()
let waiters: { count: number; resolve: (atMs: number) => void }[] = []

function emptyStats(): UpstreamStats {
  return { requests: 0, requestBytes: 0, replies: 0, events: 0, open: 0, aborted: 0 }
}

function makePlan(mode: Mode): Plan {
  if (mode.kind === 'buffered') {
    const opening = mode.shape === undefined ? bufferedReply(mode.bytes) : REPLIES[mode.shape](mode.bytes)
    return { mode, opening, writes: [], events: 0 }
  }
  const script = streamScript(mode.chunks)
  const last = Buffer.concat([...script.last.map(httpChunk), LAST_CHUNK])
  const opening = Buffer.concat([STREAM_HEAD, httpChunk(script.first)])
  const events = mode.chunks + EXTRA_EVENTS
  if (mode.kind === 'paced') return { mode, opening, writes: [...script.content.map(httpChunk), last], events }
  if (mode.kind === 'idle') {
    const sent = Buffer.concat([opening, ...script.content.map(httpChunk)])
    return { mode, opening: sent, writes: [], events: mode.chunks + 1 }
  }
  const writes: Buffer[] = []
  for (let i = 0; i < script.content.length; i += mode.perWrite) {
    const group = script.content.slice(i, i + mode.perWrite)
    writes.push(mode.framed ? Buffer.concat(group.map(httpChunk)) : httpChunk(Buffer.concat(group)))
  }
  return { mode, opening, writes: [...writes, last], events }
}

/** One stream that is being written. */
class Stream {
  #socket: Socket
  #plan: Plan
  #next = 0
  ended = false

  constructor(socket: Socket, of: Plan) {
    this.#socket = socket
    this.#plan = of
    stats.open += 1
    settleWaiters()
    socket.write(of.opening)
    if (of.mode.kind === 'idle') stats.events += of.events
    else stats.events += 1
  }

  /** Writes one piece; false when the socket is full or nothing is left. */
  writeOne(): boolean {
    const { writes, mode, events } = this.#plan
    const piece = writes[this.#next]
    if (piece === undefined || this.ended) return false
    this.#next += 1
    const roomy = this.#socket.write(piece)
    if (this.#next < writes.length) {
      stats.events += mode.kind === 'paced' ? 1 : 0
      return roomy
    }
    stats.events += mode.kind === 'paced' ? EXTRA_EVENTS - 1 : events - 1
    stats.replies += 1
    this.close()
    return false
  }

  writeAll(): void {
    while (this.writeOne());
    if (!this.ended) this.#socket.once('drain', () => this.writeAll())
  }

  close(): void {
    if (this.ended) return
    this.ended = true
    stats.open -= 1
    settleWaiters()
  }
}

/** Writes to paced streams slot by slot, one slot for each millisecond of the pace. A late tick is not made up for. */
class Pacer {
  #slots: Set<Stream>[]
  #at = 0
  #timer: NodeJS.Timeout | undefined

  constructor(everyMs: number) {
    this.#slots = Array.from({ length: everyMs }, () => new Set<Stream>())
  }

  add(stream: Stream): void {
    this.#slots.reduce((a, b) => (b.size < a.size ? b : a)).add(stream)
    this.#timer ??= setInterval(() => this.#tick(), 1)
  }

  #tick(): void {
    const slot = this.#slots[this.#at]!
    this.#at = (this.#at + 1) % this.#slots.length
    for (const stream of slot) {
      stream.writeOne()
      if (stream.ended) slot.delete(stream)
    }
    if (this.#slots.some((one) => one.size > 0)) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

let pacer = new Pacer(1)

function reply(socket: Socket): Stream | undefined {
  stats.requests += 1
  if (plan.mode.kind === 'buffered') {
    socket.write(plan.opening)
    stats.replies += 1
    return undefined
  }
  const stream = new Stream(socket, plan)
  if (plan.mode.kind === 'paced') pacer.add(stream)
  else if (plan.mode.kind === 'burst') stream.writeAll()
  return stream
}

const NOT_FOUND = Buffer.from('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n')

const server = createServer({ noDelay: true }, (socket) => {
  let stream: Stream | undefined
  let chat = false
  const reader = new MessageReader({
    head(head) {
      chat = head.startsWith('POST ')
    },
    body(_data, from, to) {
      if (chat) stats.requestBytes += to - from
    },
    end() {
      if (chat) stream = reply(socket)
      else socket.write(NOT_FOUND)
    },
  })
  socket.on('data', (data: Buffer) => reader.feed(data))
  // A proxy that vanishes may reset the connection; the count of aborted streams tells it.
  socket.on('error', () => {})
  socket.on('close', () => {
    if (stream === undefined || stream.ended) return
    stats.aborted += 1
    stream.close()
  })
})

function settleWaiters(): void {
  if (waiters.length === 0) return
  const done = waiters.filter((waiter) => waiter.count === stats.open)
  waiters = waiters.filter((waiter) => waiter.count !== stats.open)
  for (const waiter of done) waiter.resolve(Number(process.hrtime.bigint()) / 1e6)
}

const api = {
  /** Changes the answer for requests from now on and starts the counts anew. */
  mode(mode: Mode): void {
    plan = makePlan(mode)
    if (mode.kind === 'paced') pacer = new Pacer(mode.everyMs)
    stats = { ...emptyStats(), open: stats.open }
  },
  stats(): UpstreamStats {
    return stats
  },
  /** When exactly `count` streams are open; the time is that of the machine's monotonic clock, in ms. */
  whenOpen({ count }: { count: number }): Promise<number> {
    return new Promise((resolve) => {
      waiters.push({ count, resolve })
      settleWaiters()
    })
  },
}

export type UpstreamApi = typeof api

server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
  serve(api, { port: (server.address() as AddressInfo).port })
})
