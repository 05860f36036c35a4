import { type ParseArgsConfig, parseArgs } from 'node:util'
import { didYouMean } from '../../engine/util/suggest.ts'

/** Output of a command: human text to stdout, problems to stderr. */
export interface Io {
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown }
}

export type Values = Readonly<Record<string, string | boolean | undefined>>

interface CommandOption {
  readonly type: 'string' | 'boolean'
  /** One letter. */
  readonly short?: string
  /** Name of the value in the help. */
  readonly value?: string
  readonly description: string
}

export interface Command {
  /** Words that select the command: `keys create`. */
  readonly name: string
  readonly summary: string
  /** Operands in the help: `[FILE]`. */
  readonly operands: string
  /** Maximum number of positional arguments. */
  readonly maxOperands: number
  readonly options: Readonly<Record<string, CommandOption>>
  /** Longer text for `--help`. */
  readonly details?: string
  run(invocation: { values: Values; positionals: readonly string[]; io: Io }): Promise<number> | number
}

/** Invalid command line: exit code 2. */
export class UsageError extends Error {
  constructor(message: string, help = 'governed-gateway --help') {
    super(`governed-gateway: ${message}\nSee ${help}.`)
    this.name = 'UsageError'
  }
}

/** The command named by the first words; none for general options, for nothing, and for the help of several commands. */
export function findCommand(
  commands: readonly Command[],
  args: readonly string[],
): { command: Command | undefined; rest: readonly string[] } {
  const [first, second] = args
  if (first === undefined || first === 'help' || ['--help', '-h', '--version', '-v'].includes(first)) {
    return { command: undefined, rest: args }
  }
  for (const command of commands) {
    const words = command.name.split(' ')
    if (words.every((word, i) => args[i] === word)) return { command, rest: args.slice(words.length) }
  }
  const group = commands.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name)
  const [only] = group
  if (only !== undefined && (second === '--help' || second === '-h')) {
    if (group.length > 1) return { command: undefined, rest: ['--help', first] }
    return findCommand(commands, [...only.split(' '), ...args.slice(1)])
  }
  if (group.length > 0) {
    const wrong = second === undefined || second.startsWith('-') ? 'needs a second word' : `has no command "${second}"`
    throw new UsageError(`${first} ${wrong}: ${group.join(', ')}.`)
  }
  if (first.startsWith('-')) throw new UsageError(`put the command first: governed-gateway start ${first} …`)
  const names = commands.map(({ name }) => name)
  throw new UsageError(
    `there is no command "${first}".${didYouMean(
      first,
      names.map((name) => name.split(' ')[0]!),
    )}`,
  )
}

export function parseCommandLine(
  command: Command,
  args: readonly string[],
): { values: Values; positionals: readonly string[] } {
  const help = `governed-gateway ${command.name} --help`
  const options: NonNullable<ParseArgsConfig['options']> = { help: { type: 'boolean', short: 'h' } }
  for (const [name, { type, short }] of Object.entries(command.options)) {
    options[name] = { type, ...(short === undefined ? {} : { short }) }
  }
  let parsed: { values: Values; positionals: readonly string[] }
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true }) as typeof parsed
  } catch (error) {
    throw new UsageError(explain(error as NodeJS.ErrnoException, command, Object.keys(options)), help)
  }
  const extra = parsed.positionals[command.maxOperands]
  if (extra !== undefined) {
    throw new UsageError(`${command.name} does not know what to do with "${extra}".${optionFor(command, extra)}`, help)
  }
  return parsed
}

/** The option that an operand too many was meant for: the one for a file, or the only one that takes a value. */
function optionFor({ options }: Command, extra: string): string {
  const taking = Object.keys(options).filter((name) => options[name]?.type === 'string')
  const [only] = taking.includes('config') && /\.ya?ml$/.test(extra) ? ['config'] : taking.length === 1 ? taking : []
  return only === undefined ? '' : ` Did you mean --${only} ${extra}?`
}

/** Shortens Node's parseArgs messages for users. */
function explain({ code, message }: NodeJS.ErrnoException, command: Command, known: readonly string[]): string {
  const option = /'(--?[^\s'=,<]+)/.exec(message)?.[1] ?? ''
  if (option !== '' && /argument missing$/m.test(message)) return `${option} needs a value.`
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    if (option === '--config' && command.operands.includes('[FILE')) {
      return `${command.name} takes the file without ${option}: governed-gateway ${command.name} FILE.`
    }
    const hint = didYouMean(
      option,
      known.map((name) => `--${name}`),
    )
    return `there is no option ${option}.${hint}`
  }
  return message.replace(/\n.*/s, '')
}
