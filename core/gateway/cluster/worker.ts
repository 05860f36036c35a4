/** One worker: a gateway with config, keys, port and store from the primary. */
import cluster from 'node:cluster'
import type { SharedPort } from '../../engine/http/listening.ts'
import type { Logger } from '../../services/logger.ts'
import { StoreClient } from '../../services/store/client.ts'
import { RemoteDriver } from '../../services/store/remote.ts'
import { parseConfig } from '../config/load.ts'
import { type Gateway, type Prepared, startGateway } from '../gateway.ts'
import { setHeapFlags, setServingFlags } from '../heap-flags.ts'
import { type LogForm, openLog, reopenLog } from '../log.ts'
import type { GatewayOptions, WorkerShare } from '../running-gateway.ts'
import { failureOf, hear, type StartOrder, send, type ToWorker, WORKER_VARIABLE } from './messages.ts'
import { WorkerPeers } from './peers.ts'

/** Serves until the primary or a SIGTERM to this process stops it; then exits. */
export async function runWorker(
  guard: (logger: Logger) => void,
  traceHooks: GatewayOptions['traceHooks'],
  form: LogForm,
): Promise<never> {
  setHeapFlags()
  // Child processes of plugins are not workers.
  delete process.env[WORKER_VARIABLE]
  const stop = Promise.withResolvers<void>()
  surviveSignals(() => stop.resolve())
  void stop.promise.then(() => send(process, { type: 'ending' }))
  let logger: Logger | undefined
  const { order, handle, peers, port } = await firstOrder(
    () => stop.resolve(),
    () => logger && reopenLog(logger),
  )
  const config = parseConfig(order.text, order.file)
  logger = openLog(config, { shared: true, ...form }).child({ worker: order.number })
  guard(logger)
  let gateway: Gateway
  try {
    const stopped = (): Promise<never> => stop.promise.then(() => Promise.reject(STOPPED))
    const share = { peers, port: () => Promise.race([port(), stopped()]) }
    gateway = await open(order, share, config, logger, traceHooks)
  } catch (error) {
    if (error === STOPPED) return exit(0, logger)
    send(process, { type: 'failed', failure: failureOf(error) })
    return exit(1, logger)
  }
  handle(new Changes(gateway, order.file))
  setServingFlags()
  const { url, plugins, notes } = gateway
  send(process, { type: 'listening', url, plugins, notes })
  await stop.promise
  await gateway.close()
  return exit(0, logger)
}

const STOPPED = new Error('The worker was told to stop before it listened.')

/** Exits explicitly, because the channel to the primary keeps the process alive. */
async function exit(code: number, logger: Logger): Promise<never> {
  await logger.drain()
  process.exit(code)
}

/**
 * Ignores signals that a terminal sends to the whole process group: the primary handles them. A SIGTERM to one worker
 * drains it, and the primary replaces it.
 */
function surviveSignals(close: () => void): void {
  const nothing = (): void => {}
  process.on('SIGINT', nothing)
  process.on('SIGHUP', nothing)
  process.on('SIGTERM', close)
  // A message to a primary that just exited.
  process.on('error', nothing)
  // If the primary exits, Node would end the worker at once; this drains running exchanges first.
  cluster.worker?.once('disconnect', () => {
    if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true
    close()
  })
}

interface Ordered {
  readonly order: StartOrder
  /** Sends later changes there. */
  handle(changes: Changes): void
  readonly peers: WorkerPeers
  /** Asks the primary for it. */
  readonly port: WorkerShare['port']
}

function firstOrder(close: () => void, reopen: () => void): Promise<Ordered> {
  return new Promise((resolve) => {
    let changes: Changes | undefined
    let peers: WorkerPeers | undefined
    const shared = Promise.withResolvers<SharedPort>()
    const port = () => {
      send(process, { type: 'built' })
      return shared.promise
    }
    hear<ToWorker>(process, (message) => {
      if (message.type === 'start') {
        peers = new WorkerPeers(message.inherited, (message) => send(process, message))
        resolve({ order: message, peers, port, handle: (to) => (changes = to) })
      } else if (message.type === 'listen') {
        shared.resolve(message)
      } else if (message.type === 'asked' || message.type === 'answers') void peers?.handle(message)
      else if (message.type === 'close') close()
      else if (message.type === 'reopen') reopen()
      else if (message.type === 'ping') send(process, { type: 'pong' })
      else void changes?.handle(message)
    })
    send(process, { type: 'hello' })
  })
}

async function open(
  order: StartOrder,
  share: Pick<WorkerShare, 'peers' | 'port'>,
  config: ReturnType<typeof parseConfig>,
  logger: Logger,
  traceHooks: GatewayOptions['traceHooks'],
): Promise<Gateway> {
  const { number, restarts, instance, holder, keys, secret } = order
  const store = order.sharedStore ? new StoreClient(await RemoteDriver.open()) : undefined
  const identity = { keys, secret: Buffer.from(secret) }
  const worker = {
    number,
    restarts,
    instance,
    holder,
    identity,
    ...share,
    ...(store === undefined ? {} : { store }),
  }
  return startGateway({ config, configFile: order.file, logger, worker, traceHooks })
}

/** The primary's requests to a running gateway. A reload has two steps, so that all workers change or none. */
class Changes {
  readonly #gateway: Gateway
  readonly #file: string
  readonly #prepared = new Map<number, Prepared>()

  constructor(gateway: Gateway, file: string) {
    this.#gateway = gateway
    this.#file = file
  }

  async handle(
    message: Exclude<ToWorker, StartOrder | { type: 'listen' | 'close' | 'ping' | 'reopen' | 'asked' | 'answers' }>,
  ): Promise<void> {
    if (message.type === 'leave') return this.#gateway.leave()
    if (message.type === 'rejected') return this.#gateway.rejected(message.problems)
    const { change } = message
    if (message.type === 'prepare') {
      const problem = await this.#prepare(change, message.text)
      return send(process, { type: 'prepared', change, problem })
    }
    const prepared = this.#prepared.get(change)
    this.#prepared.delete(change)
    await prepared?.[message.type]()
  }

  async #prepare(change: number, text: string): Promise<string | undefined> {
    try {
      this.#prepared.set(change, await this.#gateway.prepare(parseConfig(text, this.#file)))
      return undefined
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
}
