import { GatewayError } from '../contract/errors.ts'
import type { Json } from '../contract/plugin.ts'
import { isObject } from '../json/fields.ts'
import type { JsonObject } from '../json/strict.ts'
import { refuseLookalikes } from './lookalikes.ts'

/** A member of a request with a value that no server accepts. */
export const invalid = (param: string, what: string): GatewayError =>
  new GatewayError('GW_INVALID_PARAMETER', `Invalid '${param}': it ${what}.`, { param })

/**
 * The object that a body must be.
 *
 * @throws GatewayError GW_INVALID_JSON
 */
export function objectBody(tree: Json, keys: ReadonlySet<string>): JsonObject {
  if (!isObject(tree)) throw new GatewayError('GW_INVALID_JSON', 'The body must be a JSON object.')
  refuseLookalikes(tree, keys, '')
  return tree
}

/** The model that a request names. */
export function modelOf({ model }: JsonObject): string {
  if (typeof model !== 'string' || model === '') throw invalid('model', 'must be a non-empty string')
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
