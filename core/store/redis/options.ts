import { readFileSync } from 'node:fs'
import { usage } from '../errors.ts'

export interface RedisOptions {
  /**
   * `redis://` or `rediss://` (TLS), with user, password and database; `?cluster=true` for Redis Cluster. With TLS:
   * `ca=FILE` for an authority of one's own, `cert=FILE` and `key=FILE` when the server asks clients for one (PEM).
   */
  url: string
  /** Names the deployment: all its keys start with `{name}:`. Default `governed-gateway`. */
  deployment?: string
  /** Name of this process's hash chains, unlike that of any other process; default: host, process id and a number. */
  instance?: string
  /** A call that is not answered by then is `unavailable`, milliseconds, default 3000. */
  timeoutMs?: number
  /** How long calls wait for a lost connection to come back before they fail at once, milliseconds, default 1000. */
  patienceMs?: number
  /** Calls under way; more are `unavailable` at once. Default 50,000. */
  maxPending?: number
  /** Start even when the server cannot be reached, and go on trying. Default false. */
  lazy?: boolean
  /** For tests: the store's clock, Unix milliseconds. */
  clock?: () => number
}

/** Certificates and keys, PEM. */
export interface TlsFiles {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
}

export interface Address {
  /** Without query. */
  readonly url: URL
  readonly cluster: boolean
  /** Present with `rediss://`. */
  readonly tls?: TlsFiles
}

const FILES = ['ca', 'cert', 'key'] as const

/** Throws a `usage` error that does not repeat the url: it may hold a password. */
export function parse(text: string): Address {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'redis:' && url.protocol !== 'rediss:') || url.hostname === '') {
    throw usage('The url of a Redis store must look like redis://user:password@host:6379/0 or rediss://….')
  }
  const query = Object.fromEntries(url.searchParams)
  url.search = ''
  const { cluster, ...files } = query
  const unknown = Object.keys(files).find((name) => !FILES.includes(name as never))
  if (unknown !== undefined) throw usage(`The url of a Redis store knows cluster, ca, cert and key, not ${unknown}.`)
  const isCluster = cluster === 'true'
  if (url.protocol === 'redis:') {
    if (Object.keys(files).length > 0) throw usage('`ca`, `cert` and `key` of a Redis url need TLS: rediss://….')
    return { url, cluster: isCluster }
  }
  const tls = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, pem(name, file)]))
  return { url, cluster: isCluster, tls }
}

function pem(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw usage(`${name}=${file} of the Redis url cannot be read: ${(error as NodeJS.ErrnoException).code}.`)
  }
}
