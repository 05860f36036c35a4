/** Validates scopes. */
import { usage } from './store-errors.ts'
import type { ScopeRef, ScopeRequest } from './store-limits.ts'

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

function checkWindow({ key, window }: ScopeRef): void {
  if (window === 'total') return
  const known = 'calendar' in window ? CALENDARS.has(window.calendar) : Number.isSafeInteger(window.rolling)
  if (!known) throw usage(`The window of ${key} must be total, {calendar: minute…month} or {rolling: milliseconds}.`)
  if ('rolling' in window) whole(`The rolling window of ${key}`, window.rolling, 1000, LONGEST)
}

/** Validates a key and its window. */
export function checkRef(ref: ScopeRef): void {
  name('The key of a scope', ref.key)
  checkWindow(ref)
}

/** Throws a `usage` error for an invalid reservation. */
export function checkScopes(requests: readonly ScopeRequest[]): void {
  const keys = new Set<string>()
  for (const request of requests) {
    const { key, limit, amount, least = amount, due } = request
    if (keys.has(key)) throw usage(`The scope ${key} is named twice in one request; give each window its own key.`)
    keys.add(key)
    whole(`The limit of ${key}`, limit)
    whole(`The amount of ${key}`, amount)
    whole(`The least amount of ${key}`, least, 0, amount)
    if (due !== undefined) whole(`The due amount of ${key}`, due)
    checkRef(request)
  }
}
