/** Connections to one upstream: directly or through a proxy, with its certificates. */
import type { UpstreamConfig } from '../config/types.ts'
import type { Emit } from '../events/emit.ts'
import { FreshFiles } from '../util/fresh-files.ts'
import { filesOf, readTls, type TlsMaterial } from '../util/tls-files.ts'
import { type Dispatcher, openProxy, Pool } from '../util/undici.ts'

/** Of a reply and of its trailers: twice of what Node's own client takes. */
export const MAX_HEADER_BYTES = 32 * 1024

/**
 * The connections that serve new requests. When a certificate changes, new ones take over, and the old ones end with
 * their running requests.
 */
export class Transport {
  readonly #dispatcher: FreshFiles<Dispatcher>

  constructor(origin: string, config: UpstreamConfig, emit: Emit) {
    const { tls = {} } = config
    this.#dispatcher = new FreshFiles(
      filesOf(tls),
      () => open(origin, config, readTls(tls)),
      (error) => emit('tls.reload_failed', { reason: (error as Error).message }),
      (_, old) => {
        emit('tls.reloaded', {})
        old.close().catch(() => {})
      },
    )
  }

  get dispatcher(): Dispatcher {
    return this.#dispatcher.value
  }

  async close(): Promise<void> {
    await this.#dispatcher.last.destroy()
  }
}

function open(origin: string, config: UpstreamConfig, tls: TlsMaterial): Dispatcher {
  const timeout = config.connect_timeout_seconds * 1000
  const options = {
    // Undici takes the reset of an HTTP/2 stream for the end of a complete reply.
    allowH2: false,
    headersTimeout: config.first_byte_timeout_seconds * 1000,
    bodyTimeout: config.idle_timeout_seconds * 1000,
    maxHeaderSize: MAX_HEADER_BYTES,
  }
  if (config.proxy === undefined) return new Pool(origin, { ...options, connect: { timeout, ...tls } })
  return openProxy({
    ...options,
    uri: config.proxy,
    requestTls: { timeout, ...tls },
    // The client certificate is for the upstream only.
    proxyTls: { timeout, ...(tls.ca !== undefined && { ca: tls.ca }) },
    clientFactory: (proxy, own) => new Pool(proxy, { ...own, headersTimeout: timeout }),
    // Plain http urls get a pool without these options otherwise.
    factory: (to, own) => new Pool(to, { ...own, ...options }),
  })
}
