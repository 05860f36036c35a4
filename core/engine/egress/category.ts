import { GatewayError } from '../contract/errors.ts'

/** Category of an outbound address or URL. Only `public` needs no permission. */
export type Category =
  | 'public'
  | 'private'
  | 'loopback'
  | 'link_local'
  | 'metadata'
  | 'unspecified'
  | 'multicast'
  | 'reserved'
  | 'embedded_v4'
  | 'hostname'
  | 'scheme'
  | 'userinfo'
  | 'port'
  | 'malformed'
  | 'dns'

export type RefusedCategory = Exclude<Category, 'public'>

/** Why there was no response. */
export type EgressFailure =
  | 'refused'
  | 'reset'
  | 'unreachable'
  | 'timeout'
  | 'dns'
  | 'tls'
  | 'certificate'
  | 'protocol'
  | 'aborted'
  | 'network'
  /** Not tried: a secret of the settings cannot be read. */
  | 'secret_unreadable'

const REFUSED: Readonly<Record<RefusedCategory, string>> = {
  private: 'is in a private network (private)',
  loopback: 'is this machine (loopback)',
  link_local: 'is a link-local address (link_local)',
  metadata: 'is a cloud metadata service (metadata)',
  unspecified: 'is the unspecified address (unspecified)',
  multicast: 'is a multicast address (multicast)',
  reserved: 'is a reserved address (reserved)',
  embedded_v4: 'hides an IPv4 address in an IPv6 address (embedded_v4)',
  hostname: 'is an internal host name (hostname)',
  scheme: 'is neither http nor https (scheme)',
  userinfo: 'holds credentials in front of the host (userinfo)',
  port: 'has a port that cannot be used (port)',
  malformed: 'is not a well-formed absolute url (malformed)',
  dns: 'has a host name that does not resolve (dns)',
}

/** The problem of a target, as a phrase that follows its name: `is this machine (loopback)`. */
export const refusal = (category: RefusedCategory): string => REFUSED[category]

const FAILED: Readonly<Record<EgressFailure, string>> = {
  refused: 'refused the connection',
  reset: 'closed the connection',
  unreachable: 'cannot be reached',
  timeout: 'did not answer in time',
  dns: 'has a name that does not resolve',
  tls: 'does not speak TLS as expected',
  certificate: 'has a certificate that is not trusted',
  protocol: 'does not speak HTTP as expected',
  aborted: 'was not waited for',
  secret_unreadable: 'gets nothing, since a stored secret cannot be read',
  network: 'could not be talked to',
}

/**
 * The guard refused, or there was no response. Never contains a resolved address, which would reveal the internal
 * network.
 */
export class EgressError extends GatewayError {
  /** The category that the guard refused, or the network failure. */
  readonly category: RefusedCategory | EgressFailure

  private constructor(
    code: 'GW_SSRF_BLOCKED' | 'GW_EGRESS_FAILED',
    category: RefusedCategory | EgressFailure,
    message: string,
    cause?: unknown,
  ) {
    super(code, message, cause === undefined ? {} : { cause })
    this.category = category
  }

  static refused(category: RefusedCategory): EgressError {
    return new EgressError('GW_SSRF_BLOCKED', category, `The receiver ${REFUSED[category]}.`)
  }

  static failed(category: EgressFailure, cause?: unknown): EgressError {
    return new EgressError('GW_EGRESS_FAILED', category, `The receiver ${FAILED[category]} (${category}).`, cause)
  }
}

const CODES: Readonly<Record<string, EgressFailure>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_DESTROYED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate',
  CERT_HAS_EXPIRED: 'certificate',
  CERT_NOT_YET_VALID: 'certificate',
  CERT_UNTRUSTED: 'certificate',
  CERT_REVOKED: 'certificate',
  CERT_SIGNATURE_FAILURE: 'certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate',
  HOSTNAME_MISMATCH: 'certificate',
}

/** Converts any error of a socket, DNS or undici. */
export function toEgressError(error: unknown): EgressError {
  if (error instanceof EgressError) return error
  // Several addresses were tried: the first error represents all.
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error
  if (first instanceof EgressError) return first
  const { code = '', name = '' } = first as { code?: string; name?: string }
  const known = CODES[code]
  if (known !== undefined) return EgressError.failed(known, error)
  if (name === 'HTTPParserError' || code.startsWith('HPE_')) return EgressError.failed('protocol', error)
  if (/^ERR_(SSL|TLS)_|^EPROTO$/.test(code)) return EgressError.failed('tls', error)
  return EgressError.failed('network', error)
}
