import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import { usage } from '../../../engine/contract/store-errors.ts'

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
  /** Holds the name while the driver is open; the same text for a process and for its successor. Default: not held. */
  holder?: string
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
  const { cluster = 'false', ...files } = Object.fromEntries(url.searchParams)
  const unknown = Object.keys(files).find((name) => !FILES.includes(name as never))
  if (unknown !== undefined) throw usage(`The url of a Redis store knows cluster, ca, cert and key, not ${unknown}.`)
  if (cluster !== 'true' && cluster !== 'false') throw usage('`cluster` of a Redis url must be true or false.')
  if (!/^(\/\d*)?$/.test(url.pathname)) {
    throw usage('After the host of a Redis url stands the number of a database: redis://host:6379/0.')
  }
  if (!decodes(url.username) || !decodes(url.password)) {
    throw usage('User and password of a Redis url must be percent-encoded: % as %25, @ as %40.')
  }
  url.search = ''
  const isCluster = cluster === 'true'
  if (url.protocol === 'rediss:') return { url, cluster: isCluster, tls: readTls(files) }
  if (Object.keys(files).length > 0) throw usage('`ca`, `cert` and `key` of a Redis url need TLS: rediss://….')
  return { url, cluster: isCluster }
}

/** The url with the paths of its files made absolute; any other text, a malformed one too, is given back as it is. */
export function absoluteFiles(text: string, folder: string): string {
  const url = text.startsWith('rediss:') ? URL.parse(text) : null
  if (url === null) return text
  for (const name of FILES) {
    const file = url.searchParams.get(name)
    if (file) url.searchParams.set(name, resolve(folder, file))
  }
  return url.href
}

function decodes(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

function readTls(files: Readonly<Record<string, string>>): TlsFiles {
  const tls: TlsFiles = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, pem(name, file)]))
  if ((tls.cert === undefined) !== (tls.key === undefined)) {
    throw usage('`cert` and `key` of a Redis url go together: the certificate to show, and its private key.')
  }
  try {
    createSecureContext(tls)
  } catch (error) {
    // What OpenSSL says names no content: "key values mismatch", "bad decrypt".
    const which = Object.entries(files).map(([name, file]) => `${name}=${file}`)
    throw usage(`${which.join(', ')} of the Redis url cannot be used for TLS: ${(error as Error).message}.`)
  }
  return tls
}

function pem(name: string, file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'there is no such file' : code
    throw usage(`${name}=${file} of the Redis url cannot be read: ${why}.`)
  }
  if (text.includes('-----BEGIN ')) return text
  throw usage(`${name}=${file} of the Redis url is not a PEM file, which has a line -----BEGIN ….`)
}
