import { DEFAULT_CONFIG } from '../../engine/util/package.ts'
import { shown } from './check.ts'
import type { Command } from './command.ts'

export const doctor: Command = {
  name: 'doctor',
  summary: 'Look at config, store, providers, receivers and this machine, and tell what to do',
  operands: '[FILE] [--json] [--offline]',
  maxOperands: 1,
  options: {
    json: { type: 'boolean', description: 'One JSON object instead of text' },
    offline: { type: 'boolean', description: 'Ask neither providers, receivers nor Redis' },
  },
  details: `Checks FILE (default: the config that comes with the package), the port, the store,
each provider (its list of models, with its key) and each receiver of plugins (a connection; nothing
is sent), the clock, the limit of open files, memory and disk. Starts and changes nothing, so it
may run beside a gateway. Receivers are those of the settings in force: what admins PUT counts, as it is in
the store. Shows no keys, tokens and passwords.
Exit code 0 when nothing failed, warnings or not; 1 when something failed.`,
  async run({ values, positionals, io }) {
    const [{ examine }, { toText }] = await Promise.all([import('../doctor/doctor.ts'), import('../doctor/report.ts')])
    const file = shown(positionals[0] ?? DEFAULT_CONFIG)
    const report = await examine({ file, offline: values.offline === true, env: process.env })
    io.stdout.write(values.json === true ? `${JSON.stringify(report, undefined, 2)}\n` : toText(report))
    return report.ok ? 0 : 1
  },
}
