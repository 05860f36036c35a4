import { createHash } from 'node:crypto'
import type { Store } from 'governed-gateway'
import type { SiemSettings } from '../settings.ts'

const KEY = 'status'
/** Maximum delay of stored figures, milliseconds. */
const MAX_DELAY_MS = 1000

/**
 * `retrying`: the receiver did not take the batch, which is tried again `max_retries` times. `paused`: nor then; the next
 * attempt is at `next_attempt`.
 */
export type State = 'disabled' | 'delivering' | 'retrying' | 'paused'

/** Delivery status, readable from every process. */
export type Status = {
  state: State
  /** Identifies the destination without its address; null if there is none. */
  target: string | null
  /** Time of the next attempt at a paused destination. */
  next_attempt: string | null
  last_success: string | null
  last_error: { time: string; error: string; status: number | null } | null
  delivered: number
  filtered: number
  rejected: number
  dropped: number
  retries: number
  /** Dropped events that no `export.dropped` tells yet, and what was kept meanwhile. The next process reports them. */
  unreported: { readonly count: number; readonly kept: number; readonly reason: string }
}

const EMPTY: Status = {
  state: 'disabled',
  target: null,
  next_attempt: null,
  last_success: null,
  last_error: null,
  delivered: 0,
  filtered: 0,
  rejected: 0,
  dropped: 0,
  retries: 0,
  unreported: { count: 0, kept: 0, reason: '' },
}

export const targetOf = ({ destination, url }: Pick<SiemSettings, 'destination' | 'url'>): string =>
  createHash('sha256').update(`${destination}\0${url}`).digest('base64url').slice(0, 16)

export const readStatus = async (store: Pick<Store, 'get'>): Promise<Status> => ({
  ...EMPTY,
  ...(await store.get<Status>(KEY)),
})

/** Written by the delivering process: at once when the state changes, otherwise at most once a second. */
export class StatusBoard {
  readonly #store: Pick<Store, 'get' | 'set'>
  readonly status: Status = { ...EMPTY }
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<unknown> = Promise.resolve()

  constructor(store: Pick<Store, 'get' | 'set'>) {
    this.#store = store
  }

  /** Continues the counts of the previous deliverer. */
  async load(): Promise<void> {
    Object.assign(this.status, await readStatus(this.#store))
  }

  /**
   * Sets the current receiver.
   *
   * @returns true if it changed; errors of the previous one are cleared
   */
  aim(target: string | null): boolean {
    if (target === this.status.target) return false
    Object.assign(this.status, { target, last_error: null, next_attempt: null })
    return true
  }

  count(field: 'delivered' | 'filtered' | 'rejected' | 'dropped' | 'retries', by: number): void {
    if (by === 0) return
    this.status[field] += by
    this.#later()
  }

  succeeded(): void {
    this.status.last_success = new Date().toISOString()
    this.#later()
  }

  failed(error: string, status: number | undefined): void {
    this.status.last_error = { time: new Date().toISOString(), error, status: status ?? null }
    this.#later()
  }

  /** The receiver is known to fail, or to answer, while it is not paused. */
  retries(isFailing: boolean): void {
    const { state } = this.status
    if (isFailing && state === 'delivering') this.enter('retrying')
    else if (!isFailing && state === 'retrying') this.enter('delivering')
  }

  enter(state: State, resumesInMs?: number): void {
    this.status.next_attempt = resumesInMs === undefined ? null : new Date(Date.now() + resumesInMs).toISOString()
    this.status.state = state
    this.write()
  }

  #later(): void {
    this.#timer ??= setTimeout(() => this.write(), MAX_DELAY_MS).unref()
  }

  /** Ignores failures: status is not essential. */
  write(): Promise<unknown> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing = this.#store.set(KEY, { ...this.status }).catch(() => false)
    return this.#writing
  }
}
