import type { IncomingMessage } from 'node:http'
import type { Principal } from '../access/keyring.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { Runtime } from '../pipeline/runtime.ts'
import type { Responder } from '../relay/responder.ts'
import { isPlain } from '../util/outside.ts'

/** A matched request, authenticated if the route requires it. */
export interface Call {
  readonly runtime: Runtime
  readonly req: IncomingMessage
  readonly out: Responder
  /** The path, exactly as sent. */
  readonly path: string
  readonly query: string
  /** Present unless the route is open to all. */
  readonly principal: Principal
  /** Empty unless the route takes a body. */
  readonly body: Buffer
}

export interface Endpoint {
  readonly auth: 'none' | 'user' | 'admin'
  readonly takesBody: boolean
  /** Errors of `handle` are governance events, because no exchange began. */
  readonly audited?: boolean
  /** Errors have the shape of this API. */
  readonly dialect?: Dialect
  handle(call: Call): Promise<void> | void
}

/**
 * Matches paths exactly: no case folding, no decoding, no double or trailing slashes. So no alternative spelling can
 * bypass a firewall's path rules.
 */
export class Router {
  readonly #exact = new Map<string, Map<string, Endpoint>>()
  readonly #prefixes: { readonly prefix: string; readonly methods: Map<string, Endpoint> }[] = []

  add(method: string, path: string, endpoint: Endpoint): void {
    const methods = this.#exact.get(path) ?? new Map<string, Endpoint>()
    if (methods.has(method)) throw new GatewayError('GW_CONFIG', `Two plugins serve ${method} ${path}.`)
    methods.set(method, endpoint)
    this.#exact.set(path, methods)
  }

  /** Every path that starts with `prefix` and is longer. */
  addPrefix(method: string, prefix: string, endpoint: Endpoint): void {
    this.#prefixes.push({ prefix, methods: new Map([[method, endpoint]]) })
  }

  /** @throws GatewayError GW_UNKNOWN_URL, GW_METHOD_NOT_ALLOWED */
  match(method: string, path: string): Endpoint {
    const methods =
      this.#exact.get(path) ??
      this.#prefixes.find(({ prefix }) => path.length > prefix.length && path.startsWith(prefix))?.methods
    if (methods === undefined) {
      throw new GatewayError(
        'GW_UNKNOWN_URL',
        `There is nothing at ${method} ${shown(path)}. Paths are matched exactly; the API is at /v1/chat/completions.`,
      )
    }
    const endpoint = methods.get(method)
    if (endpoint === undefined) {
      const allow = [...methods.keys()].join(', ')
      throw new GatewayError('GW_METHOD_NOT_ALLOWED', `${shown(path)} does not take ${method}. Use ${allow}.`, {
        headers: { allow },
      })
    }
    return endpoint
  }
}

/** Hides paths that may contain a value, because recipients may store error messages. */
const shown = (path: string): string => (isPlain(path.slice(1)) ? path : 'that path')
