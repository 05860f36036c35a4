import { lstatSync, type Stats, unlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { GatewayError } from '../contract/errors.ts'
import { explainSystem } from '../util/system-error.ts'

/** Removes a socket that a process left behind. Throws if a process listens on it, or if it is another kind of file. */
export async function clearSocket(path: string): Promise<void> {
  const found = lookAt(path)
  if (found === undefined) return
  if (!found.isSocket())
    throw new GatewayError('GW_CONFIG', `listen.socket.path: ${path} exists and is not a socket. Choose another path.`)
  if (await isServed(path))
    throw new GatewayError(
      'GW_CONFIG',
      `listen.socket.path: another process listens on ${path}. Stop it, or name another place.`,
    )
  try {
    unlinkSync(path)
  } catch (cause) {
    const message = explainSystem(cause, path) ?? `${path} cannot be removed.`
    throw new GatewayError('GW_CONFIG', `listen.socket.path: ${message}`, { cause })
  }
}

/** Undefined if nothing is there; other problems with the path appear when listening. */
function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** Only a refused connection proves that no process listens. */
function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'))
  })
}
