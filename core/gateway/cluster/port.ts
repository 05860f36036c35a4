import { createServer, type Server } from 'node:net'
import { listen } from '../../engine/http/listening.ts'

/** A port that the workers will share. */
export interface SharedPort {
  readonly port: number
  /** Every worker opens a socket of its own; else they get theirs from the primary. */
  readonly reusePort: boolean
  /** To be called when the workers listen. */
  release(): void
}

/**
 * Finds the port, and makes sure that nobody else has it: workers with SO_REUSEPORT would quietly share it with any
 * other process of this user. Then keeps it until the workers have it, so that nobody comes in between.
 */
export async function sharePort(host: string, wanted: number, reuse: boolean): Promise<SharedPort> {
  const probe = createServer((socket) => socket.destroy())
  const port = await listen(probe, { host, port: wanted, exclusive: true })
  await new Promise((resolve) => probe.close(resolve))
  const holder = reuse ? await hold(host, port) : undefined
  return { port, reusePort: holder !== undefined, release: () => holder?.close() }
}

/** Undefined where the system has no SO_REUSEPORT. */
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
