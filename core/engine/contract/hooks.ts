import { AsyncSeriesBailHook, AsyncSeriesHook, type FullTap, SyncHook } from 'tapable'
import { type Hooks, Stage } from './plugin.ts'

export type HookName = keyof Hooks

/** The six hooks of one chain, frozen. They do not know plugins; `guard.ts` makes tapping safe. */
export function createHooks(): Hooks {
  return Object.freeze({
    preRequest: new AsyncSeriesBailHook(['exchange'], 'preRequest'),
    classify: new AsyncSeriesHook(['exchange'], 'classify'),
    block: new AsyncSeriesBailHook(['exchange'], 'block'),
    onChunk: new AsyncSeriesHook<[unknown, unknown]>(['views', 'exchange'], 'onChunk'),
    postResponse: new AsyncSeriesHook(['exchange'], 'postResponse'),
    onEvent: new SyncHook<[unknown, unknown, unknown]>(['event', 'text', 'exchange'], 'onEvent'),
  }) as unknown as Hooks
}

/** Whether a plugin taps the hook; tapable's own `isUsed` also counts the guard's interceptor. */
export const isTapped = (hook: { readonly taps: readonly unknown[] }): boolean => hook.taps.length > 0

/** The two phases of `block`: policies, and taps that see the request as it will be sent. */
export interface BlockPhases {
  readonly policies: Hooks['block']
  readonly final: Hooks['block']
}

/** Splits the taps of `block` by stage after all plugins registered, because the core acts between the stages. */
export function phasesOf({ block }: Hooks): BlockPhases {
  const taps = (block as unknown as { readonly taps: readonly FullTap[] }).taps
  const phase = (stage: number): Hooks['block'] => {
    const hook = new AsyncSeriesBailHook(['exchange'], 'block')
    for (const tap of taps) if ((tap.stage ?? 0) === stage) hook.tapAsync(tap, tap.fn as never)
    return hook as unknown as Hooks['block']
  }
  return { policies: phase(0), final: phase(Stage.Final) }
}
