import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'

/**
 * This process's name in events and in the audit trail. New at each start unless configured, because containers often
 * share host names and process ids.
 */
export const instanceName = (configured: string | undefined): string =>
  configured ?? `${hostname()}-${process.pid}-${randomBytes(5).toString('hex')}`
