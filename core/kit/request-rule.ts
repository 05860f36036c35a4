import type { CheckTools, Exchange, OptionProblem } from '../engine/contract/plugin.ts'
import { matchesGlob } from '../engine/util/glob.ts'
import { unknownName } from './names.ts'

/** What a rule says about who asks for what; see `requestRuleProperties`. All that is given must hold. */
export interface RequestRuleOptions {
  readonly keys?: readonly string[]
  readonly teams?: readonly string[]
  readonly models?: readonly string[]
}

/** Properties of a JSON Schema for `RequestRuleOptions`, for plugins that take such rules. */
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
    description: 'Only requests for a model that one of these globs matches, such as gpt-4*. Default all.',
    items: { type: 'string', format: 'glob' },
    minItems: 1,
  },
} as const

/** Whether a rule concerns this request. */
export function concerns(
  { keys, teams, models }: RequestRuleOptions,
  x: Pick<Exchange, 'caller' | 'request'>,
): boolean {
  if (keys !== undefined && !keys.includes(x.caller.keyId)) return false
  if (teams !== undefined && (x.caller.team === undefined || !teams.includes(x.caller.team))) return false
  return models === undefined || models.some((glob) => matchesGlob(glob, x.request.model))
}

/** For `check` of a plugin with such rules in the option `list`: warnings for keys and teams that the config does not have. */
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
