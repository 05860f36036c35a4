import { isLevel } from '../levels.ts'
import type { Finding } from '../plugin.ts'
import { contractError, isName, isText } from '../results.ts'
import { didYouMean } from '../suggest.ts'
import { isAction } from './findings.ts'
import type { Reporter } from './inspection.ts'

const MEMBERS: ReadonlySet<string> = new Set<keyof Finding>([
  'type',
  'start',
  'end',
  'level',
  'action',
  'reason',
  'replace',
  'continued',
])

/** Reads each member once. `{ acton: 'block' }` would only count, so a member that is not known is an error. */
export function readFinding({ name }: Reporter, given: Finding): Finding {
  if (typeof given !== 'object' || given === null) throw contractError(`Plugin ${name} reported what is no finding.`)
  for (const member in given) {
    if (MEMBERS.has(member)) continue
    throw contractError(
      `Plugin ${name} reported a finding with a member that is not known.${didYouMean(member, MEMBERS)} It may have ${[...MEMBERS].join(', ')}.`,
    )
  }
  const { type, start, end, level, action, reason, replace, continued } = given
  const wrong = !isName(type)
    ? 'type'
    : action !== undefined && !isAction(action)
      ? 'action'
      : level !== undefined && !isLevel(level)
        ? 'level'
        : replace !== undefined && typeof replace !== 'string' && typeof replace !== 'function'
          ? 'replace'
          : reason !== undefined && !isText(reason)
            ? 'reason'
            : undefined
  if (wrong !== undefined) throw contractError(`Plugin ${name} reported a finding whose ${wrong} is not known.`)
  const finding: Finding = { type, start, end }
  if (level !== undefined) finding.level = level
  if (action !== undefined) finding.action = action
  if (reason !== undefined) finding.reason = reason
  if (replace !== undefined) finding.replace = replace
  if (continued === true) finding.continued = true
  return finding
}
