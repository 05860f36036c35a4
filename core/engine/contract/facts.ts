import { defineFact } from './plugin.ts'

/** Effective flags of the request by name, after aliases, key defaults and tightening. Set by the plugin `flags`. */
export const flagsFact = defineFact<ReadonlyMap<string, string | number>>('flags')

export interface Session {
  readonly id: string
  /** Zero-based position of the turn within the session. */
  readonly turnIndex: number
}
/** Set by the plugin `sessions`. */
export const sessionFact = defineFact<Session>('session')
