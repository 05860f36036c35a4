import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Listener = (req: IncomingMessage, res: ServerResponse) => void

/** The last reply that was begun. */
const latest = new WeakMap<Socket, ServerResponse>()
/** How many requests of a connection wait. */
const waiting = new WeakMap<Socket, number>()

/**
 * Serves requests that a client sends before it has the earlier reply (RFC 9112 §9.3.2) one after the other. Node.js would
 * serve all of them at the same time, so that a limit on connections would limit neither exchanges nor memory. Nothing more
 * is read from the connection while a request waits.
 */
export const oneAtATime =
  (serve: Listener): Listener =>
  (req, res) => {
    const { socket } = req
    // A reply has the socket once the earlier ones are sent.
    if (res.socket !== null) {
      latest.set(socket, res)
      return serve(req, res)
    }
    waiting.set(socket, (waiting.get(socket) ?? 0) + 1)
    socket.pause()
    res.once('socket', () => {
      const left = (waiting.get(socket) as number) - 1
      waiting.set(socket, left)
      // Only the last one may have a body that is still to come.
      if (left === 0) socket.resume()
      latest.set(socket, res)
      serve(req, res)
    })
  }

/** Whether a client has sent a whole request, and still waits for its reply or the rest of it. */
export function isReplying(socket: Socket): boolean {
  const res = latest.get(socket)
  return res?.req.complete === true && !res.writableFinished
}
