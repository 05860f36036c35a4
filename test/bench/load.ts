/** The load client, in a process of its own: prepared requests on raw sockets, replies counted, nothing kept. */
import { Connection, emptyResult, type LoadResult, type Outcome, type Target } from './connection.ts'
import { serve } from './ipc.ts'
import { conversationsOf } from './requests.ts'

/**
 * Exactly `requests` requests over `connections` connections, each sending its next when its reply is complete. Gives up
 * when no reply has come for `silenceMs`: on a busy machine a sample may take long, but only what hangs says nothing.
 */
function closed(input: Target & { requests: number; connections: number; silenceMs: number }): Promise<LoadResult> {
  const { promise, resolve } = Promise.withResolvers<LoadResult>()
  const result = emptyResult()
  const converse = conversationsOf(input.request, input.port, input.key)
  const started = performance.now()
  const open: Connection[] = []
  let running = Math.min(input.connections, input.requests)
  const finish = () => {
    clearTimeout(timer)
    result.silent = running > 0
    result.wallMs = performance.now() - started
    for (const connection of open) connection.close()
    resolve(result)
  }
  const timer = setTimeout(finish, input.silenceMs)
  const next = (connection: Connection, outcome: Outcome) => {
    timer.refresh()
    if (outcome !== 'lost' && result.sent < input.requests) connection.send((after) => next(connection, after))
    else if (--running === 0) finish()
  }
  for (let i = running; i > 0; i--) {
    const connection = new Connection(input, converse(), result)
    open.push(connection)
    connection.send((outcome) => next(connection, outcome))
  }
  return promise
}

export interface OpenLoopResult extends LoadResult {
  /** One per complete reply, in ms, from the moment the request was due. */
  latencies: number[]
  /** How late the client itself was at worst, in ms; it is part of the latencies. */
  lateMs: number
}

/**
 * `requests` requests at a fixed `rate` per second, whatever the replies do: a request never waits for another, and
 * its latency counts from the moment it was due, so a stall cannot hide the requests that it delayed.
 */
function open(input: Target & { requests: number; rate: number; silenceMs: number }): Promise<OpenLoopResult> {
  const { promise, resolve } = Promise.withResolvers<OpenLoopResult>()
  const result: OpenLoopResult = { ...emptyResult(), latencies: [], lateMs: 0 }
  const converse = conversationsOf(input.request, input.port, input.key)
  const every = 1000 / input.rate
  const started = performance.now() + 20
  const idle: Connection[] = []
  const all = new Set<Connection>()
  let answered = 0
  let stopped = false
  const finish = () => {
    stopped = true
    clearTimeout(timer)
    result.wallMs = performance.now() - started
    for (const connection of all) connection.close()
    resolve(result)
  }
  const timer = setTimeout(finish, input.silenceMs)
  const fire = (due: number) => {
    result.lateMs = Math.max(result.lateMs, performance.now() - due)
    let connection = idle.pop()
    while (connection !== undefined && !connection.usable) connection = idle.pop()
    const used = connection ?? new Connection(input, converse(), result)
    all.add(used)
    used.send((outcome) => {
      timer.refresh()
      if (outcome === 'reply') result.latencies.push(performance.now() - due)
      if (outcome === 'lost') all.delete(used)
      else idle.push(used)
      answered += 1
      if (answered === input.requests) finish()
    })
  }
  // Timers have a resolution of a millisecond, more than a whole reply takes: the last bit is spun, polling for I/O.
  const wait = () => {
    if (stopped || result.sent === input.requests) return
    const due = started + result.sent * every
    const left = due - performance.now()
    if (left <= 0) {
      fire(due)
      setImmediate(wait)
    } else if (left > 1.5) setTimeout(wait, Math.floor(left - 1))
    else setImmediate(wait)
  }
  wait()
  return promise
}

let held: Connection[] = []

export interface HoldResult {
  /** Streams of which a first byte has come. */
  open: number
  refused: number
  lost: number
  sample?: string
}

/** Opens `streams` streams, at most 100 unanswered at a time, and keeps them. */
function hold(input: Target & { streams: number; silenceMs: number }): Promise<HoldResult> {
  const { promise, resolve } = Promise.withResolvers<HoldResult>()
  const result = emptyResult()
  const converse = conversationsOf(input.request, input.port, input.key)
  let waiting = 0
  let open = 0
  const finish = () => {
    clearTimeout(timer)
    const { refused, lost, sample } = result
    resolve({ open, refused, lost, ...(sample === undefined ? {} : { sample }) })
  }
  const timer = setTimeout(finish, input.silenceMs)
  const settle = () => {
    timer.refresh()
    waiting -= 1
    if (open + result.refused + result.lost >= input.streams) finish()
    else openMore()
  }
  const openMore = () => {
    while (waiting < 100 && result.sent < input.streams) {
      const connection = new Connection(input, converse(), result)
      held.push(connection)
      waiting += 1
      connection.onFirstByte = () => {
        open += 1
        settle()
      }
      connection.send(settle)
    }
  }
  openMore()
  return promise
}

/** All held clients vanish, every other one with a reset. The time is that of the first, on the monotonic clock in ms. */
function vanish(): { at: number; count: number } {
  const at = Number(process.hrtime.bigint()) / 1e6
  const count = held.length
  held.forEach((connection, i) => {
    connection.close(i % 2 === 1)
  })
  held = []
  return { at, count }
}

const api = { closed, open, hold, vanish }

export type LoadApi = typeof api

serve(api, {})
