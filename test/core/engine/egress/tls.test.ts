import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import { type AddressInfo, createServer as createTcp } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { Egress } from '../../../../core/services/egress/egress.ts'

const read = (name: string) => readFileSync(new URL(`../../../fixtures/tls/${name}`, import.meta.url), 'utf8')
/** For receiver.example.com and 127.0.0.1, by an authority that nobody knows; valid until 2120. */
const identity = { key: read('server-key.pem'), cert: read('server.pem') }
const ca = read('ca.pem')
const TRUSTED = { tls: true, ca, timeoutMs: 5000 } as const
const certificate = { code: 'GW_EGRESS_FAILED', category: 'certificate' }

describe('egress: TLS', () => {
  let https: Server
  let tls: ReturnType<typeof createTlsServer>
  let egress: Egress
  let names: (string | false | null)[]
  let requests = 0
  const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port

  before(async () => {
    https = createServer(identity, (_, response) => {
      requests++
      response.end()
    }).listen(0, '127.0.0.1')
    tls = createTlsServer(identity, (socket: TLSSocket) => {
      names.push(socket.servername)
      socket.on('error', () => {}).pipe(socket)
    }).listen(0, '127.0.0.1')
    names = []
    await Promise.all([once(https, 'listening'), once(tls, 'listening')])
    const hosts = ['127.0.0.1', 'receiver.example.com', 'other.example.com']
    const allow = hosts.flatMap((host) => [https, tls].map((server) => `${host}:${portOf(server)}`))
    egress = new Egress(allow, { resolve: async () => [{ address: '127.0.0.1', family: 4 }] })
  })
  after(async () => {
    await egress.close()
    https.close()
    tls.close()
    await Promise.all([once(https, 'close'), once(tls, 'close')])
  })

  it('sends nothing to a receiver whose certificate is not trusted', async () => {
    const url = `https://receiver.example.com:${portOf(https)}/`
    await assert.rejects(egress.fetch(url, { method: 'POST', body: '{}', timeoutMs: 5000 }), certificate)
    assert.equal(requests, 0)
    const { ca: _ca, ...untrusted } = TRUSTED
    await assert.rejects(egress.connect({ host: '127.0.0.1', port: portOf(tls), ...untrusted }), certificate)
  })

  it('connects by name and by address when the certificate is for them', async () => {
    for (const host of ['receiver.example.com', '127.0.0.1']) {
      const socket = await egress.connect({ host, port: portOf(tls), ...TRUSTED })
      socket.write('hello')
      assert.equal(String((await once(socket, 'data'))[0]), 'hello')
      socket.destroy()
    }
    assert.deepEqual(names, ['receiver.example.com', false])
  })

  it('refuses a certificate for another name', async () => {
    await assert.rejects(egress.connect({ host: 'other.example.com', port: portOf(tls), ...TRUSTED }), certificate)
  })

  it('does not wait for ever for a handshake', async () => {
    const silent = createTcp((socket) => socket.on('error', () => {}).resume()).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const port = portOf(silent)
    const own = new Egress([`127.0.0.1:${port}`])
    await assert.rejects(own.connect({ host: '127.0.0.1', port, ...TRUSTED, timeoutMs: 50 }), { category: 'timeout' })
    await own.close()
    silent.close()
    await once(silent, 'close')
  })
})
