/** Stored settings. Secrets are encrypted, so a copy of the store does not reveal them. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Json } from '../../engine/contract/plugin.ts'
import type { JsonObject } from '../../engine/contract/store.ts'
import { type Fields, placesOf, type SettingPath } from '../../engine/host/paths.ts'
import { isObject } from '../../engine/util/is-object.ts'

const IV_BYTES = 12
const TAG_BYTES = 16

/** `fields` without secrets, and the encrypted secrets by path. */
export function encode(put: Fields, secrets: readonly SettingPath[], key: Buffer, owner: string): JsonObject {
  const fields = structuredClone(put)
  const found: [string, Json][] = []
  for (const path of secrets) {
    for (const { parent, key: name, at, value } of placesOf(path, fields)) {
      if (value === undefined || value === null) continue
      found.push([JSON.stringify(at), value])
      delete parent[name]
    }
  }
  if (found.length === 0) return { version: 1, fields }
  const names = [...new Set(found.map(([at]) => (JSON.parse(at) as [string])[0]))]
  return { version: 1, fields, sealed: seal(JSON.stringify(found), key, owner), sealed_fields: names }
}

export interface Decoded {
  readonly put: Fields
  /** Fields with unreadable secrets, encrypted with another deployment secret. */
  readonly unreadable: readonly string[]
}

export function decode(stored: Json | undefined, secrets: readonly SettingPath[], key: Buffer, owner: string): Decoded {
  if (!isObject<Json>(stored) || !isObject<Json>(stored.fields))
    return { put: {}, unreadable: stored === undefined ? [] : fieldsOf(secrets, {}) }
  const put = structuredClone(stored.fields)
  if (typeof stored.sealed !== 'string') return { put, unreadable: [] }
  const opened = unseal(stored.sealed, key, owner)
  if (opened === undefined) {
    const names = stored.sealed_fields
    const unreadable = Array.isArray(names) ? names.map(String) : fieldsOf(secrets, put)
    // A secret from the environment must not replace a PUT secret for another target.
    for (const { text, field } of secrets) if (text === field && unreadable.includes(field)) put[field] ??= null
    return { put, unreadable }
  }
  for (const [at, value] of JSON.parse(opened) as [string, Json][]) setAt(put, JSON.parse(at), value)
  return { put, unreadable: [] }
}

/** Earlier versions did not store which fields they encrypted: returns all candidates. */
const fieldsOf = (secrets: readonly SettingPath[], put: Fields): string[] => [
  ...new Set(secrets.filter(({ text, field }) => (text === field) !== field in put).map(({ field }) => field)),
]

export function setAt(root: Fields, at: readonly (string | number)[], value: Json): void {
  let node = root as Record<string | number, Json>
  for (const step of at.slice(0, -1)) node = node[step] as Record<string | number, Json>
  node[at.at(-1) as string] = value
}

/** AES-256-GCM, bound to one plugin. */
export function seal(text: string, key: Buffer, owner: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(owner))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')
}

/** Undefined if it was sealed with another key. */
export function unseal(sealed: string, key: Buffer, owner: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64')
  try {
    const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    cipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    return Buffer.concat([cipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), cipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
