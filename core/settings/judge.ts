/** Whether settings hold: by their schema as a whole, and by what the plugin checks itself. */

import { refusal } from '../egress/category.ts'
import type { Egress } from '../egress/egress.ts'
import { GatewayError } from '../errors.ts'
import { checkAgainst } from '../options.ts'
import type { Json, SettingsProblem, SettingsTools } from '../plugin.ts'
import type { Declaration } from './declaration.ts'
import type { Fields } from './paths.ts'

/**
 * Everything wrong with effective settings; fills the defaults inside them.
 *
 * @param resolve looks the names of urls up, as is done when settings are saved
 */
export async function judge(
  { spec }: Declaration,
  values: Fields,
  egress: Pick<Egress, 'check'>,
  resolve: boolean,
): Promise<SettingsProblem[]> {
  const { problems } = checkAgainst(spec.schema, values)
  if (problems.length > 0) return problems.map(({ path, message }) => ({ field: path || missing(message), message }))
  return spec.check === undefined ? [] : [...(await spec.check(values as never, toolsOf(egress, resolve)))]
}

const missing = (message: string): string => /^needs "([^"]+)"/.exec(message)?.[1] ?? ''

export function toolsOf(egress: Pick<Egress, 'check'>, resolve: boolean): SettingsTools {
  return {
    async checkUrl(field, url) {
      const category = await egress.check(url, { resolve })
      if (category === undefined) return undefined
      const message = refusal(category)
      if (category === 'malformed' || category === 'dns') return { field, message, code: 'validation_error' }
      return { field, message, code: 'ssrf_blocked' }
    },
  }
}

/** One answer for all problems, which names each field. */
export function rejected(problems: readonly SettingsProblem[]): GatewayError {
  const blocked = problems.find(({ code }) => code === 'ssrf_blocked')
  const told = problems.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`))
  const [first] = problems
  const param = (blocked ?? first)?.field
  const options = param === undefined || param === '' ? {} : { param }
  const code = blocked === undefined ? 'GW_VALIDATION' : 'GW_SSRF_BLOCKED'
  return new GatewayError(code, `The settings are not valid: ${told.join('; ')}.`, options)
}

/** The field that a problem is about, without what is inside it. */
export const fieldOf = ({ field }: SettingsProblem): string => /^[^.[]*/.exec(field)?.[0] ?? ''

/** Urls that send secrets in clear. */
export function clearText({ secrets, targets }: Declaration, values: Fields): string[] {
  const hasSecret = secrets.some(({ field, text }) => text === field && typeof values[field] === 'string')
  if (!hasSecret) return []
  const open = targets.filter(({ text, field }) => text === field && isClear(values[field]))
  return open.map(({ field }) => `${field} is http: secrets are sent in clear. Use https.`)
}

const isClear = (value: Json | undefined): boolean => typeof value === 'string' && /^http:/i.test(value)
