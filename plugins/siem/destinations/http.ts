import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FetchReply } from 'governed-gateway'
import { attemptOf, failedAttempt } from 'governed-gateway/kit'
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
  /** Reads the answer; a 2xx is complete. Default: the status decides. */
  read?(reply: FetchReply, batch: Batch): Promise<Sent>
  /** Maximum size of an answer, bytes. Default 64 KiB. */
  readonly maxAnswerBytes?: number
}

/** A channel that posts each batch. A receiver that breaks off its 2xx may not have taken it, so it is sent again. */
export function httpChannel({ compression }: SiemSettings, outside: Outside, spec: HttpSpec): Channel {
  const { request, read, maxAnswerBytes } = spec
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
        ...(maxAnswerBytes !== undefined && { maxBytes: maxAnswerBytes }),
      })
      const attempt = attemptOf(reply)
      if (attempt.result === 'delivered') {
        const failed = await reply.bytes().then(() => undefined, failedAttempt)
        if (failed !== undefined) return { ...failed, status: reply.status }
      }
      return read === undefined ? attempt : await read(reply, batch)
    },
  }
}

/** The url, with the receiver's usual path if it has none. */
export function withPath(url: string, path: string): string {
  const target = new URL(url)
  if (target.pathname === '/' && target.search === '') target.pathname = path
  return target.href
}

/** `Authorization` header for a token or for `user:password`. */
export function credentials(scheme: string, token: string | undefined): Record<string, string> {
  if (token === undefined) return {}
  const encoded = scheme === 'Basic' ? Buffer.from(token).toString('base64') : token
  return { authorization: `${scheme} ${encoded}` }
}

/** A 2xx that this receiver does not send, such as a login page or a proxy: nothing was delivered. */
export const unexpected = (status: number): Sent => ({ result: 'unavailable', status, error: 'unexpected_answer' })

/** For receivers that answer with an empty body or JSON. HTML comes from another server. */
export async function accepted(reply: FetchReply): Promise<Sent> {
  const attempt = attemptOf(reply)
  if (attempt.result !== 'delivered') return attempt
  return (await reply.text()).trim() === '' || (await jsonOf(reply)) !== undefined ? attempt : unexpected(reply.status)
}

/** The body as JSON; undefined if it is not JSON. */
export async function jsonOf(reply: FetchReply): Promise<Record<string, unknown> | undefined> {
  try {
    const value: unknown = JSON.parse(await reply.text())
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
