import { AsyncSeriesBailHook, AsyncSeriesHook, SyncHook } from 'tapable'
import type { Hooks } from './plugin.ts'

export type HookName = keyof Hooks

/** The six hooks of one chain, frozen. They know nothing of plugins; `guard.ts` makes them safe to tap. */
export function createHooks(): Hooks {
  return Object.freeze({
    preRequest: new AsyncSeriesBailHook(['exchange'], 'preRequest'),
    classify: new AsyncSeriesHook(['exchange'], 'classify'),
    block: new AsyncSeriesBailHook(['exchange'], 'block'),
    onChunk: new AsyncSeriesHook<[unknown, unknown]>(['views', 'exchange'], 'onChunk'),
    postResponse: new AsyncSeriesHook(['exchange'], 'postResponse'),
    onEvent: new SyncHook(['event'], 'onEvent'),
  }) as unknown as Hooks
}

/** True when a plugin taps the hook; tapable's own `isUsed` also counts the guard's interceptor. */
export const isTapped = (hook: { readonly taps: readonly unknown[] }): boolean => hook.taps.length > 0
