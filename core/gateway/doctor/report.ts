/** What `doctor` found, and how it is shown. */

type Status = 'ok' | 'info' | 'warning' | 'failure'

export interface Finding {
  readonly area: 'versions' | 'config' | 'listen' | 'upstreams' | 'store' | 'receivers' | 'clock' | 'limits'
  readonly subject: string
  readonly status: Status
  readonly message: string
  /** What to do. */
  readonly advice?: string
}

export interface Report {
  readonly ok: boolean
  readonly version: string
  readonly findings: readonly Finding[]
}

const MARKS: Readonly<Record<Status, string>> = { ok: 'ok  ', info: '    ', warning: 'WARN', failure: 'FAIL' }

export function toText({ findings }: Report): string {
  const width = Math.max(...findings.map(({ subject }) => subject.length))
  const lines: string[] = []
  let area: string | undefined
  for (const finding of findings) {
    if (finding.area !== area) lines.push(...(area === undefined ? [] : ['']), finding.area)
    area = finding.area
    lines.push(`  ${MARKS[finding.status]}  ${finding.subject.padEnd(width)}  ${finding.message}`)
    if (finding.advice !== undefined) lines.push(`${' '.repeat(width + 10)}${finding.advice}`)
  }
  const count = (status: Status, name: string) => {
    const { length } = findings.filter((one) => one.status === status)
    return `${length} ${name}${length === 1 ? '' : 's'}`
  }
  lines.push('', `${count('failure', 'failure')}, ${count('warning', 'warning')}`)
  return `${lines.join('\n')}\n`
}
