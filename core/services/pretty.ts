/** Log lines for people: `start --log-format pretty`. */

const COLOURS: Readonly<Record<string, string>> = {
  debug: '\x1b[90m',
  info: '\x1b[32m',
  warn: '\x1b[33m',
  error: '\x1b[31m',
}
const RESET = '\x1b[0m'
const KNOWN: ReadonlySet<string> = new Set(['level', 'time', 'pid', 'msg', 'event'])
/** Members of events that stand elsewhere in the line, or say little to people. */
const DULL: ReadonlySet<string> = new Set(['id', 'type', 'severity', 'time', 'instance'])

/** One JSON line as `12:00:00.000 WARN  message  name=value …`; any other text unchanged. */
export function pretty(line: string, colours: boolean): string {
  let fields: Record<string, unknown>
  try {
    fields = JSON.parse(line) as Record<string, unknown>
  } catch {
    return line
  }
  const { level, time, msg, event } = fields
  const name = String(level)
  const shown = name.toUpperCase().padEnd(5)
  const head = `${String(time).slice(11, 23)} ${colours ? `${COLOURS[name] ?? ''}${shown}${RESET}` : shown}`
  const own = Object.entries(fields).filter(([key]) => !KNOWN.has(key))
  const told = Object.entries((event as object | undefined) ?? {}).filter(([key]) => !DULL.has(key))
  const pairs = [...own, ...told].map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return `${[head, String(msg ?? ''), ...pairs].join('  ')}\n`
}

/** A destination for `createLogger`. */
export const prettyStderr = {
  write: (line: string): boolean => process.stderr.write(pretty(line, process.stderr.isTTY)),
}
