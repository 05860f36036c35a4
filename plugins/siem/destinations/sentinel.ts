import { type Attempt, attemptOf } from 'governed-gateway/kit'
import type { SiemSettings } from '../settings.ts'
import { type Destination, MAX_BYTES, type Outside, urlOf } from './destination.ts'
import { accepted, httpChannel, jsonOf } from './http.ts'
import { timed } from './timed.ts'

const GUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'

const options = {
  type: 'object',
  additionalProperties: false,
  required: ['dcr_id', 'stream', 'tenant_id', 'client_id'],
  properties: {
    dcr_id: { type: 'string', description: 'Immutable id of the data collection rule.', pattern: '^dcr-[0-9a-f]{32}$' },
    stream: {
      type: 'string',
      description: 'Stream of the rule, such as Custom-GatewayEvents.',
      pattern: '^[A-Za-z0-9_-]{1,128}$',
    },
    tenant_id: { type: 'string', description: 'Entra tenant.', pattern: GUID },
    client_id: { type: 'string', description: 'Entra application; auth_token is its secret.', pattern: GUID },
    cloud: {
      type: 'string',
      description: 'Where Entra and Azure Monitor are. Default public.',
      enum: ['public', 'us_government', 'china'],
    },
  },
} as const

interface SentinelOptions {
  readonly dcr_id: string
  readonly stream: string
  readonly tenant_id: string
  readonly client_id: string
  readonly cloud?: keyof typeof CLOUDS
}

/** Fixed, so that no setting can send the secret elsewhere. */
const CLOUDS = {
  public: { login: 'https://login.microsoftonline.com', scope: 'https://monitor.azure.com/.default' },
  us_government: { login: 'https://login.microsoftonline.us', scope: 'https://monitor.azure.us/.default' },
  china: { login: 'https://login.partner.microsoftonline.cn', scope: 'https://monitor.azure.cn/.default' },
} as const

/** Microsoft Sentinel through the Logs Ingestion API: `url` is the data collection endpoint. */
export const sentinel: Destination = {
  maxBytes: MAX_BYTES,
  maxEvents: 10_000,
  schemes: ['https', 'http'],
  options,
  write: (recorded, settings) => timed(recorded, settings, { time: 'TimeGenerated', message: 'Message' }),
  open(settings, outside) {
    const { dcr_id, stream } = settings.destination_options as unknown as SentinelOptions
    const target = new URL(`/dataCollectionRules/${dcr_id}/streams/${stream}`, urlOf(settings))
    target.searchParams.set('api-version', '2023-01-01')
    const token = new Token(settings, outside)
    const channel = httpChannel(settings, outside, {
      request: ({ items }) => ({
        url: target.href,
        contentType: 'application/json',
        headers: { authorization: `Bearer ${token.value}` },
        body: `[${items.map(({ text }) => text).join(',')}]`,
      }),
      read: accepted,
    })
    return {
      async send(batch, signal) {
        const old = token.value
        const failed = await token.renew(signal)
        if (failed !== undefined) return failed
        const sent = await channel.send(batch, signal)
        if (sent.status !== 401 || token.value !== old) return sent
        // A token may be revoked early; the next attempt gets a new one.
        token.forget()
        return (await token.renew(signal)) ?? (await channel.send(batch, signal))
      },
    }
  },
}

const EARLY_MS = 300_000

/** An Entra access token, renewed before it expires. */
class Token {
  readonly #settings: SiemSettings
  readonly #outside: Outside
  value = ''
  #until = 0

  constructor(settings: SiemSettings, outside: Outside) {
    this.#settings = settings
    this.#outside = outside
  }

  forget(): void {
    this.#until = 0
  }

  /** @returns the reason if there is no token */
  async renew(signal: AbortSignal): Promise<Attempt | undefined> {
    if (Date.now() < this.#until) return undefined
    const { tenant_id, client_id, cloud = 'public' } = this.#settings.destination_options as unknown as SentinelOptions
    const { login, scope } = CLOUDS[cloud]
    const form = new URLSearchParams({
      client_id,
      client_secret: this.#settings.auth_token ?? '',
      scope,
      grant_type: 'client_credentials',
    })
    const reply = await this.#outside.fetch(`${login}/${tenant_id}/oauth2/v2.0/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
      timeoutMs: this.#outside.timeoutMs,
      signal,
    })
    if (reply.status >= 400 && reply.status < 500 && ![408, 429].includes(reply.status)) {
      return { result: 'auth', status: reply.status, error: 'token_refused' }
    }
    const attempt = attemptOf(reply)
    const answer = await jsonOf(reply)
    if (attempt.result !== 'delivered' || typeof answer?.access_token !== 'string') {
      return { ...attempt, result: 'unavailable', error: 'no_token' }
    }
    this.value = answer.access_token
    const seconds = typeof answer.expires_in === 'number' ? answer.expires_in : 0
    this.#until = Date.now() + Math.max(seconds * 1000 - EARLY_MS, Math.min(seconds * 500, EARLY_MS))
    return undefined
  }
}
