/** Tells plugins that observe of runs of taps and of requests to providers. A failing observer changes nothing. */
import type { Exchange, Instance, Log, TapRun, UnauthorizedCall, UpstreamAttempt } from '../contract/plugin.ts'
import type { ChatExchange } from '../exchange/exchange.ts'
import { errorName } from '../util/outside.ts'
import { kindOf } from './hook-trace.ts'

export type TapObserver = (x: Exchange, run: TapRun) => void
type AttemptObserver = (x: Exchange, attempt: UpstreamAttempt) => void

interface Observing {
  readonly owner: { readonly log: Log }
  readonly instance: Instance
}

/** Undefined without observers. */
export const tapObserver = (members: readonly Observing[]): TapObserver | undefined =>
  together(members, 'onTap', ({ instance }) => instance.onTap)

/** Undefined without observers. */
export const attemptObserver = (members: readonly Observing[]): AttemptObserver | undefined =>
  together(members, 'onAttempt', ({ instance }) => instance.onAttempt)

/** Undefined without observers. */
export const unauthorizedObserver = (members: readonly Observing[]): ((call: UnauthorizedCall) => void) | undefined =>
  together(members, 'onUnauthorized', ({ instance }) => instance.onUnauthorized)

function together<T extends unknown[]>(
  members: readonly Observing[],
  method: string,
  pick: (member: Observing) => ((...told: T) => void) | undefined,
): ((...told: T) => void) | undefined {
  const observers = members.flatMap((member) => {
    const call = pick(member)
    return call === undefined ? [] : [{ call, owner: member.owner }]
  })
  if (observers.length === 0) return undefined
  return (...told) => {
    for (const { call, owner } of observers) {
      try {
        call(...told)
      } catch (error) {
        owner.log.error({ hook: method, error: errorName(error) }, 'plugin failed')
      }
    }
  }
}

type Done = (error?: Error | null, result?: unknown) => void
type Run = (x: ChatExchange, args: unknown[], done: Done) => void

/** The same tap; the observer is told when it ended, if the exchange is observed. */
export function told(observer: TapObserver, hook: TapRun['hook'], plugin: string, run: Run): Run {
  return (x, args, done) => {
    if (!x.observed) return run(x, args, done)
    const startedAt = performance.now()
    x.inspection.held = 0
    run(x, args, (error, result) => {
      const kind = kindOf(error, result)
      const stop = kind === 'nothing' || kind === 'failed' ? undefined : kind
      const { held } = x.inspection
      observer(x, { plugin, hook, startedAt, endedAt: performance.now(), failed: kind === 'failed', stop, held })
      done(error, result)
    })
  }
}
