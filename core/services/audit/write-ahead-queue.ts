import { createReadStream, statSync } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Amounts } from '../../engine/contract/plugin.ts'
import type { JsonObject } from '../../engine/contract/store.ts'
import { linesOf } from '../../engine/util/lines.ts'
import { makeFolder } from '../../engine/util/make-folder.ts'
import { fileOwner, isOrphan } from '../../engine/util/owned-files.ts'

/** A write that the store rejected, or may have rejected. */
export interface Waiting {
  /** The exchange that ends; absent for other events. */
  readonly id?: string
  readonly used?: Amounts
  /** Events of the first write, if it failed; they are in the log only if that write happened after all. */
  readonly first?: readonly JsonObject[]
  readonly events: readonly JsonObject[]
}

interface Queued {
  readonly line: string
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

const BATCH = 200

/**
 * Queue for writes while the store is down: JSON lines in files of this process, 0600, synced before `add` resolves.
 * Takes over files of dead processes.
 */
export class WriteAheadQueue {
  readonly #home: string
  /** In the folder; and beside it while it is moved away or replaced, since nothing may be made in its place. */
  readonly #inside: string
  readonly #beside: string
  #identity: string | undefined
  readonly #maxBytes: number
  readonly #owner = fileOwner()
  readonly #files = new Map<string, number>()
  #number = 0
  #current: string | undefined = undefined
  #queue: Queued[] = []
  #writing: Promise<void> | undefined = undefined

  /** `folder` is created on the first write. */
  constructor(folder: string, maxBytes: number) {
    this.#home = folder
    this.#inside = join(folder, 'spill')
    this.#beside = `${resolve(folder)}-spill`
    this.#identity = identityOf(folder)
    this.#maxBytes = maxBytes
  }

  /** Whether entries of this process wait. */
  get pending(): boolean {
    return this.#files.size > 0 || this.#writing !== undefined
  }

  /** Whether entries of a dead process wait that `drain` would take over. */
  async awaited(): Promise<boolean> {
    return (await this.#orphans()).length > 0
  }

  /** Resolves when the entry would survive a power failure; concurrent entries share the next write. */
  add(entry: Waiting): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ line: `${JSON.stringify(entry)}\n`, resolve, reject })
      this.#writing ??= this.#writeAll()
    })
  }

  /** Passes all entries to `write`, oldest first. Removes a file after all of it was accepted. */
  async drain(write: (entries: readonly Waiting[]) => Promise<void>): Promise<void> {
    await this.#adopt()
    // Later entries go to another file.
    this.#current = undefined
    const files = [...this.#files.keys()]
    await this.#writing
    for (const file of files) {
      for await (const entries of batches(file)) await write(entries)
      await rm(file, { force: true })
      this.#files.delete(file)
    }
  }

  async #writeAll(): Promise<void> {
    // `add` must see this promise before it settles.
    await Promise.resolve()
    while (this.#queue.length > 0) {
      const batch = this.#queue
      this.#queue = []
      try {
        await this.#write(Buffer.from(batch.map(({ line }) => line).join('')))
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.#writing = undefined
  }

  async #write(bytes: Buffer): Promise<void> {
    const waiting = [...this.#files.values()].reduce((sum, size) => sum + size, 0)
    if (waiting + bytes.length > this.#maxBytes) throw new Error('audit.max_spill_bytes is reached')
    const folder = this.#place()
    const fresh = this.#current === undefined || dirname(this.#current) !== folder
    if (fresh) makeFolder(folder)
    const file = fresh ? this.#nextFile(folder) : (this.#current as string)
    this.#current = file
    this.#files.set(file, (this.#files.get(file) ?? 0) + bytes.length)
    try {
      const handle = await open(file, 'a', 0o600)
      try {
        await handle.writeFile(bytes)
        await handle.datasync()
      } finally {
        await handle.close()
      }
      if (fresh) await syncFolder(file)
    } catch (error) {
      // Never append to a file whose last line may be torn.
      if (this.#current === file) this.#current = undefined
      throw error
    }
  }

  #place(): string {
    const now = identityOf(this.#home)
    this.#identity ??= now
    return now === this.#identity ? this.#inside : this.#beside
  }

  #nextFile(folder: string): string {
    return join(folder, `${this.#owner}-${this.#number++}.jsonl`)
  }

  /** Claims files by renaming, which only one process can win. */
  async #adopt(): Promise<void> {
    this.#place()
    for (const from of await this.#orphans()) {
      const to = this.#nextFile(dirname(from))
      try {
        await rename(from, to)
        this.#files.set(to, (await stat(to)).size)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      }
    }
  }

  /** Files of dead processes, oldest first. */
  async #orphans(): Promise<string[]> {
    const found: string[] = []
    for (const folder of [this.#inside, this.#beside]) {
      const names = await readdir(folder).catch(() => [])
      for (const name of names.sort()) if (await isOrphan(folder, name, this.#owner)) found.push(join(folder, name))
    }
    return found
  }
}

/** Tells a folder from another that took its place; undefined if there is none. */
function identityOf(folder: string): string | undefined {
  try {
    const { dev, ino } = statSync(folder, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return undefined
  }
}

async function syncFolder(file: string): Promise<void> {
  const handle = await open(dirname(file), 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function* batches(file: string): AsyncGenerator<Waiting[]> {
  let entries: Waiting[] = []
  for await (const line of linesOf(createReadStream(file))) {
    const entry = parse(line)
    if (entry !== undefined) entries.push(entry)
    if (entries.length < BATCH) continue
    yield entries
    entries = []
  }
  if (entries.length > 0) yield entries
}

/** A torn line was never confirmed, so it may be dropped. */
function parse(line: string): Waiting | undefined {
  try {
    return JSON.parse(line) as Waiting
  } catch {
    return undefined
  }
}
