import { Webhook } from 'standardwebhooks'

/**
 * Headers of Standard Webhooks 1.0 for exactly these bytes. `id` is the same for every attempt, so that the receiver
 * can tell a repetition.
 */
export function signature(secret: string, id: string, body: string, now: Date): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': keyOf(secret).sign(id, now, body),
  }
}

/** `whsec_` and base64, as the standard says; anything else is a plain text, whose bytes are the key. */
const keyOf = (secret: string): Webhook =>
  secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(secret, { format: 'raw' })

/** What is wrong with a signing secret, or undefined. */
export function secretProblem(secret: string): string | undefined {
  if (!secret.startsWith('whsec_')) return undefined
  const encoded = secret.slice('whsec_'.length)
  const bytes = Buffer.from(encoded, 'base64')
  const exact = bytes.toString('base64').replace(/=+$/, '') === encoded.replace(/=+$/, '')
  return exact && bytes.length >= 24 && bytes.length <= 64
    ? undefined
    : 'must be whsec_ and the base64 of 24 to 64 random bytes'
}
