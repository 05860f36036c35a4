/** The command line: a thin shell over gateway.ts. */
import { constants } from 'node:os'
import { isMistake } from '../../engine/config/report.ts'
import { isGatewayError } from '../../engine/contract/errors.ts'
import { isStoreError } from '../../engine/contract/store-errors.ts'
import { packageVersion } from '../../engine/util/package.ts'
import { explainSystem, reasonOf } from '../../engine/util/system-error.ts'
import { ConfigError } from '../config/load.ts'
import { auditCommands } from './audit.ts'
import { TAMPERED } from './audit-verify.ts'
import { storeBackup } from './backup.ts'
import { check } from './check.ts'
import { type Command, findCommand, type Io, parseCommandLine, UsageError } from './command.ts'
import { doctor } from './doctor.ts'
import { commandHelp, generalHelp, groupHelp } from './help.ts'
import { keysCreate } from './keys.ts'
import { plugins } from './plugins.ts'
import { start } from './start.ts'

/** Exit codes. */
export const EXIT = { ok: 0, failure: 1, usage: 2, config: 3, tampered: TAMPERED } as const

export const COMMANDS: readonly Command[] = [start, check, doctor, keysCreate, plugins, storeBackup, ...auditCommands]

/** Runs one command line and returns its exit code. */
export async function main(args: readonly string[], io: Io = process): Promise<number> {
  let served = false
  try {
    const { command, rest } = findCommand(COMMANDS, args)
    served = command === start && io === process
    if (command === undefined) return general(rest, io)
    const { values, positionals } = parseCommandLine(command, rest)
    if (values.help === true) {
      io.stdout.write(commandHelp(command))
      return EXIT.ok
    }
    if (io === process && command !== start) process.stdout.on('error', endWithReader)
    return await command.run({ values, positionals, io })
  } catch (error) {
    io.stderr.write(`${describeFailure(error)}\n`)
    const code = exitCode(error)
    // Plugins may have left timers or handles that would keep the process alive.
    if (served) process.stderr.write('', () => process.exit(code))
    return code
  }
}

/** When the reader has closed the pipe (`| head`), exits like a command killed by SIGPIPE, which Node ignores. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(128 + constants.signals.SIGPIPE)
  const why = explainSystem({ ...error, code: error.code, syscall: 'write' }, 'standard output')
  process.stderr.write(`governed-gateway: ${why ?? `standard output cannot be written: ${error.message}`}\n`)
  process.exit(EXIT.failure)
}

function general(args: readonly string[], io: Io): number {
  const [first, group] = args
  if (first === '--version' || first === '-v') io.stdout.write(`${packageVersion()}\n`)
  else if (first === '--help' || first === '-h' || first === 'help') {
    const meant = COMMANDS.filter(({ name }) => name.startsWith(`${group} `))
    io.stdout.write(meant.length > 0 ? groupHelp(meant) : generalHelp(COMMANDS))
  } else {
    io.stderr.write(generalHelp(COMMANDS))
    return EXIT.usage
  }
  return EXIT.ok
}

function exitCode(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage
  // A port in use and an unreachable store also have the code GW_CONFIG, but are not mistakes in the file.
  const cause = (error as { cause?: NodeJS.ErrnoException } | undefined)?.cause
  const system = cause?.code
  if (system !== undefined && (Object.hasOwn(SYSTEM_ERRORS, system) || isStoreTrouble(system))) return EXIT.failure
  if (reasonOf(cause) !== undefined) return EXIT.failure
  return isMistake(error) ? EXIT.config : EXIT.failure
}

/** Checks the code, because an error of a worker arrives as a message. */
const isStoreTrouble = (code: string): boolean => code.startsWith('GW_STORE_') && code !== 'GW_STORE_USAGE'

const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the address is in use: stop the other process or choose another port (SERVICE_PORT, listen.port)',
  EADDRNOTAVAIL: 'this machine does not have that address (SERVICE_HOST, listen.host)',
  ENOTFOUND: 'the name has no address',
  EAI_AGAIN: 'the name cannot be resolved now',
  EACCES: 'permission denied',
}

function describeFailure(error: unknown): string {
  const known =
    error instanceof UsageError || error instanceof ConfigError || isGatewayError(error) || isStoreError(error)
  if (known) return error.message
  const explained = explainSystem(error)
  if (explained !== undefined) return `governed-gateway: ${explained}`
  const { code, message } = error as NodeJS.ErrnoException
  const why = code === undefined ? undefined : SYSTEM_ERRORS[code]
  if (why !== undefined) return `governed-gateway: ${message}: ${why}`
  // Unexpected: the stack is what a bug report needs.
  return `governed-gateway: ${error instanceof Error ? (error.stack ?? message) : String(error)}`
}
