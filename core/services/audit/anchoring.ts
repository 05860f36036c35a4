import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GovernanceEvent, Json, Log } from '../../engine/contract/plugin.ts'
import type { Store } from '../../engine/contract/store.ts'
import { isToldElsewhere } from '../../engine/contract/store-errors.ts'
import type { AnchorSigner } from './anchor.ts'

export interface AnchoringOptions {
  readonly store: Store
  readonly stream: string
  readonly signer: AnchorSigner
  /** Emits the event with the anchor. */
  readonly emit: (type: string, payload: Readonly<Record<string, Json>>) => GovernanceEvent
  /** Anchors only while this is true. */
  readonly audited: () => boolean
  /** Folder for `audit-anchors.jsonl`; undefined for stores without a folder. */
  readonly folder: string | undefined
  readonly log: Log
  /** Milliseconds between anchors, default 60,000. */
  readonly everyMs?: number
}

/** File for copies of the anchors, in the data folder: JSON lines, 0600. */
export const ANCHOR_FILE = 'audit-anchors.jsonl'

const EVERY_MS = 60_000

/** Anchors the trail regularly and at the end, if it has grown. */
export class Anchoring {
  readonly #options: AnchoringOptions
  readonly #timer: NodeJS.Timeout
  readonly #holder = crypto.randomUUID()
  #anchored = 0
  #last: Promise<void> = Promise.resolve()

  constructor(options: AnchoringOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.anchor(), options.everyMs ?? EVERY_MS).unref()
  }

  /** Anchors records appended since the last anchor; never fails. */
  anchor(last = false): Promise<void> {
    this.#last = this.#last.then(() => this.#anchor(last)).catch((error: unknown) => this.#failed(error))
    return this.#last
  }

  /** Stops after a final anchor. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.anchor(true)
  }

  async #anchor(last: boolean): Promise<void> {
    const { store, stream, signer, emit, everyMs = EVERY_MS } = this.#options
    if (!this.#options.audited()) return
    const { records } = await store.scan(stream, { order: 'desc', limit: 1 })
    const head = records[0]?.record
    if (head === undefined) return
    const { instance, seq, hash } = head as { instance: string; seq: number; hash: string }
    // An anchor is itself a record. If only the previous anchor was appended, there is nothing new.
    const isAnchor = head.type === 'audit.anchor' && (head.anchor as { seq: number }).seq === seq - 1
    if (seq === this.#anchored || isAnchor) return
    // Processes that share a chain take turns; a final anchor needs no turn.
    if (!last && !(await store.acquire(`audit-anchor/${instance}`, this.#holder, everyMs / 2))) return
    this.#anchored = seq
    const anchor = signer.sign(instance, seq, hash, new Date().toISOString())
    emit('audit.anchor', { anchor: { ...anchor } })
    await this.#keep(`${JSON.stringify(anchor)}\n`)
  }

  async #keep(line: string): Promise<void> {
    const { folder } = this.#options
    if (folder !== undefined) await appendFile(join(folder, ANCHOR_FILE), line, { mode: 0o600 })
  }

  #failed(error: unknown): void {
    const { log, store } = this.#options
    if (!isToldElsewhere(error, store)) log.error({ err: error }, 'the trail was not anchored')
  }
}
