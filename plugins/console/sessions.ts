import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import type { Services, UnkeyedRequest } from 'governed-gateway'

export const COOKIE = 'gateway_console'
/** A header that another site cannot send without asking first, which the gateway never allows. */
export const CSRF_HEADER = 'x-console'

/**
 * Sessions of the console. The store has the admin's key encrypted with a key that needs both the cookie and the
 * deployment's secret. So a session is never good for more, or for longer, than the key itself.
 */
export class Sessions {
  readonly #store: Services['store']
  readonly #subkey: Buffer
  readonly #ttlMs: number

  constructor({ store, subkey }: Pick<Services, 'store' | 'subkey'>, hours: number) {
    this.#store = store
    this.#subkey = subkey('sessions of the console')
    this.#ttlMs = hours * 3_600_000
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
    const token = tokenOf(headers)
    if (token !== undefined) await this.#store.delete(nameOf(token))
    return cookie('', 0, secure)
  }

  /** The key behind a request of the page; undefined for requests that another site may have caused. */
  credentialOf({ headers }: UnkeyedRequest): Promise<string | undefined> | undefined {
    const token = tokenOf(headers)
    if (token === undefined || headers[CSRF_HEADER] !== '1') return undefined
    const site = headers['sec-fetch-site']
    return site === undefined || site === 'same-origin' ? this.#read(token) : undefined
  }

  async #read(token: string): Promise<string | undefined> {
    const sealed = await this.#store.get<string>(nameOf(token))
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

  #keyOf(token: string): Buffer {
    return createHmac('sha256', this.#subkey).update(token).digest()
  }
}

const nameOf = (token: string): string => `session/${createHash('sha256').update(token).digest('base64url')}`

const cookie = (token: string, seconds: number, secure: boolean): string =>
  `${COOKIE}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`

function tokenOf({ cookie: header }: UnkeyedRequest['headers']): string | undefined {
  if (typeof header !== 'string') return undefined
  const [, token] = new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w-]{43})(?:;|$)`).exec(header) ?? []
  return token
}
