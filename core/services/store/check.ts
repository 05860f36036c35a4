/** Checks of the public calls: wrong arguments are `usage` errors with the argument's name and range. */

import { checkRef, checkScopes, whole } from '../../engine/contract/scope-check.ts'
import type { JsonObject } from '../../engine/contract/store.ts'
import { notJson, usage } from '../../engine/contract/store-errors.ts'
import type { Amounts, ScopeRef, ScopeRequest } from '../../engine/contract/store-limits.ts'
import { seal } from '../../engine/util/canonical-json.ts'
import type { WireRef, WireScope } from './ops.ts'
import { meter } from './windows.ts'

export { duration, name, whole } from '../../engine/contract/scope-check.ts'

/** JSON text of a value. Values that JSON cannot represent are an error, not a silent loss. */
export function text(what: string, value: unknown): string {
  const json = JSON.stringify(value) as string | undefined
  if (json === undefined) throw usage(`${what} must be a JSON value.`)
  return json
}

/** Serialised events, see `seal`. */
export function events(call: string, list: readonly JsonObject[]): string[] {
  try {
    return list.map(seal)
  } catch {
    throw notJson(call)
  }
}

export function scopeRef(prefix: string, ref: ScopeRef): WireRef {
  checkRef(ref)
  return { key: prefix + ref.key, meter: meter(prefix + ref.key, ref.window) }
}

export function scopes(prefix: string, requests: readonly ScopeRequest[]): WireScope[] {
  checkScopes(requests)
  return requests.map((request) => {
    const { limit, amount, least = amount, due = null } = request
    return { ...scopeRef(prefix, request), limit, amount, least, due }
  })
}

export function amounts(prefix: string, used: Amounts): { [key: string]: number } {
  const checked: { [key: string]: number } = Object.create(null)
  for (const [key, amount] of Object.entries(used)) checked[prefix + key] = whole(`The used amount of ${key}`, amount)
  return checked
}

/** Cursors are opaque to callers, but may return through query strings. */
export function cursor(value: string): string {
  if (!/^[\w.:/@-]{1,200}$/.test(value)) throw usage('The cursor is invalid. Use the cursor of the previous page.')
  return value
}
