/** A terminal with bash in it, as a reader of the documentation has one. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Output {
  readonly stdout: string
  readonly stderr: string
  /** A gateway listens in this terminal now, and stays until `interrupt()`. */
  readonly stays: boolean
}

interface Running {
  readonly outFrom: number
  readonly errFrom: number
  interrupted: boolean
}

const LISTENS = /listens on \S+[\s\S]*\n$/

export class Terminal {
  readonly #bash: ChildProcess
  readonly #scripts: string
  readonly #closed: Promise<unknown>
  #stdout = ''
  #stderr = ''
  #number = 0
  #running: Running | undefined
  #look: () => void = () => undefined

  /**
   * @param cwd where it opens
   * @param scripts a folder for its own files
   */
  constructor(cwd: string, scripts: string, env: Readonly<Record<string, string>>) {
    this.#scripts = scripts
    // `set -m` gives each command a process group of its own, as at a terminal: Ctrl-C reaches the foreground only.
    this.#bash = spawn('bash', ['--norc', '--noprofile', '-s'], { cwd, env, stdio: 'pipe' })
    this.#closed = once(this.#bash, 'close')
    this.#bash.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text
      this.#look()
    })
    this.#bash.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text
      this.#look()
    })
    this.#bash.stdin?.write(`set -m\ntrap 'failed="$failed [$BASH_COMMAND: $?]"' ERR\n`)
  }

  /** Everything printed so far. */
  get printed(): string {
    return this.#stdout
  }

  /** What was said on standard error so far, such as the log of a gateway. */
  get errors(): string {
    return this.#stderr
  }

  /** A gateway that was started here still runs. */
  get busy(): boolean {
    return this.#running !== undefined
  }

  /** Runs commands until they end or a gateway listens. Throws when one of them failed. */
  async run(commands: string): Promise<Output> {
    if (this.busy) throw new Error('this terminal is busy')
    this.#number += 1
    const file = join(this.#scripts, `${this.#bash.pid}-${this.#number}.sh`)
    writeFileSync(file, commands)
    this.#running = { outFrom: this.#stdout.length, errFrom: this.#stderr.length, interrupted: false }
    this.#bash.stdin?.write(`failed=; . '${file}' </dev/null; echo "${this.#mark}$failed"; echo "${this.#mark}" >&2\n`)
    return this.#until(() => this.#ended || LISTENS.test(this.#stdout.slice(this.#running?.outFrom)))
  }

  /** Waits until it has printed what a pattern names, on either stream; on standard error behind a place. */
  async prints(pattern: RegExp, from = 0): Promise<void> {
    await this.#until(() => pattern.test(this.#stdout) || pattern.test(this.#stderr.slice(from)))
  }

  /** Ctrl-C: SIGINT to the process group in the foreground. */
  async interrupt(): Promise<void> {
    const foreground = Math.max(...childrenOf(this.#bash.pid as number))
    process.kill(-foreground, 'SIGINT')
    ;(this.#running as Running).interrupted = true
    await this.#until(() => this.#ended)
  }

  /** Closes the terminal, and returns the process ids of what its commands left running, which it ends. */
  async close(): Promise<number[]> {
    const left = childrenOf(this.#bash.pid as number)
    for (const pid of left) process.kill(-pid, 'SIGKILL')
    this.#bash.kill('SIGKILL')
    await this.#closed
    return left
  }

  get #mark(): string {
    return `--- end of block ${this.#number} ---`
  }

  get #ended(): boolean {
    const { outFrom, errFrom } = this.#running as Running
    return this.#stdout.slice(outFrom).includes(`${this.#mark}`) && this.#stderr.slice(errFrom).includes(this.#mark)
  }

  async #until(done: () => boolean): Promise<Output> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const look = () => {
      if (done()) resolve()
    }
    this.#look = look
    this.#closed.then(() => reject(new Error(`the terminal closed:\n${this.#stdout}\n${this.#stderr}`)))
    look()
    await promise
    return this.#output()
  }

  #output(): Output {
    const running = this.#running
    if (running === undefined) return { stdout: '', stderr: '', stays: false }
    const stdout = this.#stdout.slice(running.outFrom)
    const stderr = this.#stderr.slice(running.errFrom)
    if (!this.#ended) return { stdout, stderr, stays: true }
    this.#running = undefined
    const [text = '', failed = ''] = stdout.split(this.#mark)
    const [errors = ''] = stderr.split(this.#mark)
    if (failed.trim() !== '' && !running.interrupted) throw new Error(`failed:${failed}\n${text}\n${errors}`)
    return { stdout: text, stderr: errors, stays: false }
  }
}

/** Process ids of the children. */
function childrenOf(parent: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      // The name of a command, in parentheses, may hold anything.
      const [, ppid] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
      return Number(ppid) === parent ? [Number(name)] : []
    } catch {
      return []
    }
  })
}
