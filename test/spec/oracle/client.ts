/** A client that keeps all it gets: head, bytes, trailers, and how it ended. */
import { Agent, type IncomingHttpHeaders, request as open } from 'node:http'
import { performance } from 'node:perf_hooks'

export interface Got {
  status: number
  /** What stands behind the status. */
  reason: string
  headers: IncomingHttpHeaders
  /** Heads that came before the reply's own. */
  hints: unknown[]
  body: string
  trailers: Record<string, string | undefined>
  /** Ended as HTTP says it must. */
  complete: boolean
  /** No end within the time allowed. */
  hangs: boolean
  /** The client went away before the end. */
  left: boolean
}

/** When a client leaves: with the request at the provider, with the head of the reply, or with some of its body. */
export const LEAVINGS = ['stays', 'asked', 'head', 'early', 'midway'] as const
export type Leaving = (typeof LEAVINGS)[number]

/** Bytes of the body after which it leaves. */
const ENOUGH: Readonly<Record<Leaving, number>> = { stays: Infinity, asked: Infinity, head: 0, early: 1, midway: 400 }

const agent = new Agent({ keepAlive: true, maxSockets: 4 })
/**
 * Milliseconds without anything to do, in this process, where gateway and provider are, too. On a busy machine an answer
 * may take any time, but then there is something to do.
 */
const PATIENCE = 6_000
const LOOK_EVERY = 500

export const closeClient = (): void => agent.destroy()

export function ask(
  url: string,
  headers: Record<string, string>,
  body: string | Buffer,
  leaves: Leaving = 'stays',
  /** Settles when the provider has the request. */
  asked?: Promise<void>,
  method = 'POST',
): Promise<Got> {
  const { promise, resolve, reject } = Promise.withResolvers<Got>()
  const chunks: Buffer[] = []
  const got: Got = {
    status: 0,
    reason: '',
    headers: {},
    hints: [],
    body: '',
    trailers: {},
    complete: false,
    hangs: false,
    left: false,
  }
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const request = open(url, {
    agent,
    method,
    headers:
      bytes.length === 0
        ? headers
        : { 'content-type': 'application/json', 'content-length': String(bytes.length), ...headers },
  })
  const { idle } = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    if (performance.eventLoopUtilization().idle - idle < PATIENCE) return
    got.hangs = true
    request.destroy()
    finish()
  }, LOOK_EVERY)
  const leave = () => {
    got.left = true
    request.destroy()
    finish()
  }
  if (leaves === 'asked') void asked?.then(leave)
  let size = 0
  const finish = () => {
    clearInterval(timer)
    got.body = Buffer.concat(chunks).toString()
    resolve(got)
  }
  request.on('information', ({ headers, statusMessage }) => got.hints.push([statusMessage, headers]))
  request.once('response', (message) => {
    got.status = message.statusCode ?? 0
    got.reason = message.statusMessage ?? ''
    got.headers = message.headers
    message.on('error', () => {})
    if (ENOUGH[leaves] === 0) return leave()
    message.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size >= ENOUGH[leaves]) leave()
    })
    message.once('close', () => {
      got.complete = message.complete
      got.trailers = message.trailers
      finish()
    })
  })
  request.once('error', (error) => {
    if (got.status !== 0 || got.hangs || got.left) return
    clearInterval(timer)
    // An idle connection that the gateway closed at this moment, as it may.
    const isStale = request.reusedSocket && 'code' in error && error.code === 'ECONNRESET'
    if (isStale) resolve(ask(url, headers, body, leaves, asked, method))
    else reject(error)
  })
  request.end(bytes)
  return promise
}
