import type { IncomingMessage } from 'node:http'
import type { Principal } from '../access/keyring.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { Runtime } from '../pipeline/runtime.ts'
import type { Responder } from '../relay/responder.ts'

/** A matched request, authenticated if the route requires it. */
export interface Call {
  readonly runtime: Runtime
  readonly req: IncomingMessage
  readonly out: Responder
  /** The path, exactly as sent. */
  readonly path: string
  readonly query: string
  /** The values of the path's parameters, decoded. */
  readonly params: Params
  /** Present unless the route is open to all. */
  readonly principal: Principal
  /** Empty unless the route takes a body. */
  readonly body: Buffer
}

export interface Endpoint {
  readonly auth: 'none' | 'user' | 'admin'
  readonly takesBody: boolean
  /** Its refusals are events, even before an exchange begins. */
  readonly isExchange?: boolean
  /** The API whose shape its errors have. */
  readonly dialect?: Dialect
  handle(call: Call): Promise<void> | void
}

/** By the names of a path's parameters. */
export type Params = Readonly<Record<string, string>>

export interface Match {
  readonly endpoint: Endpoint
  readonly params: Params
}

interface Pattern {
  readonly path: string
  /** `/things/{id}` as its segments; a parameter by its name in braces. */
  readonly segments: readonly string[]
  readonly methods: Map<string, Endpoint>
}

/**
 * Matches paths exactly: no case folding, no double or trailing slashes, and no decoding except of parameters, which
 * have one spelling. So no alternative spelling can bypass a firewall's path rules. `pathOf` has taken away the origin of
 * targets in absolute form.
 */
export class Router {
  readonly #exact = new Map<string, Map<string, Endpoint>>()
  readonly #patterns: Pattern[] = []
  readonly #prefixes: { readonly prefix: string; readonly methods: Map<string, Endpoint> }[] = []
  /** Segments of paths that messages may show. */
  readonly #shown = new Set(API_SEGMENTS)

  /** `path` may have parameters, each a whole segment: `/v1/things/{id}/parts`. Exact paths come first. */
  add(method: string, path: string, endpoint: Endpoint): void {
    const methods = this.#methodsOf(path)
    if (methods.has(method)) throw new GatewayError('GW_CONFIG', `Two plugins serve ${method} ${path}.`)
    methods.set(method, endpoint)
  }

  #methodsOf(path: string): Map<string, Endpoint> {
    for (const segment of path.split('/')) this.#shown.add(segment)
    if (path.includes('{')) return this.#patternOf(path).methods
    const methods = this.#exact.get(path) ?? new Map<string, Endpoint>()
    this.#exact.set(path, methods)
    return methods
  }

  #patternOf(path: string): Pattern {
    const known = this.#patterns.find((pattern) => pattern.path === path)
    if (known !== undefined) return known
    const pattern = { path, segments: path.split('/'), methods: new Map<string, Endpoint>() }
    this.#patterns.push(pattern)
    return pattern
  }

  /** Every path that starts with `prefix` and is longer. */
  addPrefix(method: string, prefix: string, endpoint: Endpoint): void {
    this.#prefixes.push({ prefix, methods: new Map([[method, endpoint]]) })
  }

  /** @throws GatewayError GW_UNKNOWN_URL, GW_METHOD_NOT_ALLOWED */
  match(method: string, path: string): Match {
    const { methods, params } = this.#find(path) ?? this.#unknown(method, path)
    const endpoint = methods.get(method)
    if (endpoint === undefined) {
      const allow = [...methods.keys()].join(', ')
      throw new GatewayError('GW_METHOD_NOT_ALLOWED', `${method} is not served at ${this.#show(path)}. Use ${allow}.`, {
        headers: { allow },
      })
    }
    return { endpoint, params }
  }

  #unknown(method: string, path: string): never {
    throw new GatewayError('GW_UNKNOWN_URL', `No route matches ${method} ${this.#show(path)}. ${this.#advice(path)}`)
  }

  /** Hides paths that may contain a value, because recipients may store error messages. */
  #show(path: string): string {
    const segments = path.slice(1).split('/', MOST_SEGMENTS)
    return segments.length < MOST_SEGMENTS && segments.every((segment) => this.#shown.has(segment)) ? path : 'this path'
  }

  /** What usually went wrong. Names only paths of the gateway. */
  #advice(path: string): string {
    const own = path.endsWith('/') ? path.slice(0, -1) : path
    if (own !== path && this.#find(own) !== undefined) return 'Leave out the slash at the end.'
    if (this.#find(`/v1${own}`) !== undefined) return 'The base URL of the client needs /v1 at its end.'
    if (own.startsWith('/v1/v1/')) return 'The base URL of the client has one /v1 too many.'
    if (/^\/(?:health|[a-z]+z)(?:\/|$)/.test(own)) return 'Probes are at /health/live and /health/ready.'
    if (/^\/api\/settings\/[\w-]+$/.test(own)) {
      return 'Only some plugins have settings there, and only while they are enabled; options of any plugin are at /api/plugins/{name}/options.'
    }
    if (/^\/(?:api\/|[a-z]+$)/.test(own)) {
      return 'Check the path, and that the plugin that serves it is enabled: GET /api/plugins lists them.'
    }
    return 'Paths are matched exactly, such as /v1/chat/completions, /v1/responses and /v1/messages.'
  }

  #find(path: string): { methods: ReadonlyMap<string, Endpoint>; params: Params } | undefined {
    const methods = this.#exact.get(path)
    if (methods !== undefined) return { methods, params: NONE }
    const segments = path.split('/', MOST_SEGMENTS)
    for (const pattern of this.#patterns) {
      const params = paramsOf(pattern.segments, segments)
      if (params !== undefined) return { methods: pattern.methods, params }
    }
    const area = this.#prefixes.find(({ prefix }) => path.length > prefix.length && path.startsWith(prefix))
    return area && { methods: area.methods, params: NONE }
  }
}

const NONE: Params = Object.freeze({})
const MOST_SEGMENTS = 16

/** Of paths that clients and probes use with other servers. */
const API_SEGMENTS = (
  'v1 v2 v1beta api openai deployments engines assistants threads runs audio speech transcriptions translations images generations ' +
  'edits variations files uploads batches fine_tuning fine-tunes jobs vector_stores realtime sessions messages complete generate rerank ' +
  'score tokenize detokenize chat completions completion responses response embeddings embedding models model moderations ' +
  'health healthz livez readyz ping version status docs admin'
).split(' ')

/** The parameters of a path; undefined if it does not match. */
function paramsOf(pattern: readonly string[], segments: readonly string[]): Params | undefined {
  if (pattern.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [i, part] of pattern.entries()) {
    const segment = segments[i] as string
    if (!part.startsWith('{')) {
      if (part !== segment) return undefined
      continue
    }
    const value = decoded(segment)
    if (value === undefined) return undefined
    params[part.slice(1, -1)] = value
  }
  return params
}

/**
 * One segment, decoded once. Only the spelling of `encodeURIComponent` is taken, or no encoding at all. The value is
 * safe in a path: not empty, no dots alone, no slash, percent or control character.
 */
function decoded(segment: string): string | undefined {
  const value = decodedOnce(segment)
  if (value === undefined || value.length > MOST_CHARACTERS || /^\.*$|[/\\%\p{C}]/u.test(value)) return undefined
  return value === segment || encodeURIComponent(value) === segment ? value : undefined
}

const MOST_CHARACTERS = 256

function decodedOnce(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
