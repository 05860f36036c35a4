import type { PluginSpec } from '../../engine/contract/plugin.ts'
import { bundledPlugins, loadPlugin } from '../../engine/host/loader.ts'
import { PACKAGE_ROOT } from '../../engine/util/package.ts'
import { didYouMean } from '../../engine/util/suggest.ts'
import { type Command, UsageError } from './command.ts'
import { optionRows } from './option-rows.ts'

export const plugins: Command = {
  name: 'plugins',
  summary: 'List the bundled plugins, or one with its options',
  operands: '[NAME]',
  maxOperands: 1,
  options: {},
  details: 'Without NAME: every bundled plugin with its options. NAME: only that one.',
  async run({ positionals, io }) {
    const [wanted] = positionals
    const names = bundledPlugins()
    if (wanted !== undefined && !names.includes(wanted)) {
      const hint = didYouMean(wanted, names) || ` Bundled: ${names.join(', ') || 'none'}.`
      throw new UsageError(`there is no bundled plugin "${wanted}".${hint}`, 'governed-gateway plugins')
    }
    const specs: PluginSpec[] = []
    for (const name of wanted === undefined ? names : [wanted]) specs.push(await loadPlugin(name, PACKAGE_ROOT))
    io.stdout.write(specs.map(describe).join('\n'))
    return 0
  },
}

function describe({ name, description, schema }: PluginSpec): string {
  const rows = optionRows(schema)
  const table = rows.map((row) => [row.name, row.type, row.required ? '(required)' : row.default, row.description])
  const head = `${name}${description === undefined ? '' : `: ${description}`}\n`
  if (rows.length === 0) return `${head}  no options\n`
  const widths = [0, 1, 2].map((i) => Math.min(40, Math.max(...table.map((cells) => cells[i]!.length))))
  const lines = table.map((cells) => cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  '))
  return head + lines.map((line) => `  ${line.trimEnd()}\n`).join('')
}
