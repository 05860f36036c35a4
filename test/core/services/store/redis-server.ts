import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../helpers/ports.ts'
import { until } from '../../../helpers/until.ts'

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    socket.write('PING\r\n')
    const [reply] = (await once(socket, 'data')) as [Buffer]
    // An answer of any kind but "loading" will do: it may ask for a password.
    return !String(reply).startsWith('-LOADING')
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** A node of a cluster listens 10,000 ports above, too. */
export async function redisPort(): Promise<number> {
  for (;;) {
    const port = await freePort()
    if (port <= 55_535) return port
  }
}

/** A real Redis on a loopback port, with its files in a folder of its own. */
export class RedisServer {
  readonly port: number
  readonly folder = mkdtempSync(join(tmpdir(), 'gg-redis-'))
  readonly #options: readonly string[]
  #process: ChildProcess | undefined

  private constructor(port: number, options: readonly string[]) {
    this.port = port
    this.#options = options
  }

  /** `appendfsync always` by default: what was answered is on disk. */
  static async start(...options: string[]): Promise<RedisServer> {
    const server = new RedisServer(await redisPort(), options)
    await server.run()
    return server
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}/0`
  }

  async run(): Promise<void> {
    const address = ['--bind', '127.0.0.1', '--port', String(this.port), '--dir', this.folder]
    const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', '']
    const child = spawn('redis-server', [...address, ...durable, ...this.#options], { stdio: 'ignore' })
    this.#process = child
    let missing: unknown
    child.once('error', (cause) => {
      missing = cause
    })
    await until(() => {
      if (missing !== undefined) {
        throw new Error('redis-server is not installed. Run test/setup.sh, which installs it from Debian.', {
          cause: missing,
        })
      }
      if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`)
      return answers(this.port)
    })
  }

  signal(signal: NodeJS.Signals): void {
    this.#process?.kill(signal)
  }

  async kill(): Promise<void> {
    const child = this.#process
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }

  async stop(): Promise<void> {
    await this.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Runs redis-cli and returns what it prints. */
  cli(...args: string[]): string {
    return execFileSync('redis-cli', ['-p', String(this.port), ...args], { encoding: 'utf8' }).trim()
  }
}
