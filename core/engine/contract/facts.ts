import { type CallerLimit, defineFact } from './plugin.ts'

/** Effective flags of the request by name, including the mode, after aliases, key defaults and tightening. */
export const flagsFact = defineFact<ReadonlyMap<string, string | number>>('flags')

export interface Session {
  readonly id: string
  /** Zero-based position of the turn within the session. */
  readonly turnIndex: number
}
/** The conversation of the request. */
export const sessionFact = defineFact<Session>('session')

/**
 * Limits of the caller, for a plugin that enforces them: the same array for the same caller while nothing changes. Make
 * them readable for lists with `services.offerLimits`.
 */
export const limitsFact = defineFact<readonly CallerLimit[]>('limits')
