/** The valid stored settings, and the plugin's view of them. */

import { GatewayError } from '../../engine/contract/errors.ts'
import type { SettingsProblem, SettingsSpec } from '../../engine/contract/plugin.ts'
import type { Declaration } from '../../engine/host/declaration.ts'
import type { Fields } from '../../engine/host/paths.ts'
import { deepFreeze } from '../../engine/util/deep-freeze.ts'
import type { Egress } from '../egress/egress.ts'
import { clearText, fieldOf, judge } from './judge.ts'
import { type Effective, type Lower, layered } from './layers.ts'

export interface State {
  /** Valid PUT values. */
  readonly put: Fields
  readonly effective: Effective
  readonly current: Readonly<Fields>
  readonly problems: readonly SettingsProblem[]
  readonly warnings: readonly string[]
}

export interface Ground {
  readonly declaration: Declaration
  readonly egress: Pick<Egress, 'check'>
  readonly eventTypes: ReadonlySet<string>
  readonly lower: Lower
  /** Location of the options in the config. */
  readonly path: string
  /** Throw if the settings are invalid without PUT values. */
  readonly strict: boolean
  /** Secrets cannot be read and nothing is sent, so skip the plugin's own checks. */
  readonly incomplete: boolean
}

/**
 * The effective settings. Omits and reports PUT values that are no longer valid. Omitting a target also omits its
 * stored secrets, which must not go elsewhere.
 */
export async function settle(stored: Fields, ground: Ground): Promise<State> {
  const { declaration, egress, eventTypes, lower } = ground
  const found: SettingsProblem[] = []
  let put = known(declaration, stored, found)
  for (;;) {
    const effective = layered(declaration, put, lower)
    const warned: string[] = []
    const judged = ground.incomplete ? { ...declaration, spec: withoutCheck(declaration.spec) } : declaration
    // Event types selected in environment and config were checked before. Keep those in PUT values even if a plugin is
    // now missing.
    const look = {
      egress,
      eventTypes,
      resolve: false,
      sent: () => false,
      warn: (text: string) => void warned.push(text),
    }
    const problems = await judge(judged, effective.values, look)
    if (problems.length === 0) return stateOf(declaration, put, effective, found, warned)
    const guilty = problems.map(fieldOf).filter((field) => put[field] !== undefined)
    if (guilty.length === 0 && Object.keys(put).length === 0) {
      if (ground.strict) throw unusable(problems, effective, ground)
      return stateOf(declaration, put, effective, [...found, ...problems], warned)
    }
    found.push(...problems)
    put = guilty.length === 0 ? {} : without(declaration, put, guilty)
  }
}

function unusable(
  problems: readonly SettingsProblem[],
  { sources }: Effective,
  { declaration, path }: Ground,
): GatewayError {
  const found = problems.map((problem) => {
    const field = fieldOf(problem)
    const variable = sources[field] === 'env' ? declaration.spec.env?.[field] : undefined
    return `${variable ?? `${path}.${problem.field}`}: ${problem.message}`
  })
  return new GatewayError('GW_CONFIG', found.join('; '))
}

function known(declaration: Declaration, stored: Fields, found: SettingsProblem[]): Fields {
  const put: Fields = {}
  for (const [field, value] of Object.entries(stored)) {
    if (declaration.fields.includes(field)) put[field] = value
    else found.push({ field, message: 'is no longer a setting' })
  }
  return put
}

function without({ secrets, targets }: Declaration, put: Fields, guilty: readonly string[]): Fields {
  const left = { ...put }
  const own = secrets.filter(({ list }) => list === undefined).map(({ field }) => field)
  const moves = targets.some(({ field, list }) => list === undefined && guilty.includes(field))
  for (const field of guilty) {
    // Do not fall back to the environment's secret: it is not meant for a PUT target.
    if (own.includes(field) && !moves && left[field] !== null) left[field] = null
    else delete left[field]
  }
  if (moves) for (const field of own) delete left[field]
  return left
}

/**
 * Keeps invalid values in the store until the next PUT, because another version may read them. Keeps secrets only with
 * their target.
 */
export function leftOut({ secrets, targets, fields }: Declaration, stored: Fields, used: Fields, body: Fields): Fields {
  const moves = targets.some(({ field }) => field in body)
  const secret = new Set(secrets.map(({ field }) => field))
  const left = Object.entries(stored).filter(
    ([field]) =>
      used[field] === undefined && !(field in body) && !(moves && secret.has(field) && fields.includes(field)),
  )
  return Object.fromEntries(left)
}

function stateOf(
  declaration: Declaration,
  put: Fields,
  effective: Effective,
  problems: readonly SettingsProblem[],
  warned: readonly string[],
): State {
  const { values } = effective
  const current = deepFreeze(structuredClone(values))
  return { put, effective, current, problems, warnings: [...clearText(declaration, values), ...warned] }
}

const withoutCheck = ({ check: _, ...spec }: SettingsSpec): SettingsSpec => spec

/** The problem of a field with unreadable secrets. */
export const unreadableProblem = (field: string): SettingsProblem => ({
  field,
  message: 'cannot be read, since the secret of the deployment changed: send it again, or null',
})

export const isOld = (problem: SettingsProblem, before: readonly SettingsProblem[]): boolean =>
  before.some(({ field, message }) => field === problem.field && message === problem.message)
