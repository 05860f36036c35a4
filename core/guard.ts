import type { FullTap } from 'tapable'
import { GatewayError, isGatewayError, stackOf } from './errors.ts'
import type { ChatExchange } from './exchange/exchange.ts'
import type { HookName } from './hooks.ts'
import { errorName, mayBeValue } from './outside.ts'
import { type Answer, type Hooks, Late, type Log, type Rejection, type Verdict } from './plugin.ts'
import { handlesOf } from './text/handle.ts'
import type { Reporter } from './text/inspection.ts'
import type { BaseView } from './text/views.ts'

/** A plugin of a chain as the guard knows it. */
export interface Owner extends Reporter {
  readonly governs: 'content' | 'usage'
  readonly log: Log
}

/** A synchronous tap cannot be cut short, only reported. */
const SLOW_MS = 50
const SAMPLE_EVERY = 64

type Done = (error?: Error | null, result?: unknown) => void
type Tap = FullTap & { readonly stage?: number; readonly before?: unknown }

/**
 * Wraps every tap at registration, so that it is awaited when it returns a promise, belongs to its plugin, is bound to
 * a deadline, and fails as its plugin's `onError` says. Without it `hooks.block.tap('x', async …)` fails open: its
 * promise is not `undefined`, the series bails, and the policies behind it never run.
 */
export class Guard {
  /** The plugin that registers now; taps belong to it whatever name they give. */
  #owner: Owner | undefined = undefined
  #core = false

  constructor(hooks: Hooks) {
    for (const name of Object.keys(hooks) as HookName[]) {
      hooks[name].intercept({ register: (tap: FullTap) => this.#register(name, tap as Tap) as never })
    }
  }

  /** Lets one plugin register; outside of it every tap is refused. */
  registering(owner: Owner, register: () => void): void {
    this.#owner = owner
    try {
      register()
    } finally {
      this.#owner = undefined
    }
  }

  /** Lets the core place a tap of its own between the stages. */
  coreTap(register: () => void): void {
    this.#core = true
    register()
    this.#core = false
  }

  #register(hook: HookName, tap: Tap): FullTap {
    if (this.#core) return tap
    const owner = this.#owner
    if (owner === undefined) {
      throw new GatewayError(
        'GW_PLUGIN_CONTRACT',
        `'${tap.name}' tapped ${hook} outside of apply(). Register every tap in apply().`,
      )
    }
    if (tap.before !== undefined) {
      throw new GatewayError(
        'GW_PLUGIN_CONTRACT',
        `Plugin ${owner.name}: 'before' is not supported on ${hook}. The order of the config is the order of the taps.`,
      )
    }
    const stage = tap.stage ?? 0
    if (stage !== 0 && !(stage === Late && (hook === 'block' || hook === 'postResponse'))) {
      throw new GatewayError(
        'GW_PLUGIN_CONTRACT',
        `Plugin ${owner.name}: stage ${stage} is not known on ${hook}. Only block and postResponse have one, Late.`,
      )
    }
    const base = { ...tap, name: owner.name, stage }
    if (hook === 'onEvent') return { ...base, type: 'sync', fn: observe(owner, tap.fn as Call) }
    const call = tap.type === 'async' ? fromCallback(tap.fn as Call) : (tap.fn as Call)
    if (hook === 'onChunk') {
      const guarded = guardTap(owner, hook, stage, call)
      return {
        ...base,
        type: 'async',
        fn: (views: unknown, x: ChatExchange, done: Done) => guarded(x, [views, x], done),
      }
    }
    const guarded = guardTap(owner, hook, stage, call)
    return { ...base, type: 'async', fn: (x: ChatExchange, done: Done) => guarded(x, [x], done) }
  }
}

type Call = (...args: unknown[]) => unknown

const fromCallback =
  (fn: Call): Call =>
  (...args) =>
    new Promise((resolve, reject) => {
      fn(...args, (error: unknown, result: unknown) => (error ? reject(error) : resolve(result)))
    })

const observe = (owner: Owner, fn: Call) => (event: unknown) => {
  try {
    fn(event)
  } catch (error) {
    owner.log.error({ hook: 'onEvent', error: errorName(error) }, 'plugin failed')
  }
}

const isThenable = (value: unknown): value is Promise<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'

function guardTap(owner: Owner, hook: HookName, stage: number, call: Call) {
  const content = owner.governs === 'content' && (hook === 'classify' || hook === 'block' || hook === 'onChunk')
  let calls = 0
  return (x: ChatExchange, args: unknown[], done: Done): void => {
    if (content && x.mode === 'off') return done()
    const sampled = calls++ % SAMPLE_EVERY === 0
    const began = sampled ? performance.now() : 0
    x.inspection.reporter = owner
    let result: unknown
    try {
      result = args.length === 1 ? call(x) : call(handlesOf(args[0] as BaseView[], x.inspection), x)
    } catch (error) {
      return failed(owner, hook, x, error, done)
    }
    if (isThenable(result)) return settle(owner, hook, stage, x, result, done)
    x.inspection.reporter = undefined
    if (sampled) timeSync(owner, hook, x, performance.now() - began)
    finish(owner, hook, stage, x, result, done)
  }
}

function timeSync(owner: Owner, hook: HookName, x: ChatExchange, ms: number): void {
  if (ms > SLOW_MS) x.note('plugin.slow', { plugin: owner.name, hook, duration_ms: Math.round(ms) })
}

function settle(
  owner: Owner,
  hook: HookName,
  stage: number,
  x: ChatExchange,
  promise: Promise<unknown>,
  done: Done,
): void {
  let open = true
  const close = (then: () => void) => {
    if (!open) return
    open = false
    clearTimeout(timer)
    x.inspection.reporter = undefined
    then()
  }
  const onDeadline = () => {
    // A tap that lets others go on at times is at work.
    const left = x.inspection.turnedAt + owner.timeoutMs - performance.now()
    if (left > 0) {
      timer = setTimeout(onDeadline, left)
      return
    }
    const message = `Plugin ${owner.name} did not finish ${hook} within ${owner.timeoutMs} ms. Raise timeout_ms or make it faster.`
    close(() => failed(owner, hook, x, new GatewayError('GW_PLUGIN_TIMEOUT', message), done))
  }
  let timer = setTimeout(onDeadline, owner.timeoutMs)
  promise.then(
    (result) => close(() => finish(owner, hook, stage, x, result, done)),
    (error: unknown) => close(() => failed(owner, hook, x, error, done)),
  )
}

function finish(owner: Owner, hook: HookName, stage: number, x: ChatExchange, result: unknown, done: Done): void {
  if (hook === 'preRequest' || hook === 'block') return decide(owner, hook, stage, x, result, done)
  done()
}

/** Only `undefined` abstains for tapable, so every result is checked before it may end the series. */
function decide(owner: Owner, hook: HookName, stage: number, x: ChatExchange, result: unknown, done: Done): void {
  if (result === undefined || result === null) return done()
  if (isRejection(result)) return done(null, result)
  if (hook === 'block' && isVerdict(result)) {
    const verdict = { policy: owner.name, ...result }
    if (owner.monitored || (owner.governs === 'content' && x.mode === 'monitor')) {
      x.wouldBlock(verdict)
      return done()
    }
    return done(null, verdict)
  }
  if (hook === 'block' && stage === Late && isAnswer(result)) return done(null, result)
  failed(
    owner,
    hook,
    x,
    new GatewayError('GW_PLUGIN_CONTRACT', `Plugin ${owner.name} returned an unknown result from ${hook}.`),
    done,
  )
}

const has = (value: unknown, key: string, type: string): boolean =>
  typeof value === 'object' && value !== null && typeof (value as Record<string, unknown>)[key] === type

export const isRejection = (value: unknown): value is Rejection =>
  has(value, 'error', 'string') && has(value, 'message', 'string')
export const isVerdict = (value: unknown): value is Verdict => has(value, 'reason', 'string')
export const isAnswer = (value: unknown): value is Answer => has(value, 'answer', 'object')

/** A guard that cannot inspect blocks, unless the operator wrote otherwise; then the failure is an event. */
function failed(owner: Owner, hook: HookName, x: ChatExchange, error: unknown, done: Done): void {
  x.inspection.reporter = undefined
  owner.log.error({ request_id: x.id, hook, error: errorName(error), detail: safeDetail(error) }, 'plugin failed')
  const allowed = owner.onError === 'allow' || hook === 'postResponse'
  x.note('plugin.failed', { plugin: owner.name, hook, error: errorName(error), allowed })
  if (allowed) return done()
  const rejection = guardrailUnavailable(owner.name)
  if (hook === 'preRequest' || hook === 'block')
    return done(null, { error: rejection.code, message: rejection.message } satisfies Rejection)
  done(rejection)
}

export const guardrailUnavailable = (plugin: string): GatewayError =>
  new GatewayError(
    'GW_GUARDRAIL_UNAVAILABLE',
    `The guard '${plugin}' is unavailable, so the request was stopped. Try again later.`,
  )

/** What the core says of a mistake of the plugin helps to mend it; what plugin code says may hold anything. */
const safeDetail = (error: unknown): string | undefined =>
  isGatewayError(error) && error.code.startsWith('GW_PLUGIN_') && !mayBeValue(error.message)
    ? error.message
    : stackOf(error)
