/** The plugin author's contract: everything a plugin exports, is given, and may call. */
import type { FromSchema, JSONSchema } from 'json-schema-to-ts'
import type { AsyncSeriesBailHook, AsyncSeriesHook, SyncHook } from 'tapable'
import type { Awaitable, Emit, FlagSpec, GovernanceEvent, Json, Log, Mode, Rejection, Verdict } from './basics.ts'
import type { ErrorSpec } from './error-spec.ts'
import type { EventSpec } from './event-spec.ts'
import type { Level } from './labels.ts'
import type { Hold, LimitWant } from './limits.ts'
import type { Prompt, RequestMessage } from './prompt.ts'
import type { CheckTools, OptionProblem, Services, SettingsSpec } from './services.ts'
import type { Action, Direction, HeldText, TextView } from './view.ts'

export type * from './basics.ts'
export type * from './error-spec.ts'
export type * from './event-spec.ts'
export type { Level } from './labels.ts'
export type * from './limits.ts'
export type * from './prompt.ts'
export type * from './services.ts'
export type {
  Amounts,
  GrantedScope,
  Refusal,
  Reservation,
  ScopeRef,
  ScopeRequest,
  ScopeState,
  Window,
} from './store-limits.ts'
export type { Action, Channel, Direction, Finding, HeldText, TextView } from './view.ts'

/**
 * Reply without calling the model (cache, dry run); only from `block` at `Stage.Final`. It passes through `onChunk` and
 * `postResponse` like any reply: `contentType` is `application/json` or `text/event-stream`.
 */
export interface Answer {
  answer: { contentType: string; headers?: Record<string, string>; body: Uint8Array | AsyncIterable<Uint8Array> }
}

/** One caller of the API, as the config names it. */
export interface Caller {
  readonly keyId: string
  readonly team?: string
  readonly admin: boolean
  /** The operator's flags for this key. */
  readonly flags: Readonly<Record<string, string | number>>
  /** Loosenings its requests may ask for, `mode=monitor` or `budget=*`. */
  readonly flagsAllow: readonly string[]
}

export interface DetectionCount {
  readonly plugin: string
  readonly type: string
  readonly direction: Direction
  readonly action: Action
  readonly count: number
}

export interface Usage {
  readonly prompt: number
  readonly completion: number
  /** How many of `prompt` the provider had in its cache, where it says so. */
  readonly cached?: number
  /** True when the provider sent none and the gateway counted. */
  readonly estimated: boolean
}

export type Outcome = 'pending' | 'completed' | 'rejected' | 'blocked' | 'answered' | 'aborted' | 'upstream_failed'

/**
 * How far a provider came: `unsent` nothing was written to one, `sent` it has the request and may be working on it,
 * `begun` it answers with a completion, `failed` it answered with an error or hung up before it answered.
 */
export type Progress = 'unsent' | 'sent' | 'begun' | 'failed'

/** One request and its reply, from authentication to the last byte. */
export interface Exchange {
  /** Also the `x-request-id` header. */
  readonly id: string
  readonly caller: Caller
  /** Effective mode, after flags. */
  readonly mode: Mode
  /** Label of the request so far; it only rises. */
  readonly label: Level
  raise(level: Level, rule: string): void
  /** Label of the reply so far; it only rises, and only by findings. */
  readonly outputLabel: Level
  readonly findings: readonly DetectionCount[]
  readonly facts: Facts
  /** The value of a flag this plugin declared, or undefined when neither request nor operator set it. */
  flag(name: string): string | number | undefined
  readonly request: ExchangeRequest
  readonly reply: ExchangeReply
  /** Name of the provider that was asked last; undefined before one was. */
  readonly upstream: string | undefined
  /** Aborted when the client goes away or the exchange ends early. Made on first read. */
  readonly signal: AbortSignal
  /** Carries the request id. Made on first read. */
  readonly log: Log
  readonly emit: Emit
  /**
   * Lets other exchanges go on, in the middle of long work; await it after every 64 KiB of text or so. The deadline of the
   * tap begins anew.
   */
  nextTurn(): Promise<void>
  /**
   * In `preRequest` or `block`: says what this plugin wants from limits. The core takes all that was wanted, over all
   * plugins and scopes, at once and atomically with the exchange's first write, right before the model is called. What
   * an exchange wanted that is stopped earlier is taken and settled by its last write, as far as it fits.
   */
  reserve(want: LimitWant): Hold
  /** An answer with this text for every choice, in the form that the client asked for; it used no tokens. */
  answer(text: string): Answer
}

/** A provider that may be asked, and the name of the model there. */
export interface Target {
  readonly upstream: string
  readonly model: string
}

export interface ExchangeRequest {
  readonly model: string
  /** At `Stage.Final`: who may be asked, in this order. Empty before. */
  readonly targets: readonly Target[]
  readonly stream: boolean
  /** `n` of the request, default 1. */
  readonly choices: number
  /** The larger of `max_completion_tokens` and `max_tokens`. */
  readonly maxOutputTokens: number | undefined
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The messages in their order: who speaks, and what is said. At `Stage.Final` as they will be sent. */
  readonly messages: readonly RequestMessage[]
  /** Whatever a model reads of the request, for who counts it. At `Stage.Final` as it will be sent. */
  readonly prompt: Prompt
  /** Every text of the request. After `classify`, `report()` throws. */
  readonly views: readonly TextView[]
  /**
   * The parsed body in the API's own shape, frozen on first read; at `Stage.Final` as it will be sent. Only for members
   * that nothing above tells of: a plugin that reads others knows one API.
   */
  readonly json: Readonly<Record<string, Json>>
  /** The lowest cap wins. The dialect knows the field. */
  capOutputTokens(tokens: number): void
  /** One writer; a second plugin is an error that names both. */
  setModel(model: string): void
  /** Asks the provider for usage; stripped from the reply if the client did not ask. */
  wantUsage(): void
  /** Adds a system message in front. */
  addSystemNote(text: string): void
  /** Never `authorization`, `host` or a hop-by-hop header. */
  setUpstreamHeader(name: string, value: string): void
}

export interface ExchangeReply {
  /** Status and headers are on the wire. */
  readonly committed: boolean
  readonly outcome: Outcome
  readonly progress: Progress
  readonly usage: Usage | undefined
  /**
   * In `postResponse`: what the gateway counted, where the provider told no usage; marked as estimated. Of a provider
   * that told usage before its last text, its prompt holds, and the larger of both completions.
   */
  estimateUsage(prompt: number, completion: number): void
  /** Of a stream: what the core keeps of tool calls until the stream ends, so that no view shows it yet. */
  readonly held: HeldText | undefined
  /** What the model's use cost, US dollars; undefined unless a plugin knows. */
  readonly cost: number | undefined
  /** In `postResponse`: sets `cost`, which the terminal event then tells. US dollars, 0 or more; the last word holds. */
  bill(dollars: number): void
  /** Throws `GW_COMMITTED` when too late. */
  setHeader(name: string, value: string): void
  /** What a plugin has set, by name in any case. */
  header(name: string): string | undefined
  /** Sets `service.<key>`; custom keys are `vendor_name`. */
  extend(key: string, value: Json): void
  /** Turns a token back into its value: not counted, not inspected again, and it loses to any overlapping finding. */
  restore(view: TextView, start: number, end: number, value: string): void
  /** The only way to block from `onChunk` without a finding. */
  block(verdict: Verdict): void
  /** Call in `block`; keeps up to `maxBytes` of the reply as the upstream sent it. */
  capture(maxBytes: number): void
  /** Read in `postResponse`: undefined if larger or incomplete. */
  captured(): Uint8Array | undefined
  /** Ends the reply here as a model does that has used up its tokens: `finish_reason` is `length`. From `onChunk` or later. */
  truncate(): void
}

/** A typed token for data that one plugin leaves for others. Names outside the core are `vendor/name`. */
export interface Fact<T> {
  readonly key: string
  readonly _type?: T
}

/** Makes a fact token. Two tokens with the same key are the same fact. */
export function defineFact<T>(key: string): Fact<T> {
  return Object.freeze({ key })
}

export interface Facts {
  get<T>(fact: Fact<T>): T | undefined
  set<T>(fact: Fact<T>, value: T): void
}

/** A tapable hook whose `tap` may also return a promise, which the guard awaits. */
type Guarded<H, A extends unknown[], R> = Omit<H, 'tap'> & {
  // biome-ignore lint/suspicious/noConfusingVoidType: a tap that only acts returns nothing at all.
  tap(options: string | { name: string; stage?: number }, fn: (...args: A) => Awaitable<R | void>): void
}
type Bail<A extends unknown[], R> = Guarded<AsyncSeriesBailHook<A, R>, A, R>
type Series<A extends unknown[]> = Guarded<AsyncSeriesHook<A>, A, undefined>

/**
 * Real tapable hooks. The guard makes `tap` await promises, owns, bounds and times each tap. Stages: default, and
 * `Stage.Final` for what must see the request as it will be sent.
 */
export interface Hooks {
  /** Flags, sessions, rate limits: may return a Rejection. */
  readonly preRequest: Bail<[x: Exchange], Rejection | undefined>
  /** Detectors report on `x.request.views`; the label may rise. */
  readonly classify: Series<[x: Exchange]>
  /** Policies decide; the first verdict wins. At `Stage.Final` also budgets and answers. */
  readonly block: Bail<[x: Exchange], Verdict | Rejection | Answer | undefined>
  /**
   * Once per upstream read, with the views that grew, or with none while `x.reply.held` grows; for a buffered reply once,
   * with all views final.
   */
  readonly onChunk: Series<[views: readonly TextView[], x: Exchange]>
  /** Exactly once, whatever the outcome. At `Stage.Final` what others counted is in `x.reply.usage`. */
  readonly postResponse: Series<[x: Exchange]>
  /** Observes; never awaited, may be lost. */
  readonly onEvent: SyncHook<[Readonly<GovernanceEvent>]>
}

/** Stages of a hook. */
export const Stage = Object.freeze({
  /** Of `block`: judges the request as it will be sent, or answers it. Of `postResponse`: runs when `usage` is known. */
  Final: 100,
} as const)

/** @deprecated Use `Stage.Final`. */
export const Late = Stage.Final

/**
 * The options that a schema describes, with its defaults filled in. The schema is checked here and not by a constraint
 * on `S`: inferring a literal against a union of that size is beyond the compiler.
 */
export type Options<S> = [S] extends [JSONSchema] ? FromSchema<S> : never

export interface PluginSpec<S = JSONSchema, T = unknown> {
  /** Equals the folder name of a bundled plugin and the owner of its taps. */
  name: string
  version?: string
  /** One line for `governed-gateway plugins`. */
  description?: string
  /**
   * What the plugin governs. `content` (default): switched off by `mode=off`, its verdicts only recorded under
   * `monitor`. `usage`: flags, sessions, limits, budgets, which no mode touches.
   */
  governs?: 'content' | 'usage'
  requires?: readonly Fact<unknown>[]
  provides?: readonly Fact<unknown>[]
  /** What a failing tap means. Default `block`; set `allow` for pure observers. */
  onError?: 'block' | 'allow'
  /** Deadline of one tap's promise, milliseconds, default 1000. */
  timeoutMs?: number
  /**
   * With `detect`: characters of a streamed reply the host keeps back so that no match up to this length slips out in
   * two halves; of a longer one the beginning may have left. Default 64; set 0 when the plugin holds by itself through `view.hold`.
   */
  lookbehind?: number
  /** Longest hold of one view, characters, default 256 or the `lookbehind`, whichever is more. */
  maxBuffered?: number
  /** @deprecated Use `lookbehind`. */
  holdBack?: number
  /** @deprecated Use `maxBuffered`. */
  maxHold?: number
  /** What a longer hold means. Default `block`. */
  onHoldOverflow?: 'block' | 'redact' | 'release'
  /** JSON Schema (draft-07) of the options; its defaults are filled in before `create`. */
  schema: S
  flags?: Readonly<Record<string, FlagSpec>>
  events?: Readonly<Record<string, EventSpec>>
  /** By `error.code`, in snake_case. What the core or another enabled plugin declares is an error at load. */
  errors?: Readonly<Record<string, ErrorSpec>>
  settings?: SettingsSpec
  /**
   * What a schema cannot say of the options: `check`, start and reload tell it with its line, before anything is
   * created. Gets options that the schema accepts, with defaults; does no I/O.
   */
  check?(options: Options<S>, tools: CheckTools): readonly OptionProblem[]
  /** Called once for each config entry; does no I/O. */
  create(options: Options<S>, services: Services<T>): Instance
}

export interface Instance {
  /** All that a detector needs: called for every view of requests and replies. */
  detect?(view: TextView, x: Exchange): Awaitable<void>
  /** Pure registration; called again for each new chain. */
  apply?(hooks: Hooks): void
  routes?: readonly Route[]
  start?(signal: AbortSignal): Awaitable<void>
  /** Flushes what is pending, after the last exchange ended and before `stop`. */
  drain?(signal: AbortSignal): Awaitable<void>
  stop?(): Awaitable<void>
}

export interface Route {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** Exact path, such as `/api/budgets`. */
  path: string
  auth: 'admin' | 'user'
  /** JSON Schema of the body. */
  body?: JSONSchema
  handle(request: { body: Json; query: URLSearchParams; caller: Caller }): Awaitable<{ status?: number; body: Json }>
}

/**
 * Declares a plugin; options are typed from the schema.
 *
 * @example
 * export default definePlugin({
 *   name: 'no-swearing',
 *   schema: { type: 'object', properties: {}, additionalProperties: false },
 *   create: () => ({
 *     detect(view) {
 *       for (const { index: start } of view.text.matchAll(/\bdamn\b/gi)) {
 *         view.report({ type: 'swearing', start, end: start + 4, action: 'redact' })
 *       }
 *     },
 *   }),
 * })
 */
export function definePlugin<const S extends object, T = unknown>(spec: PluginSpec<S, T>): PluginSpec<S, T> {
  return spec
}
