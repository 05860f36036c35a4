import type { KeyObject } from 'node:crypto'
import type { Exchange, RequestMessage, Session } from 'governed-gateway'
import { derivedId, turnAfter, usersIn } from './identity.ts'

/** How a conversation began. */
interface Begun {
  /** Keys may share what the core remembers, but no session. */
  readonly keyId: string
  readonly id: string
  /** Messages of the user, of which there is at least one: the session depends on no later message. */
  readonly users: number
}

/** Derives sessions from conversations, without reading again what came in an earlier request. */
export class DerivedSessions {
  readonly #secret: KeyObject
  readonly #known = new WeakMap<object, Begun>()

  constructor(secret: KeyObject) {
    this.#secret = secret
  }

  of({ request, caller: { keyId } }: Exchange): Session {
    const { before, fresh = [], all } = request.messageParts ?? {}
    const known = before && this.#known.get(before)
    const begun =
      known?.keyId === keyId
        ? { keyId, id: known.id, users: known.users + usersIn(fresh) }
        : this.#read(keyId, request.messages)
    if (all !== undefined && begun.users > 0) this.#known.set(all, begun)
    return { id: begun.id, turnIndex: turnAfter(begun.users) }
  }

  #read(keyId: string, messages: readonly RequestMessage[]): Begun {
    return { keyId, id: derivedId(this.#secret, keyId, messages), users: usersIn(messages) }
  }
}
