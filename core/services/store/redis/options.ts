import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import { usage } from '../../../engine/contract/store-errors.ts'
import { sentence } from '../../../engine/util/sentence.ts'

export interface RedisOptions {
  /**
   * `redis://` or `rediss://` (TLS), with user, password and database; `?cluster=true` for Redis Cluster. For TLS:
   * `ca=FILE` for a private authority, `cert=FILE` and `key=FILE` for a client certificate (PEM).
   */
  url: string
  /** Names the deployment: all its keys start with `{name}:`. Default `governed-gateway`. */
  deployment?: string
  /** Unique name of this process's hash chains; default: host, process id and a number. */
  instance?: string
  /**
   * Identifies the holder of the name while the driver is open; the same for a process and its successor. Default: not
   * held.
   */
  holder?: string
  /** Calls without an answer in this time fail as `unavailable`, milliseconds, default 3000. */
  timeoutMs?: number
  /** How long calls wait for a lost connection before they fail, milliseconds, default 1000. */
  patienceMs?: number
  /** Maximum pending calls; further calls fail as `unavailable` at once. Default 50,000. */
  maxPending?: number
  /** Start even if the server is unreachable, and keep trying. Default false. */
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

/** The url with absolute file paths; returns other or malformed text unchanged. */
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
    // OpenSSL's messages contain no secrets: "key values mismatch", "bad decrypt".
    const which = Object.entries(files).map(([name, file]) => `${name}=${file}`)
    throw usage(sentence(`${which.join(', ')} of the Redis url cannot be used for TLS: ${(error as Error).message}`))
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
