import { usage } from '../errors.ts'

export interface RedisOptions {
  /** `redis://` or `rediss://` (TLS), with user, password and database; `?cluster=true` for Redis Cluster. */
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

/** Throws a `usage` error that does not repeat the url: it may hold a password. */
export function parse(url: string): URL {
  const parsed = URL.parse(url)
  if (parsed === null || (parsed.protocol !== 'redis:' && parsed.protocol !== 'rediss:') || parsed.hostname === '') {
    throw usage('The url of a Redis store must look like redis://user:password@host:6379/0 or rediss://….')
  }
  return parsed
}
