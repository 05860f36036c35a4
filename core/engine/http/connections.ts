/** Limits the number of client connections, and answers those over the limit. */
import { readdirSync, readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '../contract/plugin.ts'
import { Trouble } from '../util/trouble.ts'

/** One socket to the client and one to the provider. */
const FILES_EACH = 2
/** Connections over the limit that get an answer: a 503, or the result of /health. Further ones are closed. */
const MOST_REFUSING = 8
/** Time limit for the request of such a connection, milliseconds. */
const PATIENCE_MS = 5_000
/** Recommended minimum of connections if the config sets no limit. */
const ENOUGH = 1_000

export interface Descriptors {
  /** Maximum open files and sockets of this process: `ulimit -n`. Node raises the soft limit to the hard one. */
  readonly limit: number
  readonly open: number
}

/** Undefined if the system does not report or limit them. */
export function descriptors(): Descriptors | undefined {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    // One of them is the folder being read.
    return limit === undefined ? undefined : { limit: Number(limit), open: readdirSync('/proc/self/fd').length - 1 }
  } catch {
    return undefined
  }
}

export interface Room {
  /** Maximum concurrent connections; infinite without any limit. */
  readonly most: number
  readonly refusing: number
  /** Files needed for `wanted` connections. */
  readonly needed: number
  readonly wanted: number
}

/** Divides the remaining descriptors. Reserves some for files, look-ups, exports and the next config. */
export function roomFor({ limit, open }: Descriptors, maxConnections: number): Room {
  const spareOf = (left: number) => Math.max(0, Math.min(64, Math.max(12, left >> 2)))
  const left = limit - open
  const spare = spareOf(left)
  const most = Math.max(1, Math.floor((left - spare) / FILES_EACH))
  const wanted = maxConnections > 0 ? maxConnections : ENOUGH
  return {
    most: maxConnections > 0 ? Math.min(maxConnections, most) : most,
    refusing: Math.min(MOST_REFUSING, spare >> 1),
    needed: open + wanted * FILES_EACH + spareOf(wanted),
    wanted,
  }
}

/** Limits the connections of a server: a process without descriptors could not even read a file. */
export class Connections {
  readonly #log: Log
  readonly #refusals: Trouble
  readonly #beyond = new Set<object>()
  #most = Number.POSITIVE_INFINITY
  #count = 0

  constructor(server: Server, log: Log) {
    this.#log = log
    this.#refusals = new Trouble({
      log,
      begins: 'too many connections: new ones are refused',
      ends: 'new connections are no longer refused',
    })
    // With TLS, requests name the socket of the finished handshake.
    server.on('setSecureContext' in server ? 'secureConnection' : 'connection', (socket) => this.#take(socket))
    server.on('drop', () => this.#refused())
  }

  /** Call after everything else is open. `warns`: this process logs on behalf of similar processes. */
  limit(server: Server, maxConnections: number, warns: boolean, found = descriptors()): void {
    // No descriptor was left to accept a connection. Without a listener the error would end the process.
    server.on('error', () => this.#refused())
    if (found === undefined) {
      if (maxConnections > 0) this.#most = maxConnections
      if (maxConnections > 0) server.maxConnections = maxConnections + MOST_REFUSING
      return
    }
    const { most, refusing, needed, wanted } = roomFor(found, maxConnections)
    this.#most = most
    server.maxConnections = most + refusing
    if (warns && most < wanted) {
      this.#log.warn(
        { open_files_limit: found.limit, needed, connections: most, wanted_connections: wanted },
        'few file descriptors: raise `ulimit -n` (systemd: LimitNOFILE, containers: --ulimit nofile)',
      )
    }
  }

  /** Whether this connection is over the limit: it is answered and closed. */
  beyond(socket: object): boolean {
    return this.#beyond.size > 0 && this.#beyond.has(socket)
  }

  get count(): number {
    return this.#count
  }

  /** Whether new connections are refused. */
  get full(): boolean {
    return this.#count > this.#most
  }

  close(): void {
    this.#refusals.close()
  }

  #take(socket: Socket): void {
    this.#count++
    const late = this.#count > this.#most ? setTimeout(() => socket.destroy(), PATIENCE_MS).unref() : undefined
    if (late !== undefined) {
      this.#beyond.add(socket)
      this.#refused()
    }
    socket.once('close', () => {
      this.#count--
      if (late === undefined) return
      this.#beyond.delete(socket)
      clearTimeout(late)
    })
  }

  #refused(): void {
    this.#refusals.note({ connections: this.#count, most: this.#most })
  }
}
