/** Processor time of each file of a group and of the processes that it started, those that ended: `test/run.ts --costs`. */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

interface Scope {
  loc?: { file?: string }
  parent?: Scope
  parentTest?: Scope
}

interface Cost {
  own: number
  started: number
}

const costs = new Map<string, Cost>()
let current = 'loading'
let last = spent()

function spent(): Cost {
  const { user, system } = process.cpuUsage()
  const fields = readFileSync('/proc/self/stat', 'utf8').split(' ')
  const [ofOthers, systemOfOthers] = fields.slice(15, 17).map(Number) as [number, number]
  return { own: (user + system) / 1e6, started: (ofOthers + systemOfOthers) / 100 }
}

function count(): void {
  const now = spent()
  const sum = costs.get(current) ?? { own: 0, started: 0 }
  costs.set(current, { own: sum.own + now.own - last.own, started: sum.started + now.started - last.started })
  last = now
}

/** A test or a hook begins. */
export function enter(scope: object): void {
  const file = fileOf(scope)
  if (file === undefined || file === current) return
  count()
  current = file
}

function fileOf({ loc, parent, parentTest }: Scope): string | undefined {
  if (loc?.file?.endsWith('.test.ts')) return relative(process.cwd(), loc.file)
  const above = parent ?? parentTest
  return above && fileOf(above)
}

process.on('exit', () => {
  count()
  for (const [file, { own, started }] of costs)
    process.stdout.write(`costs ${own.toFixed(2)} s and ${started.toFixed(2)} s in processes: ${file}\n`)
})
