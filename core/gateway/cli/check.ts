import { dirname, relative, resolve } from 'node:path'
import { type RouteTarget, targetsOf } from '../../engine/config/route-targets.ts'
import type { Config } from '../../engine/config/types.ts'
import type { LoadedPlugin } from '../../engine/host/loaded-plugin.ts'
import { DEFAULT_CONFIG } from '../../engine/util/package.ts'
import { ConfigError, formatProblems, type Problem, withLines } from '../config/load.ts'
import { inspect, joined } from '../load.ts'
import { placeProblems, writtenFiles } from '../places.ts'
import { rehearse } from '../rehearsal.ts'
import type { Command } from './command.ts'

export const check: Command = {
  name: 'check',
  summary: 'Check a config file with its plugins, and list every problem',
  operands: '[FILE]',
  maxOperands: 1,
  options: {},
  details: `Reads FILE (default: the config in the package), loads the plugins it
enables, checks their options and creates them, and checks that this user may write the data
folder, the log file, the socket and the files of plugins. Starts nothing and leaves no files. Each
problem is one line, FILE:LINE: PATH: MESSAGE, or FILE:LINE:COLUMN: MESSAGE for YAML. Exit code 0
without problems, 3 with problems. Lines that begin with "warning: " report likely mistakes, such as
a limit for an unknown key, an expired key, a file that a plugin cannot write, or $NAME instead of
\${NAME}; they do not change the exit code.`,
  async run({ positionals, io }) {
    const file = shown(positionals[0] ?? DEFAULT_CONFIG)
    const { config, readable, plugins, sound, problems: known, warnings } = await inspect(file)
    const { egress } = readable
    const whole = known.length === 0
    const folder = dirname(resolve(file))
    const created = egress === undefined ? [] : await rehearse({ egress }, mute(sound, known), folder, whole)
    const places = config === undefined ? { problems: [], warnings: [] } : placeProblems(config)
    const problems = joined(known, [...created, ...places.problems])
    const unwritable = writtenFiles(sound, folder).flatMap(({ path, problem: message }) =>
      message === undefined ? [] : [{ path, message }],
    )
    const doubts = withLines(readable, [...warnings, ...places.warnings, ...unwritable])
    if (doubts.length > 0) io.stderr.write(`${formatProblems(file, doubts).replace(/^/gm, 'warning: ')}\n`)
    if (config === undefined || problems.length > 0) throw new ConfigError(file, withLines(readable, problems))
    const names = plugins.map(({ spec }) => spec.name)
    io.stdout.write(`${file}: ok\n${summary(config, names)}`)
    return 0
  },
}

/** Drops problems that `create` repeats of a plugin's options or settings. */
const mute = (plugins: readonly LoadedPlugin[], known: readonly Problem[]): LoadedPlugin[] =>
  plugins.filter(({ path }) => !known.some((problem) => problem.path.startsWith(`${path}.`)))

/** Relative to the working folder if it is below it: short, and editors can open it. */
export function shown(file: string): string {
  const short = relative(process.cwd(), resolve(file))
  return short.startsWith('..') ? resolve(file) : short
}

const shownTarget = ({ upstream, weight, priority }: RouteTarget): string =>
  upstream + (weight === 1 ? '' : ` (weight ${weight})`) + (priority === 0 ? '' : ` (priority ${priority})`)

function listens({ host, port, socket, tls }: Config['listen']): string {
  const where = socket === undefined ? `${host}:${port}` : `unix:${socket.path}`
  return tls === undefined ? where : `${where} (https)`
}

function summary(config: Config, plugins: readonly string[]): string {
  const keys = config.keys.map(
    ({ id, admin, disabled }) => id + (admin ? ' (admin)' : '') + (disabled ? ' (disabled)' : ''),
  )
  const off = config.plugins.filter(({ enabled }) => !enabled).map(({ use }) => use)
  const routes = config.routes.map((route) => `${route.model} -> ${targetsOf(route).map(shownTarget).join(', ')}`)
  const rows = [
    ['listen', listens(config.listen)],
    ['upstreams', Object.keys(config.upstreams).join(', ')],
    ['routes', routes.join('; ')],
    ['keys', keys.join(', ') || 'none: the first start makes a user key and an admin key'],
    ['plugins', plugins.join(', ') || 'none: a plain proxy'],
    ...(off.length > 0 ? [['not enabled', off.join(', ')]] : []),
  ]
  return rows.map(([name, value]) => `  ${name!.padEnd(11)}  ${value}\n`).join('')
}
