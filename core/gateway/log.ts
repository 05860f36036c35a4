/** Opens the log of a process as the config says. */
import type { Config } from '../engine/config/types.ts'
import { GatewayError } from '../engine/contract/errors.ts'
import { createLogger, type Logger, type LoggerOptions } from '../services/logger.ts'

/** @param destination takes the place of `log.file` */
export function openLog({ log }: Config, { destination = log.file, shared }: Partial<LoggerOptions>): Logger {
  try {
    return createLogger({ level: log.level, ...(destination && { destination }), shared: shared === true })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new GatewayError('GW_CONFIG', `log.file: ${log.file} cannot be opened for writing (${code}).`, { cause })
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
