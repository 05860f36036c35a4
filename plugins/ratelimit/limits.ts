import { type Exchange, GatewayError, type Options, type ScopeRequest } from 'governed-gateway'
import { concerns } from 'governed-gateway/kit'
import type { schema } from './schema.ts'

export type Unit = 'requests' | 'tokens' | 'streams'
type Limit = NonNullable<Options<typeof schema>['limits']>[number]

/** One count that a request must fit. */
export interface Count {
  readonly limit: string
  readonly scope: Limit['scope']
  readonly unit: Unit
  readonly request: ScopeRequest
}

export const MINUTE_MS = 60_000
/** When a use has left the window for certain: windows move in slices of a sixtieth. */
export const LONGEST_MS = MINUTE_MS + 1_000
const PER_MINUTE = { rolling: MINUTE_MS } as const

/** Which counts a request takes part in. */
export class Limits {
  readonly #limits: readonly (Limit & { readonly name: string })[]
  readonly #completionTokens: number

  /** Throws when two limits have one name: they would share their counts. */
  constructor(limits: readonly Limit[], completionTokens: number) {
    this.#limits = limits.map((limit, i) => ({ ...limit, name: limit.name ?? `limit_${i + 1}` }))
    this.#completionTokens = completionTokens
    const names = this.#limits.map(({ name }) => name)
    const twice = names.findIndex((name, i) => names.indexOf(name) !== i)
    if (twice < 0) return
    const problem = `two of the limits are named '${names[twice]}'. Give each its own name.`
    throw new GatewayError('GW_CONFIG', `options.limits[${twice}].name: ${problem}`)
  }

  for(x: Exchange): Count[] {
    const counts: Count[] = []
    let tokens: number | undefined
    for (const limit of this.#limits) {
      const subject = subjectOf(limit.scope, x)
      if (subject === undefined || !concerns(limit, x)) continue
      const add = (unit: Unit, most: number | undefined, amount: number) => {
        if (most === undefined) return
        const key = `${limit.name}/${unit}/${subject}`
        counts.push({ limit: limit.name, scope: limit.scope, unit, request: requestFor(unit, key, most, amount) })
      }
      add('requests', limit.requests_per_minute, 1)
      if (limit.tokens_per_minute !== undefined) {
        tokens ??= estimate(x, this.#completionTokens)
        add('tokens', limit.tokens_per_minute, tokens)
      }
      if (x.request.stream) add('streams', limit.concurrent_streams, 1)
    }
    return counts
  }
}

function requestFor(unit: Unit, key: string, limit: number, amount: number): ScopeRequest {
  // A stream whose process died is over, so nothing is due for it.
  if (unit === 'streams') return { key, window: 'total', limit, amount, due: 0 }
  // What is larger than the limit would never fit: it takes the whole of it.
  return { key, window: PER_MINUTE, limit, amount: Math.min(amount, limit) }
}

function subjectOf(scope: Limit['scope'], { caller, request }: Exchange): string | undefined {
  if (scope === 'key') return caller.keyId
  if (scope === 'team') return caller.team
  // The client's own text: short, and without what no key of the store may hold.
  if (scope === 'model')
    return (
      request.model
        .slice(0, 256)
        .replace(/\p{Cc}/gu, '?')
        .toWellFormed() || '?'
    )
  return 'all'
}

/** As OpenAI does, by length: four bytes of UTF-8 are about one token. Replaced by the real count when it is known. */
function estimate({ request }: Exchange, completionTokens: number): number {
  let bytes = 0
  for (const { text, reading } of request.views) if (reading === undefined) bytes += Buffer.byteLength(text)
  return Math.ceil(bytes / 4) + (request.maxOutputTokens ?? completionTokens) * request.choices
}
