/** A provider that says exactly the bytes it is told to say, and remembers what it was asked. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Asked {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Said {
  status: number
  headers: Record<string, string | string[]>
  /** What stands behind the status. */
  reason?: string
  /** Goes before the reply, as status 103. */
  hints?: Record<string, string>
  /** What is written, in this order; each piece is a write of its own. */
  pieces: Buffer[]
  trailers?: Record<string, string>
  /** The last piece waits for this. */
  last?: Promise<void>
  /** Closes the connection instead of ending the reply. */
  breaks?: boolean
  /** Resets it. */
  resets?: boolean
  /** Says no more, and leaves the connection to the other side. */
  waits?: boolean
}

export interface FakeProvider {
  readonly url: string
  /** Every request since the last `expect`. */
  readonly asked: Asked[]
  /** What it says from now on; may depend on what it is asked. */
  expect(say: (asked: Asked) => Said): void
  close(): Promise<void>
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function speak(response: ServerResponse, said: Said): Promise<void> {
  const trailers = said.trailers ? { trailer: Object.keys(said.trailers).join(', ') } : {}
  if (said.hints) response.writeEarlyHints(said.hints)
  const head = { ...said.headers, ...trailers }
  if (said.reason === undefined) response.writeHead(said.status, head)
  else response.writeHead(said.status, said.reason, head)
  response.socket?.setNoDelay(true)
  for (const piece of said.pieces) {
    if (piece === said.pieces.at(-1)) await said.last
    if (response.destroyed) return
    response.write(piece)
    await turn()
  }
  if (said.waits) return
  if (said.resets) {
    await turn()
    response.socket?.resetAndDestroy()
    return
  }
  if (said.breaks) {
    await turn()
    response.destroy()
    return
  }
  if (said.trailers) response.addTrailers(said.trailers)
  response.end()
}

export async function startFakeProvider(): Promise<FakeProvider> {
  const asked: Asked[] = []
  let say: ((asked: Asked) => Said) | undefined
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const one = { url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() }
    asked.push(one)
    response.on('error', () => {})
    if (say) await speak(response, say(one))
    else response.writeHead(500).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    expect(next) {
      asked.length = 0
      say = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Collects the bodies that it is sent: a SIEM, a chat tool. */
export interface Receiver {
  readonly host: string
  readonly got: string[]
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const got: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    got.push(`${request.url}\n${body}`)
    response.end('ok')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    got,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
