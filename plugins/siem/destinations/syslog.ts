import type { Socket } from 'node:net'
import type { GovernanceEvent, Severity } from 'governed-gateway'
import { encodeRecorded } from 'governed-gateway/kit'
import type { SiemSettings } from '../settings.ts'
import { type Batch, type Channel, type Destination, MAX_BYTES, type Outside, type Sent, urlOf } from './destination.ts'

const options = {
  type: 'object',
  additionalProperties: false,
  properties: {
    facility: { type: 'integer', description: 'Default 16 (local0); 13 is log audit.', minimum: 0, maximum: 23 },
    app_name: { type: 'string', description: 'APP-NAME. Default governed-gateway.', pattern: '^[\\x21-\\x7e]{1,48}$' },
    ca: {
      type: 'string',
      description: 'PEM certificates, their text and not a file, to trust instead of the system ones, for tls.',
      pattern: '^-----BEGIN CERTIFICATE-----',
      maxLength: 65_536,
    },
  },
} as const

interface SyslogOptions {
  readonly facility?: number
  readonly app_name?: string
  readonly ca?: string
}

const LEVEL: Readonly<Record<Severity, number>> = { block: 4, action: 5, detection: 5, info: 6 }
const PORTS: Readonly<Record<string, number>> = { 'tcp:': 514, 'tls:': 6514 }

/**
 * Converts a tcp or tls url to https with the same port. The egress guard knows no other schemes, and `URL` does not
 * normalise the host of other schemes.
 */
export function httpsOf(url: string): string {
  const https = url.replace(/^[^:]+/, 'https')
  if (!URL.canParse(url)) return https
  const { protocol, port } = new URL(url)
  if (port !== '') return https
  return https.replace(/^https:\/\/[^/?#]*/, (authority) => `${authority.replace(/:$/, '')}:${PORTS[protocol]}`)
}

/** RFC 5424 messages with octet counting (RFC 6587 §3.4.1), over TCP or TLS (RFC 5425). */
export const syslog: Destination = {
  maxBytes: MAX_BYTES,
  maxEvents: 10_000,
  schemes: ['tls', 'tcp'],
  options,
  write(recorded, { format, source, options: given }) {
    const text = encodeRecorded(format, recorded, source)
    const message = header(recorded.event, given) + text
    return `${Buffer.byteLength(message)} ${message}`
  },
  open: (settings, outside) => new SyslogChannel(settings, outside),
}

function header({ severity, time, instance, type }: GovernanceEvent, given: SyslogOptions): string {
  const { facility = 16, app_name = 'governed-gateway' } = given
  const priority = facility * 8 + (LEVEL[severity] ?? 6)
  return `<${priority}>1 ${time} ${field(instance, 255)} ${app_name} - ${field(type, 32)} - `
}

/** Printable ASCII without spaces; the nil value if empty. */
function field(value: unknown, longest: number): string {
  const text = typeof value === 'string' ? value.replace(/[^\x21-\x7e]/g, '_').slice(0, longest) : ''
  return text === '' ? '-' : text
}

/** A receiver that closes the connection so soon after a batch may not have read it, milliseconds. */
const SOON_MS = 5000

/**
 * One connection, reopened when it is lost. Syslog has no answers, so an event counts as delivered when the
 * operating system took the bytes and the connection was open. The batch after a doubtful one tells of it.
 */
class SyslogChannel implements Channel {
  readonly #settings: SiemSettings
  readonly #outside: Outside
  #socket: Socket | undefined
  /** When the last batch was written, by the clock of `performance.now()`. */
  #written = Number.NEGATIVE_INFINITY
  /** The receiver closed the connection soon after it. */
  #isDoubtful = false

  constructor(settings: SiemSettings, outside: Outside) {
    this.#settings = settings
    this.#outside = outside
  }

  async send({ items }: Batch, signal: AbortSignal): Promise<Sent> {
    const socket = await this.#connection(signal)
    const late = AbortSignal.any([signal, AbortSignal.timeout(this.#outside.timeoutMs)])
    await write(socket, items.map(({ text }) => text).join(''), late)
    const wasDoubtful = this.#isDoubtful
    this.#written = performance.now()
    this.#isDoubtful = false
    return { result: 'delivered', ...(wasDoubtful && { error: 'closed_by_receiver' }) }
  }

  async #connection(signal: AbortSignal): Promise<Socket> {
    if (this.#socket !== undefined && isOpen(this.#socket)) return this.#socket
    this.#socket?.destroy()
    const url = urlOf(this.#settings)
    const { hostname, port } = new URL(httpsOf(url))
    const { ca } = this.#settings.destination_options as SyslogOptions
    const socket = await this.#outside.connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || 443),
      tls: /^tls:/i.test(url),
      ...(ca !== undefined && { ca }),
      timeoutMs: this.#outside.timeoutMs,
      signal,
    })
    // A receiver that closes its side reads nothing more.
    const onClosed = (): void => {
      if (socket === this.#socket) this.#isDoubtful ||= performance.now() - this.#written < SOON_MS
      socket.destroy()
    }
    socket.on('error', onClosed).on('end', onClosed)
    socket.resume()
    this.#socket = socket
    return socket
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }
}

const isOpen = (socket: Socket): boolean => !socket.destroyed && socket.writable

/** Rejects if the connection ends before all data is written, or if the receiver reads nothing for too long. */
function write(socket: Socket, text: string, late: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error | null): void => {
      socket.off('close', onClose)
      late.removeEventListener('abort', onLate)
      if (error) reject(error)
      else resolve()
    }
    const onClose = (): void => settle(Object.assign(new Error('closed'), { code: 'ECONNRESET' }))
    const onLate = (): void => {
      // Do not send another message after half a message.
      socket.destroy()
      settle(Object.assign(new Error('late'), { code: 'ETIMEDOUT' }))
    }
    socket.once('close', onClose)
    late.addEventListener('abort', onLate, { once: true })
    if (late.aborted) onLate()
    else socket.write(text, settle)
  })
}
