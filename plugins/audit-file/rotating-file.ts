import type { Stats } from 'node:fs'
import { type FileHandle, open, readdir, rename, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from 'governed-gateway/kit'
import { RotatedNames } from './rotated-names.ts'

export interface RotatingFileOptions {
  readonly path: string
  readonly rotate: 'hourly' | 'daily' | 'never'
  readonly maxBytes: number
  readonly keepFiles: number
  readonly keepDays: number
  /** Unix milliseconds, for tests. */
  readonly now?: () => number
}

const PERIODS = { hourly: 3_600_000, daily: 86_400_000, never: Number.POSITIVE_INFINITY } as const
const DAY_MS = 86_400_000
const TAIL = 64 * 1024

/**
 * A file of lines, 0600, that is on disk when `append` settles. A new one begins at a size and with each hour or day; the
 * old one is renamed and in the end removed. What a crash left of a line is cut off, so that the file stays one of lines.
 */
export class RotatingFile {
  readonly #options: RotatingFileOptions
  readonly #now: () => number
  readonly #names: RotatedNames
  #handle: FileHandle | undefined = undefined
  /** Device and inode of the open file. */
  #place = ''
  #bytes = 0
  /** When the file got its first line. */
  #since = 0

  constructor(options: RotatingFileOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#names = new RotatedNames(options.path)
  }

  /** Whole lines, each with its line end. They are all in one file, and survive a power cut. */
  async append(text: string): Promise<void> {
    const bytes = Buffer.byteLength(text)
    let handle = (await this.#opened()) ?? (await this.#open())
    if (this.#isFull(bytes)) {
      await this.#rotate()
      handle = await this.#open()
    }
    if (this.#bytes === 0) this.#since = this.#now()
    try {
      await handle.appendFile(text)
      await handle.datasync()
    } catch (error) {
      // Part of it may be there: opening again cuts it off.
      await this.close()
      throw error
    }
    this.#bytes += bytes
  }

  async close(): Promise<void> {
    const handle = this.#handle
    this.#handle = undefined
    await handle?.close().catch(() => {})
  }

  /** The open file, unless it was moved or removed, where new events would be lost. */
  async #opened(): Promise<FileHandle | undefined> {
    if (this.#handle === undefined) return undefined
    const there = await stat(this.#options.path).catch(() => undefined)
    if (there === undefined || placeOf(there) !== this.#place) await this.close()
    return this.#handle
  }

  async #open(): Promise<FileHandle> {
    const { path } = this.#options
    makeFolder(dirname(path))
    const handle = await open(path, 'a+', 0o600)
    try {
      await handle.chmod(0o600)
      const stats = await handle.stat()
      const { size, birthtimeMs, mtimeMs } = stats
      this.#place = placeOf(stats)
      this.#bytes = await wholeLines(handle, size)
      if (this.#bytes < size) await handle.truncate(this.#bytes)
      this.#since = birthtimeMs > 0 ? Math.min(birthtimeMs, mtimeMs) : mtimeMs
    } catch (error) {
      await handle.close()
      throw error
    }
    this.#handle = handle
    return handle
  }

  #isFull(more: number): boolean {
    if (this.#bytes === 0) return false
    const period = PERIODS[this.#options.rotate]
    const over = Number.isFinite(period) && Math.floor(this.#now() / period) !== Math.floor(this.#since / period)
    return over || this.#bytes + more > this.#options.maxBytes
  }

  async #rotate(): Promise<void> {
    const { path } = this.#options
    await this.close()
    await rename(path, join(dirname(path), this.#names.after(await this.rotated(), this.#now())))
    await this.clean()
  }

  /** Removes the rotated files that are too many or too old. */
  async clean(): Promise<void> {
    const { path, keepFiles, keepDays } = this.#options
    const rotated = await this.rotated()
    const oldest = this.#now() - keepDays * DAY_MS
    for (const [i, name] of rotated.entries()) {
      const file = join(dirname(path), name)
      const tooMany = i < rotated.length - keepFiles
      if (tooMany || (await stat(file)).mtimeMs < oldest) await unlink(file)
    }
  }

  /** Names of the rotated files, oldest first. */
  async rotated(): Promise<string[]> {
    const names = await readdir(dirname(this.#options.path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    return this.#names.among(names)
  }
}

const placeOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`

/** Length up to and including the last line end. */
async function wholeLines(handle: FileHandle, size: number): Promise<number> {
  const buffer = Buffer.alloc(TAIL)
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - TAIL)
    const { bytesRead } = await handle.read(buffer, 0, end - start, start)
    const at = buffer.subarray(0, bytesRead).lastIndexOf(10)
    if (at >= 0) return start + at + 1
    end = start
  }
  return 0
}
