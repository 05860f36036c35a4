/** The command line of `npm run bench`. */
import { parseArgs } from 'node:util'
import { SCENARIOS } from './scenarios/index.ts'
import type { Scenario } from './scenarios/scenario.ts'
import { parseSubjects, type Subject } from './targets.ts'

export const HELP = `Usage: npm run bench -- [options]

  --quick           3 pairs and short samples, about a minute: to see a direction, not to judge
  --scenario NAME   only this one; may be repeated (${SCENARIOS.map((one) => one.name).join(', ')})
  --subjects LIST   default passthrough,none,default,rules; also with:NAME+NAME, config:FILE, none@DIR (code of another checkout), passthrough again (A/A)
  --pairs N         rounds of each scenario instead of its own number
  --minutes N       time for everything, default 20; scenarios share it and stop early when theirs is used up
  --seed N          order of the subjects within the rounds
  --json FILE       every sample, for a later comparison
  --profile DIR     CPU profiles of the subjects, to open in a browser's developer tools; figures are not comparable
  --check           exit code 1 when a limit is missed (a failed measurement always gives 1)
`

export interface Options {
  quick: boolean
  scenarios: readonly Scenario[]
  subjects: Subject[]
  pairs: number | undefined
  minutes: number
  seed: number
  json: string | undefined
  profile: string | undefined
  check: boolean
}

function positive(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (Number.isFinite(value) && value > 0) return value
  throw new Error(`--${name} must be a positive number, not "${text}"`)
}

/** Undefined when only help was asked for. */
export function readOptions(): Options | undefined {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      scenario: { type: 'string', multiple: true },
      subjects: { type: 'string' },
      pairs: { type: 'string' },
      minutes: { type: 'string' },
      seed: { type: 'string' },
      json: { type: 'string' },
      profile: { type: 'string' },
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  const names = values.scenario?.flatMap((text) => text.split(','))
  const unknown = names?.find((name) => !SCENARIOS.some((one) => one.name === name))
  if (unknown !== undefined) throw new Error(`unknown scenario "${unknown}"\n\n${HELP}`)
  const subjects = parseSubjects(values.subjects ?? 'passthrough,none,default,rules')
  if (!subjects[0]!.name.startsWith('passthrough')) subjects.unshift(...parseSubjects('passthrough'))
  return {
    quick: values.quick,
    scenarios: SCENARIOS.filter((one) => names?.includes(one.name) ?? true),
    subjects,
    pairs: positive('pairs', values.pairs),
    minutes: positive('minutes', values.minutes) ?? 20,
    seed: positive('seed', values.seed) ?? 1,
    json: values.json,
    profile: values.profile,
    check: values.check,
  }
}
