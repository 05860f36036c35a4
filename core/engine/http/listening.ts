import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import type { AddressInfo, ListenOptions, Server } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { GatewayError } from '../contract/errors.ts'

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

/** Interval for closing idle connections during a drain. */
const SWEEP_MS = 100

/**
 * Closes the port and settles when no connection is left. Exchanges may continue for `drainMs`; then calls `onLate` and
 * cuts their connections.
 */
export async function stopListening(server: HttpServer, drainMs: number, onLate: () => void): Promise<void> {
  // Closing the port resets connections that wait to be accepted, so accept them first.
  await setImmediate()
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

export const urlOf = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`

const REMEDIES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Stop what uses the port, or choose another: listen.port, SERVICE_PORT.',
  EADDRNOTAVAIL: 'This machine does not have that address; choose another: listen.host, SERVICE_HOST.',
  EACCES: 'Ports below 1024 take a privilege; choose another: listen.port, SERVICE_PORT.',
}

function cannotListen({ host, port }: { host: string; port: number }, cause: NodeJS.ErrnoException): GatewayError {
  const remedy = REMEDIES[cause.code ?? ''] ?? 'Change listen.host or listen.port (SERVICE_HOST, SERVICE_PORT).'
  return new GatewayError('GW_CONFIG', `Cannot listen on ${host}:${port} (${cause.code}). ${remedy}`, { cause })
}
