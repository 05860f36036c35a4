import { defineFact } from './plugin.ts'

/** Effective flags of the request by name, after aliases, key defaults and tightening. The mode is one of them. */
export const flagsFact = defineFact<ReadonlyMap<string, string | number>>('flags')

export interface Session {
  readonly id: string
  /** Zero-based position of the turn within the session. */
  readonly turnIndex: number
}
/** Which conversation the request belongs to. */
export const sessionFact = defineFact<Session>('session')
