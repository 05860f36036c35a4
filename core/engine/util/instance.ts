import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'

/**
 * What this process is called in events and in the audit trail. Unless the operator gave a name it is new at each start:
 * in containers, host names and process ids are often the same.
 */
export const instanceName = (configured: string | undefined): string =>
  configured ?? `${hostname()}-${process.pid}-${randomBytes(5).toString('hex')}`
