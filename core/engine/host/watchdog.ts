/**
 * Ends the process if an operator's own plugin never returns while it is loaded, created or applied: then this thread runs no
 * timer, no signal handler and no other request, so another thread waits. Bundled plugins are not watched and cost no thread.
 */
import { closeSync } from 'node:fs'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { codeUrl } from '../util/package.ts'

/** What the thread gets. */
export interface Watched {
  /** An odd number while a step runs, an even one between steps, or `closed`. */
  readonly state: Int32Array
  /** Gets the text of each step. */
  readonly texts: MessagePort
  readonly limitMs: number
  /** Without a step for so long, the thread ends. */
  readonly idleMs: number
  readonly closed: number
}

const CLOSED = -2
/** Set by `check` and `start`; tests have less patience. */
export const watchdog = {
  limitMs: 20_000,
  idleMs: 5000,
  /** Adds file and line to a problem of the config. */
  describe: (path: string, message: string): string => `${path}: ${message}`,
  /** Tells why the process ends, and returns its exit code. */
  tell: (text: string): number => {
    process.stderr.write(`${text}\n`)
    return 3
  },
}

interface Step {
  /** Place in the config, such as `plugins[2].use`. */
  readonly path: string
  /** The plugin as the config names it, and its file: `'./mine.ts' (/etc/gateway/mine.ts)`. */
  readonly plugin: string
  /** What is called: `its module`, `create()`, `apply()`. */
  readonly what: string
}

class Thread {
  readonly state = new Int32Array(new SharedArrayBuffer(4))
  readonly #texts: MessagePort

  constructor() {
    Object.assign(globalThis, { [Symbol.for('governed-gateway.blocked')]: interrupted })
    const { port1, port2 } = new MessageChannel()
    this.#texts = port1
    const { limitMs, idleMs } = watchdog
    const workerData: Watched = { state: this.state, texts: port2, limitMs, idleMs, closed: CLOSED }
    const worker = new Worker(codeUrl('core/engine/host/watchdog-thread'), {
      ...{ name: 'watchdog', workerData, transferList: [port2], execArgv: [] },
      resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 },
    })
    // Without a thread, a plugin that hangs is not told of.
    worker.on('error', () => {})
    worker.unref()
    port1.unref()
  }

  /** False if the thread has just ended. */
  begin(text: string): boolean {
    const before = Atomics.load(this.state, 0)
    if (before === CLOSED) return false
    this.#texts.postMessage(text)
    return Atomics.compareExchange(this.state, 0, before, before + 1) === before && this.#wake()
  }

  end(): void {
    Atomics.add(this.state, 0, 1)
    this.#wake()
  }

  #wake(): true {
    Atomics.notify(this.state, 0)
    return true
  }
}

let thread: Thread | undefined
let running: string | undefined

/** Begins a step of an own plugin; the result ends it. If that does not happen in time, the process ends. */
export function watch({ path, plugin, what }: Step): () => void {
  // Steps within a step are part of it.
  if (running !== undefined) return () => {}
  const limit = `${watchdog.limitMs / 1000} s`
  running = watchdog.describe(path, `${what} of ${plugin} did not return within ${limit}. Does it loop without an end?`)
  if (thread?.begin(running) !== true) {
    thread = new Thread()
    thread.begin(running)
  }
  const current = thread
  return () => {
    running = undefined
    current.end()
  }
}

/** Calls what a plugin brought, and watches it if `plugin`, its name and file, says that it is an operator's own. */
export function watched<T>(plugin: string | undefined, path: string, what: string, call: () => T): T {
  if (plugin === undefined) return call()
  const end = watch({ path, plugin, what })
  try {
    return call()
  } finally {
    end()
  }
}

/** Called by the thread, in the middle of whatever runs here. */
function interrupted(step: number): void {
  if (running === undefined || thread?.state[0] !== step) return
  const code = watchdog.tell(running)
  // Else Node says there that it waits for a debugger.
  closeSync(2)
  // `exit` would first run what listens to the end, within a plugin that does not let go.
  ;(process as unknown as { reallyExit(code: number): never }).reallyExit(code)
}
