import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { ListenConfig } from '../../engine/config/types.ts'
import { cannotListen, listen, type SharedPort } from '../../engine/http/listening.ts'
import { clearSocket } from '../../engine/http/unix-socket.ts'

/** Fails if another process uses the port or socket. A socket that was left behind is removed. */
export async function checkPort({ host, port, socket }: ListenConfig): Promise<void> {
  if (socket !== undefined) await clearSocket(socket.path)
  // Of port 0 the system chooses one that is free.
  else if (port > 0) await bind(host, port)
}

/** The port for workers that are about to listen. With SO_REUSEPORT they would share it with any process of this user. */
export async function sharePort(config: ListenConfig): Promise<SharedPort> {
  const { host, port, reuse_port: reuse, socket } = config
  // The primary passes it on.
  if (socket !== undefined) return { port: 0, reusePort: false }
  await checkPort(config)
  return { port: port > 0 ? port : await chosen(host), reusePort: reuse && (await canReuse(host)) }
}

/** Binds the port without listening on it: what the primary accepted would be reset. */
async function bind(host: string, port: number): Promise<void> {
  const failed = (cause: NodeJS.ErrnoException): never => {
    throw cannotListen({ host, port }, cause)
  }
  const { address, family } = await lookup(host).catch(failed)
  // Only connecting binds without listening. Nothing can answer at port 0, so it always ends with an error.
  const to = { host: family === 6 ? '::1' : '127.0.0.1', port: 0 }
  const probe = connect({ ...to, localAddress: address, localPort: port })
  probe.setTimeout(UNANSWERED_MS, () => probe.destroy(new Error('No answer.')))
  const [error] = (await once(probe, 'error')) as [NodeJS.ErrnoException]
  if (error.syscall === 'bind') failed(error)
}
/** A firewall may drop what is sent to port 0. */
const UNANSWERED_MS = 1000

/** A free port. Nobody knows it yet, so nobody connects. */
async function chosen(host: string): Promise<number> {
  const probe = createServer()
  const port = await listen(probe, { host, port: 0, exclusive: true })
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/** Whether the system has SO_REUSEPORT. */
async function canReuse(host: string): Promise<boolean> {
  const probe = createServer()
  try {
    await listen(probe, { host, port: 0, reusePort: true })
    return true
  } catch {
    return false
  } finally {
    probe.close()
  }
}
