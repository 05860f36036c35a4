/** Callers that plugins authenticate, in addition to the keys in the config. */
import type { Awaitable } from './basics.ts'
import type { Level } from './labels.ts'

/** One caller of the API, as configured. */
export interface Caller {
  readonly keyId: string
  readonly team?: string
  readonly admin: boolean
  /** The operator's flags for this key. */
  readonly flags: Readonly<Record<string, string | number>>
  /** Loosenings that its requests may ask for, `mode=monitor` or `budget=*`. */
  readonly flagsAllow: readonly string[]
  /** The plugin that identified it; undefined for a key of the config. The gateway sets it. */
  readonly source?: string
}

/** The caller, and the permissions of its key. */
export interface Principal extends Caller {
  /** Globs of allowed models. */
  readonly models: readonly string[]
  readonly maxClassification?: Level
  /** Only upstreams of this region may get its requests. */
  readonly region?: string
}

/**
 * A further source of callers. The gateway asks the sources in the order of the config, after its own keys. An error that a
 * source throws ends the request: a `GatewayError` with its own status, any other with 500.
 */
export interface PrincipalSource {
  /**
   * The caller with this credential; undefined if this source does not know it. Runs for each request, before the body is
   * read: answer synchronously if possible, and return a promise only for a lookup. Return the same object
   * for the same caller while nothing changes: the gateway checks each object once.
   */
  identify?(credential: string): Awaitable<Principal | undefined>
  /**
   * The credential behind a request that has none in its headers, such as that of a session; undefined if there is none.
   */
  credentialOf?(request: UnkeyedRequest): Awaitable<string | undefined>
}

/** A request without a key in its headers. */
export interface UnkeyedRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}
