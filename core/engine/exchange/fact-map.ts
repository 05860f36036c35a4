import { flagsFact, type Session, sessionFact } from '../contract/facts.ts'
import type { Fact, Facts } from '../contract/plugin.ts'
import { contractError } from '../contract/results.ts'

/** Typed data that plugins share during one exchange. Created on first use. */
export class ExchangeFacts implements Facts {
  #values: Map<string, unknown> | undefined = undefined

  get<T>(fact: Fact<T>): T | undefined {
    return this.#values?.get(fact.key) as T | undefined
  }

  set<T>(fact: Fact<T>, value: T): void {
    if (typeof fact?.key !== 'string') throw contractError('facts.set() takes a fact that defineFact() made.')
    const read = READ_BY_THE_CORE.get(fact.key)
    this.#values ??= new Map()
    this.#values.set(fact.key, read === undefined ? value : read(value))
  }
}

const MODES: readonly unknown[] = ['off', 'monitor', 'enforce', 'strict']

/** Facts that the core reads are validated and copied when set. */
const READ_BY_THE_CORE: ReadonlyMap<string, (value: unknown) => unknown> = new Map<string, (value: unknown) => unknown>(
  [
    [flagsFact.key, readFlags],
    [sessionFact.key, readSession],
  ],
)

function readFlags(value: unknown): ReadonlyMap<string, string | number> {
  const flags = value instanceof Map ? new Map<unknown, unknown>(value) : undefined
  if (flags === undefined || [...flags].some(([name, set]) => typeof name !== 'string' || !isFlagValue(set))) {
    throw contractError(`The fact '${flagsFact.key}' is a map of strings and numbers by name.`)
  }
  if (flags.has('mode') && !MODES.includes(flags.get('mode'))) {
    throw contractError(`The fact '${flagsFact.key}' has an unknown mode.`)
  }
  return flags as Map<string, string | number>
}

const isFlagValue = (value: unknown): boolean => typeof value === 'string' || Number.isFinite(value)

function readSession(value: unknown): Session {
  const { id, turnIndex } = (value ?? {}) as Partial<Session>
  // The id becomes a header.
  if (typeof id === 'string' && /^[\x21-\x7e]{1,256}$/.test(id) && Number.isSafeInteger(turnIndex)) {
    return { id, turnIndex: turnIndex as number }
  }
  throw contractError(`The fact '${sessionFact.key}' is { id, turnIndex }: printable ASCII, and a whole number.`)
}
