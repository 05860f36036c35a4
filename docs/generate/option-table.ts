import type { JSONSchema } from 'json-schema-to-ts'
import type { PluginSpec } from '../../core/engine/contract/plugin.ts'
import { optionRows } from '../../core/gateway/cli/option-rows.ts'

const START = '<!-- options: generated from the schema by `npm run generate` -->'
const END = '<!-- /options -->'

/** The README with its option table up to date; the rest is its author's. */
export function readmeWithOptions(spec: PluginSpec, readme: string): string {
  return withOptions(spec.schema, readme === '' ? `# ${spec.name}\n\n${spec.description ?? ''}\n` : readme)
}

/** A page with a table of all that a schema allows: where the markers are, else below `## Options`, else at the end. */
export function withOptions(schema: JSONSchema, text: string): string {
  const section = `${START}\n\n${optionTable(schema)}\n${END}`
  const start = text.indexOf('<!-- options')
  const end = text.indexOf(END)
  if (start !== -1 && end > start) return text.slice(0, start) + section + text.slice(end + END.length)
  const heading = /^## Options[^\n]*\n/m.exec(text)
  if (heading === null) return `${text.trimEnd()}\n\n## Options\n\n${section}\n`
  const at = heading.index + heading[0].length
  return `${text.slice(0, at)}\n${section}\n${text.slice(at)}`
}

function optionTable(schema: JSONSchema): string {
  const rows = optionRows(schema)
  if (rows.length === 0) return 'None.\n'
  return markdownTable(
    ['Option', 'Type', 'Default', 'Meaning'],
    rows.map(({ name, type, required, default: value, description }) => [
      `\`${name}\``,
      type,
      required ? 'required' : value === '' ? '' : `\`${value}\``,
      description,
    ]),
  )
}

/** Columns are padded as the formatter of this repository would. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map(cell))
  const widths = head.map((_, i) => Math.max(3, ...cells.map((row) => row[i]!.length)))
  const line = (row: readonly string[]) => `| ${row.map((text, i) => text.padEnd(widths[i]!)).join(' | ')} |\n`
  return [line(cells[0]!), line(widths.map((width) => '-'.repeat(width))), ...cells.slice(1).map(line)].join('')
}

/** A bar or a line break would end the cell; angle brackets outside code would be HTML. */
function cell(text: string): string {
  const line = text.replaceAll('|', '\\|').replace(/\s+/g, ' ').trim()
  const parts = line.split(/(`[^`]*`)/)
  return parts.map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '&lt;'))).join('')
}
