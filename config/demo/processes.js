/** The processes of the demo: each ends with it, and none is taken for another's. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export class DemoError extends Error {}

export const has = (command) => spawnSync(command, ['--version'], { stdio: 'ignore' }).error === undefined

export async function checkPorts(ports) {
  for (const [name, port] of Object.entries(ports)) {
    const server = createServer()
    const free = new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject))
    server.listen(port, '127.0.0.1')
    await free.catch(({ code }) => {
      throw new DemoError(`port ${port} for ${name} is not free (${code}); choose others with --port`)
    })
    server.close()
    await once(server, 'close')
  }
}

/** Runs a tool to its end; throws what it wrote unless it accepts. */
export function check(command, args, input) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { input, encoding: 'utf8' })
  if (status !== 0) throw new DemoError(`${command} ${args.join(' ')}: ${error?.message ?? `${stdout}${stderr}`}`)
}

export class Processes {
  #folder
  #running = []
  #onEnd
  #stopping = false

  /** @param {string} folder for logs @param {(error: Error) => void} onEnd called if one ends by itself */
  constructor(folder, onEnd) {
    this.#folder = folder
    this.#onEnd = onEnd
  }

  start(name, command, args, env = {}) {
    const log = join(this.#folder, `${name}.log`)
    const file = createWriteStream(log)
    // A group of its own: Ctrl-C reaches this process only, which ends the others in order.
    const child = spawn(command, args, {
      cwd: this.#folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    child.stdout.pipe(file, { end: false })
    child.stderr.pipe(file, { end: false })
    const ended = new Promise((resolve) => child.once('close', resolve).once('error', resolve))
    this.#running.push({ child, ended })
    void ended.then(() => {
      file.end()
      if (this.#stopping) return
      this.#onEnd(new DemoError(`${name} ended:\n${readFileSync(log, 'utf8').slice(-2000)}`))
    })
  }

  /** Ends all, the last first: SIGTERM, and SIGKILL after `seconds`. */
  async stop(seconds = 15) {
    this.#stopping = true
    for (const { child, ended } of this.#running.splice(0).reverse()) {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) continue
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1000)
      await ended
      clearTimeout(timer)
    }
  }
}

/** Waits until a GET answers 200, at most `seconds`. */
export async function ready(url, signal, seconds = 60) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
    if (signal.aborted) return
    const answer = await fetch(url, { signal }).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer?.ok === true) return
    await sleep(200)
  }
  throw new DemoError(`${url} did not answer 200 within ${seconds} seconds`)
}
