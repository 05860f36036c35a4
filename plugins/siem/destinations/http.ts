import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FetchReply } from 'governed-gateway'
import { attemptOf } from 'governed-gateway/kit'
import type { SiemSettings } from '../settings.ts'
import type { Batch, Channel, Outside, Sent } from './destination.ts'

const compress = promisify(gzip)

export interface HttpRequest {
  readonly url: string
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface HttpSpec {
  request(batch: Batch): HttpRequest | Promise<HttpRequest>
  /** Reads the answer; without it the status says all. */
  read?(reply: FetchReply, batch: Batch): Promise<Sent>
}

/** A channel that posts each batch. */
export function httpChannel({ compression }: SiemSettings, outside: Outside, { request, read }: HttpSpec): Channel {
  return {
    async send(batch, signal) {
      const { url, contentType, headers, body } = await request(batch)
      const zipped = compression === 'gzip' ? await compress(body) : undefined
      const reply = await outside.fetch(url, {
        method: 'POST',
        headers: {
          'content-type': contentType,
          'x-event-count': String(batch.items.length),
          'idempotency-key': batch.id,
          ...(zipped === undefined ? {} : { 'content-encoding': 'gzip' }),
          ...headers,
        },
        body: zipped ?? body,
        timeoutMs: outside.timeoutMs,
        signal,
      })
      return read === undefined ? attemptOf(reply) : await read(reply, batch)
    },
  }
}

/** The url, with the receiver's usual path when it has none. */
export function withPath(url: string, path: string): string {
  const target = new URL(url)
  if (target.pathname === '/' && target.search === '') target.pathname = path
  return target.href
}

/** The body as JSON, or undefined when it is none. */
export async function jsonOf(reply: FetchReply): Promise<Record<string, unknown> | undefined> {
  try {
    const value: unknown = JSON.parse(await reply.text())
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
