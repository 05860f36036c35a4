/** Decides the action for a type of secret in one direction of one exchange. */
import type { Action, Direction } from 'governed-gateway'
import type { Options } from './schema.ts'

export type Decision = Exclude<Action, 'tokenize'> | 'off'

const RANK: Readonly<Record<Decision, number>> = { off: 0, detect: 1, redact: 2, block: 3 }
const isDecision = (value: unknown): value is Decision => typeof value === 'string' && Object.hasOwn(RANK, value)

/** Actions of the operator's patterns, as under `kinds`. */
export function ownActions(options: Options): ReadonlyMap<string, Decision> {
  const own = new Map<string, Decision>()
  for (const { type, action } of options.patterns) if (action !== undefined) own.set(type, action)
  for (const [type, action] of Object.entries(options.kinds)) own.set(type, action)
  return own
}

/**
 * @param flag effective value of the `secrets` flag. The flags plugin compares it with `input`. Below it, the flag
 * loosens: the caller's key must allow this, and it lowers every type in both directions. Otherwise it raises them.
 */
export function decide(
  options: Options,
  own: ReadonlyMap<string, Decision>,
  direction: Direction,
  flag: string | number | undefined,
): (type: string) => Decision {
  const base: Decision = options[direction]
  if (!isDecision(flag)) return (type) => own.get(type) ?? base
  const loosens = RANK[flag] < RANK[options.input]
  return (type) => {
    const action = own.get(type) ?? base
    // The operator switched this type off, so no flag switches it on.
    if (action === 'off') return 'off'
    return RANK[flag] < RANK[action] === loosens ? flag : action
  }
}
