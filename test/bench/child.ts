/** The runner's side of child processes: start them on a core, call them, and end them and nobody else. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Api, Reply } from './ipc.ts'

const live = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of live) child.kill('SIGKILL')
})

/**
 * Given to every subject of a scenario that collects: on SIGUSR2 the heap is collected and its empty pages go back to the system, as they
 * would when memory is short. V8 keeps them otherwise, and a leak could not be told from a heap that once was larger.
 */
const COLLECT = `process.on('SIGUSR2',()=>gc({type:'major',execution:'sync',flavor:'last-resort'}))`
const COLLECT_OPTIONS = `--expose-gc --import=data:text/javascript,${encodeURIComponent(COLLECT)}`

/** Which cores the sides of a measurement run on; undefined where pinning is not possible. */
export interface Cores {
  subject: number
  ends: number
}

/** The first two cores this process may use, if there are two and `taskset` works. */
export function pinnableCores(): Cores | undefined {
  const allowed = /Cpus_allowed_list:\s*(\S+)/.exec(readFileSync('/proc/self/status', 'latin1'))?.[1] ?? ''
  const cores = allowed.split(',').flatMap((range) => {
    const [from = 0, to = from] = range.split('-').map(Number)
    return Array.from({ length: to - from + 1 }, (_, i) => from + i)
  })
  const [subject, ends] = cores
  if (subject === undefined || ends === undefined) return undefined
  const works = spawnSync('taskset', ['-c', `${subject}`, 'true'], { stdio: 'ignore' }).status === 0
  return works ? { subject, ends } : undefined
}

/**
 * Keeps a core from going to sleep, with a process that runs only when nothing else wants to. Otherwise whoever writes to
 * a sleeping peer pays for waking it, microseconds each time, and the slower subject, whose peers sleep more, pays most.
 * False where the system has no such class of processes.
 */
export function keepAwake(core: number): boolean {
  const idle = ['-i', '0', 'taskset', '-c', `${core}`]
  if (spawnSync('chrt', [...idle, 'true'], { stdio: 'ignore' }).status !== 0) return false
  const child = spawn('chrt', [...idle, process.execPath, '-e', 'for (;;);'], { stdio: 'ignore' })
  live.add(child)
  return true
}

/** What may differ between the processes of a run, and must not between its subjects. */
export interface SubjectOptions {
  core: number | undefined
  /** Collects its heap on SIGUSR2. */
  collectable?: boolean
  /** A folder for a CPU profile, written when the process ends. */
  profile?: string | undefined
  /** Options of Node. */
  flags?: readonly string[]
}

export interface SpawnOptions extends SubjectOptions {
  ipc: boolean
  /** Where standard output and error go; to the terminal's error stream without it. */
  logFile?: string
}

/** Starts Node with `args`. taskset replaces itself by Node, so the pid is Node's. */
export function startNode(args: string[], options: SpawnOptions): ChildProcess {
  const command =
    options.core === undefined ? [process.execPath] : ['taskset', '-c', `${options.core}`, process.execPath]
  const log = options.logFile === undefined ? 2 : openSync(options.logFile, 'a')
  // Neither loader options of the runner nor a deployment's settings may reach a subject.
  const foreign = (name: string) => name === 'NODE_OPTIONS' || name.startsWith('SERVICE_')
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign(name)))
  if (options.collectable) env.NODE_OPTIONS = COLLECT_OPTIONS
  const extra = options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profile}`]
  const child = spawn(command[0]!, [...command.slice(1), ...extra, ...(options.flags ?? []), ...args], {
    env,
    stdio: options.ipc ? ['ignore', log, log, 'ipc'] : ['ignore', log, log],
  })
  if (log !== 2) closeSync(log)
  live.add(child)
  child.once('exit', () => live.delete(child))
  return child
}

/** Ends a child: politely, then for certain. */
export async function stopChild(child: ChildProcess, politeMs = 3000): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), politeMs)
  await exited
  clearTimeout(timer)
}

type Input<F> = F extends (input: infer I) => unknown ? (unknown extends I ? [] : [input: I]) : never

/** A bench process of our own, with its typed calls. */
export class Worker<A extends Api, Ready> {
  readonly process: ChildProcess
  readonly ready: Ready
  #calls = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  #nextId = 1

  private constructor(child: ChildProcess, ready: Ready) {
    this.process = child
    this.ready = ready
    child.on('message', (reply: Reply) => {
      const call = this.#calls.get(reply.id)
      this.#calls.delete(reply.id)
      if (reply.error === undefined) call?.resolve(reply.value)
      else call?.reject(new Error(reply.error))
    })
    child.once('exit', (code, signal) => {
      const error = new Error(`${child.spawnargs.join(' ')} ended (${signal ?? code})`)
      for (const call of this.#calls.values()) call.reject(error)
      this.#calls.clear()
    })
  }

  static async start<A extends Api, Ready = unknown>(
    file: string,
    options: SubjectOptions,
    args: string[] = [],
  ): Promise<Worker<A, Ready>> {
    const path = fileURLToPath(new URL(file, import.meta.url))
    const child = startNode([path, ...args], { ...options, ipc: true })
    const failed = once(child, 'exit').then(() => {
      throw new Error(`${file} ended before it was ready`)
    })
    const [message] = (await Promise.race([once(child, 'message'), failed])) as [{ ready: Ready }]
    failed.catch(() => {})
    return new Worker<A, Ready>(child, message.ready)
  }

  call<K extends keyof A & string>(name: K, ...input: Input<A[K]>): Promise<Awaited<ReturnType<A[K]>>> {
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve: resolve as (value: unknown) => void, reject })
      this.process.send({ id, name, input: input[0] })
    })
  }

  stop(): Promise<void> {
    return stopChild(this.process)
  }
}
