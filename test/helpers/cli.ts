import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { main } from '../../core/gateway/cli/cli.ts'

const BIN = fileURLToPath(new URL('../../core/bin.js', import.meta.url))
/** A process that lives for seconds: with a small space for young objects, collections are an eighth of its start. */
export const NODE_FLAGS = ['--min-semi-space-size=16', '--max-semi-space-size=32', '--single-threaded-gc']
/** One arena of memory that grows by megabytes: a tenth fewer page faults. */
export const ALLOCATION = { MALLOC_ARENA_MAX: '1', MALLOC_TOP_PAD_: '4194304' }

export interface CliResult {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

type Env = Record<string, string>

/** As a user's shell would: nothing of the test runner's own settings. */
export const environment = (extra: Env = {}): Env => ({
  ...{ PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' },
  ...ALLOCATION,
  ...extra,
})

/** Runs `governed-gateway` to its end. */
export async function runCli(args: readonly string[], env: Env = {}, cwd = process.cwd()): Promise<CliResult> {
  const child = spawn(process.execPath, [...NODE_FLAGS, BIN, ...args], {
    env: environment(env),
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 30_000,
  })
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
  ])
  return { code, signal, stdout, stderr }
}

/** Runs a command other than `start` in this process: loading the gateway takes longer than most commands. */
export async function runHere(...args: string[]): Promise<Omit<CliResult, 'signal'>> {
  const printed = { stdout: '', stderr: '' }
  const to = (stream: keyof typeof printed) => ({
    write(text: string) {
      printed[stream] += text
    },
  })
  const code = await main(args, { stdout: to('stdout'), stderr: to('stderr') })
  return { code, ...printed }
}

export type LogLine = Record<string, unknown>

export interface RunningGateway {
  url: string
  pid: number
  /** Everything printed to stdout so far. */
  greeting(): string
  /** Resolves with the first log line that has the message, or that is meant, parsed. */
  logged(what: string | ((line: LogLine) => boolean)): Promise<LogLine>
  /** Log lines so far, parsed. */
  lines: readonly LogLine[]
  /** What came on stderr beside log lines. */
  others(): string
  /** Closes our end of a pipe, as `| head` does. */
  stopReading(name: 'stdout' | 'stderr'): void
  kill(signal: NodeJS.Signals): void
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/** Undefined for what is no log line: a message of Node, or lines that ran together when a gateway under load ended. */
function readLine(line: string): Record<string, unknown> | undefined {
  try {
    return line.startsWith('{') ? (JSON.parse(line) as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** How people start it; `npm start` puts npm and a shell in front. */
const LAUNCHERS = {
  node: [process.execPath, ...NODE_FLAGS, BIN, 'start'],
  /** May have 64 files open. */
  'few-files': ['bash', '-c', 'ulimit -n 64; exec "$0" "$@"', process.execPath, BIN, 'start'],
  npm: ['npm', '--prefix', fileURLToPath(new URL('../..', import.meta.url)), 'start', '--'],
} as const

export type Launcher = keyof typeof LAUNCHERS

/** Starts `governed-gateway start` and waits until it listens. `pid` and `kill` mean the process that was spawned. */
export async function startCli(
  args: readonly string[],
  env: Env = {},
  launcher: Launcher = 'node',
): Promise<RunningGateway> {
  const [command, ...first] = LAUNCHERS[launcher]
  const child: ChildProcess = spawn(command, [...first, ...args], {
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }) as Awaited<RunningGateway['ended']>)
  const lines: Record<string, unknown>[] = []
  const waiting = new Set<() => void>()
  let failures = ''
  let rest = ''
  // What is behind the last line end when it ends is half a line of a process that was killed.
  child.stderr!.setEncoding('utf8').on('data', (data: string) => {
    const whole = (rest + data).split('\n')
    rest = whole.pop() as string
    for (const line of whole) {
      const read = readLine(line)
      if (read === undefined) failures += `${line}\n`
      else lines.push(read)
      for (const look of waiting) look()
    }
  })
  let stdout = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.setEncoding('utf8').on('data', (data: string) => {
      stdout += data
      const found = /listens on (\S+)[\s\S]*\n$/.exec(stdout)
      if (found !== null) resolve(found[1]!)
    })
    ended.then(({ code }) => reject(new Error(`start ended with ${code}\n${failures}${JSON.stringify(lines)}`)))
  })
  return {
    url,
    greeting: () => stdout,
    pid: child.pid!,
    lines,
    others: () => failures,
    logged: (what) =>
      new Promise((resolve, reject) => {
        const meant = typeof what === 'string' ? ({ msg }: LogLine) => msg === what : what
        const look = () => {
          const line = lines.find(meant)
          if (line === undefined) return
          waiting.delete(look)
          resolve(line)
        }
        waiting.add(look)
        look()
        ended.then(() => reject(new Error(`ended without logging "${what}"`)))
      }),
    stopReading: (name) => child[name]!.destroy(),
    kill: (signal) => child.kill(signal),
    ended,
  }
}
