import type { UpstreamConfig } from '../../config/types.ts'
import { ShareWindow } from './share-window.ts'

export type BreakerConfig = UpstreamConfig['breaker']
export type BreakerState = 'closed' | 'open' | 'half_open'
/** Why it opened. */
export type OpenReason = 'failures_in_row' | 'failure_share'
/** `reason` is undefined when it closed. */
export type OnBreaker = (reason: OpenReason | undefined) => void

/**
 * Keeps requests away from an upstream that fails. While it is open, one request per wait is let through as a trial; the
 * wait doubles with each that fails. A trial needs no end: when its client leaves, the next wait brings another.
 */
export class Breaker {
  readonly #config: BreakerConfig
  readonly #now: () => number
  readonly #onChange: OnBreaker
  readonly #checked: boolean
  readonly #window: ShareWindow
  #inRow = 0
  #isOpen = false
  #onTrial = false
  #wait = 0
  #trialAt = 0
  /** When the state changed, milliseconds since 1970. */
  since = Date.now()

  /** @param checked a check of its own asks the upstream while the breaker is open, instead of requests */
  constructor(config: BreakerConfig, checked: boolean, now: () => number, onChange: OnBreaker) {
    this.#config = config
    this.#checked = checked
    this.#now = now
    this.#onChange = onChange
    this.#window = new ShareWindow(config.window_seconds * 1000)
  }

  get state(): BreakerState {
    return this.#isOpen ? (this.#onTrial ? 'half_open' : 'open') : 'closed'
  }

  /** Failures since the last success. */
  get failures(): number {
    return this.#inRow
  }

  /** Whether a request may go to the upstream, as a trial if it is open. */
  get admits(): boolean {
    return !this.#isOpen || (!this.#checked && this.#now() >= this.#trialAt)
  }

  /** A request or a check goes to the upstream. */
  begin(): void {
    if (!this.#isOpen) return
    // Even without a turn: what no other upstream can take is asked at any time.
    this.#onTrial = true
    const now = this.#now()
    if (now >= this.#trialAt) this.#trialAt = now + this.#wait
  }

  success(): void {
    this.#inRow = 0
    if (!this.#isOpen) return this.#window.add(this.#now(), false)
    // An answer from before it opened says nothing of now.
    if (!this.#onTrial) return
    this.#window.clear()
    this.#change(false, undefined)
  }

  failure(): void {
    const { enabled, failures, failure_share: share, min_requests: least } = this.#config
    if (!enabled) return
    this.#inRow++
    if (this.#isOpen) return this.#failTrial()
    this.#window.add(this.#now(), true)
    if (this.#inRow >= failures) this.#open('failures_in_row')
    else if (this.#window.total >= least && this.#window.share >= share) this.#open('failure_share')
  }

  #open(reason: OpenReason): void {
    this.#wait = this.#config.open_seconds * 1000
    this.#trialAt = this.#now() + this.#wait
    this.#change(true, reason)
  }

  #failTrial(): void {
    if (!this.#onTrial) return
    this.#onTrial = false
    this.#wait = Math.min(this.#wait * 2, this.#config.max_open_seconds * 1000)
    this.#trialAt = this.#now() + this.#wait
  }

  #change(isOpen: boolean, reason: OpenReason | undefined): void {
    this.#isOpen = isOpen
    this.#onTrial = false
    this.since = Date.now()
    this.#onChange(reason)
  }
}
