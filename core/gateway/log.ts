/** Opens the log of a process as the config says. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../engine/config/types.ts'
import { GatewayError } from '../engine/contract/errors.ts'
import { reasonOf } from '../engine/util/system-error.ts'
import { createLogger, type Logger, type LoggerOptions } from '../services/logger.ts'

/** How lines look, and where they go in the place of `log.file`. */
export type LogForm = Pick<LoggerOptions, 'destination' | 'format'>

export function openLog({ log }: Config, { destination = log.file, ...more }: LogForm & { shared: boolean }): Logger {
  try {
    return createLogger({ level: log.level, ...(destination && { destination }), ...more })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const folder = dirname(String(log.file))
    const why = existsSync(folder) ? reasonOf(cause) : `there is no folder ${folder}; make it`
    const reason = why === undefined ? '' : `: ${why}`
    throw new GatewayError('GW_CONFIG', `log.file: ${log.file} cannot be opened for writing${reason} (${code}).`, {
      cause,
    })
  }
}

/** After a tool that rotates logs has renamed the file. */
export function reopenLog(log: Logger): void {
  try {
    log.reopen()
    log.info({}, 'log file opened again')
  } catch (err) {
    log.error({ err }, 'the log file cannot be opened again: the old one stays in use')
  }
}
