import type { ChatExchange } from '../exchange/exchange.ts'
import type { IssuedIds } from '../exchange/issued-ids.ts'
import type { ReplyContext } from './context.ts'

/** Records the ids and seals of one reply before they leave. */
export class Issuing {
  readonly #ids: IssuedIds
  readonly #x: ChatExchange
  readonly #inspects: boolean
  readonly #known = new Set<string>()
  #new: string[] = []
  #seals: string[] = []

  private constructor(ids: IssuedIds, x: ChatExchange, inspects: boolean) {
    this.#ids = ids
    this.#x = x
    this.#inspects = inspects
    // What the client sent may be from elsewhere, even if it comes back.
    if (inspects) for (const seal of x.request.seals ?? []) this.#known.add(seal)
  }

  /** Undefined if the provider keeps nothing of the reply, and it has no seals. */
  static of({ ids, x, inspects }: ReplyContext): Issuing | undefined {
    const seals = inspects && x.request.seals !== undefined
    return ids === undefined || !(seals || x.request.isKept) ? undefined : new Issuing(ids, x, seals)
  }

  note({ ids, seals }: Issued): void {
    if (ids !== undefined && this.#x.request.isKept) this.#add(ids, this.#new)
    if (seals !== undefined && this.#inspects) this.#add(seals, this.#seals)
  }

  #add(all: readonly string[], added: string[]): void {
    for (const one of all) {
      if (this.#known.has(one)) continue
      this.#known.add(one)
      added.push(one)
    }
  }

  /** Settles when all that was noted is recorded; undefined if there is nothing to wait for. */
  record(): Promise<unknown> | undefined {
    if (this.#new.length + this.#seals.length === 0) return undefined
    const [ids, seals] = [this.#new, this.#seals]
    this.#new = []
    this.#seals = []
    const { caller, upstream = '', label, request } = this.#x
    const key = caller.keyId
    const model = request.hasPlainModel ? request.model : ''
    const issued = this.#ids.issue(ids, { key, upstream, model, label })
    return seals.length === 0 ? issued : Promise.all([issued, this.#ids.seal(seals, { key, label })])
  }
}

/** A reply, or a part of it. */
interface Issued {
  readonly ids?: readonly string[] | undefined
  readonly seals?: readonly string[] | undefined
}
