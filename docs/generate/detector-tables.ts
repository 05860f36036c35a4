import { DETECTORS } from '../../plugins/pii/detectors/index.ts'
import type { Detector } from '../../plugins/pii/engine/detector.ts'
import { NAME_KINDS } from '../../plugins/pii/names/kinds.ts'
import { KINDS } from '../../plugins/secrets/kinds/index.ts'
import { STRUCTURED } from '../../plugins/secrets/types.ts'
import { markdownTable } from './option-table.ts'

const START = '<!-- types: generated from the detectors by `npm run generate` -->'
const END = '<!-- /types -->'

/** Tables of what a plugin looks for, by the plugin's name. */
const TABLES: Readonly<Record<string, () => string>> = { pii: piiTable, secrets: secretsTable }

/** The README with the table of its detectors up to date, where it has the markers. */
export function readmeWithTypes(name: string, readme: string): string {
  const table = Object.hasOwn(TABLES, name) ? TABLES[name] : undefined
  const start = readme.indexOf('<!-- types')
  const end = readme.indexOf(END)
  if (table === undefined || start < 0 || end < start) return readme
  return `${readme.slice(0, start)}${START}\n\n${table()}\n${readme.slice(end)}`
}

/** One line for each type; several detectors may share one. */
function piiTable(): string {
  const types = new Map<string, Detector[]>()
  for (const detector of [...DETECTORS, ...NAME_KINDS]) {
    types.set(detector.type, [...(types.get(detector.type) ?? []), detector])
  }
  const rows = [...types].map(([type, detectors]) => {
    const [{ title, level, region, advisory }] = detectors as [Detector]
    const local = detectors.every((detector) => detector.region === region)
    const action = NAME_KINDS.some((kind) => kind.type === type) ? 'off' : advisory === true ? 'detect' : 'redact'
    const checks = [...new Set(detectors.map(({ check }) => check))].join('; ')
    return [`\`${type}\``, title, (local ? region : undefined) ?? 'all', level, action, checks]
  })
  return markdownTable(['Type', 'What', 'Locale', 'Label', 'Default', 'Check'], rows)
}

function secretsTable(): string {
  const structured = Object.entries(STRUCTURED).map(([type, what]) => [`\`${type}\``, what])
  const published = [...KINDS]
    .sort((a, b) => (a.type < b.type ? -1 : 1))
    .map(({ type, patterns }) => [`\`${type}\``, beginnings(patterns)])
  return `${markdownTable(['Type', 'Known by'], structured)}\n${markdownTable(['Type', 'Begins with'], published)}`
}

/** Every row is as wide as the longest. */
const MOST_BEGINNINGS = 8

function beginnings(patterns: readonly string[]): string {
  const all = [...new Set(patterns.map(beginningOf))].filter((fixed) => fixed !== '')
  const told = all.slice(0, MOST_BEGINNINGS).map((fixed) => `\`${fixed}…\``)
  return all.length > told.length ? `${told.join(' ')} and ${all.length - told.length} more` : told.join(' ')
}

/** The fixed characters in front of a format, or behind its first class; the whole pattern is code. */
function beginningOf(pattern: string): string {
  const before = pattern.indexOf('<')
  if (before > 0) return `…${beginningOf(pattern.slice(before + 1))}`
  return (/^(?:\\[^\w]|[^\\[({?+*])+/.exec(pattern)?.[0] ?? '').replaceAll('\\', '')
}
