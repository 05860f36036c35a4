/** Guards of the public calls: wrong arguments are `usage` errors that name the argument and its range. */
import { seal } from './canonical.ts'
import { notJson, usage } from './errors.ts'
import type { Amounts, ScopeRef, ScopeRequest, Window } from './limits.ts'
import type { WireRef, WireScope } from './ops.ts'
import type { JsonObject } from './store.ts'
import { meter } from './windows.ts'

const DAY = 86_400_000
const LONGEST = 400 * DAY
const CALENDARS = new Set(['minute', 'hour', 'day', 'week', 'month'])

export function name(what: string, value: string, longest = 512): string {
  if (typeof value !== 'string' || value === '' || value.length > longest || !value.isWellFormed()) {
    throw usage(`${what} must be a string of 1 to ${longest} characters.`)
  }
  // Control characters separate the parts of internal keys.
  if (/\p{Cc}/u.test(value)) throw usage(`${what} must not contain control characters.`)
  return value
}

export function whole(what: string, value: number, least = 0, most = Number.MAX_SAFE_INTEGER): number {
  if (!Number.isSafeInteger(value) || value < least || value > most) {
    throw usage(`${what} must be a whole number from ${least} to ${most}.`)
  }
  return value
}

export const duration = (what: string, value: number): number => whole(what, value, 1, LONGEST)

/** JSON text of a value; what JSON cannot say is an error, not a silent loss. */
export function text(what: string, value: unknown): string {
  const json = JSON.stringify(value) as string | undefined
  if (json === undefined) throw usage(`${what} must be a JSON value.`)
  return json
}

/** Events as they travel, see `seal`. */
export function events(call: string, list: readonly JsonObject[]): string[] {
  try {
    return list.map(seal)
  } catch {
    throw notJson(call)
  }
}

export function scopeRef(prefix: string, { key, window }: ScopeRef): WireRef {
  name('The key of a scope', key)
  checkWindow(key, window)
  return { key: prefix + key, meter: meter(prefix + key, window) }
}

function checkWindow(key: string, window: Window): void {
  if (window === 'total') return
  const known = 'calendar' in window ? CALENDARS.has(window.calendar) : Number.isSafeInteger(window.rolling)
  if (!known) throw usage(`The window of ${key} must be total, {calendar: minute…month} or {rolling: milliseconds}.`)
  if ('rolling' in window) whole(`The rolling window of ${key}`, window.rolling, 1000, LONGEST)
}

export function scopes(prefix: string, requests: readonly ScopeRequest[]): WireScope[] {
  const keys = new Set<string>()
  return requests.map((request) => {
    const { key, limit, amount, least = amount, due } = request
    if (keys.has(key)) throw usage(`The scope ${key} is named twice in one request; give each window its own key.`)
    keys.add(key)
    whole(`The limit of ${key}`, limit)
    whole(`The amount of ${key}`, amount)
    whole(`The least amount of ${key}`, least, 0, amount)
    if (due !== undefined) whole(`The due amount of ${key}`, due)
    return { ...scopeRef(prefix, request), limit, amount, least, due: due ?? null }
  })
}

export function amounts(prefix: string, used: Amounts): { [key: string]: number } {
  const checked: { [key: string]: number } = Object.create(null)
  for (const [key, amount] of Object.entries(used)) checked[prefix + key] = whole(`The used amount of ${key}`, amount)
  return checked
}

/** Cursors are opaque to callers, but they come back through query strings. */
export function cursor(value: string): string {
  if (!/^[\w.:/@-]{1,200}$/.test(value)) throw usage('The cursor is not one that a page before returned.')
  return value
}
