/** Upstreams without a gateway: what one sends and gets over real sockets. */
import { writeFileSync } from 'node:fs'
import { createServer as createHttp, type IncomingMessage, request, type Server } from 'node:http'
import { type AddressInfo, connect, type Server as NetServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer as createTls, type TlsOptions } from 'node:tls'
import type { GatewayError } from '../../core/engine/contract/errors.ts'
import { HttpUpstream } from '../../core/engine/upstreams/http-upstream.ts'
import type { Source } from '../../core/engine/upstreams/source.ts'
import { parseConfig } from '../../core/gateway/config/load.ts'

interface Owner {
  after(fn: () => unknown): void
}

export interface Told {
  readonly type: string
  readonly [name: string]: unknown
}

/** An upstream of a config; `told` collects its events. */
export function upstreamOf(owner: Owner, options: object): { upstream: HttpUpstream; told: Told[] } {
  const config = parseConfig(JSON.stringify({ upstreams: { one: options } }), '/nowhere/gateway.yaml', {})
  const told: Told[] = []
  const upstream = new HttpUpstream('one', config.upstreams.one!, (type, more) => void told.push({ type, ...more }))
  owner.after(() => upstream.close())
  return { upstream, told }
}

export interface Got {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: string
  error?: GatewayError
  fallback?: boolean
}

/** Sends a request, and settles when its reply is over. `onData` may pause or abort it. */
export function ask(
  upstream: HttpUpstream,
  body = '{}',
  onData: (text: string, source: Source) => void = () => {},
): Promise<Got> {
  return new Promise((resolve) => {
    const got: Got = { status: 0, headers: {}, body: '' }
    const headers = { ...upstream.headers, 'content-type': 'application/json' }
    const source: Source = upstream.send(
      { method: 'POST', path: '/chat/completions', headers, body: Buffer.from(body) },
      {
        onHeaders: (status, headers) => Object.assign(got, { status, headers }),
        onData: (chunk) => {
          got.body += chunk.toString('utf8')
          onData(got.body, source)
        },
        onEnd: () => resolve(got),
        onError: ({ error, fallback }) => resolve({ ...got, error, fallback }),
      },
    )
  })
}

export async function listenOn(owner: Owner, server: NetServer | Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  owner.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const tie = (one: Socket, other: Socket): void => {
  one.on('error', () => other.destroy())
  other.on('error', () => one.destroy())
  one.pipe(other).pipe(one)
}

/** TLS in front of a plain server; returns its port, and the peers' certificates by subject. */
export async function tlsFront(
  owner: Owner,
  to: number,
  options: TlsOptions,
): Promise<{ port: number; peers: (string | undefined)[] }> {
  const peers: (string | undefined)[] = []
  const server = createTls(options, (socket) => {
    const { subject } = socket.getPeerCertificate()
    peers.push(subject?.CN as string | undefined)
    tie(socket, connect(to, '127.0.0.1'))
  })
  server.on('tlsClientError', () => {})
  return { port: await listenOn(owner, server), peers }
}

export interface Proxy {
  readonly port: number
  /** `CONNECT host:port` or `POST url`, each with its proxy-authorization. */
  readonly seen: { readonly what: string; readonly authorization: string | undefined }[]
}

/** A proxy that tunnels and forwards; `refuse` answers with a status instead. */
export async function startProxy(owner: Owner, refuse?: number): Promise<Proxy> {
  const seen: Proxy['seen'] = []
  const note = (req: IncomingMessage) =>
    seen.push({ what: `${req.method} ${req.url}`, authorization: req.headers['proxy-authorization'] })
  const server = createHttp((req, res) => {
    note(req)
    if (refuse !== undefined) return res.writeHead(refuse).end()
    const on = request(req.url as string, { method: req.method as string, headers: req.headers }, (reply) => {
      res.writeHead(reply.statusCode as number, reply.headers)
      reply.pipe(res)
    })
    on.on('error', () => res.destroy())
    res.on('close', () => on.destroy())
    req.pipe(on)
  })
  server.on('connect', (req: IncomingMessage, socket: Socket) => {
    note(req)
    if (refuse !== undefined) return socket.end(`HTTP/1.1 ${refuse} No\r\nproxy-authenticate: Basic\r\n\r\n`)
    const [host, port] = (req.url as string).split(':') as [string, string]
    const to = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      tie(socket, to)
    })
    to.on('error', () => socket.destroy())
  })
  return { port: await listenOn(owner, server), seen }
}

/** Writes PEM files, and returns their paths by name. */
export function pemFiles<N extends string>(folder: string, files: Readonly<Record<N, string>>): Record<N, string> {
  return Object.fromEntries(
    Object.entries<string>(files).map(([name, text]) => {
      const file = join(folder, `${name}.pem`)
      writeFileSync(file, text)
      return [name, file]
    }),
  ) as Record<N, string>
}
