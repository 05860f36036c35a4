import { Webhook } from 'standardwebhooks'

/** Headers for a body, of this attempt. `id` is the same for every attempt, so that receivers can tell a repetition. */
export type SignWebhook = (id: string, body: string, now?: Date) => Record<string, string>

/**
 * Signs by Standard Webhooks 1.0: `whsec_` and base64, as the standard says; of any other secret its bytes are the key. Give
 * the body as it is before compression: that is what receivers verify, since their HTTP server undoes the encoding first.
 *
 * @throws Error of a secret that has no base64 behind `whsec_`
 */
export function webhookSigner(secret: string): SignWebhook {
  const hook = secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(Buffer.from(secret), { format: 'raw' })
  return (id, body, now = new Date()) => ({
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': hook.sign(id, now, body),
  })
}
