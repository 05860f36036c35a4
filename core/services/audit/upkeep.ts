import type { Store } from '../../engine/contract/store.ts'
import { isToldElsewhere } from '../../engine/contract/store-errors.ts'
import { Anchoring, type AnchoringOptions } from './anchoring.ts'

/** How much of the trail to keep. Records that a reader has not acknowledged are always kept. */
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

/** Regular maintenance of a durable trail: anchors and retention. */
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

  /** Removes records beyond the retention limits. */
  trim(): Promise<void> {
    this.#trimming = this.#trimming.then(() => trim(this.#options))
    return this.#trimming
  }

  /** Anchors the last records. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all([this.#trimming, this.#anchoring.stop()])
  }
}

/** Runs even without new records, so that old ones expire after the last reader was disabled. */
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
