/** The core without sockets: chains of plugins given as objects, exchanges, and a client's side that records. */

import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { after, afterEach } from 'node:test'
import type { Principal } from '../../core/engine/access/keyring.ts'
import type { PluginEntry } from '../../core/engine/config/types.ts'
import type { EventLog } from '../../core/engine/contract/event-log.ts'
import { flagsFact } from '../../core/engine/contract/facts.ts'
import type { GovernanceEvent, Hooks, Instance, PluginSpec } from '../../core/engine/contract/plugin.ts'
import { chatCompletions } from '../../core/engine/dialects/chat-completions/dialect.ts'
import type { Dialect } from '../../core/engine/dialects/dialect.ts'
import { ChatExchange } from '../../core/engine/exchange/exchange.ts'
import { type Assembly, assemble, type HostResources } from '../../core/engine/host/host.ts'
import type { LoadedPlugin } from '../../core/engine/host/loaded-plugin.ts'
import { conclude } from '../../core/engine/pipeline/pipeline.ts'
import { ReplyContext } from '../../core/engine/relay/context.ts'
import { Responder } from '../../core/engine/relay/responder.ts'
import { StreamReply } from '../../core/engine/relay/stream/reply.ts'
import { Ledger } from '../../core/services/audit/ledger.ts'
import { Egress } from '../../core/services/egress/egress.ts'
import { servicesOf } from '../../core/services/open.ts'
import { StoreClient } from '../../core/services/store/client.ts'
import { MemoryDriver } from '../../core/services/store/memory.ts'
import { asking, type Owner, type Setup, setup, type TestGatewayOptions } from './gateway.ts'
import { payloads } from './http.ts'
import { until } from './until.ts'

const ignore = () => {}
export const silent: EventLog = { event: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore }

export const NO_OPTIONS = { type: 'object', properties: {}, additionalProperties: false } as const

/** What a test says of a plugin: its parts, or the taps it makes. */
export type Plugin = Partial<Omit<PluginSpec, 'create'>> & {
  entry?: Partial<PluginEntry>
  detect?: Instance['detect']
  apply?: (hooks: Hooks) => void
  instance?: Instance
}

/** A deadline that a machine that stands still now and then does not pass. */
const PATIENCE_MS = 10_000

export function spec(plugin: Plugin, name: string): PluginSpec {
  const { entry: _entry, detect, apply, instance, ...rest } = plugin
  const own = { ...(detect && { detect }), ...(apply && { apply }), ...instance }
  return { name, schema: NO_OPTIONS, timeoutMs: PATIENCE_MS, ...rest, create: () => own } as PluginSpec
}

export const loaded = (plugin: PluginSpec, at: number, entry: Partial<PluginEntry> = {}): LoadedPlugin => ({
  path: `plugins[${at}]`,
  entry: { use: plugin.name, enabled: true, options: {}, ...entry },
  spec: plugin,
  options: {},
})

export function resources(log: EventLog = silent): HostResources {
  const store = new StoreClient(new MemoryDriver())
  const ledger = new Ledger(store, log)
  const openServices = servicesOf({
    ...{
      store,
      ledger,
      instance: 'test',
      configFolder: process.cwd(),
      egress: new Egress(),
      env: {},
      reloadState: new Map(),
    },
    keys: () => [],
    subkey: (purpose) => Buffer.from(purpose.padEnd(32)),
  })
  return { log, recorder: ledger, instance: 'test', openServices }
}

/** A started chain; plugins without a name are called `p0`, `p1` … */
export const chainOf = (plugins: readonly Plugin[]): Promise<Assembly> =>
  assemble(
    plugins.map((plugin, i) => loaded(spec(plugin, plugin.name ?? `p${i}`), i, plugin.entry)),
    resources(),
  )

export const caller: Principal = { keyId: 'app', admin: false, models: ['*'], flagsAllow: [], flags: {} }

/** An exchange of a chain; the body is an object, or JSON text as it was sent. */
export function exchangeOf(
  { chain }: Assembly,
  body: unknown = asking(),
  dialect: Dialect = chatCompletions,
): ChatExchange {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const document = dialect.readRequest(bytes)
  const headers = {}
  return new ChatExchange({
    id: 'req_1',
    principal: caller,
    chain,
    log: silent,
    dialect,
    body: bytes,
    document,
    headers,
    sourceIp: undefined,
  })
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** What the core does to a `ServerResponse`, recorded. */
export class RecordedResponse extends EventEmitter {
  headersSent = false
  destroyed = false
  closed = false
  writableFinished = false
  status = 0
  headers: Record<string, string> = {}
  body = ''
  /** Each write as it came. */
  readonly writes: string[] = []
  /** What `write` answers: false is a client that does not read. */
  keepsUp = true

  writeHead(status: number, headers: Record<string, string>): void {
    this.headersSent = true
    this.status = status
    this.headers = headers
  }

  write(bytes: Uint8Array | string): boolean {
    const text = typeof bytes === 'string' ? bytes : utf8.decode(bytes)
    this.writes.push(text)
    this.body += text
    return this.keepsUp
  }

  end(bytes?: Uint8Array | string): void {
    if (bytes !== undefined) this.write(bytes)
    this.writableFinished = true
    this.close()
  }

  destroy(): void {
    this.destroyed = true
    this.close()
  }

  /** The client leaves. */
  close(): void {
    if (this.closed) return
    this.closed = true
    this.emit('close')
  }
}

const rigs: StreamRig[] = []
afterEach(() => {
  for (const rig of rigs.splice(0)) rig.response.close()
})

export interface Tap {
  paused: boolean
  aborted: boolean
}

/** A streamed reply, fed by hand. */
export class StreamRig {
  readonly x: ChatExchange
  readonly response = new RecordedResponse()
  readonly context: ReplyContext
  readonly reply: StreamReply
  readonly source: Tap = { paused: false, aborted: false }
  readonly events: GovernanceEvent[] = []

  constructor(assembly: Assembly, options: RigOptions = {}) {
    const emitter = assembly.chain.events
    const chain = Object.create(assembly.chain, {
      events: {
        value: {
          buildFor: emitter.buildFor.bind(emitter),
          dispatch: (event: GovernanceEvent) => {
            this.events.push(event)
            emitter.dispatch(event)
          },
        },
      },
    })
    this.x = exchangeOf(
      { ...assembly, chain },
      options.body ?? asking('Hello', { stream: true, n: 8, ...options.more }),
      options.dialect,
    )
    const req = Object.assign(new EventEmitter(), { complete: true, headers: {} })
    const out = new Responder(req as unknown as IncomingMessage, this.response as unknown as ServerResponse, 'req_1')
    const { keepAliveMs = 15_000, blockSignal = 'error' } = options
    this.context = new ReplyContext({
      x: this.x,
      out: out.for(this.x),
      settings: { keepAliveMs, blockSignal },
      stopped: new AbortController().signal,
      conclude,
      onOver: ignore,
    })
    this.x.inspection.monitor = options.monitor ?? false
    options.prepare?.(this.x)
    this.context.decided()
    this.x.upstream = 'test'
    const { source } = this
    const hand = {
      pause: () => {
        source.paused = true
      },
      resume: () => {
        source.paused = false
      },
      abort: () => {
        source.aborted = true
      },
    }
    this.context.source = hand
    this.reply = new StreamReply(this.context, hand, {}, options.maxEvent ?? 1024 * 1024, 'completed')
  }

  /** One read of the provider. */
  feed(bytes: string | Uint8Array): this {
    this.reply.onData(Buffer.from(bytes as string))
    return this
  }

  /** One read with these events. */
  say(...events: (object | string)[]): this {
    return this.feed(
      events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join(''),
    )
  }

  end(): this {
    this.reply.onEnd()
    return this
  }

  /** Payloads written so far. */
  get payloads(): string[] {
    return payloads(this.response.body)
  }

  /** Events written so far, without `[DONE]`. */
  get chunks(): Chunk[] {
    return this.payloads.filter((payload) => payload !== '[DONE]').map((payload) => JSON.parse(payload) as Chunk)
  }

  /** What one field of one choice grew to at the client. */
  text(field = 'content', choice = 0): string {
    return this.chunks
      .flatMap(({ choices }) => choices ?? [])
      .filter(({ index }) => index === choice)
      .map(({ delta }) => (delta?.[field] as string | null | undefined) ?? '')
      .join('')
  }

  get done(): boolean {
    return this.payloads.at(-1) === '[DONE]'
  }

  /** Settles when the reply is over. */
  get over(): Promise<void> {
    if (this.response.closed) return Promise.resolve()
    return new Promise((resolve) => this.response.once('close', resolve))
  }
}

export interface Chunk {
  choices?: { index: number; delta?: Record<string, unknown>; finish_reason?: string | null; logprobs?: unknown }[]
  usage?: object | null
  service?: Record<string, unknown>
  error?: Record<string, unknown>
  [key: string]: unknown
}

export interface RigOptions {
  /** Default chat completions. */
  dialect?: Dialect
  body?: unknown
  /** More members of the default body. */
  more?: object
  keepAliveMs?: number
  blockSignal?: 'error' | 'finish_reason'
  maxEvent?: number
  monitor?: boolean
  prepare?: (x: ChatExchange) => void
}

/** Opens a streamed reply behind these plugins. */
export async function streamOf(plugins: readonly Plugin[], options: RigOptions = {}): Promise<StreamRig> {
  const rig = new StreamRig(await chainOf(plugins), options)
  rigs.push(rig)
  return rig
}

export interface Running extends Setup {
  /** Governance events so far; those of the service itself left out. */
  events(): readonly GovernanceEvent[]
  /** Waits for the next event of a type that was not handed out before. */
  next(type: string): Promise<GovernanceEvent>
}

/** A gateway with these plugins and a scripted provider behind it. */
export async function running(
  owner: Owner,
  plugins: readonly Plugin[],
  options: Omit<TestGatewayOptions, 'upstreamUrl' | 'plugins' | 'specs'> = {},
): Promise<Running> {
  const specs = plugins.map((plugin, i) => spec(plugin, plugin.name ?? `p${i}`))
  const entries = specs.map(({ name }, i) => ({ use: name, ...plugins[i]?.entry }))
  const parts = await setup(owner, {
    ...options,
    plugins: entries,
    specs: new Map(specs.map((plugin) => [plugin.name, plugin])),
  })
  const { log } = parts.gateway
  const told = new Set<unknown>()
  const find = (type: string) => {
    const line = log.find(({ event }) => (event as GovernanceEvent | undefined)?.type === type && !told.has(event))
    told.add(line?.event)
    return line?.event as GovernanceEvent | undefined
  }
  return {
    ...parts,
    events() {
      const all = log.flatMap(({ event }) => (event === undefined ? [] : [event as GovernanceEvent]))
      // A plugin is slow, too, when the machine is.
      return all.filter(({ type }) => !/^(?:service|config)\.|^plugin\.slow$/.test(type))
    },
    next: (type) => until(() => find(type)),
  }
}

const shared = new Map<string, Promise<Running>>()
const closers: (() => Promise<void>)[] = []
after(async () => {
  await Promise.all(closers.map((close) => close()))
})

/**
 * A gateway that redacts these words, one for all tests of the process: for tests that look at what replies become, not at
 * events, logs or what was asked before, and whose provider does not fail.
 */
export function redacting(...words: readonly string[]): Promise<Running> {
  const key = JSON.stringify(words)
  const known = shared.get(key)
  if (known !== undefined) return known
  const owner: Owner = { after: (fn) => void closers.push(fn) }
  const started = running(
    owner,
    words.map((text) => word(text)),
  )
  shared.set(key, started)
  return started
}

/** A client that asked for the strict mode. */
export const strict: Plugin = {
  governs: 'usage',
  apply: (hooks) => hooks.preRequest.tap('s', (x) => x.facts.set(flagsFact, new Map([['mode', 'strict']]))),
}

/** A detector that acts on every occurrence of a word and holds exactly what may become one. */
export const word = (text: string, action: 'detect' | 'redact' | 'tokenize' | 'block' = 'redact'): Plugin => ({
  lookbehind: 0,
  detect(view) {
    for (let at = view.text.indexOf(text); at >= 0; at = view.text.indexOf(text, at + 1)) {
      view.report({ type: 'word', start: at, end: at + text.length, action })
    }
    for (let n = Math.min(text.length - 1, view.text.length); n > 0; n--) {
      if (text.startsWith(view.text.slice(-n))) return view.hold(view.text.length - n)
    }
  },
})

/** Redacts a text where no letter follows it. */
export const bounded = (text: string): Plugin => ({
  lookbehind: 0,
  detect(view) {
    for (let at = view.text.indexOf(text); at >= 0; at = view.text.indexOf(text, at + 1)) {
      const end = at + text.length
      if (end === view.text.length && !view.final) return view.hold(at)
      if (!/^[a-z]/.test(view.text.slice(end))) view.report({ type: 'word', start: at, end, action: 'redact' })
    }
    for (let n = Math.min(text.length - 1, view.text.length); n > 0; n--) {
      if (text.startsWith(view.text.slice(-n))) return view.hold(view.text.length - n)
    }
  },
})
