import { GatewayError, type Json, type Route } from 'governed-gateway'
import type { Book } from './book.ts'
import { Figures } from './figures.ts'

const DAY_MS = 86_400_000
const BY = ['day', 'hour', 'key', 'team', 'model'] as const
type By = (typeof BY)[number]
const KNOWN: readonly string[] = ['since', 'until', 'by', 'key', 'team', 'model', 'format']
const FIGURES = 'requests served prompt_tokens completion_tokens usd blocked redacted failed p50_ms p95_ms'.split(' ')

interface Query {
  /** Start of the first day, Unix milliseconds. */
  readonly since: number
  /** Start of the last day. */
  readonly until: number
  readonly by: readonly By[]
  readonly filter: Readonly<Record<'key' | 'team' | 'model', string | null>>
  readonly csv: boolean
}

export const routes = (book: Book, retentionDays: number): readonly Route[] => [
  {
    method: 'GET',
    path: '/api/usage',
    auth: 'admin',
    handle: async ({ query }) => {
      const asked = parse(query, retentionDays)
      await book.takeOver()
      await book.flush()
      const usage = await collect(book, asked)
      if (asked.csv) return { contentType: 'text/csv; charset=utf-8', text: csvOf(usage, asked.by) }
      return { body: { since: dateOf(asked.since), until: dateOf(asked.until), usage } }
    },
  },
]

async function collect(book: Book, { since, until, by, filter }: Query): Promise<Record<string, Json>[]> {
  const groups = new Map<string, { readonly of: Record<string, Json>; readonly figures: Figures }>()
  const add = (of: Record<string, Json>, figures: Figures): void => {
    const name = JSON.stringify(of)
    const known = groups.get(name) ?? { of, figures: new Figures() }
    known.figures.merge(figures)
    groups.set(name, known)
  }
  for (let at = since; at <= until; at += DAY_MS) {
    const { rows, hours } = await book.day(at)
    if (by.includes('hour')) {
      for (const [hour, figures] of hours) add({ hour: new Date(hour).toISOString() }, figures)
      continue
    }
    for (const [name, figures] of rows) {
      const [key = '', team = '', model = ''] = name.split('\n')
      const parts = { day: dateOf(at), key, team: team === '' ? null : team, model }
      const isMeant = (['key', 'team', 'model'] as const).every(
        (one) => filter[one] === null || filter[one] === parts[one],
      )
      if (isMeant) add(Object.fromEntries(by.map((one) => [one, parts[one as 'day']])), figures)
    }
  }
  return [...groups.values()]
    .map(({ of, figures }) => ({ ...of, ...figures.shown() }))
    .sort((a, b) => compare(textOf(a, by), textOf(b, by)))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const textOf = (row: Record<string, Json>, by: readonly By[]): string => by.map((one) => row[one] ?? '').join('\n')

function parse(query: URLSearchParams, retentionDays: number): Query {
  for (const name of query.keys()) {
    if (!KNOWN.includes(name)) throw invalid(name.slice(0, 64), `is unknown. Use ${KNOWN.join(', ')}`)
    if (query.getAll(name).length > 1) throw invalid(name, 'may stand only once')
  }
  const today = startOfDay(Date.now())
  const until = dayOf(query, 'until') ?? today
  const since = dayOf(query, 'since') ?? until - 29 * DAY_MS
  if (since > until) throw invalid('since', 'must not be after until')
  // There are no figures of other days, and each day is a read.
  const last = Math.min(until, today)
  const first = Math.min(last, Math.max(since, today - retentionDays * DAY_MS))
  const by = (query.get('by') ?? 'day').split(',') as By[]
  const unknown = by.find((one) => !BY.includes(one))
  if (unknown !== undefined || new Set(by).size < by.length)
    throw invalid('by', `must be some of ${BY.join(', ')}, separated by commas`)
  const filter = { key: query.get('key'), team: query.get('team'), model: query.get('model') }
  if (by.includes('hour') && (by.length > 1 || Object.values(filter).some((one) => one !== null)))
    throw invalid('by', 'hour gives totals only: it goes with no other group and no filter')
  const format = query.get('format') ?? 'json'
  if (format !== 'json' && format !== 'csv') throw invalid('format', 'must be json or csv')
  return { since: first, until: last, by, filter, csv: format === 'csv' }
}

const startOfDay = (ms: number): number => ms - (ms % DAY_MS)
const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** A date (UTC), or a number of days ago: `7d`. */
function dayOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const [, days] = /^(\d{1,4})d$/.exec(text) ?? []
  if (days !== undefined) return startOfDay(Date.now()) - Number(days) * DAY_MS
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  if (Number.isNaN(ms) || dateOf(ms) !== text)
    throw invalid(name, 'must be a date such as 2027-01-31, or days ago such as 7d')
  return ms
}

const invalid = (param: string, what: string): GatewayError =>
  new GatewayError('GW_VALIDATION', `The query parameter ${param} ${what}.`, { param })

/** RFC 4180. Spreadsheets would run what begins like a formula, also after blanks or in wide letters. */
function csvOf(usage: readonly Record<string, Json>[], by: readonly By[]): string {
  const names = [...by, ...FIGURES]
  const lines = usage.map((row) => names.map((name) => csvCell(row[name] ?? '')).join(','))
  return [names.join(','), ...lines, ''].join('\r\n')
}

export function csvCell(value: Json): string {
  const text =
    typeof value === 'string' && /^[\s\0]*[=+\-@＝＋－＠|]|^[\t\r\n]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
