import type { GovernanceEvent, Json, RecentPage, Services } from 'governed-gateway'

const LOG = 'live'
const WATCHED = 'watched'
/** How long processes publish after a page last asked, milliseconds. */
const WATCH_MS = 15_000
const PUBLISH_MS = 500
const KEPT = 200
const SHOWN = 100
/** Entries that a look reads at once after those that the page has. */
const PAGE = 20

const ENDS: ReadonlySet<string> = new Set([
  ...['request.completed', 'request.blocked', 'request.rejected', 'response.blocked', 'stream.aborted'],
  'upstream.failed',
])
/** What the page shows. Events have no content; these members have no reasons of operators either. */
const MEMBERS = [
  ...['id', 'time', 'type', 'request_id', 'key_id', 'model', 'upstream', 'classification', 'action', 'status', 'code'],
  ...['detections', 'tokens', 'cost', 'latency_ms', 'stream'],
] as const

const idOf = (one: Json): string => String((one as { readonly id?: Json }).id)

/** The newest decisions of all processes. They go to the store only while a page looks at them. */
export class LiveDecisions {
  readonly #services: Pick<Services, 'store' | 'log'>
  readonly #also: () => Promise<void>
  #recent: Json[] = []
  /** Of `#recent`, the newest that are not in the store. */
  #untold = 0
  #until = 0
  #asked = 0
  #timer: NodeJS.Timeout | undefined = undefined
  #unwatch: (() => void) | undefined = undefined

  /** @param also runs with each publication */
  constructor(services: Pick<Services, 'store' | 'log'>, also: () => Promise<void> = async () => {}) {
    this.#services = services
    this.#also = also
  }

  /** Whether a page looks, at any process. */
  get watched(): boolean {
    return this.#timer !== undefined
  }

  start(): void {
    this.#unwatch = this.#services.store.watch(WATCHED, () => this.#watched())
  }

  stop(): void {
    this.#unwatch?.()
    clearInterval(this.#timer)
  }

  /** Runs for each event, so it only keeps it. */
  note(event: GovernanceEvent): void {
    if (!ENDS.has(event.type)) return
    const shown: Record<string, Json> = {}
    for (const name of MEMBERS) if (event[name] !== undefined) shown[name] = event[name]
    this.#recent.push(shown)
    this.#untold++
    if (this.#recent.length >= 2 * KEPT) this.#recent = this.#recent.slice(-KEPT)
  }

  /** The newest first; only those after `since`, the cursor of an earlier answer. */
  async list(since?: string): Promise<{ decisions: Json[]; cursor: string | undefined }> {
    const { store } = this.#services
    const now = Date.now()
    if (now - this.#asked > WATCH_MS / 3) {
      this.#asked = now
      await store.set(WATCHED, now, { ttlMs: WATCH_MS, notify: true })
      this.#watched()
    }
    await this.#publish()
    const decisions: Json[] = []
    let page: RecentPage | undefined
    do {
      const limit = since === undefined ? SHOWN : PAGE
      page = await store.recent(LOG, { limit, ...(page?.next !== undefined && { cursor: page.next }) })
      const known = page.entries.findIndex((one) => idOf(one) === since)
      decisions.push(...page.entries.slice(0, known === -1 ? undefined : known))
      if (known !== -1) break
    } while (page.next !== undefined && decisions.length < SHOWN)
    const [newest] = decisions
    return { decisions: decisions.slice(0, SHOWN), cursor: newest === undefined ? since : idOf(newest) }
  }

  #watched(): void {
    this.#until = Date.now() + WATCH_MS
    this.#timer ??= setInterval(() => void this.#publish(), PUBLISH_MS).unref()
  }

  async #publish(): Promise<void> {
    if (Date.now() > this.#until) {
      clearInterval(this.#timer)
      this.#timer = undefined
      return
    }
    const count = Math.min(this.#untold, this.#recent.length, KEPT)
    const entries = count === 0 ? [] : this.#recent.slice(-count)
    this.#untold = 0
    try {
      if (count > 0) await this.#services.store.push(LOG, entries, KEPT)
      await this.#also()
    } catch {
      // The audit trail has them; the page says that the store does not answer.
    }
  }
}
