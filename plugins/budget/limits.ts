import { createHash } from 'node:crypto'
import { type Caller, type CallerLimit, GatewayError, type Options, type Window } from 'governed-gateway'
import { limitsModel, matchesGlob } from 'governed-gateway/kit'
import type { schema } from './schema.ts'

export type BudgetOptions = Options<typeof schema>
type LimitOptions = BudgetOptions['limits'][number]
export type Unit = LimitOptions['unit']

/** Micro-dollars, so that every amount is a whole number. */
export const MICRO = 1_000_000
const UNITS_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const LONGEST_MS = 400 * 86_400_000

/** A route may rename the requested model. Limits match both names, so that no alias avoids them. */
export interface ModelNames {
  readonly asked: string
  readonly sent: string
}

export class Limit {
  readonly id: string
  readonly scope: LimitOptions['scope']
  readonly unit: Unit
  /** In requests, tokens or micro-dollars. */
  readonly amount: number
  /** It came with the caller, not from the config. */
  readonly own: CallerLimit | undefined
  readonly window: Window
  /** Name for display: `month`, `rolling 24h`. */
  readonly windowName: string
  readonly #match: readonly string[] | undefined
  readonly #init: { readonly options: LimitOptions; readonly path: string; readonly own: CallerLimit | undefined }

  constructor(options: LimitOptions, path: string, own?: CallerLimit, extra = 0) {
    const { scope, unit, limit, window, match } = options
    const rolling = typeof window === 'string' ? undefined : window.rolling
    this.scope = scope
    this.unit = unit
    this.amount = unit === 'usd' ? Math.round(limit * MICRO) : limit
    this.windowName = typeof window === 'string' ? window : `rolling ${rolling}`
    this.window = typeof window === 'string' ? { calendar: window } : { rolling: milliseconds(window.rolling, path) }
    this.id = options.id ?? `${scope}_${unit}_${rolling ?? (window as string)}`
    this.#match = match
    this.own = own
    this.#init = { options, path, own }
    if (!Number.isInteger(this.amount)) throw wrong(`${path}.limit`, `must be a whole number of ${unit}`)
    if (this.amount === 0 && limit > 0) throw wrong(`${path}.limit`, 'must be 0 or at least 0.000001 usd')
    if (!Number.isSafeInteger(this.amount)) throw wrong(`${path}.limit`, 'must be at most 9000000000 usd')
    this.amount += extra
    if (scope === 'global' && match !== undefined) throw wrong(`${path}.match`, 'does not go with scope global')
  }

  /** Whose count a request belongs to; undefined if the limit does not apply. */
  subject(caller: Caller, model: ModelNames): string | undefined {
    const { scope } = this
    if (scope === 'model') return this.#matches(model.sent) ? model.sent : this.#asked(model)
    const subject = scope === 'key' ? caller.keyId : scope === 'team' ? caller.team : 'global'
    return subject !== undefined && this.#matches(subject) ? subject : undefined
  }

  /** Whether it may count this key, team or model. */
  covers(subject: string): boolean {
    return this.scope === 'global' ? subject === 'global' : this.#matches(subject)
  }

  /** The same limit with a larger amount. */
  raised(by: number): Limit {
    const { options, path, own } = this.#init
    return new Limit(options, path, own, Math.min(by, Number.MAX_SAFE_INTEGER - this.amount))
  }

  #asked({ asked }: ModelNames): string | undefined {
    return this.#matches(asked) ? asked : undefined
  }

  #matches(subject: string): boolean {
    const matches = this.scope === 'model' ? limitsModel : matchesGlob
    return this.#match === undefined || this.#match.some((glob) => matches(glob, subject))
  }

  /** Amount for display; dollars with fractions. */
  shown(amount: number): number {
    return this.unit === 'usd' ? amount / MICRO : amount
  }
}

/** Limits of one caller. No id of the config has a colon. */
export function limitsOfCaller(own: readonly CallerLimit[]): Limit[] {
  return own.map((limit) => ownLimit(limit))
}

/** A limit of a caller, as the fact or the list of meters has it. */
export function ownLimit(own: CallerLimit): Limit {
  const { scope, unit, window } = own
  const name = typeof window === 'string' ? window : window.rolling
  return new Limit({ ...own, id: `${scope}:${unit}_${name}` } as LimitOptions, 'limit', own)
}

/** @throws one GatewayError that lists all problems, one per line */
export function readLimits(options: BudgetOptions): Limit[] {
  const limits = new Map<string, Limit>()
  const problems: string[] = []
  for (const [i, one] of options.limits.entries()) {
    try {
      const limit = new Limit(one, `options.limits[${i}]`)
      const { id } = limit
      if (limits.has(id)) throw wrong(`options.limits[${i}].id`, `'${id}' is taken by an earlier limit. Give it an id`)
      limits.set(id, limit)
    } catch (error) {
      problems.push((error as Error).message)
    }
  }
  if (problems.length > 0) throw new GatewayError('GW_CONFIG', problems.join('\n'))
  return [...limits.values()]
}

/**
 * Store key for a limit and subject. Model names come from clients: all cases of letters count as one, and names that a
 * key cannot contain are hashed.
 */
export function meterKey(limit: Limit, subject: string): string {
  const name = limit.scope === 'model' ? subject.toLowerCase() : subject
  const plain = name.length <= 256 && !/\p{Cc}/u.test(name) && name.isWellFormed()
  return `${limit.id}/${plain ? name : `#${createHash('sha256').update(name).digest('base64url')}`}`
}

function milliseconds(text: string, path: string): number {
  const ms = Number(text.slice(0, -1)) * (UNITS_MS[text.slice(-1)] as number)
  if (ms > LONGEST_MS) throw wrong(`${path}.window.rolling`, 'must be at most 400d')
  return ms
}

const wrong = (path: string, what: string): GatewayError => new GatewayError('GW_CONFIG', `${path} ${what}.`)
