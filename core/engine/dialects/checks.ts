import { GatewayError } from '../contract/errors.ts'
import type { Json } from '../contract/plugin.ts'
import { isObject } from '../json/fields.ts'
import type { JsonObject } from '../json/strict.ts'
import { refuseLookalikes } from './lookalikes.ts'
import { refuseRouting } from './routing-members.ts'

/** A member of a request with a value that no server accepts. */
export const invalid = (param: string, what: string): GatewayError =>
  new GatewayError('GW_INVALID_PARAMETER', `Invalid '${param}': it ${what}.`, { param })

/**
 * The object that a body must be.
 *
 * @param keys the members of the API
 * @throws GatewayError GW_INVALID_JSON, GW_INVALID_PARAMETER
 */
export function objectBody(tree: Json, keys: ReadonlySet<string>): JsonObject {
  if (!isObject(tree)) throw new GatewayError('GW_INVALID_JSON', 'The body must be a JSON object.')
  refuseLookalikes(tree, keys, '')
  refuseRouting(tree, keys)
  return tree
}

/** Blanks around a name, characters that nobody sees, and the sign between several names of which a router may choose. */
const NO_NAME = /^\s|\s$|\p{C}|,/u

/** The model that a request names. */
export function modelOf({ model }: JsonObject): string {
  if (typeof model !== 'string' || model === '') throw invalid('model', 'must be a non-empty string')
  if (NO_NAME.test(model))
    throw invalid('model', 'must be one name, without blanks around it, control or invisible characters, or commas')
  return model
}

/** A boolean; undefined if the member is missing or null. */
export function optionalBoolean(tree: JsonObject, key: string): boolean | undefined {
  const value = tree[key]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'boolean') throw invalid(key, 'must be a boolean')
  return value
}

/** A whole number from 1; undefined if the member is missing or null. */
export function positiveInteger(tree: JsonObject, key: string, max = Number.MAX_SAFE_INTEGER): number | undefined {
  const value = tree[key]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > max) {
    throw invalid(key, `must be a whole number from 1${max === Number.MAX_SAFE_INTEGER ? '' : ` to ${max}`}`)
  }
  return value
}
