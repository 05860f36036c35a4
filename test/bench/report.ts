/** Turns samples into ratios, verdicts and a table. */
import type { Limit, Sample, Scenario } from './scenarios/scenario.ts'
import { median, type Spread, spread } from './stats.ts'
import type { Subject } from './targets.ts'

/** Samples of a scenario by subject, one for each round; `undefined` where a subject failed in that round. */
export interface Rounds {
  reference: string
  samples: Map<string, (Sample | undefined)[]>
  errors: Map<string, string>
}

export type Verdict = 'pass' | 'FAIL' | 'error' | ''

export interface SubjectResult {
  subject: string
  value: Spread
  /** To the reference in the same round; absent for the reference itself. */
  ratio?: Spread
  ratios: number[]
  values: number[]
  details: Record<string, number>
  limit?: Limit
  verdict: Verdict
  error?: string
}

export interface ScenarioResult {
  name: string
  title: string
  unit: string
  rounds: number
  subjects: SubjectResult[]
}

export const DIRECT = 'direct'

export function evaluate(scenario: Scenario, subjects: readonly Subject[], rounds: Rounds): ScenarioResult {
  const names = [...(scenario.direct ? [DIRECT] : []), ...subjects.map((one) => one.name)]
  return {
    name: scenario.name,
    title: scenario.title,
    unit: scenario.unit,
    rounds: rounds.samples.get(rounds.reference)?.length ?? 0,
    subjects: names.map((name) => {
      const column = subjects.find((one) => one.name === name)?.limits
      return judge(name, rounds, column === undefined ? undefined : scenario.limits[column])
    }),
  }
}

function judge(name: string, rounds: Rounds, limit: Limit | undefined): SubjectResult {
  const samples = rounds.samples.get(name)?.filter((one) => one !== undefined) ?? []
  const values = samples.map((one) => one.value)
  const ratios = name === rounds.reference || name === DIRECT ? [] : ratiosOf(name, rounds)
  const result: SubjectResult = {
    subject: name,
    value: spread(values),
    ...(ratios.length > 0 ? { ratio: spread(ratios) } : {}),
    ratios,
    values,
    details: medians(samples),
    ...(limit === undefined ? {} : { limit }),
    verdict: '',
  }
  const error = rounds.errors.get(name)
  if (error !== undefined) return { ...result, verdict: 'error', error }
  return { ...result, verdict: verdictOf(result, limit) }
}

/** With a direct way in the rounds, what each subject adds to it is compared; else the values themselves. */
function ratiosOf(name: string, rounds: Rounds): number[] {
  const own = rounds.samples.get(name) ?? []
  const reference = rounds.samples.get(rounds.reference) ?? []
  const direct = rounds.samples.get(DIRECT)
  return own.flatMap((sample, i) => {
    const base = reference[i]
    if (sample === undefined || base === undefined) return []
    const nothing = direct?.[i]?.value ?? 0
    return [(sample.value - nothing) / (base.value - nothing)]
  })
}

function medians(samples: readonly Sample[]): Record<string, number> {
  const names = Object.keys(samples[0]?.details ?? {})
  return Object.fromEntries(names.map((name) => [name, median(samples.map((one) => one.details[name] ?? Number.NaN))]))
}

function verdictOf(result: SubjectResult, limit: Limit | undefined): Verdict {
  if (limit === undefined || (limit.ratio === undefined && limit.details === undefined)) return ''
  const ratioOk = limit.ratio === undefined || (result.ratio?.median ?? Number.NaN) <= limit.ratio
  const detailsOk = Object.entries(limit.details ?? {}).every(([name, bound]) => (result.details[name] ?? 1e9) <= bound)
  return ratioOk && detailsOk ? 'pass' : 'FAIL'
}

function figure(value: number): string {
  if (Number.isNaN(value)) return '-'
  return Math.abs(value) >= 100 ? value.toFixed(0) : Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2)
}

function limitText(limit: Limit | undefined): string {
  const parts = Object.entries(limit?.details ?? {}).map(([name, bound]) => `${name} ≤ ${bound}`)
  if (limit?.ratio !== undefined) parts.unshift(`≤ ${limit.ratio.toFixed(1)}`)
  return parts.join(', ')
}

const COLUMNS = ['subject', 'median', 'min–max', 'ratio', 'IQR', 'min–max', 'limit', 'verdict', 'beside']

function row(result: SubjectResult): string[] {
  const { value, ratio, details } = result
  return [
    result.subject,
    figure(value.median),
    Number.isNaN(value.min) ? '' : `${figure(value.min)}–${figure(value.max)}`,
    ratio === undefined ? '' : ratio.median.toFixed(2),
    ratio === undefined ? '' : `${ratio.q1.toFixed(2)}–${ratio.q3.toFixed(2)}`,
    ratio === undefined ? '' : `${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)}`,
    limitText(result.limit),
    result.verdict,
    Object.entries(details)
      .map(([name, of]) => `${name} ${figure(of)}`)
      .join(', '),
  ]
}

/** One Markdown table for a scenario, with the errors of subjects below it. */
export function table(result: ScenarioResult): string {
  const rows = [COLUMNS, ...result.subjects.map(row)]
  const widths = COLUMNS.map((_, i) => Math.max(3, ...rows.map((cells) => cells[i]!.length)))
  const line = (cells: string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  const errors = result.subjects.flatMap(({ subject, error }) => (error === undefined ? [] : [`${subject}: ${error}`]))
  const title = `### ${result.name}: ${result.title} (${result.unit}, ${result.rounds} rounds)`
  return [title, '', line(rows[0]!), rule, ...rows.slice(1).map(line), ...errors, ''].join('\n')
}
