import { plainJson } from './plain-json.ts'
import type { Log } from './plugin.ts'

/** The same log, with `fields` added to every line. Never throws, and limits the size of a line. */
export const withFields = (log: Log, fields: object): Log => ({
  debug: (more, message) => log.debug({ ...fields, ...loggable(more) }, textOf(message)),
  info: (more, message) => log.info({ ...fields, ...loggable(more) }, textOf(message)),
  warn: (more, message) => log.warn({ ...fields, ...loggable(more) }, textOf(message)),
  error: (more, message) => log.error({ ...fields, ...loggable(more) }, textOf(message)),
})

const textOf = (message: unknown): string | undefined =>
  typeof message === 'string' ? message.slice(0, 4096) : undefined

/** The loggable part of a line; replaces the rest by a note. */
function loggable(given: unknown): object {
  const fields: Record<string, unknown> = {}
  try {
    if (typeof given !== 'object' || given === null) return fields
    if (given instanceof Error) return { err: given }
    for (const [name, value] of Object.entries(given)) fields[name] = value instanceof Error ? value : copied(value)
  } catch {
    fields.unreadable = true
  }
  return fields
}

function copied(value: unknown): unknown {
  if (value === undefined) return undefined
  try {
    return plainJson('A field of a log line', value)
  } catch {
    return '[not JSON]'
  }
}
