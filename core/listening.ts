import { once } from 'node:events'
import type { AddressInfo, ListenOptions, Server } from 'node:net'
import { GatewayError } from './errors.ts'

/** Listens, and returns the port that was really taken. Throws an error that says what to do. */
export async function listen(server: Server, options: ListenOptions & { host: string; port: number }): Promise<number> {
  try {
    server.listen(options)
    await once(server, 'listening')
  } catch (cause) {
    throw cannotListen(options, cause as NodeJS.ErrnoException)
  }
  return (server.address() as AddressInfo).port
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
