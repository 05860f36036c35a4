/**
 * The bare passthrough: the least that a Node proxy can do with `node:http` and undici. Nothing is parsed or inspected;
 * chunks go from undici's handler straight to the response, with back-pressure and with an abort when the client goes.
 * Usage: `node passthrough.ts UPSTREAM_PORT`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Dispatcher, Pool } from 'undici'
import { serve } from './ipc.ts'

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2]

const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host', 'content-length', 'upgrade', 'te'])

const pool = new Pool(`http://127.0.0.1:${process.argv[2]}`, { allowH2: false, pipelining: 1 })

class Relay implements Dispatcher.DispatchHandler {
  #response: ServerResponse
  #controller: Dispatcher.DispatchController | undefined
  #gone = false

  constructor(response: ServerResponse) {
    this.#response = response
    response.on('close', () => {
      this.#gone = true
      if (!response.writableEnded) this.#controller?.abort(new Error('the client went away'))
    })
    response.on('drain', () => this.#controller?.resume())
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#gone) controller.abort(new Error('the client went away'))
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    const flat: string[] = []
    for (const name in headers) {
      const value = headers[name]
      if (value === undefined || HOP_BY_HOP.has(name)) {
        if (name !== 'content-length') continue
      }
      flat.push(name, value as string)
    }
    this.#response.writeHead(status, flat)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#response.write(chunk)) controller.pause()
  }

  onResponseEnd(): void {
    this.#response.end()
  }

  onResponseError(): void {
    if (this.#response.headersSent || this.#gone) this.#response.destroy()
    else this.#response.writeHead(502).end()
  }
}

function forward(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const headers: string[] = []
  const { rawHeaders } = request
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!HOP_BY_HOP.has(rawHeaders[i]!.toLowerCase())) headers.push(rawHeaders[i]!, rawHeaders[i + 1]!)
  }
  const method = request.method as Dispatcher.HttpMethod
  pool.dispatch({ path: request.url!, method, headers, body }, new Relay(response))
}

// The body is collected because undici sends a buffer more cheaply than a stream: this is the faster of the two.
const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => forward(request, response, pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)))
})

server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
  serve({}, { port: (server.address() as AddressInfo).port })
})
