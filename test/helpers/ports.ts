import { once } from 'node:events'
import { createServer } from 'node:net'

/** Several at once, so that they differ. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}

/** A port where nobody listens. */
export const freePort = async (): Promise<number> => (await freePorts(1))[0] as number
