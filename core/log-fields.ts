import type { Log } from './plugin.ts'

/** The same log; every line carries `fields` too. */
export const withFields = (log: Log, fields: object): Log => ({
  debug: (more, message) => log.debug({ ...fields, ...more }, message),
  info: (more, message) => log.info({ ...fields, ...more }, message),
  warn: (more, message) => log.warn({ ...fields, ...more }, message),
  error: (more, message) => log.error({ ...fields, ...more }, message),
})
