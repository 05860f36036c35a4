/** TLS for clients: certificates that change, and certificates of clients. */
import type { RequestListener, Server, ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { ClientCertificate } from '../access/client-certificate.ts'
import type { ListenConfig } from '../config/types.ts'
import type { Log } from '../contract/plugin.ts'
import type { Emit } from '../events/emit.ts'
import { FreshFiles } from '../util/fresh-files.ts'
import { filesOf, readTls } from '../util/tls-files.ts'

type TlsConfig = NonNullable<ListenConfig['tls']>

/** @param emit emits events of the gateway itself */
export function createTlsServer(
  tls: TlsConfig,
  options: ServerOptions,
  log: Log,
  emit: Emit,
  listener: RequestListener,
): Server {
  const { createServer } = process.getBuiltinModule('node:https')
  const read = () => ({ ...readTls(tls), minVersion: tls.min_version })
  const asks = tls.client_certificates !== 'off'
  const place = 'listen.tls'
  const material = new FreshFiles(
    filesOf(tls),
    read,
    (error) => emit('tls.reload_failed', { place, reason: (error as Error).message }),
    () => emit('tls.reloaded', { place }),
  )
  let current = material.value
  const server = createServer(
    {
      ...options,
      ...current,
      requestCert: asks,
      rejectUnauthorized: tls.client_certificates === 'required',
      handshakeTimeout: options.headersTimeout ?? 10_000,
      ALPNProtocols: ['http/1.1'],
    },
    listener,
  )
  // Before the listener that begins the handshake.
  server.prependListener('connection', () => {
    const next = material.value
    if (next === current) return
    current = next
    server.setSecureContext(next)
  })
  // The code only: messages may repeat parts of a certificate.
  server.on('tlsClientError', ({ code }: NodeJS.ErrnoException, socket: Socket) => {
    log.debug({ code }, 'a TLS handshake failed')
    socket.destroy()
  })
  return server as Server
}

/** The certificate of the peer, if it was verified. */
export function certificateOf(socket: Socket): ClientCertificate | undefined {
  const { authorized } = socket as TLSSocket
  return authorized === true ? (socket as TLSSocket).getPeerX509Certificate() : undefined
}
