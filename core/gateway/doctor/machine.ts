/** This machine: versions, files, memory, disk. */
import { accessSync, constants, existsSync, readFileSync, statfsSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { dirname } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import type { Config } from '../../engine/config/types.ts'
import { descriptors, roomFor } from '../../engine/http/connections.ts'
import { packageVersion } from '../../engine/util/package.ts'
import type { WrittenFile } from '../places.ts'
import type { Finding } from './report.ts'

const MiB = 1024 * 1024
const GiB = 1024 * MiB
const OLDEST = [22, 19] as const

export function versions(): Finding[] {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])
  const base = { area: 'versions', subject: 'node' } as const
  const message = `${process.version} on ${process.platform} ${process.arch}`
  return [
    { area: 'versions', subject: 'governed-gateway', status: 'ok', message: packageVersion() },
    isOld
      ? { ...base, status: 'failure', message, advice: `Install Node.js ${OLDEST.join('.')} or later.` }
      : { ...base, status: 'ok', message },
  ]
}

export function limits({ listen, workers }: Pick<Config, 'listen' | 'workers'>): Finding[] {
  return [filesFinding(listen.max_connections), memoryFinding(workers === 'auto' ? availableParallelism() : workers)]
}

function filesFinding(maxConnections: number): Finding {
  const base = { area: 'limits', subject: 'open files' } as const
  const found = descriptors()
  if (found === undefined) return { ...base, status: 'info', message: 'not available on this system' }
  const { most, needed, wanted } = roomFor(found, maxConnections)
  const message = `${found.limit}: room for ${most} connections`
  if (most >= wanted) return { ...base, status: 'ok', message }
  const advice = `Raise it to ${needed} or more: LimitNOFILE of systemd, --ulimit nofile of containers, ulimit -n.`
  return { ...base, status: 'warning', message, advice }
}

/** The memory of the container, or of the machine. */
function memoryFinding(workers: number): Finding {
  const constrained = process.constrainedMemory()
  const machine = totalmem()
  const memory = constrained > 0 && constrained < machine ? constrained : machine
  const heap = getHeapStatistics().heap_size_limit
  const message = `${mib(memory)} for ${workers} ${workers === 1 ? 'process' : 'processes'}, each with a heap of up to ${mib(heap)}`
  const base = { area: 'limits', subject: 'memory', message } as const
  if (memory < workers * 192 * MiB) {
    return { ...base, status: 'failure', advice: 'Give at least 192 MiB to each process, or lower workers.' }
  }
  if (heap * workers < memory * 0.9) return { ...base, status: 'ok' }
  const size = Math.floor((memory * 0.7) / workers / MiB)
  return { ...base, status: 'warning', advice: `Limit the heap: NODE_OPTIONS=--max-old-space-size=${size}` }
}

/** Free space of the disk with this folder. */
export function diskFinding(folder: string): Finding {
  const base = { area: 'store', subject: 'disk' } as const
  try {
    const { bavail, bsize } = statfsSync(folder)
    const free = bavail * bsize
    const message = `${mib(free)} free at ${folder}`
    if (free >= GiB) return { ...base, status: 'ok', message }
    const advice = 'Keep 1 GiB free: without room the store takes no writes, and requests are refused.'
    return { ...base, status: free < 128 * MiB ? 'failure' : 'warning', message, advice }
  } catch {
    return { ...base, status: 'info', message: `the free space at ${folder} cannot be read` }
  }
}

/** Whether this user may write the log file. */
export function logFindings({ log: { file } }: Pick<Config, 'log'>): Finding[] {
  if (file === undefined) return []
  const base = { area: 'config', subject: 'log.file' } as const
  try {
    accessSync(existsSync(file) ? file : dirname(file), constants.W_OK)
    return [{ ...base, status: 'ok', message: file }]
  } catch (error) {
    const message = `${file} cannot be written (${(error as NodeJS.ErrnoException).code})`
    return [
      { ...base, status: 'failure', message, advice: 'Make its folder, and let the user of the gateway write there.' },
    ]
  }
}

/** Whether this user may write the files of plugins. */
export const fileFindings = (files: readonly WrittenFile[]): Finding[] =>
  files.map(({ path, file, problem }) => {
    const base = { area: 'config', subject: path } as const
    if (problem === undefined) return { ...base, status: 'ok', message: file }
    // What is wrong, then what to do.
    const [message = '', ...advice] = problem.split(/(?<=\.) (?=[A-Z])/)
    return {
      ...base,
      status: 'failure',
      message: message.replace(/\.$/, ''),
      advice: advice.join(' ') || 'Let the user of the gateway write there, or name another file.',
    }
  })

export function clockFinding(): Finding {
  const base = { area: 'clock', subject: 'synchronised' } as const
  try {
    // systemd-timesyncd makes this file when the clock was set; other services do not.
    readFileSync('/run/systemd/timesync/synchronized')
    return { ...base, status: 'ok', message: 'by systemd-timesyncd' }
  } catch {
    return { ...base, status: 'info', message: 'unknown: not available on this system' }
  }
}

const mib = (bytes: number): string => `${Math.round(bytes / MiB)} MiB`
