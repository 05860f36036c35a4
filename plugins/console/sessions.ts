import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { GatewayError, type Services, type UnkeyedRequest } from 'governed-gateway'

const COOKIE = 'gateway_console'
/** Over HTTPS. No other host, and no page without HTTPS, can set a cookie of this name. */
const SECURE_COOKIE = `__Host-${COOKIE}`
/** A header that another site cannot send without asking first, which the gateway never allows. */
const CSRF_HEADER = 'x-console'

/**
 * Sessions of the console. The store has the admin's key encrypted with a key that needs both the cookie and the
 * deployment's secret. So a session is never good for more, or for longer, than the key itself.
 */
export class Sessions {
  readonly #store: Services['store']
  readonly #subkey: Buffer
  readonly #ttlMs: number
  readonly #secureOnly: boolean

  constructor({ store, subkey }: Pick<Services, 'store' | 'subkey'>, hours: number, secureOnly = false) {
    this.#store = store
    this.#subkey = subkey('sessions of the console')
    this.#ttlMs = hours * 3_600_000
    this.#secureOnly = secureOnly
  }

  /** @returns the value of `Set-Cookie` */
  async open(credential: string, secure: boolean): Promise<string> {
    const token = randomBytes(32).toString('base64url')
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.#keyOf(token), iv)
    const sealed = Buffer.concat([iv, cipher.update(credential, 'utf8'), cipher.final(), cipher.getAuthTag()])
    await this.#store.set(nameOf(token), sealed.toString('base64'), { ttlMs: this.#ttlMs })
    return cookie(token, this.#ttlMs / 1000, secure)
  }

  /** @returns the value of `Set-Cookie` that removes the cookie */
  async close(headers: UnkeyedRequest['headers'], secure: boolean): Promise<string> {
    const token = this.#tokenOf(headers)
    if (token !== undefined) await this.#store.delete(nameOf(token))
    return cookie('', 0, secure)
  }

  /** The key behind a request of the page; undefined for requests that another site may have caused. */
  credentialOf({ headers }: UnkeyedRequest): Promise<string | undefined> | undefined {
    const token = this.#tokenOf(headers)
    if (token === undefined || headers[CSRF_HEADER] !== '1') return undefined
    const site = headers['sec-fetch-site']
    return site === undefined || site === 'same-origin' ? this.#read(token) : undefined
  }

  async #read(token: string): Promise<string | undefined> {
    const sealed = await this.#store.get<string>(nameOf(token)).catch(unread)
    if (sealed === undefined) return undefined
    const bytes = Buffer.from(sealed, 'base64')
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#keyOf(token), bytes.subarray(0, 12))
      decipher.setAuthTag(bytes.subarray(-16))
      return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8')
    } catch {
      // The deployment's secret changed.
      return undefined
    }
  }

  #tokenOf(headers: UnkeyedRequest['headers']): string | undefined {
    const secure = tokenIn(headers, SECURE_COOKIE)
    // Behind HTTPS the plain cookie is not this gateway's.
    return secure === undefined && !this.#secureOnly && !isForwardedFromHttps(headers)
      ? tokenIn(headers, COOKIE)
      : secure
  }

  #keyOf(token: string): Buffer {
    return createHmac('sha256', this.#subkey).update(token).digest()
  }
}

const unread = (cause: unknown): never => {
  const message = 'The store with the sessions of the console did not answer. Try again later.'
  throw new GatewayError('GW_STORE_UNAVAILABLE', message, { cause })
}

const nameOf = (token: string): string => `session/${createHash('sha256').update(token).digest('base64url')}`

const cookie = (token: string, seconds: number, secure: boolean): string =>
  `${secure ? SECURE_COOKIE : COOKIE}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`

/** Two cookies of one name count as none: one of them was injected. */
function tokenIn({ cookie: header }: UnkeyedRequest['headers'], name: string): string | undefined {
  if (typeof header !== 'string') return undefined
  const values = header.split(';').flatMap((part) => {
    const [found = '', value = ''] = part.trim().split('=', 2)
    return found === name ? [value] : []
  })
  const [token = ''] = values
  return values.length === 1 && /^[\w-]{43}$/.test(token) ? token : undefined
}

/** The scheme that the client used, if the nearest proxy names it. */
export const isForwardedFromHttps = ({ 'x-forwarded-proto': value }: UnkeyedRequest['headers']): boolean =>
  typeof value === 'string' && value.split(',').at(-1)?.trim().toLowerCase() === 'https'
