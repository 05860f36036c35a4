import type { ChatExchange } from '../exchange/exchange.ts'
import type { IssuedIds } from '../exchange/issued-ids.ts'

/** Records the ids of one reply before they leave. */
export class Issuing {
  readonly #ids: IssuedIds
  readonly #x: ChatExchange
  readonly #known = new Set<string>()
  #new: string[] = []

  private constructor(ids: IssuedIds, x: ChatExchange) {
    this.#ids = ids
    this.#x = x
  }

  /** Undefined if the provider does not keep the reply. */
  static of(ids: IssuedIds | undefined, x: ChatExchange): Issuing | undefined {
    return ids === undefined || !x.request.isKept ? undefined : new Issuing(ids, x)
  }

  note(ids: readonly string[] | undefined): void {
    if (ids === undefined) return
    for (const id of ids) {
      if (this.#known.has(id)) continue
      this.#known.add(id)
      this.#new.push(id)
    }
  }

  /** Settles when all noted ids are recorded; undefined if there is nothing to wait for. */
  record(): Promise<void> | undefined {
    if (this.#new.length === 0) return undefined
    const ids = this.#new
    this.#new = []
    const { caller, upstream = '', label, request } = this.#x
    const model = request.hasPlainModel ? request.model : ''
    return this.#ids.issue(ids, { key: caller.keyId, upstream, model, label })
  }
}
