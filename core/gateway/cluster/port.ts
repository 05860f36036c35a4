import { createServer, type Server } from 'node:net'
import type { ListenConfig } from '../../engine/config/types.ts'
import { listen } from '../../engine/http/listening.ts'
import { clearSocket } from '../../engine/http/unix-socket.ts'

/** A port that the workers will share. */
export interface SharedPort {
  readonly port: number
  /** Each worker opens its own socket; otherwise the primary passes it on. */
  readonly reusePort: boolean
  /** Call when the workers listen. */
  release(): void
}

/**
 * Finds a free port: with SO_REUSEPORT, workers would silently share it with any other process of this user. Keeps it
 * until the workers listen, so that no other process can take it.
 */
export async function sharePort({ host, port: wanted, reuse_port: reuse, socket }: ListenConfig): Promise<SharedPort> {
  // The primary passes it on.
  if (socket !== undefined) {
    await clearSocket(socket.path)
    return { port: 0, reusePort: false, release: () => {} }
  }
  const probe = createServer((socket) => socket.destroy())
  const port = await listen(probe, { host, port: wanted, exclusive: true })
  await new Promise((resolve) => probe.close(resolve))
  const holder = reuse ? await hold(host, port) : undefined
  return { port, reusePort: holder !== undefined, release: () => holder?.close() }
}

/** Undefined if the system has no SO_REUSEPORT. */
async function hold(host: string, port: number): Promise<Server | undefined> {
  const holder = createServer((socket) => socket.destroy())
  try {
    await listen(holder, { host, port, reusePort: true })
    return holder
  } catch (error) {
    const { code } = (error as { cause: NodeJS.ErrnoException }).cause
    if (code === 'EADDRINUSE') throw error
    return undefined
  }
}
