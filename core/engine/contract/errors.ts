import { framesOf } from '../util/outside.ts'

/**
 * Every error that this package raises on purpose: wire status, `error.type`, `error.code`, and whether an SDK may
 * retry. Codes are stable; `docs/errors.md` is generated from this table. Wire shape: `{"error":{message, type, code,
 * param, request_id}}`, after the OpenAI API (https://platform.openai.com/docs/guides/error-codes).
 */
interface CatalogueEntry {
  readonly status: number
  readonly type: string
  readonly code: string
  /** The remedy; shown in docs/errors.md. */
  readonly remedy: string
  /** See `ErrorSpec.refusal`. */
  readonly refusal?: boolean
}

const request = 'invalid_request_error'

export const CATALOGUE = {
  GW_INVALID_JSON: {
    status: 400,
    type: request,
    code: 'invalid_json',
    remedy: 'Send one strict JSON object in UTF-8, without duplicate members.',
  },
  GW_INVALID_PARAMETER: {
    status: 400,
    type: request,
    code: 'invalid_parameter',
    remedy: 'Correct the field named in `param`.',
  },
  GW_VALIDATION: {
    status: 400,
    type: request,
    code: 'validation_error',
    remedy: 'Correct every field that the message lists.',
  },
  GW_SSRF_BLOCKED: {
    status: 400,
    type: request,
    code: 'ssrf_blocked',
    remedy: 'Use a public address, or open the range under `egress.allow` in the config file.',
  },
  GW_BAD_REQUEST: { status: 400, type: request, code: 'bad_request', remedy: 'Send a well-formed HTTP/1.1 request.' },
  GW_MISSING_KEY: {
    status: 401,
    type: 'authentication_error',
    code: 'invalid_api_key',
    remedy: 'Send `Authorization: Bearer <API_KEY>`, or the key as `x-api-key` or `api-key`.',
  },
  GW_INVALID_KEY: {
    status: 401,
    type: 'authentication_error',
    code: 'invalid_api_key',
    remedy: 'Check the key. `governed-gateway keys create` creates a new one.',
  },
  GW_POLICY_BLOCK: {
    status: 403,
    type: 'policy_block',
    code: 'permission_denied',
    remedy: 'Read `reason`. A retry gets the same answer.',
  },
  GW_MODEL_NOT_ALLOWED: {
    status: 403,
    type: 'permission_error',
    code: 'model_not_allowed',
    refusal: true,
    remedy: 'Use one of the models that `GET /v1/models` lists for this key.',
  },
  GW_ADMIN_REQUIRED: {
    status: 403,
    type: 'permission_error',
    code: 'admin_required',
    remedy: 'Use an admin key for this route.',
  },
  GW_OVERRIDE_NOT_ALLOWED: {
    status: 403,
    type: 'permission_error',
    code: 'override_not_allowed',
    remedy: 'Change the options in the config file, or name the plugin in `settings.override_options` there.',
  },
  GW_UNKNOWN_URL: {
    status: 404,
    type: request,
    code: 'unknown_url',
    remedy: 'Check the path. Paths must match exactly.',
  },
  GW_MODEL_NOT_FOUND: {
    status: 404,
    type: request,
    code: 'model_not_found',
    remedy: 'Add a route for the model, or use one that `GET /v1/models` lists.',
  },
  GW_NO_SOCKETS: {
    status: 426,
    type: request,
    code: 'no_sockets',
    remedy: 'Send the request with POST.',
  },
  GW_REFERENCE_NOT_FOUND: {
    status: 404,
    type: request,
    code: 'reference_not_found',
    remedy: 'Name only responses and items that this key made, or send the content itself.',
  },
  GW_SHAPE_NOT_SERVED: {
    status: 404,
    type: request,
    code: 'model_not_served_here',
    remedy: 'Use one of the APIs that `GET /v1/models` lists for the model, or add it to `shapes` of an upstream.',
  },
  GW_REGION_NOT_SERVED: {
    status: 404,
    type: request,
    code: 'region_not_served',
    remedy: 'Ask for another region or model, or give an upstream of the route this `region`.',
  },
  GW_METHOD_NOT_ALLOWED: {
    status: 405,
    type: request,
    code: 'method_not_allowed',
    remedy: 'Use a method named in the `Allow` header.',
  },
  GW_REQUEST_TIMEOUT: {
    status: 408,
    type: request,
    code: 'request_timeout',
    remedy: 'Send the whole request within `listen.request_timeout_seconds`.',
  },
  GW_OPTIONS_CHANGED: { status: 409, type: request, code: 'options_changed', remedy: 'Read the options again.' },
  GW_BODY_TOO_LARGE: {
    status: 413,
    type: request,
    code: 'request_too_large',
    remedy: 'Send less, or raise `listen.max_body_bytes`.',
  },
  GW_TOO_MANY_VALUES: {
    status: 413,
    type: request,
    code: 'too_many_values',
    remedy: 'Send fewer members and elements, or raise `listen.max_json_values`.',
  },
  GW_TOO_MANY_FINDINGS: {
    status: 413,
    type: request,
    code: 'too_many_findings',
    remedy: 'Send fewer values that plugins report, or raise `inspection.max_findings`.',
  },
  GW_UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    type: request,
    code: 'unsupported_media_type',
    remedy: 'Send `Content-Type: application/json` without a content encoding.',
  },
  GW_EXPECTATION_FAILED: {
    status: 417,
    type: request,
    code: 'expectation_failed',
    remedy: 'Remove the `Expect` header, or send `Expect: 100-continue`.',
  },
  GW_UNINSPECTABLE: {
    status: 422,
    type: request,
    code: 'uninspectable_content',
    remedy: 'Remove the content that cannot be inspected, or do not request `mode=strict`.',
  },
  GW_AUDIT_UNAVAILABLE: {
    status: 503,
    type: 'server_error',
    code: 'audit_unavailable',
    remedy: 'Try again. The log has the cause. `audit.on_error` decides whether requests continue without a record.',
  },
  GW_STORE_UNAVAILABLE: {
    status: 503,
    type: 'server_error',
    code: 'store_unavailable',
    remedy: 'Try again. The log has the cause.',
  },
  GW_TOO_MANY_CONNECTIONS: {
    status: 503,
    type: 'server_error',
    code: 'too_many_connections',
    remedy: 'Try again. Operators can raise `ulimit -n`, `listen.max_connections` or `workers`.',
  },
  GW_LIMITS_UNAVAILABLE: {
    status: 503,
    type: 'server_error',
    code: 'limits_unavailable',
    remedy:
      'Try again. The store that counts limits is unreachable. `limits.on_store_error` decides whether this process counts alone.',
  },
  GW_EGRESS_FAILED: {
    status: 502,
    type: 'server_error',
    code: 'egress_failed',
    remedy: 'Check that the receiver runs, and check its address, port and certificate.',
  },
  GW_RATE_LIMITED: {
    status: 429,
    type: 'rate_limit_error',
    code: 'rate_limit_exceeded',
    refusal: true,
    remedy: 'Wait for `Retry-After` seconds.',
  },
  GW_HEADERS_TOO_LARGE: {
    status: 431,
    type: request,
    code: 'headers_too_large',
    remedy: 'Send fewer or shorter headers.',
  },
  GW_INTERNAL: {
    status: 500,
    type: 'server_error',
    code: 'internal_error',
    remedy: 'Report the request id to the operator. The log has the cause.',
  },
  GW_UPSTREAM_UNREACHABLE: {
    status: 502,
    type: 'upstream_error',
    code: 'upstream_unreachable',
    remedy: 'Check the network and the `url` of the upstream.',
  },
  GW_BUSY: {
    status: 429,
    type: 'rate_limit_error',
    code: 'upstream_busy',
    remedy: 'Wait for `Retry-After` seconds. Operators can raise `max_concurrent` or `max_waiting` of the upstreams.',
  },
  GW_UPSTREAM_INVALID: {
    status: 502,
    type: 'upstream_error',
    code: 'upstream_invalid_response',
    remedy: 'Check the `url` of the upstream. Its reply does not follow this API.',
  },
  GW_UPSTREAM_DENIED: {
    status: 403,
    type: 'upstream_error',
    code: 'upstream_denied',
    remedy: 'Check the upstream’s key in the config. The provider answered 401, 403 or 407.',
  },
  GW_UPSTREAM_KEY: {
    status: 503,
    type: 'upstream_error',
    code: 'upstream_key_unavailable',
    remedy: 'Try again. Check `key_command` of the upstream: it gives no key, and the last one is out of date.',
  },
  GW_UPSTREAM_ERROR: {
    status: 502,
    type: 'upstream_error',
    code: 'upstream_error',
    remedy: 'Try again. The provider failed.',
  },
  GW_UPSTREAM_DISCONNECTED: {
    status: 502,
    type: 'upstream_error',
    code: 'upstream_disconnected',
    remedy: 'Try again. The provider closed the connection before its reply was complete.',
  },
  GW_GUARDRAIL_UNAVAILABLE: {
    status: 503,
    type: 'server_error',
    code: 'guardrail_unavailable',
    remedy:
      'Read the log. A plugin failed, so the gateway blocked the exchange. `on_error: allow` lets exchanges continue without the plugin.',
  },
  GW_UPSTREAM_TIMEOUT: {
    status: 504,
    type: 'upstream_error',
    code: 'upstream_timeout',
    remedy: 'Try again. If the provider normally needs longer, raise the timeouts of the upstream.',
  },
  // Never sent to a client with these codes: raised at start, by the command line, or to plugin code.
  GW_CONFIG: {
    status: 500,
    type: 'config_error',
    code: 'config_error',
    remedy: 'Correct every problem in the list. `governed-gateway check FILE` shows them.',
  },
  GW_PLUGIN_LOAD: {
    status: 500,
    type: 'config_error',
    code: 'plugin_load',
    remedy: 'Check `use`. It must be a bundled name, a path relative to the config file, or an installed npm package.',
  },
  GW_PLUGIN_CONTRACT: {
    status: 500,
    type: 'plugin_error',
    code: 'plugin_contract',
    remedy: 'Follow docs/plugin-guide.md. The message names the plugin and the rule.',
  },
  GW_PLUGIN_TIMEOUT: {
    status: 500,
    type: 'plugin_error',
    code: 'plugin_timeout',
    remedy: 'Make the plugin faster, or raise its `timeout_ms`.',
  },
  GW_PLUGIN_REJECTION: {
    status: 400,
    type: 'plugin_error',
    code: 'plugin_rejection',
    remedy: 'Read the answer: it has the status and code of the error that the plugin declares.',
  },
  GW_STALE_HANDLE: {
    status: 500,
    type: 'plugin_error',
    code: 'stale_handle',
    remedy: 'Call `report` and `hold` before the tap returns or its promise settles.',
  },
  GW_COMMITTED: {
    status: 500,
    type: 'plugin_error',
    code: 'committed',
    remedy: 'Set headers before the reply starts.',
  },
} as const satisfies Record<string, CatalogueEntry>

export type ErrorCode = keyof typeof CATALOGUE

/** Codes of refused attempts that operators should see. */
export const CORE_REFUSALS: ReadonlySet<unknown> = new Set(
  Object.values<CatalogueEntry>(CATALOGUE).flatMap(({ code, refusal }) => (refusal === true ? [code] : [])),
)

export interface GatewayErrorOptions {
  /** The request field, header or config path at fault. */
  param?: string
  /** Whole seconds for `Retry-After`. */
  retryAfter?: number
  /** Extra response headers, such as `Allow`. */
  headers?: Record<string, string>
  /** Overrides the status of the catalogue, for example to pass an upstream's 429 through. */
  status?: number
  /** Overrides `error.type`. */
  type?: string
  /** Overrides `error.code`. */
  code?: string | null
  /** Whether an SDK should retry; the default depends on the status. */
  retryable?: boolean | undefined
  /** The whole body, where clients read the provider's own words. */
  body?: string | undefined
  cause?: unknown
}

const brand = Symbol.for('governed-gateway.error')

/**
 * An error with a code of the catalogue. The message says what was wrong, where, and what to do. It never contains
 * prompt text, keys or tokens.
 */
export class GatewayError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly type: string
  readonly wireCode: string | null
  readonly param: string | null
  readonly retryAfter: number | undefined
  readonly headers: Readonly<Record<string, string>> | undefined
  readonly retryable: boolean | undefined
  readonly body: string | undefined
  readonly [brand] = true

  constructor(code: ErrorCode, message: string, options: GatewayErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    const entry = CATALOGUE[code]
    this.name = 'GatewayError'
    this.code = code
    this.status = options.status ?? entry.status
    this.type = options.type ?? entry.type
    this.wireCode = options.code === undefined ? entry.code : options.code
    this.param = options.param ?? null
    this.retryAfter = options.retryAfter
    this.headers = options.headers
    this.retryable = options.retryable
    this.body = options.body
  }

  /** The `error` member of the body, without request id. */
  toBody(): { message: string; type: string; code: string | null; param: string | null } {
    return { message: this.message, type: this.type, code: this.wireCode, param: this.param }
  }
}

/** Whether an error comes from this package, including duplicate copies of it. */
export function isGatewayError(error: unknown): error is GatewayError {
  try {
    if (error instanceof GatewayError) return true
    const { [brand]: branded, code, toBody } = error as GatewayError & { [brand]?: unknown }
    return branded === true && typeof toBody === 'function' && Object.hasOwn(CATALOGUE, code)
  } catch {
    return false
  }
}

/** Where an error was thrown; omits its message, which may contain anything. */
export const stackOf = (error: unknown): string | undefined => framesOf(error)[0]
