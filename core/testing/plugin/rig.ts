/** A real gateway with the plugin under test, between a real client and a scripted provider, all on loopback. */

import type { Level } from '../../engine/contract/labels.ts'
import type { GovernanceEvent, Instance, Json, Outcome, PluginSpec, Services } from '../../engine/contract/plugin.ts'
import { SHAPES } from '../../engine/dialects/names.ts'
import type { OnFailure } from '../../engine/text/inspection.ts'
import { checkNames } from '../../engine/util/shape.ts'
import { parseConfig } from '../../gateway/config/load.ts'
import { type Gateway, startGateway } from '../../gateway/gateway.ts'
import { createLogger } from '../../services/logger.ts'
import { chat, type Described, type Provider, type Script, startProvider } from '../provider.ts'
import { type Assembled, call, type JsonObject, type JsonReply, send } from './client.ts'
import { Observer } from './observer.ts'

/** A plugin from `definePlugin`, with any options. */
export interface AnyPlugin extends Omit<PluginSpec, 'schema' | 'create'> {
  readonly schema: unknown
  create(options: never, services: Services): Instance
}

/** An additional plugin: the plugin itself, a bundled name, or either with entry options. */
export type Beside =
  | string
  | AnyPlugin
  | { readonly use: string | AnyPlugin; readonly options?: object; readonly mode?: 'monitor' }

/** Setup of a test gateway. */
export interface PluginSetup {
  /** Options of the plugin under test. Default none. */
  readonly options?: object
  /** Plugins that precede the one under test. */
  readonly with?: readonly Beside[]
  /** Members of the plugin's entry: `{ mode: 'monitor', on_error: 'allow', timeout_ms: 50 }`. */
  readonly entry?: Readonly<Record<string, unknown>>
  /** Members of the caller's key in the config, such as `{ flags_allow: ['mode=monitor'] }`. */
  readonly key?: Readonly<Record<string, unknown>>
  /** Members of the provider in the config, such as `{ max_classification: 'CONFIDENTIAL' }`. */
  readonly upstream?: Readonly<Record<string, unknown>>
  /**
   * Allowed targets of plugins: `{ allow: ['127.0.0.1:9000'] }` for a receiver on loopback. Default: public addresses.
   */
  readonly egress?: { readonly allow: readonly string[] }
  /** Environment of settings. Default none. */
  readonly env?: Readonly<Record<string, string>>
  /** Further sections of the config, such as `{ stream: { block_signal: 'finish_reason' } }`. */
  readonly config?: Readonly<Record<string, unknown>>
}

/** A user message, or body members; `model` and `messages` have defaults. */
export type TestRequest = string | Readonly<Record<string, unknown>>

export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** The model's answer, or a provider script. Default: a short sentence. */
  readonly reply?: Described | Script
  /** Default false. */
  readonly stream?: boolean
  /** When this settles, the client leaves, unless the reply is complete. */
  readonly leaveAfter?: Promise<unknown>
}

/** The result of one exchange, on all sides. */
export interface PluginResult extends Assembled {
  /** Content of the first choice. */
  readonly text: string
  readonly outcome: Outcome
  /** The label of the request. */
  readonly label: Level | undefined
  readonly detections: readonly { type: string; count: number; action: string; direction: string }[]
  /** Every event of the exchange, in order, but `plugin.slow`: that depends on the machine. */
  readonly events: readonly GovernanceEvent[]
  /** What plugins threw for this exchange, or meanwhile for none, such as `pager failed in block: …`. Clients and logs do not get these words. */
  readonly failures: readonly string[]
  /** The provider's request, or undefined if it was not called. */
  readonly sent: { readonly body: Readonly<Record<string, Json>>; readonly headers: JsonObject } | undefined
}

/** A running gateway with one plugin under test. */
export interface PluginRig {
  readonly url: string
  /** Use it after `Bearer `. */
  readonly apiKey: string
  /** The same for settings and admin routes. */
  readonly adminKey: string
  readonly provider: Provider
  /** The same since the start, including events outside of exchanges. */
  readonly events: readonly GovernanceEvent[]
  send(request: TestRequest, options?: SendOptions): Promise<PluginResult>
  /** Calls a route, such as a plugin's settings, as an admin. */
  admin(method: string, path: string, body?: object): Promise<JsonReply>
  close(): Promise<void>
}

/** Members of a setup. A misspelt one would test something else. */
export const SETUP: readonly (keyof PluginSetup)[] = [
  ...(['options', 'with', 'entry', 'key', 'upstream', 'egress', 'env', 'config'] as const),
]

const API_KEY = 'test-key-for-plugins'
const ADMIN_KEY = 'test-key-for-admins'
const OBSERVER = 'test-observer'
/** Instead of the default deadline, which a busy machine passes. */
const PATIENCE_MS = 10_000
const log = createLogger({ level: 'silent', destination: { write: () => {} } })

/**
 * Starts a gateway with the plugin, for tests that need several requests in a row; `testPlugin` is shorter for one.
 *
 * @example
 * const gateway = await startPlugin(sessions)
 * const { headers } = await gateway.send('Hello')
 * await gateway.close()
 */
export async function startPlugin(plugin: AnyPlugin, setup: PluginSetup = {}): Promise<PluginRig> {
  checkNames('setup', Object.keys(setup), SETUP)
  const provider = await startProvider()
  try {
    const observer = new Observer(OBSERVER)
    const specs = new Map<string, PluginSpec>().set(OBSERVER, observer.spec)
    const patience = plugin.timeoutMs === undefined && { timeout_ms: PATIENCE_MS }
    const under = { use: plugin, options: setup.options ?? {}, ...patience, ...setup.entry }
    const plugins = [...(setup.with ?? []), under, OBSERVER].map((one) => entryOf(one, specs))
    const config = {
      listen: { port: 0, drain_seconds: 5 },
      store: 'memory',
      secret: 'a secret that is the same in every run',
      log: { level: 'silent' },
      upstreams: { provider: { url: provider.url, shapes: SHAPES, ...setup.upstream } },
      keys: [
        { id: 'tester', key: API_KEY, ...setup.key },
        { id: 'admin', key: ADMIN_KEY, admin: true },
      ],
      ...(setup.egress && { egress: setup.egress }),
      plugins,
      ...setup.config,
    }
    const parsed = parseConfig(JSON.stringify(config), 'test', {})
    const faults: Error[] = []
    const onContractFault = (error: Error) => void faults.push(error)
    const failures: PluginFailure[] = []
    const onFailure: OnFailure = (name, hook, error, exchange) =>
      void failures.push({ exchange, text: `${name} failed in ${hook}: ${messageOf(error)}` })
    const env = setup.env ?? {}
    const gateway = await startGateway({ config: parsed, logger: log, specs, env, onContractFault, onFailure })
    return new Rig(gateway, provider, observer, faults, failures)
  } catch (error) {
    await provider.close()
    throw error
  }
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')

function entryOf(beside: Beside, specs: Map<string, PluginSpec>): object {
  if (typeof beside === 'string') return { use: beside }
  const entry = 'use' in beside ? beside : { use: beside }
  if (typeof entry.use === 'string') return entry
  specs.set(entry.use.name, entry.use as unknown as PluginSpec)
  return { ...entry, use: entry.use.name }
}

interface PluginFailure {
  /** Undefined: of none. */
  readonly exchange: string | undefined
  readonly text: string
}

class Rig implements PluginRig {
  readonly url: string
  readonly apiKey = API_KEY
  readonly adminKey = ADMIN_KEY
  readonly provider: Provider
  readonly #gateway: Gateway
  readonly #observer: Observer
  /**
   * Payloads that do not match their event's schema: the gateway drops the bad part and continues, but the test fails.
   */
  readonly #faults: Error[]
  readonly #failures: readonly PluginFailure[]
  #count = 0

  constructor(
    gateway: Gateway,
    provider: Provider,
    observer: Observer,
    faults: Error[],
    failures: readonly PluginFailure[],
  ) {
    this.#faults = faults
    this.#failures = failures
    this.url = gateway.url
    this.provider = provider
    this.#gateway = gateway
    this.#observer = observer
  }

  get events(): readonly GovernanceEvent[] {
    return this.#observer.events
  }

  async send(request: TestRequest, options: SendOptions = {}): Promise<PluginResult> {
    const id = options.headers?.['x-client-request-id'] ?? `test-${++this.#count}`
    const before = this.provider.requests.length
    const known = this.#failures.length
    if (options.reply !== undefined) {
      this.provider.otherwise(typeof options.reply === 'function' ? options.reply : chat(options.reply))
    }
    const headers = {
      authorization: `Bearer ${API_KEY}`,
      'content-type': 'application/json',
      'x-client-request-id': id,
      ...options.headers,
    }
    const body = JSON.stringify({ ...bodyOf(request), ...(options.stream === true && { stream: true }) })
    const sending = send(`${this.url}/v1/chat/completions`, headers, body)
    if (options.leaveAfter !== undefined) await this.#leave(sending, options.leaveAfter)
    const reply = await sending.reply
    const terminal = await this.#terminal(id, reply)
    this.#fail()
    return this.#result(id, reply, terminal, this.provider.requests.length > before, known)
  }

  /** Leaves after the gateway relayed everything that the provider had written. */
  async #leave(sending: ReturnType<typeof send>, after: Promise<unknown>): Promise<void> {
    let complete = false
    const whole = sending.reply.then(() => {
      complete = true
    })
    await Promise.race([after, whole])
    // A complete request to the same process runs after earlier socket data.
    if (!complete) await send(`${this.url}/health/live`, {}, undefined).reply
    if (!complete) sending.leave()
  }

  /** Requests rejected before parsing have no exchange and no terminal event. */
  async #terminal(id: string, reply: Assembled): Promise<GovernanceEvent | undefined> {
    const known = this.#observer.eventsOf(id).find((event) => this.#observer.isTerminal(event))
    if (known !== undefined || (reply.done && reply.error !== undefined)) return known
    return await this.#observer.ended(id)
  }

  #result(
    id: string,
    reply: Assembled,
    terminal: GovernanceEvent | undefined,
    asked: boolean,
    known: number,
  ): PluginResult {
    const request = asked ? this.provider.requests.at(-1) : undefined
    const events = this.#observer.eventsOf(id)
    const exchanges = new Set<unknown>([undefined, ...events.map(({ request_id }) => request_id)])
    const failures = this.#failures.slice(known).filter(({ exchange }) => exchanges.has(exchange))
    return {
      ...reply,
      text: reply.choices[0]?.content ?? '',
      outcome: this.#observer.outcomeOf(id) ?? 'rejected',
      label: terminal?.classification as Level | undefined,
      detections: (terminal?.detections ?? []) as unknown as PluginResult['detections'],
      events,
      failures: [...new Set(failures.map(({ text }) => text))],
      sent:
        request === undefined
          ? undefined
          : { body: request.json as Readonly<Record<string, Json>>, headers: request.headers as JsonObject },
    }
  }

  async admin(method: string, path: string, body?: object): Promise<JsonReply> {
    return await call(`${this.url}${path}`, method, { authorization: `Bearer ${ADMIN_KEY}` }, body)
  }

  async close(): Promise<void> {
    await this.#gateway.close()
    await this.provider.close()
    this.#fail()
  }

  #fail(): void {
    const [first] = this.#faults.splice(0)
    if (first !== undefined) throw first
  }
}

function bodyOf(request: TestRequest): JsonObject {
  const messages = [{ role: 'user', content: typeof request === 'string' ? request : 'Hello' }]
  return { model: 'gpt-test', messages, ...(typeof request === 'string' ? {} : request) }
}
