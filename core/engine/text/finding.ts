import { isLevel } from '../contract/labels.ts'
import type { Finding } from '../contract/plugin.ts'
import { contractError, isText } from '../contract/results.ts'
import { didYouMean } from '../util/suggest.ts'
import { isAction } from './findings.ts'
import type { Reporter } from './inspection.ts'

/** A record of every member: the compiler reports a new contract member that is missing here. */
const KNOWN: Readonly<Record<keyof Finding, true>> = {
  type: true,
  start: true,
  end: true,
  level: true,
  action: true,
  reason: true,
  score: true,
  continued: true,
  replace: true,
}
/** It is told in answers, events and placeholders, so a found value must not be one. */
const TYPE = /^[a-z][a-z0-9_]{0,127}$/
const MEMBERS: ReadonlySet<string> = new Set(Object.keys(KNOWN))

/** Reads each member once. Rejects unknown members: a typo such as `{ acton: 'block' }` would otherwise only count. */
export function readFinding({ name }: Reporter, given: Finding): Finding {
  if (typeof given !== 'object' || given === null)
    throw contractError(`Plugin ${name} reported something that is not a finding.`)
  for (const member in given) {
    if (MEMBERS.has(member)) continue
    throw contractError(
      `Plugin ${name} reported a finding with a member that is not known.${didYouMean(member, MEMBERS)} It may have ${[...MEMBERS].join(', ')}.`,
    )
  }
  const { type, start, end, level, action, reason, score, replace, continued } = given
  if (typeof type !== 'string' || !TYPE.test(type))
    throw contractError(`Plugin ${name} reported a finding whose type is not snake_case of at most 128 characters.`)
  const wrong =
    action !== undefined && !isAction(action)
      ? 'action'
      : level !== undefined && !isLevel(level)
        ? 'level'
        : replace !== undefined && typeof replace !== 'string' && typeof replace !== 'function'
          ? 'replace'
          : reason !== undefined && !isText(reason)
            ? 'reason'
            : score !== undefined && !isScore(score)
              ? 'score'
              : undefined
  if (wrong !== undefined) throw contractError(`Plugin ${name} reported a finding whose ${wrong} is not known.`)
  const finding: Finding = { type, start, end }
  if (level !== undefined) finding.level = level
  if (action !== undefined) finding.action = action
  if (reason !== undefined) finding.reason = reason
  if (score !== undefined) finding.score = score
  if (replace !== undefined) finding.replace = replace
  if (continued === true) finding.continued = true
  return finding
}

const isScore = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 1
