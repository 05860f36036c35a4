/** The log: JSON lines on stderr or in a file. Redacts anything that could be a secret, whatever a caller passes. */
import { type DestinationStream, pino } from 'pino'
import { isMistake } from '../engine/config/report.ts'
import { isGatewayError } from '../engine/contract/errors.ts'
import type { EventLog } from '../engine/contract/event-log.ts'
import type { GovernanceEvent } from '../engine/contract/plugin.ts'
import { isStoreError } from '../engine/contract/store-errors.ts'
import { isoTime } from '../engine/util/clock.ts'
import { errorClass, errorCode, framesOf } from '../engine/util/outside.ts'
import { LogFile } from './log-file.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export interface Logger extends EventLog {
  level: string
  isLevelEnabled(level: string): boolean
  /** A logger that adds `fields` to every line. */
  child(fields: object): Logger
  /** Writes buffered lines synchronously; called automatically at exit. May interleave with a write in progress. */
  flush(): void
  /** Settles when everything so far is written, or after a second: there may be no reader. */
  drain(): Promise<void>
  /** Opens the log file again, after a tool that rotates logs has renamed it. Throws if it cannot be opened. */
  reopen(): void
}

export interface LoggerOptions {
  /** Lowest level written, default `info`. */
  level?: LogLevel
  /** A file descriptor, a file or a stream; default stderr, buffered up to 64 Ki characters or 100 ms. */
  destination?: number | string | { write(line: string): unknown }
  /** Other processes write to the same pipe: keep each write small enough to be atomic. Default false. */
  shared?: boolean
  /** Text of a JSON line, each with its line end; default the line itself. Not for a stream. */
  format?: (line: string) => string
}

const CENSOR = '[redacted]'
const MAX_DEPTH = 6

export function createLogger({ level = 'info', destination = 2, shared = false, format }: LoggerOptions = {}): Logger {
  const file: LogFile | undefined =
    typeof destination === 'object'
      ? undefined
      : new LogFile(
          destination,
          shared,
          (lost_bytes) => logger.warn({ lost_bytes }, 'the log could not be written: lines are lost'),
          format,
        )
  const stream = file ?? (destination as DestinationStream)
  const logger = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp,
      formatters: { level: (label) => ({ level: label }), log: scrubFields, bindings: scrubFields },
      serializers: { err: (value) => value }, // scrub() serialises errors, because pino copies all their properties.
    },
    stream,
  )
  // Children inherit pino's prototype, so set these on each.
  return extended(
    logger as unknown as Logger,
    { flush: () => file?.flushSync(), drain: async () => file?.drain(), reopen: () => file?.reopen() },
    (make) => (file === undefined ? stream.write(make()) : file.writeLater(make)),
  )
}

const timestamp = (): string => `,"time":"${isoTime()}"`

type Ending = Pick<Logger, 'flush' | 'drain' | 'reopen'>

function extended(logger: Logger, ending: Ending, write: (make: () => string) => void, bound = ''): Logger {
  const child = logger.child.bind(logger)
  Object.assign(logger, ending)
  logger.child = (fields) => {
    const clean = scrubFields(fields)
    const text = JSON.stringify(clean).slice(1, -1)
    return extended(child(clean), ending, write, text === '' ? bound : `${bound},${text}`)
  }
  logger.event = (event, trusted, text) => {
    const level = event.severity === 'info' ? 'info' : 'warn'
    if (!logger.isLevelEnabled(level)) return
    write(() => {
      const clean = trusted ? event : scrubFields(event)
      return eventLine(level, clean, text === undefined || clean !== event ? JSON.stringify(clean) : text.json, bound)
    })
  }
  return logger
}

/** One line per request, in half the time of pino's general method. */
const eventLine = (level: string, { time, type }: GovernanceEvent, json: string, bound: string): string =>
  `{"level":"${level}","time":"${time}","pid":${process.pid}${bound},"event":${json},"msg":${JSON.stringify(type)}}\n`

type Kind = 'plain' | 'secret' | 'url'

/** Allowed content of each field name. Cached, since all lines share few names. */
const kinds = new Map<string, Kind>()
const SECRET =
  /^(proxy_)?authorization$|^(set_)?cookie$|^(api|access|private|signing|client|admin|app)?_?(key|secret)$|(^|_)(api_?key|auth_?token|secret|signing_?key|password|passwd|credentials?)$|^(access_|refresh_|bearer_|id_)?token$/
const URLS = /(^|_)(ur[il]|href|location|referer|referrer|path|origin_form|target)$/

function kindOf(name: string): Kind {
  const known = kinds.get(name)
  if (known !== undefined) return known
  const plain = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()
  const kind = SECRET.test(plain) ? 'secret' : URLS.test(plain) ? 'url' : 'plain'
  if (kinds.size < 2000) kinds.set(name, kind)
  return kind
}

/** Returns the same object if there is nothing to redact, as in nearly every line. */
function scrubFields<T extends object>(fields: T): T {
  return scrub(fields, 0) as T
}

function scrub(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Error) return describeError(value, depth)
  if (depth >= MAX_DEPTH || ArrayBuffer.isView(value)) return '[object]'
  if (Array.isArray(value)) return scrubMembers(value, [...value], depth)
  return scrubMembers(value as Record<string, unknown>, undefined, depth)
}

function scrubMembers(members: object, started: unknown[] | undefined, depth: number): unknown {
  let copy = started as Record<string, unknown> | undefined
  for (const name in members) {
    const value = (members as Record<string, unknown>)[name]
    if (value === undefined) continue
    const clean = scrubMember(name, value, depth)
    if (clean === value) continue
    copy ??= { ...members }
    copy[name] = clean
  }
  return copy ?? members
}

function scrubMember(name: string, value: unknown, depth: number): unknown {
  if (typeof value === 'object') return kindOf(name) === 'secret' && value !== null ? CENSOR : scrub(value, depth + 1)
  const kind = kindOf(name)
  if (kind === 'plain') return value
  if (kind === 'secret') return CENSOR
  return typeof value === 'string' ? withoutQuery(value) : value
}

/** Removes query and user info, which may contain tokens and passwords. */
function withoutQuery(url: string): string {
  const query = url.indexOf('?')
  const path = query === -1 ? url : `${url.slice(0, query)}?${CENSOR}`
  return path.includes('@') ? path.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, `$1${CENSOR}@`) : path
}

/**
 * Describes an error by its type and stack, which an operator's mistake does not need. Includes its message only if this
 * package created it: other messages and properties may contain anything.
 */
function describeError(error: Error, depth: number): object {
  const code = errorCode(error)
  const frames = isMistake(error) ? [] : framesOf(error)
  const { cause, errors } = error as { cause?: unknown; errors?: unknown }
  return {
    type: isStoreError(error) ? 'StoreError' : isGatewayError(error) ? 'GatewayError' : errorClass(error),
    ...(code === undefined ? {} : { code }),
    ...(isGatewayError(error) || isStoreError(error) ? { message: ownMessage(error.message) } : {}),
    ...(frames.length === 0 ? {} : { stack: frames.join('\n') }),
    ...(cause instanceof Error && depth < MAX_DEPTH ? { cause: describeError(cause, depth + 1) } : {}),
    ...(Array.isArray(errors) && depth < MAX_DEPTH ? { errors: describeSome(errors, depth + 1) } : {}),
  }
}

const MOST_ERRORS = 5
const describeSome = (errors: readonly unknown[], depth: number): unknown[] =>
  errors.slice(0, MOST_ERRORS).map((one) => (one instanceof Error ? describeError(one, depth) : { type: typeof one }))

function ownMessage(text: string): string {
  return text
    .replace(/\b(bearer|basic)\s+[^\s"']+/gi, `$1 ${CENSOR}`)
    .replace(/\b(gw|sk|pk|rk)[_-][A-Za-z0-9_-]{16,}/g, CENSOR)
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#@]*@/gi, `$1${CENSOR}@`)
}
