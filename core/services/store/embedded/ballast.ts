import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * A file that reserves disk space. On a full disk even a DELETE fails, since it first writes to the log. Deleting the
 * ballast frees space to finish open work and to trim.
 */
export class Ballast {
  readonly #file: string
  readonly #bytes: number

  constructor(file: string, bytes: number) {
    this.#file = file
    this.#bytes = bytes
  }

  /** Creates it if missing or too small. Returns false if the disk lacks room for it and a margin. */
  raise(): boolean {
    if (this.#bytes === 0 || this.#size() >= this.#bytes) return true
    const { bavail, bsize } = statfsSync(dirname(this.#file))
    if (bavail * bsize < 2 * this.#bytes) return false
    // Random bytes, because a compressing file system would reserve no space for zeros.
    const chunk = randomBytes(Math.min(this.#bytes, 65_536))
    const handle = openSync(this.#file, 'w', 0o600)
    try {
      for (let done = 0; done < this.#bytes; done += chunk.length) writeSync(handle, chunk)
      fsyncSync(handle)
      return true
    } catch {
      this.drop()
      return false
    } finally {
      closeSync(handle)
    }
  }

  drop(): void {
    rmSync(this.#file, { force: true })
  }

  #size(): number {
    return statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0
  }
}
