import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, type generateKeyPair, type JWK, SignJWT } from 'jose'

export const AUDIENCE = 'gateway'
export type Pair = Awaited<ReturnType<typeof generateKeyPair>>

/** An issuer on loopback, over real HTTP. */
export class Issuer {
  readonly #server = createServer((req, res) => {
    this.asked.push(req.url ?? '')
    if (this.down) return void res.writeHead(500).end()
    if (this.answer !== undefined) return this.answer(res)
    const found = req.url === '/jwks' ? { keys: this.published } : { issuer: this.url, jwks_uri: `${this.url}/jwks` }
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found))
  })
  readonly asked: string[] = []
  published: JWK[] = []
  down = false
  /** Instead of its keys and configuration. */
  answer: ((res: ServerResponse) => void) | undefined = undefined
  url = ''
  host = ''

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.host = `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    this.url = `http://${this.host}`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async publish(kid: string, pair: Pair): Promise<void> {
    this.published = [{ ...(await exportJWK(pair.publicKey)), kid, alg: 'ES256', use: 'sig' }]
  }

  token(kid: string, pair: Pair, claims: Record<string, unknown> = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const all = { iss: this.url, aud: AUDIENCE, sub: 'kim', iat: now, exp: now + 600, ...claims }
    return new SignJWT(all).setProtectedHeader({ alg: 'ES256', kid }).sign(pair.privateKey)
  }
}
