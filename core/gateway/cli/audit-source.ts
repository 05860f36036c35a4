import { createReadStream, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { Config } from '../../engine/config/types.ts'
import { GatewayError } from '../../engine/contract/errors.ts'
import type { JsonObject } from '../../engine/contract/store.ts'
import { StoreError } from '../../engine/contract/store-errors.ts'
import { linesOf } from '../../engine/util/lines.ts'
import { DEFAULT_CONFIG } from '../../engine/util/package.ts'
import { sentence } from '../../engine/util/sentence.ts'
import { ANCHOR_PURPOSE, type Anchor, AnchorSigner, anchorIn } from '../../services/audit/anchor.ts'
import { ANCHOR_FILE } from '../../services/audit/anchoring.ts'
import { AUDIT } from '../../services/audit/audit-log.ts'
import type { EmbeddedTrail } from '../../services/audit/embedded-trail.ts'
import { storeTrail, type TrailReader } from '../../services/audit/reader.ts'
import type { TrailLine } from '../../services/audit/verify.ts'
import { openStore } from '../../services/store/open.ts'
import { dataFolder, loadConfig } from '../config/load.ts'
import { existingSecret, subkey } from '../identity.ts'
import { UsageError, type Values } from './command.ts'

/** Options of every command that reads a trail. */
export const SOURCE_OPTIONS = {
  store: {
    type: 'string',
    value: 'SPEC',
    description: 'Read this store: file:FOLDER or a redis:// url; may be in use',
  },
  config: {
    type: 'string',
    value: 'FILE',
    description: 'Read the store of this config file; default: the one in the package',
  },
} as const

export interface OpenedTrail {
  readonly name: string
  readonly reader: TrailReader
  readonly embedded: EmbeddedTrail | undefined
  close(): Promise<void>
}

/** Opens the store that the options name. A file store is opened read-only, so a gateway may run on it. */
export async function openTrail(values: Values, skipped?: (place: string) => void): Promise<OpenedTrail> {
  const spec = storeSpec(values)
  if (spec === 'memory') {
    throw new UsageError('a store in memory has no trail outside of its gateway: ask GET /api/audit.')
  }
  if (spec.startsWith('file:')) {
    const { EmbeddedTrail } = await import('../../services/audit/embedded-trail.ts')
    const embedded = new EmbeddedTrail(folderOf(spec), AUDIT, skipped)
    return { name: spec, reader: embedded, embedded, close: async () => embedded.close() }
  }
  const store = await openStore(spec)
  return { name: 'redis', reader: storeTrail(store, AUDIT), embedded: undefined, close: () => store.close() }
}

export const configOf = (values: Values): Config =>
  loadConfig(typeof values.config === 'string' ? values.config : DEFAULT_CONFIG)

function storeSpec(values: Values): string {
  if (typeof values.store !== 'string') return configOf(values).store
  if (typeof values.config === 'string') throw new UsageError('name the trail by --store or by --config, not by both.')
  return values.store
}

const folderOf = (spec: string): string => resolve(spec.slice('file:'.length))

/** Lines of files in sequence, with continuous numbers; `-` is standard input, `.gz` is decompressed. */
export async function* fileLines(files: readonly string[], starts: number[]): AsyncGenerator<TrailLine, void> {
  let line = 0
  for (const file of files) {
    starts.push(line)
    const input = open(file)
    try {
      for await (const text of linesOf(input)) {
        line++
        if (text.trim() !== '') yield { text, line }
      }
    } catch (cause) {
      throw new StoreError('unavailable', sentence(`${file} cannot be read: ${(cause as Error).message}`), cause)
    }
  }
}

/** File and line of a number from `fileLines`; `starts` is what `fileLines` filled. */
export function placeIn(files: readonly string[], starts: readonly number[], line: number): string {
  const at = starts.findLastIndex((start) => start < line)
  return `${files[at]}:${line - (starts[at] as number)}`
}

function open(file: string): AsyncIterable<Buffer | string> {
  if (file === '-') return process.stdin
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined) throw new UsageError(`there is no file ${file}.`)
  if (found.isDirectory()) throw new UsageError(`${file} is a folder: name its files.`)
  const stream = createReadStream(file)
  // Errors of either stream surface while reading.
  return file.endsWith('.gz') ? pipeline(stream, createGunzip(), () => {}) : stream
}

/** The signer of the deployment's anchors; creates no missing files. */
export function signerOf(config: Config): AnchorSigner {
  return new AnchorSigner(subkey(secretOf(config), ANCHOR_PURPOSE))
}

function secretOf(config: Config): Buffer {
  const found = existingSecret(config)
  if (found !== undefined) return found
  const folder = dataFolder(config)
  const where = folder === undefined ? 'the config' : join(folder, 'secret')
  throw new GatewayError(
    'GW_CONFIG',
    `There is no secret yet: ${where} has none. Start the gateway once, or set secret.`,
  )
}

/** Anchors beside a store, or in a file of anchors or events. */
export function anchorsIn(path: string, required: boolean): Anchor[] {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) {
    if (required) throw new UsageError(`there is no file ${path}.`)
    return []
  }
  if (found.isDirectory()) throw new UsageError(`${path} is a folder: anchors are in a file.`)
  const anchors = readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const anchor = parsedAnchor(line)
      return anchor === undefined ? [] : [anchor]
    })
  if (required && anchors.length === 0) throw new UsageError(`there is no anchor in ${path}.`)
  return anchors
}

function parsedAnchor(line: string): Anchor | undefined {
  try {
    return anchorIn(JSON.parse(line) as JsonObject)
  } catch {
    return undefined
  }
}

/** The anchor file beside a trail. */
export const anchorFileOf = (spec: string): string | undefined =>
  spec.startsWith('file:') ? join(folderOf(spec), ANCHOR_FILE) : undefined
