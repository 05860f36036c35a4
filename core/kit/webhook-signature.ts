import { Webhook } from 'standardwebhooks'

/**
 * Creates the headers for one attempt. `id` is the same for every attempt, so that receivers can detect repetitions.
 */
export type SignWebhook = (id: string, body: string, now?: Date) => Record<string, string>

/**
 * Signs as in Standard Webhooks 1.0. The key is the base64 after `whsec_`, or the bytes of any other secret. Pass the
 * uncompressed body: receivers decompress before they verify.
 *
 * @throws Error of a secret that has no base64 after `whsec_`
 */
export function webhookSigner(secret: string): SignWebhook {
  const hook = secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(Buffer.from(secret), { format: 'raw' })
  return (id, body, now = new Date()) => ({
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': hook.sign(id, now, body),
  })
}
