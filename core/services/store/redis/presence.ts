import { setTimeout as delay } from 'node:timers/promises'
import { isStoreError, StoreError } from '../../../engine/contract/store-errors.ts'
import type { Script } from './connection.ts'

/** How long the name of a process that was killed stays taken, milliseconds. */
const LEASE_MS = 10_000
const RENEW_MS = 3_000
const LOOK_MS = 250

type Run = (script: Script, args: object) => Promise<unknown>

/**
 * Two processes of one name would write one audit chain, and each would refuse what the other has begun. So a process
 * holds its name as long as it runs; a second one is told, at the start or as soon as both are there.
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

  /** `holder` is the same for a process and for the one that takes its place after its death. */
  constructor(run: Run, name: string, holder: string, changed: () => void) {
    this.#run = run
    this.#name = name
    this.#holder = holder
    this.#changed = changed
  }

  /** Waits for the name of a process that was killed; fails at once when its holder is seen to be alive. */
  async claim(): Promise<void> {
    let first: string | undefined
    for (const end = performance.now() + LEASE_MS + 1_000; ; await delay(LOOK_MS)) {
      const held = await this.#ask()
      if (held === undefined) return
      first ??= held
      if (held !== first || performance.now() > end) throw this.#inUse()
    }
  }

  /** Holds the name from now on. */
  start(): void {
    this.#timer ??= setInterval(() => void this.attend(), RENEW_MS).unref()
  }

  /** The name may not be ours. */
  get doubtful(): boolean {
    return this.conflict !== undefined || this.stale
  }

  /** Nothing is certain: the name was not renewed in time, as after a pause of the whole process. */
  get stale(): boolean {
    return this.#timer !== undefined && performance.now() - this.#heldAt > LEASE_MS
  }

  /** Prolongs, or tries to get the name back. Never rejects, but fulfils with what went wrong. */
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

  /** Undefined: the name is ours. Else when the lease of its holder ends. */
  async #ask(): Promise<string | undefined> {
    const args = { name: this.#name, holder: this.#holder, leaseMs: LEASE_MS }
    try {
      const [held, ends] = (await this.#run('present', args)) as [number, string]
      if (held !== 1) return ends
    } catch (error) {
      // A server without room keeps nobody from starting; the name is taken once it has room.
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
