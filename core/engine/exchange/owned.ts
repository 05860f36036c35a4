/** Answer members that only the gateway sets. */
import { GatewayError } from '../contract/errors.ts'
import type { Json } from '../contract/plugin.ts'

const SERVICE: ReadonlySet<string> = new Set(
  `classification blocked session_id turn_index request_id mode action reason detections output_classification
  usage_estimated warnings`.split(/\s+/),
)
const ERROR: ReadonlySet<string> = new Set('message type code param request_id reason classification'.split(' '))

const KEY = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/

/** @throws GatewayError GW_PLUGIN_CONTRACT */
export function checkExtension(key: string): void {
  if (SERVICE.has(key)) {
    throw new GatewayError(
      'GW_PLUGIN_CONTRACT',
      `extend(): the member '${key}' of service is the gateway's. Give yours a name of its own, such as vendor_name.`,
    )
  }
  if (typeof key !== 'string' || key.length > 64 || !KEY.test(key)) {
    throw new GatewayError('GW_PLUGIN_CONTRACT', 'extend(): a key is small letters, digits and _, such as vendor_name.')
  }
}

/** A verdict's details without reserved members. Reserved names never invalidate a verdict. */
export function ownDetails(details: Readonly<Record<string, Json>> | undefined): {
  readonly kept: Record<string, Json>
  readonly dropped: readonly string[]
} {
  const all = Object.entries(details ?? {})
  return {
    kept: Object.fromEntries(all.filter(([name]) => !ERROR.has(name) && name !== '__proto__')),
    dropped: all.flatMap(([name]) => (ERROR.has(name) ? [name] : [])),
  }
}
