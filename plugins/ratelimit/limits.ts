import { type Exchange, GatewayError, type Options, type ScopeRequest } from 'governed-gateway'
import { concerns, sumOfPrompt } from 'governed-gateway/kit'
import type { schema } from './schema.ts'

export type Unit = 'requests' | 'tokens' | 'streams'
type Limit = NonNullable<Options<typeof schema>['limits']>[number]

/** One count with its limit. */
export interface Count {
  readonly limit: string
  readonly scope: Limit['scope']
  readonly unit: Unit
  readonly request: ScopeRequest
}

export const MINUTE_MS = 60_000
/** Time until a use has certainly left the window: windows move in slices of 1/60. */
export const MAX_WAIT_MS = MINUTE_MS + 1_000
const PER_MINUTE = { rolling: MINUTE_MS } as const

export class Limits {
  readonly #limits: readonly (Limit & { readonly name: string })[]
  readonly #completionTokens: number

  /** @throws GatewayError GW_CONFIG if two limits have the same name, because they would share counts */
  constructor(limits: readonly Limit[], completionTokens: number) {
    this.#limits = limits.map((limit, i) => ({ ...limit, name: limit.name ?? `limit_${i + 1}` }))
    this.#completionTokens = completionTokens
    const names = this.#limits.map(({ name }) => name)
    const duplicate = names.findIndex((name, i) => names.indexOf(name) !== i)
    if (duplicate < 0) return
    const problem = `two of the limits are named '${names[duplicate]}'. Give each its own name.`
    throw new GatewayError('GW_CONFIG', `options.limits[${duplicate}].name: ${problem}`)
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
      if (limit.tokens_per_minute !== undefined && !x.request.stored) {
        tokens ??= estimate(x, this.#completionTokens)
        add('tokens', limit.tokens_per_minute, tokens)
      }
      if (x.request.stream) add('streams', limit.concurrent_streams, 1)
    }
    return counts
  }
}

function requestFor(unit: Unit, key: string, limit: number, amount: number): ScopeRequest {
  // If its process dies, a stream has ended, so nothing is due.
  if (unit === 'streams') return { key, window: 'total', limit, amount, due: 0 }
  // A larger amount would never fit, so it takes the whole limit.
  return { key, window: PER_MINUTE, limit, amount: Math.min(amount, limit) }
}

function subjectOf(scope: Limit['scope'], { caller, request }: Exchange): string | undefined {
  if (scope === 'key') return caller.keyId
  if (scope === 'team') return caller.team
  // The client's own text: shorten it, ignore case, and replace characters that store keys may not contain.
  if (scope === 'model')
    return (
      request.model
        .slice(0, 256)
        .toLowerCase()
        .replace(/\p{Cc}/gu, '?')
        .toWellFormed() || '?'
    )
  return 'all'
}

/** Estimates tokens from length, as OpenAI does: four bytes of UTF-8 are about one token. */
function estimate({ request }: Exchange, completionTokens: number): number {
  const bytes = sumOfPrompt(request.prompt, 'bytes', ({ texts }) => {
    let sum = 0
    for (const text of texts) sum += Buffer.byteLength(text)
    return sum
  })
  return Math.ceil(bytes / 4) + (request.maxOutputTokens ?? completionTokens) * request.choices
}
