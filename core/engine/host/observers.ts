/** Reports runs of taps and requests to providers to plugins that observe. A failing observer changes nothing. */
import type { Exchange, Instance, Log, TapRun, UnauthorizedCall, UpstreamAttempt } from '../contract/plugin.ts'
import type { ChatExchange } from '../exchange/exchange.ts'
import { errorName } from '../util/outside.ts'
import { kindOf } from './hook-trace.ts'

export type TapObserver = (x: Exchange, run: TapRun) => void
/** False: no observer needs the end. */
export type AttemptObserver = (x: Exchange, attempt: UpstreamAttempt) => boolean

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

/** The function returns whether one of them did not return false. */
function together<T extends unknown[]>(
  members: readonly Observing[],
  method: string,
  pick: (member: Observing) => ((...args: T) => unknown) | undefined,
): ((...args: T) => boolean) | undefined {
  const observers = members.flatMap((member) => {
    const call = pick(member)
    return call === undefined ? [] : [{ call, owner: member.owner }]
  })
  if (observers.length === 0) return undefined
  return (...args) => {
    let goesOn = false
    for (const { call, owner } of observers) {
      try {
        if (call(...args) !== false) goesOn = true
      } catch (error) {
        owner.log.error({ hook: method, error: errorName(error) }, 'plugin failed')
      }
    }
    return goesOn
  }
}

/** When a tap of an observed exchange has ended. */
export function tellRun(
  observer: TapObserver,
  x: ChatExchange,
  hook: TapRun['hook'],
  plugin: string,
  startedAt: number,
  ended: unknown,
): void {
  const endedAt = performance.now()
  if (ended === undefined && endedAt - startedAt < (x.observed ?? 0)) return
  const kind = kindOf(ended)
  const stop = kind === 'nothing' || kind === 'failed' ? undefined : kind
  observer(x, { plugin, hook, startedAt, endedAt, failed: kind === 'failed', stop, held: x.inspection.held })
}
