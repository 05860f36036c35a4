/** Where the log and traces go: batches of lines, appended to a file or a pipe without waiting for its reader. */
import { closeSync, openSync, write, writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'

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
/** Pause before a pipe without room is tried again, milliseconds. */
const RETRY_MS = 100
/** Longest wait for a reader at exit, milliseconds. */
const DRAIN_MS = 1000

const files = new Set<LogFile>()
function flushAll(): void {
  for (const file of files) file.flushSync()
}

/**
 * Encodes lines at once: strings would be copied by the garbage collector and leave the CPU cache before the write. What
 * cannot be written, as on a full disk or to a pipe whose reader is gone, is dropped: the log must not stop the gateway.
 */
export class LogFile implements DestinationStream {
  readonly #path: string | undefined
  readonly #shared: boolean
  readonly #onLoss: (bytes: number) => void
  readonly #format: (line: string) => string
  #fd: number
  #batch = Buffer.allocUnsafe(BATCH_BYTES)
  #length = 0
  #timer: NodeJS.Timeout | undefined
  #unmade: (() => string)[] = []
  /** What was sent and is not written yet. */
  #queue: Buffer[] = []
  #waiting = 0
  #lost = 0
  #state: 'idle' | 'writing' | 'pausing' = 'idle'
  #onIdle: (() => void)[] = []
  /** An asynchronous write would not finish before the process exits. */
  #isFlushing = false

  /**
   * @param destination a file descriptor or the path of a file
   * @param shared other processes write to the same place: keep each write small enough to be atomic
   * @param onLoss called with the number of lost bytes, once the log can be written again
   * @param format what is written for a line, default the line itself
   */
  constructor(
    destination: number | string,
    shared: boolean,
    onLoss: (bytes: number) => void,
    format = (line: string): string => line,
  ) {
    this.#path = typeof destination === 'string' ? destination : undefined
    this.#fd = typeof destination === 'string' ? openFile(destination) : destination
    this.#shared = shared
    this.#onLoss = onLoss
    this.#format = format
    if (files.size === 0) process.once('exit', flushAll)
    files.add(this)
  }

  write(line: string): void {
    this.#make()
    this.#add(line)
  }

  /** Writes the line from `make` after this turn of the event loop, so that it does not delay a reply. */
  writeLater(make: () => string): void {
    if (this.#unmade.push(make) === 1) setImmediate(() => this.#make())
  }

  /** Writes everything now. May interleave with a write in progress. */
  flushSync(): void {
    this.#isFlushing = true
    this.#make()
    this.#send()
    this.#isFlushing = false
    const queue = this.#state === 'writing' ? this.#queue.splice(1) : this.#queue.splice(0)
    for (const bytes of queue) {
      this.#waiting -= bytes.length
      writeNow(this.#fd, bytes)
    }
  }

  /** Settles when everything so far is written, or after a second. */
  async drain(): Promise<void> {
    this.#make()
    this.#send()
    if (this.#state === 'idle') return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onIdle.push(resolve)
    const late = setTimeout(resolve, DRAIN_MS)
    await promise
    clearTimeout(late)
  }

  /**
   * Opens the file by its path again, after it was renamed; nothing for a file descriptor.
   *
   * @throws if the file cannot be opened; the old one then stays in use
   */
  reopen(): void {
    if (this.#path === undefined) return
    const fd = openFile(this.#path)
    const old = this.#fd
    this.#fd = fd
    if (this.#state !== 'writing') closeSync(old)
    else this.#onIdle.push(() => closeSync(old))
  }

  #make(): void {
    const all = this.#unmade
    this.#unmade = []
    for (const make of all) this.#add(make())
  }

  #add(json: string): void {
    const line = this.#format(json)
    // A UTF-16 unit takes at most three bytes of UTF-8.
    if (this.#length + line.length * 3 > BATCH_BYTES) this.#send()
    if (line.length * 3 > BATCH_BYTES) return this.#enqueue(Buffer.from(line))
    this.#length += this.#batch.write(line, this.#length)
    this.#timer ??= setTimeout(() => this.#send(), BATCH_MS).unref()
  }

  #send(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#length === 0) return
    const taken = this.#batch.subarray(0, this.#length)
    this.#batch = Buffer.allocUnsafe(BATCH_BYTES)
    this.#length = 0
    this.#enqueue(taken)
  }

  #enqueue(lines: Buffer): void {
    if (this.#waiting + lines.length > MAX_BACKLOG) {
      this.#lost += lines.length
      return
    }
    this.#waiting += lines.length
    this.#queue.push(...(this.#shared ? pieces(lines) : [lines]))
    if (this.#state === 'idle' && !this.#isFlushing) this.#next()
  }

  /** Writes the first of the queue. */
  #next(): void {
    const bytes = this.#queue[0]
    if (bytes === undefined) {
      this.#state = 'idle'
      for (const idle of this.#onIdle.splice(0)) idle()
      return
    }
    this.#state = 'writing'
    write(this.#fd, bytes, (error, written) => this.#wrote(bytes, error, written))
  }

  #wrote(bytes: Buffer, error: NodeJS.ErrnoException | null, written: number): void {
    if (error !== null && isBusy(error)) {
      this.#state = 'pausing'
      setTimeout(() => this.#next(), RETRY_MS).unref()
      return
    }
    const done = error === null ? written : bytes.length
    this.#waiting -= done
    if (done === bytes.length) this.#queue.shift()
    else this.#queue[0] = bytes.subarray(done)
    const lost = this.#lost
    if (error !== null) this.#lost += bytes.length
    else if (lost > 0) {
      this.#lost = 0
      this.#onLoss(lost)
    }
    this.#next()
  }
}

const openFile = (path: string): number => openSync(path, 'a', 0o640)

const isBusy = ({ code }: NodeJS.ErrnoException): boolean => code === 'EAGAIN' || code === 'EBUSY'

/** Waits up to a second for a reader. */
function writeNow(fd: number, bytes: Buffer): void {
  const until = performance.now() + DRAIN_MS
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at)
    } catch (error) {
      if (!isBusy(error as NodeJS.ErrnoException) || performance.now() > until) return
      Atomics.wait(NEVER, 0, 0, RETRY_MS)
    }
  }
}

const NEVER = new Int32Array(new SharedArrayBuffer(4))
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
