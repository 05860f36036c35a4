import { hash } from 'node:crypto'
import type { ChatExchange } from '../exchange/exchange.ts'

/**
 * The same for all attempts of one request, and for repeats of a client that sends a key itself. Callers share the gateway's
 * account, so the key of one must not name the request of another.
 */
export function idempotencyKey({ id, caller, request }: ChatExchange): string {
  const own = request.headers['idempotency-key']
  return `gw-${hash('sha256', JSON.stringify([caller.keyId, own === undefined ? id : `client ${own}`])).slice(0, 40)}`
}
