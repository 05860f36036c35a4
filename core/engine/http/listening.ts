import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import type { Server as HttpServer } from 'node:http'
import type { AddressInfo, ListenOptions, Server } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { ListenConfig } from '../config/types.ts'
import { GatewayError } from '../contract/errors.ts'
import { explainSystem } from '../util/system-error.ts'
import { clearSocket } from './unix-socket.ts'

/** Listens, and returns the actual port. Throws an error that says what to do. */
export async function listen(server: Server, options: ListenOptions & { host: string; port: number }): Promise<number> {
  try {
    server.listen(options)
    await once(server, 'listening')
  } catch (cause) {
    throw cannotListen(options, cause as NodeJS.ErrnoException)
  }
  return (server.address() as AddressInfo).port
}

/** A port that workers share. The primary chose it, or removed a socket that was left behind. */
export interface SharedPort {
  readonly port: number
  /** Each worker opens its own socket; otherwise the primary passes it on. */
  readonly reusePort: boolean
}

/** Listens as the config says, and returns where. */
export async function openListener(server: Server, config: ListenConfig, shared?: SharedPort): Promise<string> {
  const { host, socket } = config
  if (socket !== undefined) {
    if (shared === undefined) await clearSocket(socket.path)
    await listenOnSocket(server, socket)
    return `unix:${socket.path}`
  }
  const { port, reusePort } = shared ?? { port: config.port, reusePort: false }
  await listen(server, { host, port, ...(reusePort ? { reusePort } : {}) })
  const { address, port: taken } = server.address() as AddressInfo
  return urlOf(address, taken, config.tls === undefined ? 'http' : 'https')
}

async function listenOnSocket(server: Server, { path, mode }: NonNullable<ListenConfig['socket']>): Promise<void> {
  try {
    server.listen({ path })
    await once(server, 'listening')
    chmodSync(path, Number.parseInt(mode, 8))
  } catch (cause) {
    const why = explainSystem(cause, path) ?? `${path} cannot be used (${(cause as NodeJS.ErrnoException).code}).`
    throw new GatewayError('GW_CONFIG', `Cannot listen: listen.socket.path: ${why}`, { cause })
  }
}

/** Interval for closing idle connections during a drain. */
const SWEEP_MS = 100

/**
 * Closes the port and settles when no connection is left. Exchanges may continue for `drainMs`; then calls `onLate` and
 * cuts their connections.
 */
export async function stopListening(server: HttpServer, drainMs: number, onLate: () => void): Promise<void> {
  await acceptWaiting(server, Math.min(drainMs, ACCEPT_MS))
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // A client's pool may keep idle connections open.
  server.closeIdleConnections()
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
  const deadline = setTimeout(() => {
    onLate()
    server.closeAllConnections()
  }, drainMs)
  await closed
  clearInterval(sweep)
  clearTimeout(deadline)
}

/** After so many turns of the event loop without a new connection, the last one's request was read, if it was sent. */
const QUIET_TURNS = 2
/** Bounds the wait if clients never stop connecting. */
const ACCEPT_MS = 1000

/** Closing the port resets connections that wait to be accepted. Each turn of the event loop accepts one. */
async function acceptWaiting(server: Server, mostMs: number): Promise<void> {
  const until = performance.now() + mostMs
  let accepted = 0
  const count = (): void => {
    accepted++
  }
  server.on('connection', count)
  for (let quiet = 0; quiet < QUIET_TURNS && performance.now() < until; ) {
    const before = accepted
    await setImmediate()
    quiet = accepted === before ? quiet + 1 : 0
  }
  server.off('connection', count)
}

const urlOf = (host: string, port: number, scheme = 'http'): string =>
  `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`

const REMEDIES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Stop what uses the port, or choose another: listen.port, SERVICE_PORT.',
  EADDRNOTAVAIL: 'This machine does not have that address; choose another: listen.host, SERVICE_HOST.',
  ENOTFOUND: 'The name has no address; correct listen.host or SERVICE_HOST.',
  EAI_AGAIN: 'The name cannot be resolved now; use an address in listen.host or SERVICE_HOST.',
  EACCES: 'Ports below 1024 take a privilege; choose another: listen.port, SERVICE_PORT.',
}

/** Says what to do. */
export function cannotListen(
  { host, port }: { host: string; port: number },
  cause: NodeJS.ErrnoException,
): GatewayError {
  const remedy = REMEDIES[cause.code ?? ''] ?? 'Change listen.host or listen.port (SERVICE_HOST, SERVICE_PORT).'
  return new GatewayError('GW_CONFIG', `Cannot listen on ${host}:${port} (${cause.code}). ${remedy}`, { cause })
}
