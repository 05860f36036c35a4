/** Outbound connections of plugins: HTTP and raw sockets, through the egress guard. */
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { ConnectTarget, FetchInit, FetchReply } from '../../engine/contract/services.ts'
import { isAddress } from '../../engine/egress/address.ts'
import { EgressError, type RefusedCategory, toEgressError } from '../../engine/egress/category.ts'
import { EgressGuard, type GuardOptions } from '../../engine/egress/guard.ts'
import { Agent, type Dispatcher, Pool, request } from '../../engine/util/undici.ts'
import { type ReadBody, readBody } from './body.ts'

/** Keep-alive connections per receiver. */
const CONNECTIONS = 16
const KEEP_ALIVE_MS = 10_000
const CONNECT_MS = 10_000

export type EgressOptions = Omit<GuardOptions, 'allow'>

export class Egress {
  readonly #options: EgressOptions
  readonly #sockets = new Set<Socket>()
  /** Replaced agents with requests still in progress. */
  readonly #old = new Set<Agent>()
  #allow: readonly string[]
  #guard: EgressGuard
  #agent: Agent
  #closed = false

  constructor(allow: readonly string[] = [], options: EgressOptions = {}) {
    this.#options = options
    this.#allow = allow
    this.#guard = new EgressGuard({ ...options, allow })
    this.#agent = agentOf(this.#guard)
  }

  get allow(): readonly string[] {
    return this.#allow
  }

  /** Replaces `egress.allow`. Drops keep-alive connections: they may no longer be allowed. */
  setAllow(allow: readonly string[]): void {
    if (JSON.stringify(allow) === JSON.stringify(this.#allow)) return
    const old = this.#agent
    this.#allow = allow
    this.#guard = new EgressGuard({ ...this.#options, allow })
    this.#agent = agentOf(this.#guard)
    for (const socket of this.#sockets) socket.end()
    this.#old.add(old)
    void old.close().then(() => this.#old.delete(old))
  }

  /** The reason to refuse a URL, or undefined. `resolve` also looks up its name. */
  check(url: string, options: { resolve: boolean }): Promise<RefusedCategory | undefined> {
    return this.#guard.check(url, options)
  }

  readonly fetch = async (url: string, init: FetchInit): Promise<FetchReply> => {
    const target = this.#guard.admit(url)
    if (this.#closed) throw EgressError.failed('aborted')
    const { promise: unanswered, reject } = Promise.withResolvers<never>()
    const controller = new AbortController()
    let answered = false
    const stop = deadline(init.timeoutMs, init.signal, (error) => {
      controller.abort(error)
      // A request waiting for its connection ignores its signal. A request with a status keeps it.
      if (!answered) reject(error)
    })
    const onAnswer = (): void => {
      answered = true
    }
    try {
      return await Promise.race([this.#exchange(target.url, init, controller.signal, onAnswer), unanswered])
    } catch (error) {
      throw toEgressError(error)
    } finally {
      stop()
    }
  }

  async #exchange(url: URL, init: FetchInit, signal: AbortSignal, onAnswer: () => void): Promise<FetchReply> {
    const { statusCode, headers, body } = await request(this.#agent, url, {
      method: init.method,
      headers: { 'user-agent': 'governed-gateway', ...init.headers },
      body: init.body ?? null,
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    onAnswer()
    return new Reply(statusCode, headers, await readBody(body, init.maxBytes))
  }

  readonly connect = async (target: ConnectTarget): Promise<Socket> => {
    const host = this.#guard.admitHost(target.host, target.port)
    if (this.#closed) throw EgressError.failed('aborted')
    const options = { host, port: target.port, lookup: this.#guard.lookup(target.port), noDelay: true }
    const socket = target.tls
      ? connectTls({
          ...options,
          ...(target.ca !== undefined && { ca: target.ca }),
          // An address is not a server name (RFC 6066 §3), but is still compared with the certificate.
          ...(!isAddress(host) && { servername: host }),
        })
      : connectTcp(options)
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    const stop = deadline(target.timeoutMs, target.signal, (error) => socket.destroy(error))
    try {
      await connected(socket, target.tls ? 'secureConnect' : 'connect')
      return socket
    } catch (error) {
      socket.on('error', () => {}) // Ignore errors after the first.
      socket.destroy()
      throw toEgressError(error)
    } finally {
      stop()
    }
  }

  /** Closes all connections and rejects further ones. */
  async close(): Promise<void> {
    this.#closed = true
    for (const socket of this.#sockets) socket.destroy()
    await Promise.all([this.#agent, ...this.#old].map((agent) => agent.destroy()))
  }
}

/**
 * One pool per receiver, because the guard must know the port. Ignores proxy variables: a proxy would resolve names
 * itself.
 */
function agentOf(guard: EgressGuard): Agent {
  const factory = (origin: string | URL, options: object): Dispatcher => {
    const { protocol, port } = new URL(origin)
    const lookup = guard.lookup(Number(port || (protocol === 'https:' ? 443 : 80)))
    return new Pool(origin, { ...options, connect: { lookup, timeout: CONNECT_MS } })
  }
  return new Agent({
    factory,
    allowH2: false,
    connections: CONNECTIONS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: 32 * 1024,
  })
}

class Reply implements FetchReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly #body: ReadBody

  constructor(status: number, headers: Readonly<Record<string, string | string[] | undefined>>, body: ReadBody) {
    this.status = status
    const plain = Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ])
    this.headers = Object.fromEntries(plain)
    this.#body = body
  }

  get truncated(): boolean {
    return this.#body.truncated
  }

  async text(): Promise<string> {
    return Buffer.from(await this.bytes()).toString('utf8')
  }

  async bytes(): Promise<Uint8Array> {
    if (this.#body.failure !== undefined) throw toEgressError(this.#body.failure)
    return this.#body.bytes
  }
}

function connected(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    const lost = (): void => reject(EgressError.failed('reset'))
    const settle = (then: () => void): void => {
      socket.off('error', failed).off('close', lost)
      then()
    }
    const failed = (error: Error): void => settle(() => reject(error))
    socket.once('error', failed).once('close', lost)
    socket.once(event, () => settle(resolve))
  })
}

/** Calls back once, on timeout or abort. Returns a function that cancels it. */
function deadline(ms: number, signal: AbortSignal | undefined, reached: (error: EgressError) => void): () => void {
  const timer = setTimeout(() => reached(EgressError.failed('timeout')), ms)
  const abort = (): void => reached(EgressError.failed('aborted'))
  if (signal?.aborted) abort()
  else signal?.addEventListener('abort', abort, { once: true })
  return () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}
