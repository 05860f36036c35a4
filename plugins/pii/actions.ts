import type { Action, Direction, Level } from 'governed-gateway'
import type { Options } from './schema.ts'

export type FlagValue = 'off' | Action

/** Loosest first, as in the flag. */
export const FLAG_VALUES = ['off', 'detect', 'tokenize', 'redact', 'block'] as const

const rank = (action: FlagValue): number => FLAG_VALUES.indexOf(action)
const stronger = (a: FlagValue, b: FlagValue): FlagValue => (rank(a) >= rank(b) ? a : b)
const weaker = (a: FlagValue, b: FlagValue): FlagValue => (rank(a) <= rank(b) ? a : b)

/** What a detector brings along, whether ours or the operator's. */
export interface Kind {
  readonly type: string
  readonly level: Level
  readonly action?: Action | undefined
  /** Never rewritten unless `types` says so for it. */
  readonly advisory?: true
}

export interface Treatment {
  readonly action: Action
  readonly level: Level
}

/** What to do with each type in one direction under one value of the flag; a type that is absent passes unseen. */
export type Treatments = ReadonlyMap<string, Treatment>

/**
 * A flag tightens or loosens. It loosens only when it is below `action`, the value that the flags plugin compares it
 * with: then the operator granted it, and it lowers what is above it. Any other value raises what is below it, so that a
 * direction or a type that the operator set tighter stays so.
 */
export function treatments(
  options: Options,
  kinds: readonly Kind[],
  direction: Direction,
  flag: FlagValue | undefined,
): Treatments {
  const base = options[direction].action ?? options.action
  const result = new Map<string, Treatment>()
  for (const kind of kinds) {
    const own = options.types[kind.type]
    if (own?.enabled === false) continue
    const advisory = kind.advisory === true && own?.action === undefined
    const configured =
      advisory && base !== 'off' ? 'detect' : base === 'off' ? 'off' : (own?.action ?? kind.action ?? base)
    const wanted = advisory ? (flag === 'off' ? 'off' : configured) : withFlag(configured, options.action, flag)
    if (wanted === 'off') continue
    const action = wanted === 'tokenize' && direction === 'output' ? 'redact' : wanted
    result.set(kind.type, { action, level: own?.level ?? kind.level })
  }
  return result
}

function withFlag(configured: FlagValue, standing: FlagValue, flag: FlagValue | undefined): FlagValue {
  if (flag === undefined) return configured
  if (flag === 'off') return 'off'
  return rank(flag) >= rank(standing) ? stronger(configured, flag) : weaker(configured, flag)
}
