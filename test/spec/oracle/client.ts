/** A client that keeps all it gets: head, bytes, trailers, and how it ended. */
import { Agent, type IncomingHttpHeaders, request as open } from 'node:http'

export interface Got {
  status: number
  headers: IncomingHttpHeaders
  body: string
  trailers: Record<string, string | undefined>
  /** Ended as HTTP says it must. */
  complete: boolean
  /** No end within the time allowed. */
  hangs: boolean
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 })
const PATIENCE = 8_000

export const closeClient = (): void => agent.destroy()

export function ask(url: string, headers: Record<string, string>, body: string): Promise<Got> {
  const { promise, resolve, reject } = Promise.withResolvers<Got>()
  const chunks: Buffer[] = []
  const got: Got = { status: 0, headers: {}, body: '', trailers: {}, complete: false, hangs: false }
  const bytes = Buffer.from(body)
  const request = open(url, {
    agent,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': String(bytes.length), ...headers },
  })
  const timer = setTimeout(() => {
    got.hangs = true
    request.destroy()
    finish()
  }, PATIENCE)
  const finish = () => {
    clearTimeout(timer)
    got.body = Buffer.concat(chunks).toString()
    resolve(got)
  }
  request.once('response', (message) => {
    got.status = message.statusCode ?? 0
    got.headers = message.headers
    message.on('data', (chunk) => chunks.push(chunk))
    message.once('close', () => {
      got.complete = message.complete
      got.trailers = message.trailers
      finish()
    })
    message.on('error', () => {})
  })
  request.once('error', (error) => {
    if (got.status !== 0 || got.hangs) return
    clearTimeout(timer)
    reject(error)
  })
  request.end(bytes)
  return promise
}
