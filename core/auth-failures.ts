import type { IncomingMessage } from 'node:http'
import type { GatewayError } from './errors.ts'
import type { Emitter } from './events.ts'

const WINDOW_MS = 10_000
const MAX_SOURCES = 1_000

/**
 * Refused keys, told once for each source and code in ten seconds with a count, so that a flood of guesses can neither
 * fill the log nor push out the trail.
 */
export class AuthFailures {
  readonly #emitter: () => Emitter
  readonly #sourceIp: (req: IncomingMessage) => string | undefined
  #counts = new Map<string, { source_ip: string; code: string; count: number }>()
  #timer: NodeJS.Timeout | undefined = undefined

  constructor(emitter: () => Emitter, sourceIp: (req: IncomingMessage) => string | undefined) {
    this.#emitter = emitter
    this.#sourceIp = sourceIp
  }

  note(req: IncomingMessage, error: GatewayError): void {
    const known = this.#counts.size < MAX_SOURCES
    const source_ip = known ? (this.#sourceIp(req) ?? 'unknown') : 'others'
    const key = `${source_ip}\0${error.code}`
    const entry = this.#counts.get(key)
    if (entry === undefined) this.#counts.set(key, { source_ip, code: error.code, count: 1 })
    else entry.count++
    this.#timer ??= setTimeout(() => this.flush(), WINDOW_MS).unref()
  }

  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const counts = this.#counts
    this.#counts = new Map()
    for (const entry of counts.values()) this.#emitter().emit('auth.failed', entry)
  }
}
