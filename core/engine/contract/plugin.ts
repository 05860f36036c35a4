/** The plugin author's contract: what a plugin exports, receives, and may call. */
import type { FromSchema, JSONSchema } from 'json-schema-to-ts'
import type { AsyncSeriesBailHook, AsyncSeriesHook, SyncHook } from 'tapable'
import type {
  Awaitable,
  Emit,
  EventText,
  FlagSpec,
  GovernanceEvent,
  Json,
  Log,
  Mode,
  Rejection,
  Verdict,
} from './basics.ts'
import type { ErrorSpec } from './error-spec.ts'
import type { EventSpec } from './event-spec.ts'
import type { Fact, Facts } from './fact.ts'
import type { Level } from './labels.ts'
import type { Hold, LimitWant } from './limits.ts'
import type { TapRun, UnauthorizedCall, UpstreamAttempt } from './observe.ts'
import type { Caller, PrincipalSource } from './principal.ts'
import type { MessageParts, Prompt, RequestMessage } from './prompt.ts'
import type { OpenRoute, Route } from './route.ts'
import type { CheckTools, OptionProblem, Services, SettingsSpec, Target } from './services.ts'
import type { Action, Direction, HeldText, TextView } from './view.ts'

export type * from './basics.ts'
export type * from './error-spec.ts'
export type * from './event-spec.ts'
export { defineFact, type Fact, type Facts } from './fact.ts'
export type { Level } from './labels.ts'
export type * from './limits.ts'
export type * from './observe.ts'
export type * from './principal.ts'
export type * from './prompt.ts'
export type * from './route.ts'
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
 * A reply without calling the model (cache, dry run); only from `block` at `Stage.Final`. It passes through `onChunk`
 * and `postResponse` like any reply: `contentType` is `application/json` or `text/event-stream`.
 */
export interface Answer {
  answer: { contentType: string; headers?: Record<string, string>; body: Uint8Array | AsyncIterable<Uint8Array> }
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
  /** Number of `prompt` tokens from the provider's cache, if reported. */
  readonly cached?: number
  /** Number of `prompt` tokens written to the provider's cache, if reported. */
  readonly cacheWrite?: number
  /** Number of `cacheWrite` tokens that the provider keeps for an hour instead of five minutes, if reported. */
  readonly cacheWriteHour?: number
  /** Whether the gateway counted, because the provider sent no usage. */
  readonly estimated: boolean
}

export type Outcome = 'pending' | 'completed' | 'rejected' | 'blocked' | 'answered' | 'aborted' | 'upstream_failed'

/**
 * Progress of the provider request. `unsent`: nothing was written. `sent`: the provider has the request and may be
 * working on it. `begun`: it answers with a completion. `failed`: it answered with an error, or hung up before it
 * answered.
 */
export type Progress = 'unsent' | 'sent' | 'begun' | 'failed'

/** One request and its reply, from authentication to the last byte. */
export interface Exchange {
  /** Also the `x-request-id` header. */
  readonly id: string
  readonly caller: Caller
  /**
   * Set if this is a copy for a route's `mirror`: the id of the original request. The reply is discarded. The only taps that
   * run are `onChunk` of content plugins, and those of plugins with `countsMirrors`.
   */
  readonly mirrorOf: string | undefined
  /** Method and path of the API, such as `POST /v1/chat/completions`. */
  readonly operation: string
  /** When it began, on the clock of `performance.now()`. */
  readonly startedAt: number
  /** Effective mode, after flags. */
  readonly mode: Mode
  /** Label of the request so far; it only rises. */
  readonly label: Level
  /**
   * Raises the label of the request. With `found`, one of `findings`, as if that finding had the level: a finding in the
   * reply raises `outputLabel`, and one that is rewritten does not count after redaction.
   */
  raise(level: Level, rule: string, found?: Pick<DetectionCount, 'direction' | 'action'>): void
  /** Label of the reply so far; it only rises, and only by findings. */
  readonly outputLabel: Level
  readonly findings: readonly DetectionCount[]
  readonly facts: Facts
  /** The value of a flag this plugin declared, or undefined if neither request nor operator set it. */
  flag(name: string): string | number | undefined
  readonly request: ExchangeRequest
  readonly reply: ExchangeReply
  /** Name of the last provider asked; undefined before the first. */
  readonly upstream: string | undefined
  /** Aborted when the client disconnects or the exchange ends early. Created on first read. */
  readonly signal: AbortSignal
  /** Adds the request id to every line. Created on first read. */
  readonly log: Log
  readonly emit: Emit
  /** Reports the taps that follow to `onTap`; each costs two clock reads. Runs shorter than `shortestMs` milliseconds may be left out. */
  observeTaps(shortestMs?: number): void
  /**
   * Yields to other exchanges during long work; await it after about every 64 KiB of text. Restarts the tap's deadline.
   */
  nextTurn(): Promise<void>
  /**
   * In `preRequest` or `block`: requests amounts of limits for this plugin. The core takes the amounts of all plugins
   * and scopes atomically with the exchange's first write, right before the model is called. If the exchange ends
   * earlier, its last write takes and settles them, as far as they fit.
   */
  reserve(want: LimitWant): Hold
  /**
   * Ends the exchange now, at any time and from anywhere, such as when its key is revoked: the provider request is aborted,
   * and the client gets this error, inside the stream if it has begun. Usage until then is charged. Does nothing if
   * the exchange is over.
   */
  cancel(rejection: Rejection): void
  /** An answer with this text for every choice, in the form that the client requested; usage is zero. */
  answer(text: string): Answer
}

export interface ExchangeRequest {
  readonly model: string
  /** At `Stage.Final`: the candidate providers, in order. Empty before. */
  readonly targets: readonly Target[]
  readonly stream: boolean
  /** The request reads, cancels or deletes a reply that the provider stores. No model runs, so no tokens are used. */
  readonly stored: boolean
  /** Number of answers that the model writes: `n` or `best_of`, times the number of prompts for completions. Default 1. */
  readonly choices: number
  /** The larger of `max_completion_tokens` and `max_tokens`. */
  readonly maxOutputTokens: number | undefined
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The messages in order, each with role and content. At `Stage.Final` as they will be sent. */
  readonly messages: readonly RequestMessage[]
  /** The same in parts, if earlier requests may have had some of them, so that results for those can be cached. */
  readonly messageParts: MessageParts | undefined
  /** Everything in the request that the model reads, for token counts. At `Stage.Final` as it will be sent. */
  readonly prompt: Prompt
  /** Every text of the request. After `classify`, `report()` throws. */
  readonly views: readonly TextView[]
  /**
   * The parsed body in the API's own shape, frozen on first read; at `Stage.Final` as it will be sent. Use it only for
   * members not available above: reading others ties a plugin to one API.
   */
  readonly json: Readonly<Record<string, Json>>
  /** The conversation id that the client sent in a member of its API, if any; arbitrary text. */
  readonly conversation: string | undefined
  /** The text that answers continue, as sent by the client: the assistant's last messages, or each prompt of completions. */
  readonly continued: readonly string[]
  /** The lowest cap wins. The dialect selects the field. */
  capOutputTokens(tokens: number): void
  /** Only one plugin may call it; a second call is an error that names both. */
  setModel(model: string): void
  /** Asks the provider for usage; stripped from the reply if the client did not ask. */
  wantUsage(): void
  /** Adds a system message before all others. */
  addSystemNote(text: string): void
  /** Never `authorization`, `host` or a hop-by-hop header. */
  setUpstreamHeader(name: string, value: string): void
}

export interface ExchangeReply {
  /** Status and headers were sent. */
  readonly committed: boolean
  readonly outcome: Outcome
  readonly progress: Progress
  readonly usage: Usage | undefined
  /**
   * In `postResponse`: the gateway's own count if the provider reported no usage; marked as estimated. If the provider
   * reported usage before its last text, its prompt count and the larger completion count apply.
   */
  estimateUsage(prompt: number, completion: number): void
  /** For a stream: tool calls that the core holds until the stream ends, and that no view has shown yet. */
  readonly held: HeldText | undefined
  /** Cost of the model's use, US dollars; undefined unless a plugin sets it. */
  readonly cost: number | undefined
  /** In `postResponse`: sets `cost`, which the terminal event reports. US dollars, 0 or more; the last call wins. */
  bill(dollars: number): void
  /** Throws `GW_COMMITTED` after the headers were sent. */
  setHeader(name: string, value: string): void
  /** A header that a plugin set; the name is case-insensitive. */
  header(name: string): string | undefined
  /** Sets `service.<key>`; custom keys are `vendor_name`. */
  extend(key: string, value: Json): void
  /** Restores a token's value: not counted, not inspected again, and overridden by any overlapping finding. */
  restore(view: TextView, start: number, end: number, value: string): void
  /** The only way to block from `onChunk` without a finding. */
  block(verdict: Verdict): void
  /** Call in `block`; keeps up to `maxBytes` of the reply as the upstream sent it. */
  capture(maxBytes: number): void
  /** Read in `postResponse`: undefined if larger or incomplete. */
  captured(): Uint8Array | undefined
  /** Ends the reply here, like a model at its token limit: `finish_reason` is `length`. From `onChunk` or later. */
  truncate(): void
}

/** A tapable hook whose `tap` may return a promise, which the guard awaits. */
type Guarded<H, A extends unknown[], R> = Omit<H, 'tap'> & {
  // biome-ignore lint/suspicious/noConfusingVoidType: a tap may return nothing.
  tap(options: string | { name: string; stage?: number }, fn: (...args: A) => Awaitable<R | void>): void
}
type Bail<A extends unknown[], R> = Guarded<AsyncSeriesBailHook<A, R>, A, R>
type Series<A extends unknown[]> = Guarded<AsyncSeriesHook<A>, A, undefined>

/**
 * Real tapable hooks. The guard makes `tap` await promises, and assigns an owner, a deadline and a timer to each tap.
 * Stages: the default, and `Stage.Final` for taps that must see the request as it will be sent.
 */
export interface Hooks {
  /** Flags, sessions, rate limits: may return a Rejection. */
  readonly preRequest: Bail<[x: Exchange], Rejection | undefined>
  /** Detectors report on `x.request.views`; the label may rise. */
  readonly classify: Series<[x: Exchange]>
  /** Policies decide; the first verdict wins. At `Stage.Final` also budgets and answers. */
  readonly block: Bail<[x: Exchange], Verdict | Rejection | Answer | undefined>
  /**
   * Once per upstream read, with the views that grew; without views while only `x.reply.held` grows. For a buffered
   * reply once, with all views final.
   */
  readonly onChunk: Series<[views: readonly TextView[], x: Exchange]>
  /** Exactly once, whatever the outcome. At `Stage.Final`, `x.reply.usage` includes the counts of other plugins. */
  readonly postResponse: Series<[x: Exchange]>
  /** Observes, with the event's exchange if any; never awaited, may be lost. `text.json` is made once for all. */
  readonly onEvent: SyncHook<[event: Readonly<GovernanceEvent>, text: EventText, x: Exchange | undefined]>
}

/** Stages of a hook. */
export const Stage = Object.freeze({
  /** In `block`: judges or answers the request as it will be sent. In `postResponse`: runs when `usage` is known. */
  Final: 100,
} as const)

/** @deprecated Use `Stage.Final`. */
export const Late = Stage.Final

/**
 * Options described by a schema, with defaults filled in. Checks the schema here instead of by a constraint on `S`,
 * because the compiler cannot infer a literal against such a large union.
 */
export type Options<S> = [S] extends [JSONSchema] ? FromSchema<S> : never

export interface PluginSpec<S = JSONSchema, T = unknown> {
  /** Equals the folder name of a bundled plugin and the owner of its taps. */
  name: string
  /** Default: the version of its npm package. */
  version?: string
  /** One line for `governed-gateway plugins`. */
  description?: string
  /**
   * Scope of the plugin. `content` (default): `mode=off` disables it, and `monitor` only records its verdicts. `usage`:
   * flags, sessions, limits, budgets; no mode affects them.
   */
  governs?: 'content' | 'usage'
  /**
   * Also runs its `onChunk`, `postResponse` and `Stage.Final` `block` taps for copies sent to a `mirror`, which use tokens
   * like any request. A result of `block` prevents the copy from being sent. Default false.
   */
  countsMirrors?: boolean
  requires?: readonly Fact<unknown>[]
  provides?: readonly Fact<unknown>[]
  /** Effect of a failing tap. Default `block`; use `allow` for pure observers. */
  onError?: 'block' | 'allow'
  /** Deadline of one tap's promise, milliseconds, default 1000. */
  timeoutMs?: number
  /**
   * With `detect`: characters of a streamed reply that the host holds, so that no match up to this length is split. The
   * start of a longer match may already have been sent. Default 64; use 0 if the plugin calls `view.hold` itself.
   */
  lookbehind?: number
  /** Longest hold of one view, characters. Default 256 or the `lookbehind`, whichever is larger. */
  maxBuffered?: number
  /** @deprecated Use `lookbehind`. */
  holdBack?: number
  /** @deprecated Use `maxBuffered`. */
  maxHold?: number
  /** Effect of a longer hold. Default `block`. */
  onHoldOverflow?: 'block' | 'redact' | 'release'
  /** JSON Schema (draft-07) of the options; its defaults are filled in before `create`. */
  schema: S
  flags?: Readonly<Record<string, FlagSpec>>
  events?: Readonly<Record<string, EventSpec>>
  /** By `error.code`, in snake_case. Codes of the core or another enabled plugin are an error at load. */
  errors?: Readonly<Record<string, ErrorSpec>>
  settings?: SettingsSpec
  /**
   * Names of options, each a file that the plugin writes; it makes the folder. A relative path starts at the folder of the
   * config file. `governed-gateway check` warns of a file that cannot be written, and `doctor` fails.
   */
  writes?: readonly string[]
  /**
   * Checks options beyond the schema: `check`, start and reload report problems with their line before anything is
   * created. Gets options that the schema accepts, with defaults; does no I/O.
   */
  check?(options: Options<S>, tools: CheckTools): readonly OptionProblem[]
  /** Called once for each config entry; does no I/O. */
  create(options: Options<S>, services: Services<T>): Instance
}

export interface Instance {
  /** A complete detector: called for every view of requests and replies. */
  detect?(view: TextView, x: Exchange): Awaitable<void>
  /** The texts that `detect` is called for: requests (`input`), replies (`output`), or both. Default both. */
  detects?: Direction | 'both'
  /**
   * What `detect` reports of a request depends only on the view, so the gateway may remember it: not on earlier views,
   * the exchange, time, settings or an external service. It does not read `id`, and uses `path` only in a `reason`.
   * Findings with `replace` are not remembered.
   */
  pure?: true
  /**
   * Like `pure`, for a `detect` that also depends on one more value, such as a flag. Returns that value in at most 256
   * characters; undefined disables the memo for this exchange.
   */
  memoKey?(x: Exchange): string | undefined
  /** Pure registration; called again for each new chain. */
  apply?(hooks: Hooks): void
  /** Authenticates callers in addition to the keys in the config. */
  principals?: PrincipalSource
  routes?: readonly (Route | OpenRoute)[]
  /**
   * Called after each run of a tap of any plugin, for exchanges with `observeTaps`. Observes only: must not throw or wait.
   */
  onTap?(x: Exchange, run: TapRun): void
  /**
   * Called twice for each request to a provider: before its headers are built, so that `setUpstreamHeader` still works, and
   * when it ends, which may be after `postResponse`. If the first call returns `false`, the second may be left out.
   * Observes only: must not throw or wait.
   */
  onAttempt?(x: Exchange, attempt: UpstreamAttempt): unknown
  /**
   * Called for each API request with a missing or invalid key; such a request has no exchange. Observes only: must not
   * throw or wait.
   */
  onUnauthorized?(call: UnauthorizedCall): void
  start?(signal: AbortSignal): Awaitable<void>
  /** Flushes pending work after the last exchange ended, before `stop`. */
  drain?(signal: AbortSignal): Awaitable<void>
  stop?(): Awaitable<void>
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
