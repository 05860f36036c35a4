import { type ChildProcess, execFile } from 'node:child_process'
import type { UpstreamConfig } from '../config/types.ts'
import { type Credential, isKey, type KeyFault, noKey, type OnKeyFault } from './key-source.ts'

type Command = NonNullable<UpstreamConfig['key_command']>

/** A request starts a renewal in the background when this part of the ttl is over. */
const EARLY = 0.75
/** Pauses between failed runs, milliseconds. */
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 30_000
const MAX_OUTPUT = 64 * 1024

/** Runs a command, never through a shell, and keeps the key that it prints for `ttl_seconds`. */
export class KeyCommand implements Credential {
  readonly #name: string
  readonly #command: Command
  readonly #onFault: OnKeyFault
  readonly #now: () => number
  #key: string | undefined = undefined
  #madeAt = 0
  #running: Promise<string> | undefined = undefined
  #child: ChildProcess | undefined = undefined
  #failures = 0
  #pauseUntil = 0

  /** @param now a clock that is never set back, milliseconds */
  constructor(name: string, command: Command, onFault: OnKeyFault, now = () => performance.now()) {
    this.#name = name
    this.#command = command
    this.#onFault = onFault
    this.#now = now
  }

  get(): string | Promise<string> {
    const ttl = this.#command.ttl_seconds * 1000
    const age = this.#now() - this.#madeAt
    const key = this.#key
    if (key === undefined || age >= ttl) return this.#renew()
    if (age >= ttl * EARLY) this.#renew().catch(() => {})
    return key
  }

  /** Settles when no run is in progress, whatever its result; for tests. */
  get settled(): Promise<void> {
    return Promise.allSettled([this.#running]).then(() => {})
  }

  close(): void {
    this.#child?.kill('SIGKILL')
  }

  /** One run at a time, and a pause after a failed one, however many requests wait. */
  async #renew(): Promise<string> {
    const pause = this.#pauseUntil - this.#now()
    if (this.#running === undefined && pause > 0) throw noKey(this.#name, pause / 1000)
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #run(): Promise<string> {
    const startedAt = this.#now()
    try {
      const key = await this.#ask()
      this.#key = key
      this.#madeAt = startedAt
      this.#failures = 0
      this.#pauseUntil = 0
      return key
    } catch (error) {
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures++, LONGEST_PAUSE_MS)
      this.#pauseUntil = this.#now() + pause
      const usable = this.#key !== undefined && this.#now() - this.#madeAt < this.#command.ttl_seconds * 1000
      const { fault, ...more } = error as CommandFault
      this.#onFault(fault, usable, more)
      throw noKey(this.#name, pause / 1000)
    }
  }

  #ask(): Promise<string> {
    const [file, ...args] = this.#command.command as [string, ...string[]]
    const options = {
      timeout: this.#command.timeout_seconds * 1000,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_OUTPUT,
      shell: false,
      windowsHide: true,
    } as const
    return new Promise((resolve, reject) => {
      this.#child = execFile(file, args, options, (error, stdout) => {
        this.#child = undefined
        const key = stdout.trim()
        if (error !== null) reject(faultOf(error))
        else if (isKey(key)) resolve(key)
        else reject({ fault: 'invalid' } satisfies CommandFault)
      })
      // A command that reads a terminal would wait for ever.
      this.#child.stdin?.on('error', () => {}).end()
    })
  }
}

interface CommandFault {
  readonly fault: KeyFault
  readonly exit_code?: number
}

/** Drops the message: it repeats what the command wrote. */
function faultOf(error: Error & { code?: number | string | null; killed?: boolean }): CommandFault {
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return { fault: 'invalid' }
  if (error.killed === true) return { fault: 'timeout' }
  if (typeof error.code === 'number') return { fault: 'exit', exit_code: error.code }
  return { fault: typeof error.code === 'string' ? 'not_found' : 'exit' }
}
