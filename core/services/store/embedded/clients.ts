import type { Args, Notice, OpName, Result } from '../ops.ts'

/** The process that owns the store; it lives as long as the owner. */
const OWN = 0

/** A call that releases a client's claim or lock. */
type Undo = { readonly [K in 'leave' | 'release']: { readonly name: K; readonly args: Args<K> } }['leave' | 'release']

/** What a client leaves when it dies. */
export interface Estate {
  readonly undo: readonly Undo[]
  /** Open reservations and exchanges. */
  readonly open: readonly string[]
}

interface Client {
  /** Claims and locks, by what they hold. */
  readonly holds: Map<string, Undo>
  /** Ids, with whether each has a marker; those stay open when the reservation is taken back. */
  readonly open: Map<string, boolean>
  /** Streams whose last `read` was empty. */
  readonly hungry: Set<string>
  watching: boolean
}

/** The owner's clients: the notices they need, and what to release when one dies. */
export class Clients {
  readonly #clients = new Map<number, Client>()

  /** Tracks a completed call. */
  note(id: number, name: OpName, args: unknown, result: unknown): void {
    if (name === 'begin') {
      const { id: exchange, marker, scopes } = args as Args<'begin'>
      const isOpen = marker !== null || (scopes.length > 0 && (result as Result<'begin'>).ok)
      if (isOpen && id !== OWN) this.#client(id).open.set(exchange, marker !== null)
    } else if (name === 'end' || name === 'cancel') {
      const { id: exchange } = args as Args<'end' | 'cancel'>
      const { open } = this.#client(id)
      if (name === 'end' || open.get(exchange) === false) open.delete(exchange)
    } else if (name === 'read') {
      const { stream, group, consumer } = args as Args<'read'>
      const client = this.#client(id)
      if ((result as unknown[]).length === 0) client.hungry.add(stream)
      client.holds.set(consumer, { name: 'leave', args: { stream, group, consumer } })
    } else if (name === 'leave') {
      this.#client(id).holds.delete((args as Args<'leave'>).consumer)
    } else if (name === 'acquire' && result === true) {
      const { name: lock, holder } = args as Args<'acquire'>
      this.#client(id).holds.set(`${lock}\n${holder}`, { name: 'release', args: { name: lock, holder } })
    } else if (name === 'release') {
      const { name: lock, holder } = args as Args<'release'>
      this.#client(id).holds.delete(`${lock}\n${holder}`)
    } else if (name === 'watch') {
      this.#client(id).watching = true
    }
  }

  /** Removes a client and returns what it left. */
  gone(id: number): Estate {
    const client = this.#clients.get(id)
    this.#clients.delete(id)
    return client === undefined
      ? { undo: [], open: [] }
      : { undo: [...client.holds.values()], open: [...client.open.keys()] }
  }

  /** Assigns notices to clients. */
  route(notices: readonly Notice[]): Map<number, Notice[]> {
    const delivered = new Map<number, Notice[]>()
    for (const notice of notices) {
      for (const [id, client] of this.#clients) {
        const wanted = notice.type === 'appended' ? client.hungry.delete(notice.stream) : client.watching
        if (wanted) delivered.set(id, [...(delivered.get(id) ?? []), notice])
      }
    }
    return delivered
  }

  /** Notices for all clients that wait for records: a claim may have become free. */
  wakeAll(): Map<number, Notice[]> {
    const waiting = [...this.#clients].filter(([, client]) => client.hungry.size > 0)
    return new Map(
      waiting.map(([id, { hungry }]) => [id, [...hungry].map((stream): Notice => ({ type: 'appended', stream }))]),
    )
  }

  #client(id: number): Client {
    let client = this.#clients.get(id)
    if (client === undefined) {
      client = { holds: new Map(), open: new Map(), hungry: new Set(), watching: false }
      this.#clients.set(id, client)
    }
    return client
  }
}
