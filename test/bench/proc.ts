/** What the Linux kernel knows about a process and everything it started: CPU time and memory, without its help. */
import { readdirSync, readFileSync } from 'node:fs'

/** `getconf CLK_TCK`, 100 on every Linux that Node runs on. */
const TICK_US = 10_000

/** CPU time so far. `threads` is exact; `ticks` counts ended threads too, in steps of 10 ms. */
export interface CpuSample {
  ticks: number
  threads: Map<string, number>
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    // The process or thread ended between listing and reading.
    return undefined
  }
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** The process and all its descendants: a launcher may run the real thing as a child. */
export function processTree(pid: number): number[] {
  const children = threadsOf(pid).flatMap((thread) => {
    const list = read(`/proc/${pid}/task/${thread}/children`)?.trim() ?? ''
    return list === '' ? [] : list.split(' ').map(Number)
  })
  return [pid, ...children.flatMap(processTree)]
}

export function sampleCpu(pid: number): CpuSample {
  const sample: CpuSample = { ticks: 0, threads: new Map() }
  for (const one of processTree(pid)) {
    const stat = read(`/proc/${one}/stat`)
    if (stat === undefined) continue
    // The command name may hold spaces; the fields after it start with the state, so utime and stime are 11 and 12.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    sample.ticks += Number(fields[11]) + Number(fields[12])
    for (const thread of threadsOf(one)) {
      const ns = Number(read(`/proc/${one}/task/${thread}/schedstat`)?.split(' ')[0])
      if (Number.isFinite(ns)) sample.threads.set(`${one}/${thread}`, ns)
    }
  }
  return sample
}

/** CPU microseconds between two samples of the same process tree. */
export function cpuMicros(before: CpuSample, after: CpuSample): number {
  const ticks = (after.ticks - before.ticks) * TICK_US
  if (before.threads.size === 0 || [...before.threads.keys()].some((thread) => !after.threads.has(thread))) return ticks
  let ns = 0
  for (const [thread, value] of after.threads) ns += value - (before.threads.get(thread) ?? 0)
  return ns / 1000
}

/** Resident memory of the process tree, in bytes. */
export function rssBytes(pid: number): number {
  let total = 0
  for (const one of processTree(pid)) {
    total += Number(/VmRSS:\s*(\d+) kB/.exec(read(`/proc/${one}/status`) ?? '')?.[1] ?? 0) * 1024
  }
  return total
}

/** Asks every process of a subject's tree to collect its heap; see `COLLECT` in child.ts. */
export function collectHeaps(pid: number): void {
  for (const one of processTree(pid)) process.kill(one, 'SIGUSR2')
}
