/**
 * Anchors: signed statements that a chain had a certain record at a certain time. A copy kept elsewhere, for example by
 * a receiver of the events, shows later whether the trail was changed. Checking needs only the public key.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type { Json } from '../../engine/contract/plugin.ts'
import type { JsonObject } from '../../engine/contract/store.ts'

export interface Anchor {
  readonly instance: string
  /** The chain's last record. */
  readonly seq: number
  readonly hash: string
  /** ISO 8601. */
  readonly time: string
  /** The public key, as `publicKeyText` writes it. */
  readonly key: string
  /** Ed25519 over the other members, base64url. */
  readonly signature: string
}

/** Purpose of the signing key; see `subkey`. */
export const ANCHOR_PURPOSE = 'audit anchors'

// RFC 8410: the PKCS #8 and SPKI prefixes of an Ed25519 key's 32 bytes.
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')
const NAME = 'ed25519:'

/** Signs anchors with a key derived from the deployment's secret. */
export class AnchorSigner {
  readonly #key: KeyObject
  /** `ed25519:` and the 32 bytes as base64url. */
  readonly publicKey: string

  /** @param seed 32 bytes */
  constructor(seed: Buffer) {
    this.#key = createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, seed]), format: 'der', type: 'pkcs8' })
    const spki = createPublicKey(this.#key).export({ format: 'der', type: 'spki' })
    this.publicKey = NAME + spki.subarray(PUBLIC_PREFIX.length).toString('base64url')
  }

  sign(instance: string, seq: number, hash: string, time: string): Anchor {
    const unsigned = { instance, seq, hash, time, key: this.publicKey }
    return { ...unsigned, signature: sign(null, statement(unsigned), this.#key).toString('base64url') }
  }
}

/** Whether the anchor's signature matches its key, and the key is `trusted` if given. */
export function isGenuine(anchor: Anchor, trusted?: string): boolean {
  if (trusted !== undefined && anchor.key !== trusted) return false
  const key = publicKeyOf(anchor.key)
  return key !== undefined && verify(null, statement(anchor), key, Buffer.from(anchor.signature, 'base64url'))
}

/** The anchor in an event or in a line of an anchor file, if any. */
export function anchorIn(record: JsonObject): Anchor | undefined {
  const candidate = (record.type === 'audit.anchor' ? record.anchor : record) as { [key: string]: Json } | undefined
  if (typeof candidate !== 'object' || candidate === null) return undefined
  const { instance, seq, hash, time, key, signature } = candidate
  const texts = [instance, hash, time, key, signature].every((value) => typeof value === 'string')
  return texts && Number.isSafeInteger(seq) ? (candidate as unknown as Anchor) : undefined
}

/** Whether a text is a public key as written by `publicKeyText`. */
export const isPublicKey = (text: string): boolean => publicKeyOf(text) !== undefined

/** Short name of a key, to compare by eye. */
export const fingerprint = (publicKey: string): string =>
  createHash('sha256').update(publicKey).digest('hex').slice(0, 16)

function publicKeyOf(text: string): KeyObject | undefined {
  const raw = text.startsWith(NAME) ? Buffer.from(text.slice(NAME.length), 'base64url') : undefined
  if (raw?.length !== 32) return undefined
  return createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, raw]), format: 'der', type: 'spki' })
}

const statement = ({ instance, seq, hash, time }: Pick<Anchor, 'instance' | 'seq' | 'hash' | 'time'>): Buffer =>
  Buffer.from(`governed-gateway audit anchor 1\n${JSON.stringify([instance, seq, hash, time])}`)
