/** Creates what a first start lacks: API keys if none are configured, and the deployment's secret. */
import { hkdfSync, randomBytes } from 'node:crypto'
import { chmodSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createKey } from '../engine/access/keyring.ts'
import { keySchema } from '../engine/config/schema-entries.ts'
import type { Config, KeyConfig } from '../engine/config/types.ts'
import { checkAgainst } from '../engine/config/validate.ts'
import { GatewayError } from '../engine/contract/errors.ts'
import { makeFolder } from '../engine/util/make-folder.ts'
import { explainSystem, isThere } from '../engine/util/system-error.ts'
import { ConfigError, dataFolder } from './config/load.ts'

export interface CreatedKey {
  readonly id: string
  /** In plain text; shown only once. */
  readonly key: string
  readonly admin: boolean
}

export interface FirstStart {
  /** The configured keys, or those of the data folder. */
  readonly keys: readonly KeyConfig[]
  /** Secret of the deployment; see `subkey`. */
  readonly secret: Buffer
  /** Empty unless this start created the keys. */
  readonly createdKeys: readonly CreatedKey[]
}

/** Reads what the config leaves out, or creates and stores it (0600, hashes only). */
export function firstStart(config: Config): FirstStart {
  const folder = dataFolder(config)
  const { keys, createdKeys } = config.keys.length > 0 ? { keys: config.keys, createdKeys: [] } : keysIn(folder)
  return { keys, createdKeys, secret: config.secret === undefined ? secretOf(folder) : Buffer.from(config.secret) }
}

/** The keys of a config, or those of the data folder. */
export const keysOf = ({ keys }: Config, first: FirstStart): readonly KeyConfig[] =>
  keys.length > 0 ? keys : first.keys

/** Deletes keys that this start created but could not show, because they could never be used. */
export function discardCreatedKeys(config: Config, { createdKeys }: FirstStart): void {
  const folder = dataFolder(config)
  if (createdKeys.length > 0 && folder !== undefined) rmSync(join(folder, 'keys.json'), { force: true })
}

/** The secret of a config or of its data folder, if there is one; creates none. */
export function existingSecret(config: Config): Buffer | undefined {
  if (config.secret !== undefined) return Buffer.from(config.secret)
  const folder = dataFolder(config)
  const path = folder === undefined ? undefined : join(folder, 'secret')
  if (path === undefined || !isThere(path)) return undefined
  return Buffer.from(readFileSync(path, 'utf8').trim(), 'base64url')
}

/** Derives a 32-byte key for one purpose (HKDF-SHA256, RFC 5869): a leaked key reveals nothing about the others. */
export function subkey(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'governed-gateway', purpose, 32))
}

function keysIn(folder: string | undefined): { keys: readonly KeyConfig[]; createdKeys: CreatedKey[] } {
  const made = [newKey('default', false), newKey('admin', true)]
  const fresh = { keys: made.map(({ config }) => config), createdKeys: made.map(({ created }) => created) }
  if (folder === undefined) return fresh
  const text = `${JSON.stringify({ keys: made.map(({ line }) => line) }, null, 2)}\n`
  const { path, content, created } = readOrCreate(folder, 'keys.json', text)
  return created ? fresh : { keys: parseKeys(path, content), createdKeys: [] }
}

function newKey(id: string, admin: boolean) {
  const { key, hash } = createKey()
  const line = { id, hash, admin }
  const [config] = parseKeys('', JSON.stringify({ keys: [line] }))
  return { line, config: config!, created: { id, key, admin } }
}

/** Of the file with the keys that a first start makes. */
export const firstKeysSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['keys'],
  properties: { keys: { type: 'array', minItems: 1, items: { ...keySchema, required: ['id', 'hash'] } } },
} as const

/** The file has the shape of `keys` in the config, so that its lines can be moved there. */
function parseKeys(path: string, content: string): readonly KeyConfig[] {
  let data: unknown
  try {
    data = JSON.parse(content)
  } catch {
    throw damaged(path, 'is not JSON', 'Delete it to make new keys')
  }
  const [problem] = checkAgainst(firstKeysSchema, data).problems
  if (problem !== undefined)
    throw damaged(path, `${problem.path} ${problem.message}`, 'Correct it, or delete it to make new keys')
  return (data as { keys: KeyConfig[] }).keys
}

function secretOf(folder: string | undefined): Buffer {
  const fresh = randomBytes(32)
  if (folder === undefined) return fresh
  const { path, content } = readOrCreate(folder, 'secret', `${fresh.toString('base64url')}\n`)
  const secret = Buffer.from(content.trim(), 'base64url')
  if (secret.length === 32) return secret
  throw damaged(
    path,
    'does not hold 32 bytes as base64url',
    'Restore it; deleting it makes a new one, after which session ids and tokens change',
  )
}

function damaged(path: string, what: string, remedy: string): ConfigError {
  return new ConfigError(path, [{ path: '', message: `${what}. ${remedy}.` }])
}

/**
 * Two processes may start at once: the file appears atomically, and only one process creates it. A link fails if the
 * name exists; a rename would not.
 */
function readOrCreate(folder: string, name: string, text: string): { path: string; content: string; created: boolean } {
  const path = join(folder, name)
  try {
    return readOrMake(folder, path, text)
  } catch (cause) {
    const why = explainSystem(cause, (cause as NodeJS.ErrnoException).syscall === 'mkdir' ? undefined : path)
    if (why === undefined) throw cause
    const remedy =
      'The gateway keeps its data there: see `store` (SERVICE_STORE), `keys` and `secret` (SERVICE_SECRET).'
    throw new GatewayError('GW_CONFIG', `${why} ${remedy}`, { cause })
  }
}

function readOrMake(folder: string, path: string, text: string): { path: string; content: string; created: boolean } {
  const present = readPrivate(path)
  if (present !== undefined) return { path, content: present, created: false }
  makeFolder(folder)
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true })
    linkSync(draft, path)
    return { path, content: text, created: true }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return { path, content: readPrivate(path) ?? '', created: false }
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Undefined if the file is missing. Restricts a file that others can read. */
function readPrivate(path: string): string | undefined {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode
  if (mode === undefined) return undefined
  if ((mode & 0o077) !== 0) chmodSync(path, 0o600)
  return readFileSync(path, 'utf8')
}
