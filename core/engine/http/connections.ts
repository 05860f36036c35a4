/** How many client connections a process may hold, and what happens to those beyond. */
import { readdirSync, readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '../contract/plugin.ts'
import { Trouble } from '../util/trouble.ts'

/** One socket to the client, one to the provider. */
const FILES_EACH = 2
/** Connections beyond the most that get an answer: a 503, or what /health says. Further ones are closed. */
const MOST_TOLD = 8
/** How long one of those may take over its request, milliseconds. */
const PATIENCE_MS = 5_000
/** Room that a process should have where the config sets no limit. */
const ENOUGH = 1_000

export interface Descriptors {
  /** How many files and sockets this process may have open: `ulimit -n`. Node raises the soft limit to the hard one. */
  readonly limit: number
  readonly open: number
}

/** Undefined where the system does not tell, or sets no limit. */
export function descriptors(): Descriptors | undefined {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    // One of them is the folder that is being read.
    return limit === undefined ? undefined : { limit: Number(limit), open: readdirSync('/proc/self/fd').length - 1 }
  } catch {
    return undefined
  }
}

export interface Room {
  /** Connections at a time; infinite without any limit. */
  readonly most: number
  readonly told: number
  /** Files that `wanted` connections would take. */
  readonly needed: number
  readonly wanted: number
}

/** Divides what is left of the descriptors. Some are kept for files, look-ups, exports and the next config. */
export function roomFor({ limit, open }: Descriptors, maxConnections: number): Room {
  const spareOf = (left: number) => Math.max(0, Math.min(64, Math.max(12, left >> 2)))
  const left = limit - open
  const spare = spareOf(left)
  const most = Math.max(1, Math.floor((left - spare) / FILES_EACH))
  const wanted = maxConnections > 0 ? maxConnections : ENOUGH
  return {
    most: maxConnections > 0 ? Math.min(maxConnections, most) : most,
    told: Math.min(MOST_TOLD, spare >> 1),
    needed: open + wanted * FILES_EACH + spareOf(wanted),
    wanted,
  }
}

/** Counts the connections of a server: a process that runs out of descriptors could not even read a file any more. */
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
    server.on('connection', (socket) => this.#take(socket))
    server.on('drop', () => this.#refused())
  }

  /** To be called when everything else is open. `tells`: this process speaks for others like it. */
  limit(server: Server, maxConnections: number, tells: boolean, found = descriptors()): void {
    // A connection that could not even be accepted, for want of a descriptor. Unheard, it would end the process.
    server.on('error', () => this.#refused())
    if (found === undefined) {
      if (maxConnections > 0) this.#most = maxConnections
      if (maxConnections > 0) server.maxConnections = maxConnections + MOST_TOLD
      return
    }
    const { most, told, needed, wanted } = roomFor(found, maxConnections)
    this.#most = most
    server.maxConnections = most + told
    if (tells && most < wanted) {
      this.#log.warn(
        { open_files_limit: found.limit, needed, connections: most, wanted_connections: wanted },
        'few file descriptors: raise `ulimit -n` (systemd: LimitNOFILE, containers: --ulimit nofile)',
      )
    }
  }

  /** This connection is one too many: it is answered, and closed. */
  beyond(socket: object): boolean {
    return this.#beyond.size > 0 && this.#beyond.has(socket)
  }

  /** New connections are refused. */
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
