/** The log: JSON lines on stderr. Redacts anything that could be a secret, whatever a caller passes. */
import { type EventEmitter, errorMonitor, once } from 'node:events'
import { openSync } from 'node:fs'
import { type DestinationStream, destination as openDestination, pino } from 'pino'
import { isGatewayError } from '../engine/contract/errors.ts'
import type { EventLog } from '../engine/contract/event-log.ts'
import type { GovernanceEvent } from '../engine/contract/plugin.ts'
import { isStoreError } from '../engine/contract/store-errors.ts'
import { isoTime } from '../engine/util/clock.ts'
import { errorClass, errorCode, framesOf } from '../engine/util/outside.ts'

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
}

export interface LoggerOptions {
  /** Lowest level written, default `info`. */
  level?: LogLevel
  /** A file descriptor, a file or a stream; default stderr, buffered up to 64 Ki characters or 100 ms. */
  destination?: number | string | { write(line: string): unknown }
  /** Other processes write to the same pipe: keep each write small enough to be atomic. Default false. */
  shared?: boolean
}

const CENSOR = '[redacted]'
const MAX_DEPTH = 6

export function createLogger({ level = 'info', destination = 2, shared = false }: LoggerOptions = {}): Logger {
  const batch =
    typeof destination === 'object'
      ? undefined
      : batched(typeof destination === 'string' ? openSync(destination, 'a') : destination, shared)
  const stream = batch ?? (destination as DestinationStream)
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
    { flush: () => batch?.flushSync(), drain: async () => batch?.drain() },
    (make) => (batch === undefined ? stream.write(make()) : batch.writeLater(make)),
  )
}

/** Longest delay of a line, milliseconds, and maximum buffered bytes. */
const BATCH_MS = 100
const BATCH_BYTES = 64 * 1024
/**
 * Workers share one pipe, and the system keeps writes atomic only up to 4096 bytes (PIPE_BUF). So writes contain only
 * whole lines, unless a line is longer than that.
 */
const WRITE_BYTES = 4096
/** Maximum backlog without a reader, bytes; further lines are dropped. */
const MAX_BACKLOG = 16 * 1024 * 1024
/** Longest wait for a reader at exit, milliseconds. */
const DRAIN_MS = 1000

const flushes = new Set<() => void>()
function flushAll(): void {
  for (const flush of flushes) flush()
}

interface Batched extends DestinationStream {
  /** Writes the line from `make` after this turn of the event loop, so that it does not delay a reply. */
  writeLater(make: () => string): void
  flushSync(): void
  drain(): Promise<void>
}

/**
 * Batches lines into asynchronous writes. pino's periodic flush syncs to disk every time, and frequent small writes
 * wake another thread. Encodes lines at once: strings would be copied by the garbage collector and leave the CPU cache
 * before the write.
 */
function batched(fd: number, shared: boolean): Batched {
  const options = { dest: fd, ...(shared ? { maxWrite: WRITE_BYTES } : {}) }
  const split = (lines: Buffer): Buffer[] => (shared ? pieces(lines) : [lines])
  const file = openBytes({ ...options, sync: false, minLength: 0, maxLength: MAX_BACKLOG })
  let batch = Buffer.allocUnsafe(BATCH_BYTES)
  let length = 0
  let timer: NodeJS.Timeout | undefined
  let unmade: (() => string)[] = []
  let writing = false
  let broken = false
  file.on('drain', () => {
    writing = false
  })
  file.on(errorMonitor, () => {
    broken = true
  })
  const write = (piece: Buffer): void => {
    writing = true
    file.write(piece)
  }
  const take = (): Buffer[] => {
    clearTimeout(timer)
    timer = undefined
    if (length === 0) return []
    const taken = batch.subarray(0, length)
    batch = Buffer.allocUnsafe(BATCH_BYTES)
    length = 0
    return split(taken)
  }
  const send = () => {
    for (const piece of take()) write(piece)
  }
  const add = (line: string) => {
    // A UTF-16 unit takes at most three bytes of UTF-8.
    if (length + line.length * 3 > BATCH_BYTES) send()
    if (line.length * 3 > BATCH_BYTES) {
      for (const piece of split(Buffer.from(line))) write(piece)
      return
    }
    length += batch.write(line, length)
    timer ??= setTimeout(send, BATCH_MS).unref()
  }
  const make = () => {
    const all = unmade
    unmade = []
    for (const one of all) add(one())
  }
  const flushSync = () => {
    make()
    file.flushSync()
    // `file` would start an asynchronous write, which would not finish before exit.
    const taken = take()
    if (taken.length === 0) return
    const last = openBytes({ ...options, sync: true })
    for (const piece of taken) last.write(piece)
  }
  if (flushes.size === 0) process.once('exit', flushAll)
  flushes.add(flushSync)
  return {
    write(line) {
      make()
      add(line)
    },
    writeLater(one) {
      if (unmade.push(one) === 1) setImmediate(make)
    },
    flushSync,
    async drain() {
      make()
      send()
      if (writing && !broken) await once(file, 'drain', { signal: AbortSignal.timeout(DRAIN_MS) }).catch(() => {})
    },
  }
}

const timestamp = (): string => `,"time":"${isoTime()}"`

/** pino's destination in its untyped mode `buffer`. */
const openBytes = (
  options: Parameters<typeof openDestination>[0] & object,
): EventEmitter & { write(bytes: Buffer): boolean; flushSync(): void } =>
  openDestination({ ...options, contentMode: 'buffer' }) as never

const NEWLINE = 0x0a

/** Splits into writes of whole lines. */
function pieces(lines: Buffer): Buffer[] {
  const out: Buffer[] = []
  for (let from = 0; from < lines.length; ) {
    const last = lines.lastIndexOf(NEWLINE, from + WRITE_BYTES - 1)
    const end = last >= from ? last : lines.indexOf(NEWLINE, from)
    const to = end < 0 ? lines.length : end + 1
    out.push(lines.subarray(from, to))
    from = to
  }
  return out
}

type Ending = Pick<Logger, 'flush' | 'drain'>

function extended(logger: Logger, ending: Ending, write: (make: () => string) => void, bound = ''): Logger {
  const child = logger.child.bind(logger)
  Object.assign(logger, ending)
  logger.child = (fields) => {
    const clean = scrubFields(fields)
    const text = JSON.stringify(clean).slice(1, -1)
    return extended(child(clean), ending, write, text === '' ? bound : `${bound},${text}`)
  }
  logger.event = (event, trusted) => {
    const level = event.severity === 'info' ? 'info' : 'warn'
    if (logger.isLevelEnabled(level)) write(() => eventLine(level, trusted ? event : scrubFields(event), bound))
  }
  return logger
}

/** One line per request, in half the time of pino's general method. */
const eventLine = (level: string, event: GovernanceEvent, bound: string): string =>
  `{"level":"${level}","time":"${event.time}","pid":${process.pid}${bound},"event":${JSON.stringify(event)},"msg":${JSON.stringify(event.type)}}\n`

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
 * Describes an error by its type and stack. Includes its message only if this package created it: other messages and
 * properties may contain anything.
 */
function describeError(error: Error, depth: number): object {
  const code = errorCode(error)
  const frames = framesOf(error)
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
