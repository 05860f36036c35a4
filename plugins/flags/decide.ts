import { type Caller, type FlagSpec, GatewayError, type OptionProblem } from 'governed-gateway'
import { flagProblem, isLooser, parseFlag } from 'governed-gateway/kit'
import type { FlagValues } from './parse.ts'

type Declared = ReadonlyMap<string, FlagSpec>
type Settings = Readonly<Record<string, string | number | boolean>>

/** What is wrong with flags that an operator wrote. */
export const defaultsProblems = (defaults: Settings, flags: Declared): OptionProblem[] =>
  Object.entries(defaults).flatMap(([name, value]) => {
    const message = flagProblem(flags, name, String(value))
    return message === undefined ? [] : [{ option: `defaults.${name}`, message }]
  })

/** Reads flags that an operator wrote. Problems with them were reported before the start. */
export function readSettings(settings: Settings, flags: Declared, path: string): FlagValues {
  const values = new Map<string, string | number>()
  for (const [name, setting] of Object.entries(settings)) {
    const flag = flags.get(name)
    const value = flag === undefined ? undefined : parseFlag(flag, String(setting))
    if (value === undefined) {
      throw new GatewayError('GW_CONFIG', `${path}.${name} ${flagProblem(flags, name, String(setting))}`)
    }
    values.set(name, value)
  }
  return values
}

export interface Decision {
  readonly effective: FlagValues
  /** Pairs that ask for less than the operator set, and may. */
  readonly loosened: readonly string[]
  /** The first pair that asks for less and may not. */
  readonly refused:
    | { readonly name: string; readonly value: string | number; readonly than: string | number }
    | undefined
}

/** What holds for one request: it may tighten as it likes, and loosen only what its key allows. */
export function decide(asked: FlagValues, operator: FlagValues, flags: Declared, caller: Caller): Decision {
  const effective = new Map(operator)
  const loosened: string[] = []
  for (const [name, value] of asked) {
    const flag = flags.get(name) as FlagSpec
    const than = operator.get(name) ?? standing(flag)
    if (than !== undefined && isLooser(flag, value, than)) {
      if (!mayLoosen(caller.flagsAllow, name, value, flag))
        return { effective, loosened, refused: { name, value, than } }
      loosened.push(`${name}=${value}`)
    }
    effective.set(name, value)
  }
  return { effective, loosened, refused: undefined }
}

/** What a flag that says nothing of it must be taken for: the tightest of its words. A mere number is a cap, or none. */
const standing = ({ default: value, values }: FlagSpec): string | number | undefined =>
  value ?? (values === 'integer' ? undefined : values.at(-1))

/** `flags_allow` of a key names the loosenings one by one, `mode=monitor`, or all of a flag, `budget=*`. */
function mayLoosen(allow: readonly string[], name: string, value: string | number, flag: FlagSpec): boolean {
  return allow.some((entry) => {
    const [flagName, allowed = ''] = entry.split('=')
    return flagName === name && (allowed === '*' || parseFlag(flag, allowed) === value)
  })
}
