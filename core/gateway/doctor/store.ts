/** The store: can it be opened, read and written. */
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Config } from '../../engine/config/types.ts'
import { writeProblem } from '../../engine/util/system-error.ts'
import { openConfiguredStore } from '../../services/store/configured.ts'
import { openReadOnly } from '../../services/store/embedded/read-only.ts'
import { dataFolder } from '../config/load.ts'
import { diskFinding } from './machine.ts'
import type { Finding } from './report.ts'

const BASE = { area: 'store', subject: 'store' } as const

/** Changes nothing: a gateway may run on the same store. */
export async function store(config: Config, offline: boolean): Promise<Finding[]> {
  if (config.store === 'memory') {
    const advice = 'Limits, sessions and the audit trail end with the process: use file: or redis: for production.'
    return [{ ...BASE, status: 'warning', message: 'in memory', advice }]
  }
  const folder = dataFolder(config)
  if (folder !== undefined) return embedded(folder)
  return offline ? [{ ...BASE, status: 'info', message: 'Redis, not asked' }] : [await redis(config.store)]
}

function embedded(folder: string): Finding[] {
  const existing = existsSync(folder) ? folder : nearest(folder)
  const problem = writeProblem(existing)
  const base = { ...BASE, message: `file: ${folder}` } as const
  const writable: Finding =
    problem === undefined
      ? { ...base, status: 'ok' }
      : {
          ...base,
          status: 'failure',
          message: `${base.message}: ${problem}`,
          advice: isFolder(existing)
            ? 'Give the folder to the user that runs the gateway.'
            : 'Name a folder: `store: file:FOLDER` or SERVICE_STORE.',
        }
  return [writable, ...database(join(folder, 'store.db')), diskFinding(existing)]
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

function nearest(folder: string): string {
  const parent = dirname(folder)
  return existsSync(parent) || parent === folder ? parent : nearest(parent)
}

function database(path: string): Finding[] {
  const base = { area: 'store', subject: 'database' } as const
  if (!existsSync(path)) return [{ ...base, status: 'info', message: 'none yet: the first start creates it' }]
  try {
    const { db } = openReadOnly(path)
    try {
      const found = db
        .prepare('PRAGMA quick_check(1)')
        .all()
        .map((row) => String(Object.values(row)[0]))
      if (found.length === 1 && found[0] === 'ok') return [{ ...base, status: 'ok', message: 'checked' }]
    } finally {
      db.close()
    }
  } catch {
    // Reported below.
  }
  return [
    {
      ...base,
      status: 'failure',
      message: `${path} is damaged or cannot be read`,
      advice: 'Restore a backup: docs/operations.md.',
    },
  ]
}

async function redis(spec: string): Promise<Finding> {
  const { host } = new URL(spec)
  const began = performance.now()
  try {
    const opened = await openConfiguredStore(spec, { instance: `doctor-${crypto.randomUUID().slice(0, 8)}` })
    try {
      await opened.namespace('doctor').get('anything')
    } finally {
      await opened.close()
    }
    return { ...BASE, status: 'ok', message: `Redis at ${host}, ${Math.round(performance.now() - began)} ms` }
  } catch (error) {
    // As a start says it: what is wrong, then what to do.
    const [message = '', ...advice] = (error as Error).message.replace(/^store: /, '').split(/(?<=\.) (?=[A-Z])/)
    if (advice.length === 0) advice.push('Check address, password and TLS; it must be Redis 6.2 or later, or Valkey.')
    return { ...BASE, status: 'failure', message: message.replace(/\.$/, ''), advice: advice.join(' ') }
  }
}
