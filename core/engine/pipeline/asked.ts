/** What a request asks of the gateway in its headers. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Principal } from '../access/keyring.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Candidate } from '../upstreams/candidate.ts'

const TIMEOUT = 'x-service-timeout'
const REGION = 'x-service-region'
const MAX_SECONDS = 86_400

export interface Asked {
  readonly timeoutSeconds: number | undefined
  readonly region: string | undefined
}

/** @throws GatewayError GW_INVALID_PARAMETER */
export function readAsked(headers: IncomingHttpHeaders, principal: Principal): Asked {
  return { timeoutSeconds: timeoutOf(headers[TIMEOUT]), region: regionOf(headers[REGION], principal.region) }
}

function timeoutOf(text: string | string[] | undefined): number | undefined {
  if (text === undefined) return undefined
  const seconds = /^\d{1,5}(?:\.\d{1,3})?$/.test(String(text)) ? Number(text) : Number.NaN
  if (seconds > 0 && seconds <= MAX_SECONDS) return seconds
  const message = `The header \`X-Service-Timeout\` must be a number of seconds above 0, at most ${MAX_SECONDS}, such as 30 or 2.5.`
  throw new GatewayError('GW_INVALID_PARAMETER', message, { param: TIMEOUT })
}

/** A key's region is the operator's: a request cannot ask for another. */
function regionOf(text: string | string[] | undefined, own: string | undefined): string | undefined {
  if (text === undefined) return own
  const region = String(text)
  if (!/^[a-z0-9][a-z0-9-]{0,31}$/.test(region)) {
    const message = 'The header `X-Service-Region` must be the name of a region: lower-case letters, digits and dash.'
    throw new GatewayError('GW_INVALID_PARAMETER', message, { param: REGION })
  }
  if (own === undefined || own === region) return region
  throw new GatewayError('GW_INVALID_PARAMETER', `This key may use the region '${own}' only.`, { param: REGION })
}

/** The candidates of the region, if one was asked for. */
export function inRegion(candidates: readonly Candidate[], region: string | undefined): readonly Candidate[] {
  if (region === undefined) return candidates
  const found = candidates.filter(({ upstream }) => upstream.config.region === region)
  if (found.length > 0) return found
  const message = `No upstream of this model works in the region '${region}'.`
  throw new GatewayError('GW_REGION_NOT_SERVED', message, { param: REGION })
}

/** The shorter of both limits; undefined without any. */
export const limitOf = (route: number | undefined, asked: number | undefined): number | undefined =>
  route === undefined ? asked : asked === undefined ? route : Math.min(route, asked)
