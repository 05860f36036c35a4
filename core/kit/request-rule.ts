import type { CheckTools, Exchange, OptionProblem } from '../engine/contract/plugin.ts'
import { limitsModel } from '../engine/util/glob.ts'
import { unknownName } from './names.ts'

/** Conditions on key, team and model; see `requestRuleProperties`. All given conditions must hold. */
export interface RequestRuleOptions {
  readonly keys?: readonly string[]
  readonly teams?: readonly string[]
  readonly models?: readonly string[]
}

/** JSON Schema properties of `RequestRuleOptions`, for plugins with such rules. */
export const requestRuleProperties = {
  keys: {
    type: 'array',
    description: 'Only requests with one of these keys, by id. Default all.',
    items: { type: 'string', minLength: 1 },
    minItems: 1,
  },
  teams: {
    type: 'array',
    description: 'Only requests with a key of one of these teams. Default all.',
    items: { type: 'string', minLength: 1 },
    minItems: 1,
  },
  models: {
    type: 'array',
    description:
      'Only requests for a model that one of these globs matches in any case of letters, such as gpt-4*. Default all.',
    items: { type: 'string', format: 'glob' },
    minItems: 1,
  },
} as const

/** Whether a rule applies to this request. */
export function concerns(
  { keys, teams, models }: RequestRuleOptions,
  x: Pick<Exchange, 'caller' | 'request'>,
): boolean {
  if (keys !== undefined && !keys.includes(x.caller.keyId)) return false
  if (teams !== undefined && (x.caller.team === undefined || !teams.includes(x.caller.team))) return false
  return models === undefined || models.some((glob) => limitsModel(glob, x.request.model))
}

/** For a plugin's `check`: warnings for unknown keys and teams in the rules of option `list`. */
export function requestRuleWarnings(
  list: string,
  rules: readonly RequestRuleOptions[],
  { keys, teams }: Pick<CheckTools, 'keys' | 'teams'>,
): OptionProblem[] {
  return rules.flatMap((rule, i) => [
    ...(rule.keys ?? []).flatMap((name, n) => unknownName(`${list}[${i}].keys[${n}]`, 'key', name, keys)),
    ...(rule.teams ?? []).flatMap((name, n) => unknownName(`${list}[${i}].teams[${n}]`, 'team', name, teams)),
  ])
}
