import type { Command } from './command.ts'

const pad = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('')
}

const listOf = (commands: readonly Command[]): string =>
  pad(commands.map(({ name, operands, summary }) => [`${name} ${operands}`.trim(), summary] as const))

/** Commands with the same first word. */
export const groupHelp = (commands: readonly Command[]): string =>
  `Commands:\n${listOf(commands)}\nWith --help, each shows its options.\n`

export function generalHelp(commands: readonly Command[]): string {
  return `governed-gateway: a governance gateway in front of chat-completions APIs

Usage: governed-gateway COMMAND [OPTIONS]

Commands:
${listOf(commands)}
Options:
${pad([
  ['-h, --help', 'Show help; after a command, the help of that command'],
  ['-v, --version', 'Show the version'],
])}
Exit codes:
${pad([
  ['0', 'done, or stopped by a signal after a graceful close'],
  ['1', 'failed to start: the store, a folder, the port; or an unexpected failure'],
  ['2', 'wrong usage of the command line'],
  ['3', 'invalid configuration'],
  ['4', 'audit verify: the trail was tampered with'],
  ['130, 143', 'ended at once by a second SIGINT or SIGTERM'],
])}
Environment:
${pad([
  ['SERVICE_HOST, SERVICE_PORT', 'override listen.host and listen.port'],
  ['SERVICE_STORE', 'overrides store: memory, file:<folder> or a redis:// url'],
  ['SERVICE_WORKERS', 'overrides workers: the number of worker processes, or auto'],
  ['SERVICE_INSTANCE', 'overrides instance: the name of this node'],
  ['SERVICE_LOG_LEVEL', 'overrides log.level: debug, info, warn, error, silent'],
  ['SERVICE_SECRET', 'overrides secret'],
])}`
}

export function commandHelp({ name, operands, summary, details, options }: Command): string {
  const rows: [string, string][] = Object.entries(options).map(([option, { short, value, description }]) => [
    `${short === undefined ? '' : `-${short}, `}--${option}${value === undefined ? '' : ` ${value}`}`,
    description,
  ])
  rows.push(['-h, --help', 'Show this help'])
  const usage = `Usage: governed-gateway ${name}${operands === '' ? '' : ` ${operands}`}`
  return `${summary}.\n\n${usage}\n${details === undefined ? '' : `\n${details}\n`}\nOptions:\n${pad(rows)}`
}
