/** The page on a port of its own. */
import { hash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { GatewayError } from 'governed-gateway'
import { CONTENT_TYPE } from './page.ts'

export interface ListenerOptions {
  readonly host: string
  readonly port: number
}

export interface Serving {
  readonly path: string
  readonly token: string | undefined
  readonly text: () => Promise<string>
}

/**
 * Answers at an address, and opens it first if nobody does: a reload that keeps the address keeps the port. The newest
 * answers. Returns a function that leaves; the last one closes the port.
 */
export async function join(
  listeners: Map<string, Listener>,
  { host, port }: ListenerOptions,
  serving: Serving,
): Promise<() => Promise<void>> {
  const key = `${host} ${port}`
  const listener = listeners.get(key) ?? new Listener()
  if (!listeners.has(key)) await listener.open({ host, port })
  listeners.set(key, listener)
  listener.servings.push(serving)
  return async () => {
    listener.servings = listener.servings.filter((one) => one !== serving)
    if (listener.servings.length > 0) return
    listeners.delete(key)
    await listener.close()
  }
}

export class Listener {
  servings: Serving[] = []
  readonly #server: Server

  constructor() {
    this.#server = createServer(
      { maxHeaderSize: 8192, requestTimeout: 10_000 },
      (req, res) => void this.#answer(req, res),
    )
  }

  async open(at: ListenerOptions): Promise<void> {
    try {
      this.#server.listen(at)
      await once(this.#server, 'listening')
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      const why = code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${code})`
      const message = `options.listen: ${at.host}:${at.port} ${why}. Choose another address or port, or stop what uses it.`
      throw new GatewayError('GW_CONFIG', message, { cause })
    }
    this.#server.unref()
  }

  async close(): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { path, token, text } = this.servings.at(-1) ?? CLOSED
    if (req.url?.split('?')[0] !== path || req.method !== 'GET') return end(res, 404, 'Not found\n')
    if (token !== undefined && !isBearer(req.headers.authorization, token)) {
      res.setHeader('www-authenticate', 'Bearer')
      return end(res, 401, 'A bearer token is needed\n')
    }
    try {
      const body = await text()
      res.setHeader('content-type', CONTENT_TYPE)
      end(res, 200, body)
    } catch {
      end(res, 500, 'The figures cannot be read\n')
    }
  }
}

const CLOSED: Serving = { path: '', token: undefined, text: async () => '' }

function end(res: ServerResponse, status: number, text: string): void {
  res.statusCode = status
  res.end(text)
}

/** Compares hashes, so that the time does not tell how much was right. */
const isBearer = (header: string | undefined, token: string): boolean =>
  header !== undefined && timingSafeEqual(sha256(header), sha256(`Bearer ${token}`))
const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer')
