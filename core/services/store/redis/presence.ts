import { setTimeout as delay } from 'node:timers/promises'
import { isStoreError, StoreError } from '../../../engine/contract/store-errors.ts'
import type { Script } from './connection.ts'

/** How long the name of a killed process stays taken, milliseconds. */
const LEASE_MS = 10_000
const RENEW_MS = 3_000
const LOOK_MS = 250

type Run = (script: Script, args: object) => Promise<unknown>

/**
 * Holds the name of a process while it runs. Two processes with one name would write the same audit chain and refuse
 * each other's records. The second process gets an error, at start or as soon as both run.
 */
export class Presence {
  /** Set while another process has our name. */
  conflict: StoreError | undefined
  readonly #run: Run
  readonly #name: string
  readonly #holder: string
  readonly #changed: () => void
  #heldAt = Number.NEGATIVE_INFINITY
  #attending: Promise<unknown> | undefined
  #timer: NodeJS.Timeout | undefined

  /** `holder` is the same for a process and its successor. */
  constructor(run: Run, name: string, holder: string, changed: () => void) {
    this.#run = run
    this.#name = name
    this.#holder = holder
    this.#changed = changed
  }

  /** Waits until the name of a killed process expires; fails at once if its holder is alive. */
  async claim(): Promise<void> {
    let first: string | undefined
    for (const end = performance.now() + LEASE_MS + 1_000; ; await delay(LOOK_MS)) {
      const held = await this.#ask()
      if (held === undefined) return
      first ??= held
      if (held !== first || performance.now() > end) throw this.#inUse()
    }
  }

  /** Starts renewing the name. */
  start(): void {
    this.#timer ??= setInterval(() => void this.attend(), RENEW_MS).unref()
  }

  /** Whether we may have lost the name. */
  get doubtful(): boolean {
    return this.conflict !== undefined || this.stale
  }

  /** Whether renewal is overdue, for example after a pause of the whole process. */
  get stale(): boolean {
    return this.#timer !== undefined && performance.now() - this.#heldAt > LEASE_MS
  }

  /** Renews the name, or tries to get it back. Never rejects; resolves to the error, if any. */
  attend(): Promise<unknown> {
    // `claim` is still waiting.
    if (this.#timer === undefined) return Promise.resolve()
    this.#attending ??= this.#attend().finally(() => {
      this.#attending = undefined
    })
    return this.#attending
  }

  async leave(): Promise<void> {
    clearInterval(this.#timer)
    await this.#attending
    if (this.#heldAt === Number.NEGATIVE_INFINITY || this.conflict !== undefined) return
    await this.#run('absent', { name: this.#name, holder: this.#holder }).catch(() => {})
  }

  async #attend(): Promise<unknown> {
    const before = this.conflict
    try {
      this.conflict = (await this.#ask()) === undefined ? undefined : (before ?? this.#inUse())
    } catch (error) {
      return error
    }
    if (this.conflict !== before) this.#changed()
    return undefined
  }

  /** Undefined: the name is ours. Otherwise when the holder's lease ends. */
  async #ask(): Promise<string | undefined> {
    const args = { name: this.#name, holder: this.#holder, leaseMs: LEASE_MS }
    try {
      const [held, ends] = (await this.#run('present', args)) as [number, string]
      if (held !== 1) return ends
    } catch (error) {
      // A full server does not prevent the start; the name is taken once there is space.
      if (!isStoreError(error, 'full')) throw error
    }
    this.#heldAt = performance.now()
    return undefined
  }

  #inUse(): StoreError {
    const remedy = 'Stop that gateway, or give each node a name of its own: `instance`, or SERVICE_INSTANCE.'
    return new StoreError('in_use', `Another gateway on this Redis has the instance name ${this.#name}. ${remedy}`)
  }
}
