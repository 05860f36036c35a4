/** Our view of `@redis/client`, an optional peer dependency that loads only for a Redis store. */
import { StoreError } from '../../../engine/contract/store-errors.ts'
import type { TlsFiles } from './options.ts'

export interface RawClient {
  connect(): Promise<unknown>
  send(args: readonly string[]): Promise<unknown>
  subscribe(channel: string, listener: (message: string) => void): Promise<void>
  onError(listener: (error: Error) => void): void
  destroy(): void
}

export interface RawOptions {
  readonly url: string
  /** For `rediss://`. */
  readonly tls?: TlsFiles | undefined
  /** Redis Cluster; all keys are in the slot of `key`. */
  readonly cluster: boolean
  readonly key: string
  readonly connectTimeout: number
  /** Drops a connection that was idle for this long. */
  readonly socketTimeout: number
}

type Module = typeof import('@redis/client')
let loading: Promise<Module> | undefined

export async function loadModule(): Promise<Module> {
  loading ??= import('@redis/client')
  try {
    return await loading
  } catch (error) {
    loading = undefined
    const message = 'A redis:// store needs the package @redis/client. Install it: npm install @redis/client@6'
    throw new StoreError('unavailable', message, error)
  }
}

/** A connection without automatic reconnect. `RedisConnection` reconnects itself, so it knows which calls were lost. */
export function rawClient(module: Module, options: RawOptions): RawClient {
  const { url, tls, connectTimeout, socketTimeout } = options
  const common = {
    RESP: 3 as const,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled' as const,
    pingInterval: Math.ceil(socketTimeout / 3),
    socket: {
      connectTimeout,
      socketTimeout,
      reconnectStrategy: false as const,
      ...(tls === undefined ? {} : { tls: true as const, ...tls }),
    },
  }
  return options.cluster ? cluster(module, url, options.key, common) : single(module, url, common)
}

function single(module: Module, url: string, common: object): RawClient {
  // `createClient` would give it a method for each of hundreds of commands, once for each address.
  const client = new module.RedisClient({ url, ...common })
  return {
    connect: () => client.connect(),
    send: (args) => client.sendCommand(args as string[]),
    subscribe: (channel, listener) => client.subscribe(channel, listener),
    onError: (listener) => void client.on('error', listener),
    destroy: () => client.destroy(),
  }
}

function cluster(module: Module, url: string, key: string, common: object): RawClient {
  const { username, password } = new URL(url)
  const credentials = {
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
  }
  // Nodes named by the cluster have no url: `defaults` holds their common settings.
  const defaults = { ...common, ...credentials } as object
  const client = module.createCluster({ RESP: 3, rootNodes: [{ url }], defaults })
  return {
    connect: () => client.connect(),
    send: (args) => client.sendCommand(key, false, [...args]),
    subscribe: (channel, listener) => client.subscribe(channel, listener),
    onError: (listener) => void client.on('error', listener),
    destroy: () => client.destroy(),
  }
}
