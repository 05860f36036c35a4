import type { Store } from '../../engine/contract/store.ts'
import { isToldElsewhere } from '../../engine/contract/store-errors.ts'
import { Anchoring, type AnchoringOptions } from './anchoring.ts'

/** How much of the trail the store keeps; what a reader has not acknowledged stays in any case. */
export interface Retention {
  /** Undefined: no limit. */
  readonly days?: number | undefined
  readonly records?: number | undefined
}

export interface UpkeepOptions extends AnchoringOptions {
  readonly retention: () => Retention
}

const DAY_MS = 86_400_000
const TRIM_EVERY_MS = 60_000

/** What a durable trail needs now and then: anchors, and an end for what is old. */
export class Upkeep {
  readonly #options: UpkeepOptions
  readonly #anchoring: Anchoring
  readonly #timer: NodeJS.Timeout
  #trimming: Promise<void> = Promise.resolve()

  constructor(options: UpkeepOptions) {
    this.#options = options
    this.#anchoring = new Anchoring(options)
    this.#timer = setInterval(() => void this.trim(), TRIM_EVERY_MS).unref()
  }

  /** Removes what is older, or more, than the retention allows. */
  trim(): Promise<void> {
    this.#trimming = this.#trimming.then(() => trim(this.#options))
    return this.#trimming
  }

  /** Anchors what was appended last. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all([this.#trimming, this.#anchoring.stop()])
  }
}

/** Also while nothing is written: what was recorded before its last reader was switched off is to go in its time. */
async function trim({ store, stream, log, retention }: UpkeepOptions): Promise<void> {
  const { days, records } = retention()
  if (days === undefined && records === undefined) return
  try {
    if (days !== undefined) await all(store, stream, { before: Math.floor(Date.now() - days * DAY_MS) })
    if (records !== undefined) await all(store, stream, { keep: records })
  } catch (error) {
    if (!isToldElsewhere(error, store)) log.error({ err: error }, 'the audit log was not trimmed')
  }
}

async function all(store: Store, stream: string, options: { before?: number; keep?: number }): Promise<void> {
  while ((await store.trim(stream, options)).more);
}
