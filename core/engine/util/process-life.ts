/** Names of processes, which show other processes of the machine whether they live. */
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** Whether a process of this machine runs; one that ended but was not collected yet does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return statOf(pid)?.state !== 'Z'
}

/** Host, process id and start time of this process; the last tells it from a later process with the same id. */
export const PROCESS_NAME = `${hostname()}:${process.pid}:${statOf(process.pid)?.started ?? ''}`

/** Whether the named process is another one of this machine, and runs. False if that cannot be known. */
export function isOtherRunning(name: string): boolean {
  const match = /^(.+):(\d+):(\d*)$/.exec(name)
  if (match === null || name === PROCESS_NAME) return false
  const [, host, id, started] = match
  const pid = Number(id)
  if (host !== hostname() || pid === process.pid || !isRunning(pid)) return false
  return (statOf(pid)?.started ?? '') === started
}

/** Undefined where the system has no such files, or hides them. */
function statOf(pid: number): { readonly state: string; readonly started: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program, in parentheses, may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0] as string, started: fields[19] as string }
  } catch {
    return undefined
  }
}
