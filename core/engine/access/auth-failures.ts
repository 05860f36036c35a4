import type { IncomingMessage } from 'node:http'
import type { ErrorCode, GatewayError } from '../contract/errors.ts'
import type { Emitter } from '../events/emitter.ts'

const WINDOW_MS = 10_000
const MAX_SOURCES = 1_000

const REASONS: Partial<Record<ErrorCode, string>> = {
  GW_MISSING_KEY: 'missing_key',
  GW_INVALID_KEY: 'invalid_key',
  GW_ADMIN_REQUIRED: 'admin_required',
}

interface Failure {
  readonly source_ip: string
  readonly code: string
  readonly reason: string
  readonly key_id?: string
  count: number
}

/**
 * Reports refused keys, combined with a count per source, code and known key for ten seconds. A flood of guesses can
 * thus neither fill the log nor displace the trail.
 */
export class AuthFailures {
  readonly #emitter: () => Emitter
  readonly #sourceIp: (req: IncomingMessage) => string | undefined
  #counts = new Map<string, Failure>()
  #timer: NodeJS.Timeout | undefined = undefined

  constructor(emitter: () => Emitter, sourceIp: (req: IncomingMessage) => string | undefined) {
    this.#emitter = emitter
    this.#sourceIp = sourceIp
  }

  /** `keyId`: a known key without permission. */
  note(req: IncomingMessage, { code }: GatewayError, keyId?: string): void {
    const known = this.#counts.size < MAX_SOURCES
    const source_ip = known ? (this.#sourceIp(req) ?? 'unknown') : 'others'
    const key_id = known ? keyId : undefined
    const key = `${source_ip}\0${code}\0${key_id ?? ''}`
    const entry = this.#counts.get(key)
    if (entry !== undefined) entry.count++
    else {
      const reason = REASONS[code] ?? 'invalid_key'
      this.#counts.set(key, { source_ip, code, reason, ...(key_id !== undefined && { key_id }), count: 1 })
    }
    this.#timer ??= setTimeout(() => this.flush(), WINDOW_MS).unref()
  }

  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const counts = this.#counts
    this.#counts = new Map()
    for (const entry of counts.values()) this.#emitter().emit('auth.failed', { ...entry })
  }
}
