import type { GrantedScope } from 'governed-gateway'
import { type Count, MINUTE_MS } from './limits.ts'

/** What remains of a count, after the maximum that this request may use. */
export interface Remaining {
  readonly unit: Count['unit']
  readonly limit: number
  readonly left: number
  /** Unix milliseconds; null if nothing is used. */
  readonly resetsAt: number | null
}

/** The count with the least left, for each unit. */
export function tightest(counts: readonly Count[], scopes: readonly GrantedScope[]): Remaining[] {
  const nearest = new Map<Count['unit'], Remaining>()
  for (const { unit, request } of counts) {
    const scope = scopes.find(({ key }) => key === request.key)
    if (scope === undefined) continue
    const known = nearest.get(unit)
    if (known === undefined || scope.left < known.left) {
      nearest.set(unit, { unit, limit: request.limit, left: scope.left, resetsAt: scope.resetsAt })
    }
  }
  return [...nearest.values()]
}

/**
 * `x-ratelimit-{limit,remaining,reset}-{requests,tokens}` as OpenAI sends them
 * (https://platform.openai.com/docs/guides/rate-limits#rate-limits-in-headers).
 */
export function* headers(remaining: readonly Remaining[], now: number): Generator<[name: string, value: string]> {
  for (const { unit, limit, left, resetsAt } of remaining) {
    if (unit === 'streams') continue
    yield [`x-ratelimit-limit-${unit}`, String(limit)]
    yield [`x-ratelimit-remaining-${unit}`, String(left)]
    yield [`x-ratelimit-reset-${unit}`, duration((resetsAt ?? now) - now)]
  }
}

/** Formats as `1m0s`, `7.66s` or `20ms`. */
export function duration(ms: number): string {
  const whole = Math.min(Math.max(0, Math.ceil(ms)), MINUTE_MS)
  if (whole < 1000) return `${whole}ms`
  const seconds = whole / 1000
  return seconds < 60
    ? `${Math.round(seconds * 100) / 100}s`
    : `${Math.floor(seconds / 60)}m${Math.round(seconds % 60)}s`
}
