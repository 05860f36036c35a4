/** The subjects of a measurement: the bare passthrough, and the gateway with a list of plugins. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse, stringify } from 'yaml'
import { type SubjectOptions, startNode, stopChild, Worker } from './child.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const ENTRY = 'core/bin.js'
const READY_MS = 20_000

export const BENCH_KEY = 'bench-0123456789abcdef0123456789abcdef'

export interface StartContext {
  upstreamPort: number
  /** Stands in configs as `http://receiver.invalid`. */
  receiverPort: number
  /** How the subject's process runs, the same for all. */
  subject: SubjectOptions
  /** For configs and logs; removed by the runner at its end. */
  folder: string
}

export interface Running {
  pid: number
  port: number
  /** From the start of the process to its first good answer, ms. */
  readyMs: number
  stop(): Promise<void>
}

export interface Subject {
  name: string
  /** Which column of the limits applies, if any. */
  limits: 'none' | 'default' | 'rules' | undefined
  start(context: StartContext): Promise<Running>
}

/** `plugins` entries as the config file has them. */
type PluginEntries = { use: string }[]

/**
 * Reads a list such as `none,default,with:pii+budget`. `none` is the gateway with `plugins: []`, `default` takes the
 * list and the store of `config/gateway.yaml`, `rules` those of `test/bench/rules.yaml`, `with:` names plugins with the
 * options that they need, `config:FILE` takes the list, the kind of store and the audit section of any config. `@DIR`
 * behind any of the gateway's takes the code of another checkout, to compare before and after in one run.
 * A repeated name is a second, independent process: `passthrough,passthrough` shows the noise of the harness itself.
 */
export function parseSubjects(list: string): Subject[] {
  const seen = new Map<string, number>()
  return list.split(',').map((raw) => {
    const kind = raw.trim()
    const count = (seen.get(kind) ?? 0) + 1
    seen.set(kind, count)
    return subject(kind, count === 1 ? kind : `${kind}#${count}`)
  })
}

function subject(whole: string, name: string): Subject {
  const [kind = '', folder] = whole.split('@')
  const root = folder === undefined ? ROOT : resolve(folder)
  if (kind === 'passthrough') return { name, limits: undefined, start: startPassthrough }
  if (!existsSync(join(root, ENTRY))) throw new Error(`there is no gateway in ${root}`)
  if (kind === 'none') return gateway(root, name, 'none', {})
  if (kind === 'default') {
    return gateway(root, name, 'default', partsOf(join(ROOT, 'config/gateway.yaml')))
  }
  if (kind === 'rules') return gateway(root, name, 'rules', partsOf(join(ROOT, 'test/bench/rules.yaml')))
  if (kind.startsWith('config:')) return gateway(root, name, undefined, partsOf(kind.slice('config:'.length)))
  if (kind.startsWith('with:')) {
    const names = kind.slice('with:'.length).split('+')
    return gateway(root, name, undefined, { plugins: names.map((use) => pluginEntry(use)) })
  }
  throw new Error(`unknown subject "${kind}": use passthrough, none, default, rules, with:NAME+NAME or config:FILE`)
}

/** What plugins need to start; exports go to the bench's receiver. */
const REQUIRED: Readonly<Record<string, object>> = { otel: { endpoint: 'http://receiver.invalid' } }

/** An entry of `plugins` with what its options require, and these. */
export const pluginEntry = (use: string, more: object = {}): PluginEntries[number] & { options: object } => ({
  use,
  options: { ...REQUIRED[use], ...more },
})

interface Parts {
  plugins?: PluginEntries
  /** `file` or `memory`; default `memory`. */
  store?: string
  audit?: object
}

function partsOf(file: string): Parts & { plugins: PluginEntries } {
  if (!existsSync(file)) throw new Error(`there is no config ${file}`)
  const config = parse(readFileSync(file, 'utf8')) as Parts | null
  // The generated config stands elsewhere, so relative plugins are named by their full path.
  const plugins = (config?.plugins ?? []).map((entry) =>
    entry.use.startsWith('.') ? { ...entry, use: resolve(dirname(file), entry.use) } : entry,
  )
  return { ...config, plugins }
}

async function startPassthrough(context: StartContext): Promise<Running> {
  const args = [String(context.upstreamPort)]
  const began = performance.now()
  const worker = await Worker.start<Record<string, never>, { port: number }>('passthrough.ts', context.subject, args)
  const readyMs = performance.now() - began
  return { pid: worker.process.pid!, port: worker.ready.port, readyMs, stop: () => worker.stop() }
}

function gateway(root: string, name: string, limits: Subject['limits'], parts: Parts): Subject {
  return { name, limits, start: (context) => startGateway(root, name, parts, context) }
}

let started = 0

/** Other checkouts may not know them. */
const SHAPES = ['chat-completions', 'responses', 'messages']

async function startGateway(root: string, name: string, parts: Parts, context: StartContext): Promise<Running> {
  const port = await freePort()
  const base = join(context.folder, `${++started}-${name.replace(/\W+/g, '-')}`)
  const config = {
    listen: { host: '127.0.0.1', port },
    store: parts.store?.startsWith('file:') ? `file:${base}` : 'memory',
    upstreams: {
      bench: { url: `http://127.0.0.1:${context.upstreamPort}/v1`, ...(root === ROOT && { shapes: SHAPES }) },
    },
    routes: [{ model: '*', to: ['bench'] }],
    keys: [{ id: 'bench', hash: `sha256:${createHash('sha256').update(BENCH_KEY).digest('hex')}` }],
    plugins: parts.plugins ?? [],
    ...(parts.audit && { audit: parts.audit }),
    egress: { allow: [`127.0.0.1:${context.receiverPort}`] },
  }
  const text = stringify(config).replaceAll('receiver.invalid', `127.0.0.1:${context.receiverPort}`)
  writeFileSync(`${base}.yaml`, text)
  const logFile = `${base}.log`
  const options = { ...context.subject, ipc: false, logFile }
  const began = performance.now()
  const child = startNode([join(root, ENTRY), 'start', '--config', `${base}.yaml`], options)
  const deadline = Date.now() + READY_MS
  while (!(await isReady(port))) {
    const ended = child.exitCode !== null || child.signalCode !== null
    if (!ended && Date.now() < deadline) continue
    await stopChild(child, 0)
    const tail = readFileSync(logFile, 'utf8').slice(-2000)
    throw new Error(`the gateway (${name}) ${ended ? 'ended' : 'was not ready in time'}; its output:\n${tail}`)
  }
  return { pid: child.pid!, port, readyMs: performance.now() - began, stop: () => stopChild(child) }
}

/** One look at the health route, which needs no key; waits a little when there is no answer yet. */
function isReady(port: number): Promise<boolean> {
  const { promise, resolve: settle } = Promise.withResolvers<boolean>()
  const later = () => setTimeout(() => settle(false), 5)
  const probe = request({ port, host: '127.0.0.1', path: '/health/ready', agent: false, timeout: 2000 }, (response) => {
    response.resume()
    if (response.statusCode === 200) settle(true)
    else later()
  })
  probe.on('timeout', () => probe.destroy())
  probe.on('error', later)
  probe.end()
  return promise
}

function freePort(): Promise<number> {
  const { promise, resolve: settle, reject } = Promise.withResolvers<number>()
  const server = createServer()
  server.once('error', reject)
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    server.close(() => settle(port))
  })
  return promise
}
