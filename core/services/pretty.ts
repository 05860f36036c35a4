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
/** What moves a terminal's cursor, hides text or turns its order: C0, C1, DEL, format characters, line breaks, halves. */
const UNSHOWN = /[\p{C}\p{Zl}\p{Zp}]/gu
const shownText = (text: string): string => text.replace(UNSHOWN, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`)

/** One JSON line as `12:00:00.000 WARN  message  name=value …`, control characters escaped; any other text unchanged. */
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
  const rest = Object.entries((event as object | undefined) ?? {}).filter(([key]) => !DULL.has(key))
  const pairs = [...own, ...rest].map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return `${head}${shownText(['', String(msg ?? ''), ...pairs].join('  '))}\n`
}
