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
 * `flag` is the effective value of the `secrets` flag. Tighter than the configured action it lifts every type to itself;
 * looser (which only callers with that permission can ask for) it lowers every type.
 */
export function decide(
  options: Options,
  own: ReadonlyMap<string, Decision>,
  direction: Direction,
  flag: string | number | undefined,
) {
  const base: Decision = direction === 'input' ? options.input : options.output
  if (!isDecision(flag)) return (type: string): Decision => own.get(type) ?? base
  const loosens = RANK[flag] < RANK[base]
  return (type: string): Decision => {
    const action = own.get(type) ?? base
    // A type that the operator switched off stays off: it is no secret for this deployment.
    if (action === 'off') return 'off'
    return RANK[flag] < RANK[action] === loosens ? flag : action
  }
}
