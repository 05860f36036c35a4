/** The log: JSON lines on stderr. What could be a secret never gets into it, whatever a caller passes. */
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
  /** Writes out what is buffered, synchronously. Called at exit by itself. What is being written meanwhile may get mixed in. */
  flush(): void
  /** Settles when everything so far is written, at the latest after a second: nobody may be reading. */
  drain(): Promise<void>
}

export interface LoggerOptions {
  /** Lowest level written, default `info`. */
  level?: LogLevel
  /** A file descriptor, a file or a stream; default stderr, buffered up to 64 Ki characters or 100 ms. */
  destination?: number | string | { write(line: string): unknown }
  /** Other processes write to the same pipe: no write is longer than what arrives in one piece. Default false. */
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
      serializers: { err: (value) => value }, // Errors are serialised by scrub(): pino's copies all their properties.
    },
    stream,
  )
  // Children share the prototype of pino's loggers, so these are set on each.
  return extended(
    logger as unknown as Logger,
    { flush: () => batch?.flushSync(), drain: async () => batch?.drain() },
    (make) => (batch === undefined ? stream.write(make()) : batch.writeLater(make)),
  )
}

/** Longest time a line waits, milliseconds, and the bytes that wait at most. */
const BATCH_MS = 100
const BATCH_BYTES = 64 * 1024
/**
 * Several workers write to one pipe, and the system keeps a write in one piece only up to 4096 bytes (PIPE_BUF): so no
 * write ends within a line that is not longer than that.
 */
const WRITE_BYTES = 4096
/** When nobody reads the log, so much is kept, bytes; then lines are dropped. */
const MAX_BACKLOG = 16 * 1024 * 1024
/** Longest wait for a reader at the end, milliseconds. */
const DRAIN_MS = 1000

const flushes = new Set<() => void>()
function flushAll(): void {
  for (const flush of flushes) flush()
}

interface Batched extends DestinationStream {
  /** Writes the line that `make` gives, made when the turn of the event loop is over: a reply does not wait for it. */
  writeLater(make: () => string): void
  flushSync(): void
  drain(): Promise<void>
}

/**
 * One asynchronous write for many lines. pino's own periodic flush also syncs the file to disk each time, and a write
 * for every few lines wakes another thread as often. A line is encoded at once: kept as strings, lines are copied by
 * the garbage collector and gone from the processor's cache when they are written.
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
    // A character of a string is at most three bytes of UTF-8.
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
    // Not through `file`: it would begin an asynchronous write, which the end of the process overtakes.
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

/** pino's destination in its mode `buffer`, which its types do not know. */
const openBytes = (
  options: Parameters<typeof openDestination>[0] & object,
): EventEmitter & { write(bytes: Buffer): boolean; flushSync(): void } =>
  openDestination({ ...options, contentMode: 'buffer' }) as never

const NEWLINE = 0x0a

/** Whole lines, as many as fit one write. */
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

/** One line for each request: pino's general way takes twice as long. */
const eventLine = (level: string, event: GovernanceEvent, bound: string): string =>
  `{"level":"${level}","time":"${event.time}","pid":${process.pid}${bound},"event":${JSON.stringify(event)},"msg":${JSON.stringify(event.type)}}\n`

type Kind = 'plain' | 'secret' | 'url'

/** What a field may hold, by its name. Each name is judged once: one set of names serves every line. */
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

/** The same object when there is nothing to hide, which is the case of nearly every line. */
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

/** Queries hold tokens, user parts hold passwords. */
function withoutQuery(url: string): string {
  const query = url.indexOf('?')
  const path = query === -1 ? url : `${url.slice(0, query)}?${CENSOR}`
  return path.includes('@') ? path.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, `$1${CENSOR}@`) : path
}

/**
 * Of an error what it is and where it was made. What it says is written only where this package says it: messages of
 * others hold whatever they were given, and so do their other properties.
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
