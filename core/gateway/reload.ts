import { isDeepStrictEqual } from 'node:util'
import type { Config, ListenConfig } from '../engine/config/types.ts'
import { GatewayError } from '../engine/contract/errors.ts'
import type { Log } from '../engine/contract/plugin.ts'
import { type Changes, changesOf } from './config/changes.ts'
import { ConfigError } from './config/load.ts'

/** Throws if a running gateway cannot adopt a valid config. */
export function checkReload(previous: Config, next: Config): void {
  if (next.keys.length > 0 || previous.keys.length === 0) return
  throw new GatewayError(
    'GW_CONFIG',
    'keys: the last key was removed. Without keys some are made and shown once, which takes a restart.',
  )
}

/** Options fixed when the socket opened; the rest of `listen` is read per request. */
const SOCKET: readonly (keyof ListenConfig)[] = [
  'host',
  'port',
  'socket',
  'tls',
  'reuse_port',
  'max_header_bytes',
  'headers_timeout_seconds',
  'request_timeout_seconds',
  'keep_alive_seconds',
  'max_connections',
]

/** Options fixed when the ledger opened. */
const LEDGER = ['durability', 'spill_folder', 'max_spill_bytes'] as const

/** Paths of changes that need a restart. */
function needRestart(previous: Config, next: Config): string[] {
  const top = (['store', 'workers', 'instance', 'secret'] as const).filter((name) => previous[name] !== next[name])
  const socket = SOCKET.filter((name) => !isDeepStrictEqual(previous.listen[name], next.listen[name]))
  const audit = LEDGER.filter((name) => previous.audit[name] !== next.audit[name])
  const log = previous.log.file === next.log.file ? [] : ['log.file']
  return [...socket.map((name) => `listen.${name}`), ...top, ...audit.map((name) => `audit.${name}`), ...log]
}

/** The config of the process, and changes that wait for a restart. */
export class Reloads {
  readonly #opened: Config
  #late: readonly string[] = []

  constructor(opened: Config) {
    this.#opened = opened
  }

  /** Content of `config.reloaded` for a config that is now active. */
  take(previous: Config, next: Config, log: Log): { changes: Changes; after_restart: string[] } {
    const late = needRestart(this.#opened, next)
    const restored = this.#late.filter((path) => !late.includes(path))
    if (late.length > 0) log.warn({ changed: late }, 'these changes take effect only after a restart')
    if (restored.length > 0) log.info({ restored }, 'back to the value at the start: needs no restart')
    this.#late = late
    return { changes: changesOf(previous, next), after_restart: late }
  }
}

/** Number of problems of a rejected config. */
export const problemCount = (error: unknown): number => (error instanceof ConfigError ? error.problems.length : 1)
