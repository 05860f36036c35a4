import { createHash } from 'node:crypto'
import { GatewayError } from '../contract/errors.ts'
import type { Level } from '../contract/labels.ts'
import type { KeyValue } from '../contract/store.ts'

/** What is known of an id that a provider gave out: of a response, or of an item of it. */
export interface Issued {
  /** Id of the key whose request it answered. */
  readonly key: string
  readonly upstream: string
  /** The model that it named; empty if the name has no safe shape. */
  readonly model: string
  /** Label of that request. */
  readonly label: Level
}

/** {@link Issued}, as the store keeps it. */
type Owned = { key: string; upstream: string; model: string; label: Level }

/** No key has this id. */
const NOBODY = ''

const TTL_MS = 30 * 24 * 60 * 60 * 1000

/** Most seals of one request or reply that are recorded. */
const MOST_SEALS = 1024

/**
 * Ids of stored content belong to the key that made them, and sealed texts to the keys that got them. All callers share the provider's key, so the provider would
 * serve any id to each of them.
 */
export class IssuedIds {
  readonly #store: KeyValue

  constructor(store: KeyValue) {
    this.#store = store
  }

  /** Records ids; must settle before they leave. */
  async issue(ids: readonly string[], { key, upstream, model, label }: Issued): Promise<void> {
    const value = { key, upstream, model, label }
    try {
      await Promise.all(ids.map((id) => this.#issueOne(nameOf(id), value)))
    } catch (cause) {
      throw unavailable(cause)
    }
  }

  /** An id that two keys got belongs to neither: servers take ids from requests, so a caller could make a foreign id its own. */
  async #issueOne(name: string, value: Owned): Promise<void> {
    if (await this.#store.set(name, value, { ttlMs: TTL_MS, ifVersion: 0 })) return
    const known = await this.#store.get<Owned>(name)
    const isOwn = known === undefined || known.key === value.key
    await this.#store.set(name, isOwn ? value : { ...value, key: NOBODY }, { ttlMs: TTL_MS })
  }

  /** Records sealed texts that a key gets; must settle before they leave. */
  async seal(seals: readonly string[], { key, label }: Pick<Issued, 'key' | 'label'>): Promise<void> {
    const few = seals.slice(0, MOST_SEALS)
    try {
      await Promise.all(few.map((seal) => this.#store.set(sealName(seal, key), label, { ttlMs: TTL_MS })))
    } catch (cause) {
      throw unavailable(cause)
    }
  }

  /** The labels of those sealed texts that the key got through this gateway. */
  async findSeals(seals: readonly string[], key: string): Promise<Level[]> {
    try {
      const few = seals.slice(0, MOST_SEALS)
      const found = await Promise.all(few.map((seal) => this.#store.get<Level>(sealName(seal, key))))
      return found.filter((one) => one !== undefined)
    } catch (cause) {
      throw unavailable(cause)
    }
  }

  /** Undefined for an unknown id and for one of another key, which the caller cannot distinguish. */
  async find(id: string, key: string): Promise<Issued | undefined> {
    try {
      const issued = await this.#store.get<Owned>(nameOf(id))
      return issued?.key === key ? issued : undefined
    } catch (cause) {
      throw unavailable(cause)
    }
  }
}

/** A hash, because clients choose what they ask for. */
const nameOf = (id: string): string => createHash('sha256').update(id).digest('base64url')

const sealName = (seal: string, key: string): string =>
  `seal/${createHash('sha256').update(`${key.length}:${key}`).update(seal).digest('base64url')}`

const unavailable = (cause: unknown): GatewayError =>
  new GatewayError('GW_GUARDRAIL_UNAVAILABLE', 'The gateway cannot look up who owns this content.', { cause })
