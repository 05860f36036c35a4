import cluster from 'node:cluster'
import { flushCompileCache } from 'node:module'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { isatty } from 'node:tty'
import { watchdog } from '../../engine/host/watchdog.ts'
import { isError } from '../../engine/util/outside.ts'
import { DEFAULT_CONFIG, packageVersion } from '../../engine/util/package.ts'
import { LogFile } from '../../services/log-file.ts'
import type { Logger } from '../../services/logger.ts'
import { pretty } from '../../services/pretty.ts'
import { prepareStore } from '../../services/store/open.ts'
import { isWorkerProcess, send } from '../cluster/messages.ts'
import { abandonedData } from '../config/data-base.ts'
import { dataFolder } from '../config/load.ts'
import { stampOf, watchConfig } from '../config/watch.ts'
import { resetHeapFlags, setHeapFlags, setServingFlags } from '../heap-flags.ts'
import { discardCreatedKeys, type FirstStart, firstStart } from '../identity.ts'
import { type Everything, loadEverything } from '../load.ts'
import { type LogForm, openLog, reopenLog } from '../log.ts'
import { Reloads } from '../reloads.ts'
import type { GatewayOptions } from '../running-gateway.ts'
import { shown } from './check.ts'
import { type Command, UsageError } from './command.ts'

/** One gateway, or a cluster of them. */
type Gateway = Pick<
  import('../gateway.ts').Gateway,
  'url' | 'plugins' | 'notes' | 'createdKeys' | 'reload' | 'leave' | 'close'
> & {
  readonly workers?: number
  kill?(): void
}

export const start: Command = {
  name: 'start',
  summary: 'Start the gateway',
  operands: '[--config FILE] [--log-format FORMAT] [--trace-hooks]',
  maxOperands: 0,
  options: {
    config: { type: 'string', value: 'FILE', description: 'Config file; default: the one in the package' },
    'log-format': { type: 'string', value: 'FORMAT', description: 'json (default), or pretty for people' },
    'trace-hooks': {
      type: 'boolean',
      description: 'Show on stdout which taps of plugins ran for each request, how long, and with what result',
    },
  },
  details: `The log goes to stderr or log.file as JSON lines, or with --log-format pretty to stderr as text.
SIGUSR1 opens log.file again. On SIGTERM, readiness says "draining" while requests are still served
(listen.pre_stop_seconds); then, as on SIGINT, the port closes and running exchanges may finish
(listen.drain_seconds). A second signal exits at once. SIGHUP, or a change of the file,
reloads the config; if the file is invalid, the last good config stays.

With workers above 1 (or SERVICE_WORKERS), that many processes share the port, the store
and the limits. A worker that dies is replaced, with growing pauses; a reload applies
to all of them or to none. Send signals to the first process.`,
  async run({ values, io }) {
    const traceHooks = values['trace-hooks'] === true ? traceWriter() : undefined
    const form = formOf(values['log-format'])
    // A worker inherits its primary's arguments.
    if (isWorkerProcess()) {
      const { runWorker } = await import('../cluster/worker.ts')
      const guard = (logger: Logger) => {
        outliveMistakes(logger)
        logBlocked(logger)
      }
      return runWorker(guard, traceHooks, form)
    }
    const file = shown(typeof values.config === 'string' ? values.config : DEFAULT_CONFIG)
    // The config may change between its reading and the end of the start.
    const reloads = new Reloads()
    const watch: { taken?: () => void } = {}
    const onHangup = () => {
      watch.taken?.()
      reloads.ask('SIGHUP')
    }
    process.on('SIGHUP', onHangup)
    const stamp = stampOf(resolve(file))
    const everything = await loadEverything(file, prepare)
    const { config } = everything
    const logger = openLog(config, { shared: config.workers !== 1, ...form })
    if (config.log.file !== undefined) process.on('SIGUSR1', () => reopenLogs(logger))
    const running: { gateway?: Gateway; giveUp?: () => void } = {}
    const stop = stopSignal(logger, running)
    outliveMistakes(logger)
    const identity = firstStart(config)
    running.giveUp = () => {
      for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL')
      discardCreatedKeys(config, identity)
    }
    const { tell } = watchdog
    watchdog.tell = (text) => {
      running.giveUp?.()
      return tell(text)
    }
    const gateway = await open(everything, resolve(file), logger, identity, traceHooks)
    running.gateway = gateway
    logBlocked(logger)
    const watcher = watchConfig(
      resolve(file),
      () => reloads.ask('file changed'),
      (err) => logger.warn({ err }, 'config is not watched'),
      stamp,
    )
    watch.taken = watcher.taken
    reloads.serve(gateway, logger)
    setServingFlags()
    // Last, because readers of this text may send signals right after it.
    io.stdout.write(greeting(gateway, file, config))
    // Keeps the cache for the next start, even after a SIGKILL; otherwise Node writes it at exit.
    flushCompileCache()
    const signal = await stop
    watcher.close()
    reloads.stop()
    process.off('SIGHUP', onHangup)
    gateway.leave()
    await setTimeout(preStopMs(config, signal))
    await gateway.close()
    await logger.drain()
    return 0
  },
}

/** Starts the thread of the store. */
async function prepare({ store }: Everything['config']): Promise<void> {
  resetHeapFlags()
  await prepareStore(store)
  setHeapFlags()
}

/** Writes to stdout, which workers share. */
function traceWriter(): (tree: string) => void {
  const out: LogFile = new LogFile(1, true, (bytes) => out.write(`${bytes} bytes of traces are lost\n`))
  return (tree) => out.write(tree)
}

function formOf(format: string | boolean | undefined): LogForm {
  if (format === undefined || format === 'json') return {}
  if (format === 'pretty') return { destination: 2, format: (line) => pretty(line, isatty(2)) }
  throw new UsageError('--log-format must be json or pretty.', 'governed-gateway start --help')
}

/** In all processes, so that a tool may rename the file and then compress it. */
function reopenLogs(logger: Logger): void {
  reopenLog(logger)
  for (const worker of Object.values(cluster.workers ?? {})) if (worker) send(worker.process, { type: 'reopen' })
}

/** One gateway in this process, or several in child processes. Imports lazily: `check` needs no server. */
async function open(
  { config, text }: Everything,
  configFile: string,
  logger: Logger,
  identity: FirstStart,
  traceHooks: GatewayOptions['traceHooks'],
): Promise<Gateway> {
  const workers = config.workers === 'auto' ? availableParallelism() : config.workers
  if (workers > 1 && cluster.isPrimary) {
    const { Cluster } = await import('../cluster/primary.ts')
    return Cluster.start({ config, text, file: configFile, logger, workers, identity })
  }
  if (workers > 1) logger.warn({ workers }, 'started as the worker of another cluster: `workers` is ignored')
  const { startGateway } = await import('../gateway.ts')
  return startGateway({ config, configFile, logger, identity, traceHooks })
}

/** How long to keep serving until balancers notice the shutdown; none after Ctrl-C. */
function preStopMs({ listen, workers }: Everything['config'], signal: NodeJS.Signals): number {
  if (signal === 'SIGINT') return 0
  return (listen.pre_stop_seconds ?? (workers !== 1 && !process.stdout.isTTY ? 5 : 0)) * 1000
}

/**
 * npm forwards each signal to its child. Ctrl-C and systemd signal the whole process group, so the gateway gets the
 * signal twice. A second signal within this time is npm's.
 */
const ECHO_MS = 2000

/** The first SIGTERM or SIGINT requests a graceful stop, the second exits. During the start the first one exits. */
function stopSignal(
  logger: Logger,
  running: { readonly gateway?: Gateway; readonly giveUp?: () => void },
): Promise<NodeJS.Signals> {
  let asked: number | undefined
  let echoes = process.env.npm_lifecycle_event === undefined ? 0 : 1
  const { promise: stop, resolve: ask } = Promise.withResolvers<NodeJS.Signals>()
  const onSignal = (signal: 'SIGTERM' | 'SIGINT') => {
    const code = signal === 'SIGINT' ? 130 : 143
    if (asked !== undefined && echoes > 0 && performance.now() - asked < ECHO_MS) {
      echoes -= 1
      logger.info({ signal }, 'the same signal, passed on by npm')
      return
    }
    if (asked !== undefined) {
      running.gateway?.kill?.()
      process.exit(code)
    }
    if (running.gateway === undefined) {
      logger.info({ signal }, 'ends before it was started')
      running.giveUp?.()
      logger.flush()
      process.exit(code)
    }
    asked = performance.now()
    logger.info({ signal }, 'closing: running exchanges may end; a second signal ends at once')
    ask(signal)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  return stop
}

/** Of a reload, or in a worker: nobody looks at stderr. */
function logBlocked(logger: Logger): void {
  watchdog.tell = (problem) => {
    logger.error({ problem }, 'a plugin blocks the process, which ends')
    logger.flush()
    return 1
  }
}

function outliveMistakes(logger: Logger): void {
  // The greeting and the text of plugins go to these streams. A reader that is gone (`| head`) must not end the gateway.
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].once('error', (err) => logger.warn({ err }, `${name} cannot be written: its text is lost`))
    process[name].on('error', () => {})
  }
  // A missing await in a plugin must not end everyone's streams.
  process.on('unhandledRejection', (reason) => {
    logger.error({ err: thrown(reason) }, 'unhandled rejection')
  })
  process.on('uncaughtException', (reason) => {
    logger.error({ err: thrown(reason) }, 'uncaught exception: the process ends')
    logger.flush()
    process.exit(1)
  })
}

/** A loggable form of a thrown value; a thrown string may be a prompt. */
const thrown = (reason: unknown): object => (isError(reason) ? reason : { type: typeof reason })

function greeting(gateway: Gateway, file: string, config: Everything['config']): string {
  const { url, plugins, notes, createdKeys, workers } = gateway
  const lines = [
    `governed-gateway ${packageVersion()} listens on ${url}`,
    `  config   ${file}`,
    ...(workers === undefined ? [] : [`  workers  ${workers}`]),
    `  plugins  ${plugins.join(', ') || 'none: a plain proxy'}`,
    ...[...notes, ...movedNotes(file, config)].map((note) => `  note     ${note}`),
  ]
  if (createdKeys.length > 0) lines.push('', ...keyLines(url, createdKeys, dataFolder(config)))
  return `${lines.join('\n')}\n`
}

/** Notes that data of an earlier version lies inside the installed package and is lost at the next upgrade. */
function movedNotes(file: string, config: Everything['config']): string[] {
  const old = abandonedData(file)
  const now = dataFolder(config)
  if (old === undefined || now === undefined) return []
  return [`${old} has the data of an earlier version: to use it, stop, move what it holds to ${now}, and start again`]
}

function keyLines(url: string, keys: Gateway['createdKeys'], folder: string | undefined): string[] {
  const target = url.startsWith('unix:')
    ? `--unix-socket ${url.slice('unix:'.length)} http://localhost/v1/chat/completions`
    : `${url}/v1/chat/completions`
  const fate =
    folder === undefined ? 'end with this process (store: memory)' : `stay valid: their hashes are in ${folder}`
  const lines = ['No API key was configured, so these were made. They are shown only now.', `They ${fate}.`]
  for (const { id, key, admin } of keys) lines.push(`  ${id.padEnd(8)} ${key}${admin ? '  (admin)' : ''}`)
  const user = keys.find(({ admin }) => !admin)
  if (user !== undefined) {
    const body = JSON.stringify({ model: 'demo', stream: true, messages: [{ role: 'user', content: 'Hello!' }] })
    lines.push(
      '',
      'Try it:',
      `  curl -N ${target} \\`,
      `    -H 'Authorization: Bearer ${user.key}' -H 'Content-Type: application/json' \\`,
      `    -d '${body}'`,
    )
  }
  return lines
}
