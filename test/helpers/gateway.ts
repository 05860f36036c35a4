/** A gateway under test with a scripted provider behind it, both on free loopback ports. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { PluginSpec } from '../../core/engine/contract/plugin.ts'
import { SHAPES } from '../../core/engine/dialects/names.ts'
import { parseConfig } from '../../core/gateway/config/load.ts'
import { startGateway } from '../../core/gateway/gateway.ts'
import { createLogger } from '../../core/services/logger.ts'
import { type Provider, startProvider } from '../../core/testing/provider.ts'
import { type Reply, type SendOptions, send } from './http.ts'

export const USER_KEY = 'sk-test-user-key-0123456789'
export const ADMIN_KEY = 'sk-test-admin-key-0123456789'
/** A key that may use `gpt-*` only. */
export const LIMITED_KEY = 'sk-test-limited-key-0123456789'
export const UPSTREAM_KEY = 'sk-test-upstream-key-0123456789'

const CONFIG_FILE = fileURLToPath(new URL('../fixtures/gateway.yaml', import.meta.url))

export interface PluginEntry {
  use: string
  options?: object
  mode?: 'monitor'
  timeout_ms?: number
  on_error?: 'block' | 'allow'
}

export interface TestGatewayOptions {
  /** Base URL of the one upstream, `…/v1`. */
  upstreamUrl: string
  /** Config entries; default none. */
  plugins?: readonly PluginEntry[]
  /** More settings of the upstream, such as its timeouts. */
  upstream?: Readonly<Record<string, unknown>>
  /** More members of the config; a member that both have is merged. */
  config?: Readonly<Record<string, unknown>>
  /** Where the config file would be: relative plugin paths count from there. Default test/fixtures/gateway.yaml. */
  file?: string
  /** Where to write a config file, for `reload`. */
  folder?: string
  /** Plugins that are there already, by the name in `use`. */
  specs?: ReadonlyMap<string, PluginSpec>
}

export interface TestGateway {
  /** Without a path. */
  readonly url: string
  readonly port: number
  /** Base URL for an SDK. */
  readonly baseURL: string
  /** Log lines so far, parsed. */
  readonly log: readonly Record<string, unknown>[]
  /** Reads the config file again, with these options changed. */
  reload(change?: Partial<TestGatewayOptions>): Promise<void>
  close(): Promise<void>
}

export async function startTestGateway(options: TestGatewayOptions): Promise<TestGateway> {
  const log: Record<string, unknown>[] = []
  const logger = createLogger({ level: 'debug', destination: { write: (line) => log.push(JSON.parse(line)) } })
  const text = JSON.stringify(configOf(options)) // JSON is YAML.
  const file = options.folder === undefined ? (options.file ?? CONFIG_FILE) : join(options.folder, 'gateway.yaml')
  if (options.folder !== undefined) writeFileSync(file, text)
  const config = parseConfig(text, file, {})
  const gateway = await startGateway({
    config,
    logger,
    configFile: file,
    ...(options.specs && { specs: options.specs }),
  })
  const { origin, port } = new URL(gateway.url)
  return {
    ...{ url: origin, port: Number(port), baseURL: `${origin}/v1`, log },
    async reload(change) {
      writeFileSync(file, JSON.stringify(configOf({ ...options, ...change })))
      await gateway.reload()
    },
    close: () => gateway.close(),
  }
}

/** Bundled plugins, and those without a deadline of their own, get one that a busy machine does not pass. */
function patient(entry: PluginEntry, spec: PluginSpec | undefined): PluginEntry {
  const bundled = /^[a-z-]+$/.test(entry.use)
  return bundled && spec?.timeoutMs === undefined ? { timeout_ms: 10_000, ...entry } : entry
}

function configOf(options: TestGatewayOptions): Record<string, unknown> {
  const config: Record<string, unknown> = {
    listen: { host: '127.0.0.1', port: 0, drain_seconds: 1 },
    store: 'memory',
    secret: 'a secret for tests, 32 characters or more',
    // The scripted provider answers whatever a test scripts.
    upstreams: { scripted: { url: options.upstreamUrl, key: UPSTREAM_KEY, shapes: SHAPES, ...options.upstream } },
    keys: [
      { id: 'user', key: USER_KEY },
      { id: 'admin', key: ADMIN_KEY, admin: true },
      { id: 'limited', key: LIMITED_KEY, models: ['gpt-*'] },
    ],
    plugins: (options.plugins ?? []).map((entry) => patient(entry, options.specs?.get(entry.use))),
  }
  for (const [name, value] of Object.entries(options.config ?? {})) {
    const old = config[name]
    config[name] = isObject(old) && isObject(value) ? { ...old, ...value } : value
  }
  const { host, port, ...listen } = config.listen as Record<string, unknown>
  if (listen.socket !== undefined) config.listen = listen
  return config
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What `setup` needs of a test context; `{ after }` of node:test serves a whole suite. */
export interface Owner {
  after(fn: () => Promise<void>): void
}

export interface Setup {
  readonly provider: Provider
  readonly gateway: TestGateway
}

/** Starts provider and gateway, and stops both when the owner is done. */
export async function setup(owner: Owner, options: Omit<TestGatewayOptions, 'upstreamUrl'> = {}): Promise<Setup> {
  const provider = await startProvider()
  const closers = [() => provider.close()]
  owner.after(async () => {
    await Promise.all(closers.map((close) => close()))
  })
  const gateway = await startTestGateway({ upstreamUrl: provider.url, ...options })
  closers.push(() => gateway.close())
  return { provider, gateway }
}

/** Provider and gateway for all tests of the suite that is being described. */
export function setupForSuite(options: Omit<TestGatewayOptions, 'upstreamUrl'>): () => Setup {
  let parts: Setup
  const closers: (() => Promise<void>)[] = []
  before(async () => {
    parts = await setup({ after: (fn) => void closers.push(fn) }, options)
  })
  after(() => Promise.all(closers.map((close) => close())))
  return () => parts
}

export const bearer = (key: string): { authorization: string } => ({ authorization: `Bearer ${key}` })

/** A small valid request body. */
export const asking = (content: unknown = 'Hello', more: object = {}): Record<string, unknown> => ({
  model: 'gpt-test',
  messages: [{ role: 'user', content }],
  ...more,
})

/** Posts a chat completion with the user key. */
export const post = (gateway: TestGateway, body: unknown = asking(), options: SendOptions = {}): Promise<Reply> =>
  send(`${gateway.baseURL}/chat/completions`, {
    ...options,
    body,
    headers: { ...bearer(USER_KEY), ...options.headers },
  })

/** Settles after everything that reached the gateway's sockets before was read: it went round the event loop. */
export async function barrier(gateway: TestGateway): Promise<void> {
  for (let round = 0; round < 3; round += 1) await (await send(`${gateway.url}/health/live`)).text()
}
