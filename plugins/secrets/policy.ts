/** Decides what happens to a type of secret in one direction of one exchange. */
import type { Action, Direction } from 'governed-gateway'
import type { Options } from './schema.ts'

export type Decision = Exclude<Action, 'tokenize'> | 'off'

const RANK: Readonly<Record<Decision, number>> = { off: 0, detect: 1, redact: 2, block: 3 }
const isDecision = (value: unknown): value is Decision => typeof value === 'string' && Object.hasOwn(RANK, value)

/** Actions of own patterns count like those under `kinds`. */
export function ownActions(options: Options): ReadonlyMap<string, Decision> {
  const own = new Map<string, Decision>()
  for (const { type, action } of options.patterns) if (action !== undefined) own.set(type, action)
  for (const [type, action] of Object.entries(options.kinds)) own.set(type, action)
  return own
}

/**
 * `flag` is the effective value of the `secrets` flag. The flags plugin measures it against `input`: below that it is a
 * loosening, which the caller's key must allow, and lowers every type in both directions; otherwise it lifts them.
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
    // A type that the operator switched off stays off: it is no secret for this deployment.
    if (action === 'off') return 'off'
    return RANK[flag] < RANK[action] === loosens ? flag : action
  }
}
