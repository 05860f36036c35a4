import type { FullTap } from 'tapable'
import { GatewayError, isGatewayError, stackOf } from '../contract/errors.ts'
import type { HookName } from '../contract/hooks.ts'
import { type Hooks, type Log, Stage } from '../contract/plugin.ts'
import {
  contractError,
  expectNothing,
  guardrailUnavailable,
  isAnswer,
  isRejection,
  readStop,
} from '../contract/results.ts'
import type { ChatExchange } from '../exchange/exchange.ts'
import { handlesOf, withReadings } from '../text/handle.ts'
import type { Reporter } from '../text/inspection.ts'
import type { BaseView } from '../text/views.ts'
import { errorName, mayBeValue } from '../util/outside.ts'
import { inStep } from '../util/side-by-side.ts'
import { adopt, isThenable } from '../util/thenable.ts'
import type { HookTrace } from './hook-trace.ts'
import { type TapObserver, tellRun } from './observers.ts'

/** A plugin of a chain, as seen by the guard. */
export interface Owner extends Reporter {
  readonly governs: 'content' | 'usage'
  readonly countsMirrors: boolean
  readonly log: Log
}

/** A synchronous tap cannot be interrupted, only reported. */
const SLOW_MS = 50
const SAMPLE_EVERY = 64

type Done = (error?: Error | null, result?: unknown) => void
type Tap = FullTap & { readonly stage?: number; readonly before?: unknown }

/**
 * Wraps every tap at registration: awaits its promise, assigns it to its plugin, limits its time, and handles failures
 * by `onError`. Without the guard, `hooks.block.tap('x', async …)` fails open: its promise is not `undefined`, so the
 * series bails and later policies never run.
 */
export class Guard {
  /** The registering plugin; it owns its taps whatever name they use. */
  #owner: Owner | undefined = undefined

  readonly #trace: HookTrace | undefined
  readonly #observer: TapObserver | undefined

  constructor(hooks: Hooks, trace?: HookTrace, observer?: TapObserver) {
    this.#trace = trace
    this.#observer = observer
    for (const name of Object.keys(hooks) as HookName[]) {
      hooks[name].intercept({ register: (tap: FullTap) => this.#register(name, tap as Tap) as never })
    }
  }

  /** Lets one plugin register; otherwise every tap is refused. */
  registering(owner: Owner, register: () => void): void {
    this.#owner = owner
    try {
      register()
    } finally {
      this.#owner = undefined
    }
  }

  #register(hook: HookName, tap: Tap): FullTap {
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
    if (stage !== 0 && !(stage === Stage.Final && (hook === 'block' || hook === 'postResponse'))) {
      throw new GatewayError(
        'GW_PLUGIN_CONTRACT',
        `Plugin ${owner.name}: stage ${stage} is not known on ${hook}. Only block and postResponse have one, Stage.Final.`,
      )
    }
    const base = { ...tap, name: owner.name, stage }
    if (hook === 'onEvent') return { ...base, type: 'sync', fn: observe(owner, tap.fn as Call) }
    const call = tap.type === 'async' ? fromCallback(tap.fn as Call) : (tap.fn as Call)
    const guarded = this.#traced(hook, owner, stage, guardTap(owner, hook, stage, call, this.#observer))
    if (hook === 'onChunk') {
      return {
        ...base,
        type: 'async',
        fn: (views: unknown, x: ChatExchange, done: Done) => guarded(x, [views, x], done),
      }
    }
    if (hook === 'classify') {
      // A detector runs through much code and large tables: it reads the texts of all exchanges that go on together in a row.
      const fn = (x: ChatExchange, done: Done) => guarded(x, [x], (error, result) => inStep(() => done(error, result)))
      return { ...base, type: 'async', fn }
    }
    return { ...base, type: 'async', fn: (x: ChatExchange, done: Done) => guarded(x, [x], done) }
  }

  /** The tap itself without trace. */
  #traced(hook: HookName, { name }: Owner, stage: number, guarded: Guarded): Guarded {
    return this.#trace?.timed(hook, name, stage === Stage.Final, guarded) ?? guarded
  }
}

type Guarded = ReturnType<typeof guardTap>

type Call = (...args: unknown[]) => unknown

const OWN = new WeakSet<object>()

/** Marks a tap of the core that takes views, and makes handles itself. */
export function takingViews<T extends object>(tap: T): T {
  OWN.add(tap)
  return tap
}

const fromCallback =
  (fn: Call): Call =>
  (...args) =>
    new Promise((resolve, reject) => {
      fn(...args, (error: unknown, result: unknown) => (error ? reject(error) : resolve(result)))
    })

const observe = (owner: Owner, fn: Call) => {
  const failed = (error: unknown, x: unknown): void => {
    owner.onFailure?.(owner.name, 'onEvent', error, (x as ChatExchange | undefined)?.id)
    owner.log.error({ hook: 'onEvent', error: errorName(error), detail: safeDetail(error) }, 'plugin failed')
  }
  return (event: unknown, text: unknown, x: unknown) => {
    try {
      const result = fn(event, text, x)
      if (isThenable(result)) adopt(result).catch((error: unknown) => failed(error, x))
      else if (typeof result === 'object') expectNothing(owner.name, 'onEvent', result)
    } catch (error) {
      failed(error, x)
    }
  }
}

/** A tap's result: `undefined` continues, an error stops the series, and any other value ends it as the result. */
type Ended = object | undefined

/** Calls `done` exactly once, and lets no exception of the plugin escape. */
function guardTap(
  owner: Owner,
  hook: Exclude<HookName, 'onEvent'>,
  stage: number,
  call: Call,
  observer: TapObserver | undefined,
) {
  const content = owner.governs === 'content' && (hook === 'classify' || hook === 'block' || hook === 'onChunk')
  // A copy for a mirror is no request of a client: only its reply is inspected, and its use is counted.
  const mirrored = owner.countsMirrors || (hook === 'onChunk' && owner.governs === 'content')
  const takesViews = OWN.has(call)
  let calls = 0
  return (x: ChatExchange, args: unknown[], done: Done): void => {
    if (content && x.mode === 'off') return done()
    if (x.mirrorOf !== undefined && !mirrored) return done()
    const clock = calls++ % SAMPLE_EVERY === 0 ? new Stopwatch(owner, hook, x) : undefined
    const startedAt = observer === undefined || x.observed === undefined ? undefined : performance.now()
    if (startedAt !== undefined) x.inspection.held = 0
    x.inspection.reporter = owner
    let ended: Ended
    try {
      const [views] = args as [BaseView[]]
      const result =
        args.length === 1 ? call(x) : call(takesViews ? views : handlesOf(withReadings(views), x.inspection), x)
      clock?.returned()
      if (isThenable(result)) {
        void settle(owner, hook, stage, x, result).then((end) => {
          clock?.settled()
          if (startedAt !== undefined) tellRun(observer as TapObserver, x, hook, owner.name, startedAt, end)
          tell(end, done)
        })
        return
      }
      ended = finish(owner, hook, stage, x, result)
      clock?.settled()
    } catch (error) {
      ended = failed(owner, hook, x, error)
    }
    x.inspection.reporter = undefined
    if (startedAt !== undefined) tellRun(observer as TapObserver, x, hook, owner.name, startedAt, ended)
    tell(ended, done)
  }
}

const tell = (ended: Ended, done: Done): void => (ended instanceof Error ? done(ended) : done(null, ended))

/** Times one call of a tap. */
class Stopwatch {
  readonly #owner: Owner
  readonly #hook: HookName
  readonly #x: ChatExchange
  readonly #began = performance.now()
  #blocked = 0

  constructor(owner: Owner, hook: HookName, x: ChatExchange) {
    this.#owner = owner
    this.#hook = hook
    this.#x = x
  }

  /** The event loop continues. */
  returned(): void {
    this.#blocked = performance.now() - this.#began
  }

  settled(): void {
    const { name, timeoutMs } = this.#owner
    const whole = performance.now() - this.#began
    if (this.#blocked <= SLOW_MS && whole <= Math.max(SLOW_MS, timeoutMs / 2)) return
    const times = { duration_ms: Math.round(whole), blocked_ms: Math.round(this.#blocked) }
    this.#x.note('plugin.slow', { plugin: name, hook: this.#hook, ...times })
  }
}

/** Waits for a tap's promise until its deadline. Always resolves. */
async function settle(
  owner: Owner,
  hook: HookName,
  stage: number,
  x: ChatExchange,
  promise: PromiseLike<unknown>,
): Promise<Ended> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const onDeadline = () => {
      // A tap that yields to others is still working, and does not answer for the time of others.
      const { turnedAt, turnsAhead } = x.inspection
      const left = turnsAhead > 0 ? owner.timeoutMs : turnedAt + owner.timeoutMs - performance.now()
      if (left > 0) {
        timer = setTimeout(onDeadline, left)
        return
      }
      const message = `Plugin ${owner.name} did not finish ${hook} within ${owner.timeoutMs} ms. Raise timeout_ms or make it faster.`
      reject(new GatewayError('GW_PLUGIN_TIMEOUT', message))
    }
    timer = setTimeout(onDeadline, owner.timeoutMs)
  })
  try {
    return finish(owner, hook, stage, x, await Promise.race([adopt(promise), late]))
  } catch (error) {
    return failed(owner, hook, x, error)
  } finally {
    clearTimeout(timer)
    x.inspection.reporter = undefined
  }
}

/** Only `undefined` abstains in tapable, so every result is validated before it can end the series. */
function finish(owner: Owner, hook: HookName, stage: number, x: ChatExchange, result: unknown): Ended {
  if (hook !== 'preRequest' && hook !== 'block') {
    expectNothing(owner.name, hook, result)
    return undefined
  }
  const stop = readStop(owner, hook, result)
  if (stop === undefined || isRejection(stop)) return stop
  if (hook !== 'block') {
    throw contractError(`Plugin ${owner.name} returned a verdict from preRequest, which takes a rejection.`)
  }
  if (isAnswer(stop)) {
    if (stage === Stage.Final) return stop
    throw contractError(`Plugin ${owner.name} returned an answer from block, which takes one at Stage.Final only.`)
  }
  if (!owner.monitored && !(owner.governs === 'content' && x.mode === 'monitor')) return stop
  x.wouldBlock(stop)
  return undefined
}

/** A failed guard blocks, unless the operator configured otherwise; then the failure is an event. */
function failed(owner: Owner, hook: HookName, x: ChatExchange, error: unknown): Ended {
  const name = errorName(error)
  owner.onFailure?.(owner.name, hook, error, x.id)
  owner.log.error({ request_id: x.id, hook, error: name, detail: safeDetail(error) }, 'plugin failed')
  const allowed = owner.onError === 'allow' || hook === 'postResponse'
  x.note('plugin.failed', { plugin: owner.name, hook, error: name, allowed })
  if (allowed) return undefined
  const rejection = guardrailUnavailable(owner.name)
  return hook === 'preRequest' || hook === 'block' ? { error: rejection.code, message: rejection.message } : rejection
}

/** The core's messages about plugin mistakes help to fix them; messages of plugin code may contain anything. */
const safeDetail = (error: unknown): string | undefined =>
  isGatewayError(error) && error.code.startsWith('GW_PLUGIN_') && !mayBeValue(error.message)
    ? error.message
    : stackOf(error)
