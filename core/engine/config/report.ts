import { GatewayError, isGatewayError } from '../contract/errors.ts'
import type { Segment } from './paths.ts'
import type { Config } from './types.ts'

/** One thing wrong with the config. */
export interface Problem {
  /** Config path such as `plugins[2].options.action`, or the environment variable; empty for the whole file. */
  readonly path: string
  /** Line in the file, from 1. */
  readonly line?: number
  /** Column in the line, from 1; only of mistakes in the syntax. */
  readonly column?: number
  /** What is wrong and what to do, without secret values. */
  readonly message: string
}

/** Reports a problem at a path. */
export type Report = (path: readonly Segment[], message: string) => void
/** False if the schema found the value missing or of the wrong type, so that no further checks apply. */
export type Sound = (path: readonly Segment[]) => boolean

/** The plugin entries, with invalid ones disabled, and other parts that are fully valid. */
export type PartialConfig = Pick<Config, 'plugins'> & Partial<Pick<Config, 'egress' | 'keys' | 'upstreams'>>

/** All problems of a config file. Its `code` is `GW_CONFIG`. */
export class ConfigError extends GatewayError {
  readonly file: string
  readonly problems: readonly Problem[]
  /** Valid parts of the file, for further checks. */
  readonly partial: PartialConfig | undefined

  constructor(file: string, problems: readonly Problem[], partial?: PartialConfig) {
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`
    super('GW_CONFIG', `${file} has ${count}:\n${formatProblems(file, problems)}`)
    this.name = 'ConfigError'
    this.file = file
    this.problems = problems
    this.partial = partial
  }
}

const MISTAKES: ReadonlySet<string> = new Set(['GW_CONFIG', 'GW_PLUGIN_LOAD', 'GW_PLUGIN_CONTRACT'])

/** Whether an error is a mistake in the config or a plugin: its message names the place and the remedy. */
export const isMistake = (error: unknown): boolean => isGatewayError(error) && MISTAKES.has(error.code)

/** One problem per line, `file:line: path: message`, which editors and terminals make clickable. */
export function formatProblems(file: string, problems: readonly Problem[]): string {
  return problems
    .map(({ path, line, column, message }) => {
      const where = [file, line, column].filter((part) => part !== undefined).join(':')
      return `${where}: ${path === '' ? '' : `${path}: `}${message}`
    })
    .join('\n')
}

/** In file order; problems without a line (environment) come first. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
  return problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))
}
