import { DEFAULT_CONFIG } from '../../engine/util/package.ts'
import { shown } from './check.ts'
import type { Command } from './command.ts'

export const doctor: Command = {
  name: 'doctor',
  summary: 'Diagnose config, store, providers, receivers and this machine, and suggest remedies',
  operands: '[FILE] [--json] [--offline]',
  maxOperands: 1,
  options: {
    json: { type: 'boolean', description: 'One JSON object instead of text' },
    offline: { type: 'boolean', description: 'Do not connect to providers, receivers or Redis' },
  },
  details: `Checks FILE (default: the config in the package), the port, the store,
the files that plugins write, each provider (its list of models, with its key) and each receiver of plugins (a connection; nothing
is sent), the clock, the limit of open files, memory and disk. Starts and changes nothing, so it
may run beside a gateway. Receivers are taken from the settings in effect, including those that admins
PUT. Shows no keys, tokens or passwords.
Exit code 0 if nothing failed, even with warnings; 1 if something failed.`,
  async run({ values, positionals, io }) {
    const [{ examine }, { toText }] = await Promise.all([import('../doctor/doctor.ts'), import('../doctor/report.ts')])
    const file = shown(positionals[0] ?? DEFAULT_CONFIG)
    const report = await examine({ file, offline: values.offline === true, env: process.env })
    io.stdout.write(values.json === true ? `${JSON.stringify(report, undefined, 2)}\n` : toText(report))
    return report.ok ? 0 : 1
  },
}
