/** Validates settings by their schema and by the plugin's own checks. */

import { checkAgainst } from '../../engine/config/validate.ts'
import { GatewayError } from '../../engine/contract/errors.ts'
import type { Json, SettingsProblem, SettingsTools } from '../../engine/contract/plugin.ts'
import { refusal } from '../../engine/egress/category.ts'
import { kindOfName, readTarget } from '../../engine/egress/target.ts'
import { eventTypeProblem } from '../../engine/events/catalogue/selection.ts'
import type { Declaration } from '../../engine/host/declaration.ts'
import type { Fields } from '../../engine/host/paths.ts'
import { sentence } from '../../engine/util/sentence.ts'
import type { Egress } from '../egress/egress.ts'

/** Extent of the checks. Saving resolves the host names of urls; failed look-ups are warnings. */
export interface Look {
  readonly egress: Pick<Egress, 'check'>
  readonly resolve: boolean
  /** All known event types. */
  readonly eventTypes: ReadonlySet<string>
  /** Fields in which an unknown event type is a problem; elsewhere it is a warning. Default all. */
  readonly sent?: (field: string) => boolean
  warn?(warning: string): void
}

/** All problems of the effective settings; fills in defaults. */
export async function judge({ spec }: Declaration, values: Fields, look: Look): Promise<SettingsProblem[]> {
  const { problems } = checkAgainst(spec.schema, values)
  if (problems.length > 0) return problems.map(({ path, message }) => ({ field: path || missing(message), message }))
  if (spec.check === undefined) return []
  try {
    return [...(await spec.check(values as never, toolsOf(look)))]
  } catch (cause) {
    throw new GatewayError('GW_PLUGIN_CONTRACT', `The check of the settings at ${spec.path} failed.`, { cause })
  }
}

const missing = (message: string): string => /^needs "([^"]+)"/.exec(message)?.[1] ?? ''

const OPENABLE: ReadonlySet<string> = new Set(['private', 'loopback', 'hostname'])

const isMetadata = (url: string): boolean => {
  const target = readTarget(url)
  return typeof target === 'object' && kindOfName(target.host) === 'metadata'
}

export function toolsOf({ egress, resolve, warn, eventTypes, sent = () => true }: Look): SettingsTools {
  return {
    checkEventTypes(field, types) {
      const problems = types.flatMap((type, i) => {
        const message = eventTypeProblem(type, eventTypes)
        return message === undefined ? [] : [{ field: `${field}[${i}]`, message }]
      })
      if (sent(fieldOf({ field, message: '' }))) return problems
      for (const problem of problems) warn?.(`${problem.field}: ${problem.message}`)
      return []
    },
    async checkUrl(field, url) {
      const category = await egress.check(url, { resolve })
      if (category === undefined) return undefined
      if (category === 'dns') {
        // Only a warning: a broken resolver must not block changes, and every connection checks the resolved address
        // again.
        warn?.(`${field} has a host name that does not resolve now. Nothing is sent until it does.`)
        return undefined
      }
      if (category === 'malformed') return { field, message: refusal(category) }
      const remedy = OPENABLE.has(category) && !isMetadata(url) ? '; egress.allow in the config file may open it' : ''
      return { field, message: `${refusal(category)}${remedy}`, code: 'ssrf_blocked' }
    },
  }
}

/** One error for all problems, naming each field. */
export function rejected(
  problems: readonly SettingsProblem[],
  what: 'settings' | 'options' = 'settings',
): GatewayError {
  const blocked = problems.find(({ code }) => code === 'ssrf_blocked')
  const lines = problems.map(({ field, message }) =>
    (field === '' ? message : `${field}: ${message}`).replace(/\.$/, ''),
  )
  const [first] = problems
  const param = (blocked ?? first)?.field
  const options = param === undefined || param === '' ? {} : { param }
  const code = blocked === undefined ? 'GW_VALIDATION' : 'GW_SSRF_BLOCKED'
  return new GatewayError(code, sentence(`The ${what} are not valid: ${lines.join('; ')}`), options)
}

/** The top-level field of a problem. */
export const fieldOf = ({ field }: SettingsProblem): string => /^[^.[]*/.exec(field)?.[0] ?? ''

/** Urls that send secrets unencrypted. */
export function clearText({ secretsIn, targets }: Declaration, values: Fields): string[] {
  const hasSecret = secretsIn(values).some(({ field, text }) => text === field && typeof values[field] === 'string')
  if (!hasSecret) return []
  const open = targets.filter(({ text, field }) => text === field && isClear(values[field]))
  return open.map(({ field }) => `${field} is http: secrets are sent in clear. Use https.`)
}

const isClear = (value: Json | undefined): boolean => typeof value === 'string' && /^http:/i.test(value)
