import type { PluginSpec } from '../contract/plugin.ts'

/** How much of a stream a plugin holds, characters; accepts the old names of the contract, too. */
export function holdsOf(spec: PluginSpec): { readonly lookbehind: number; readonly maxBuffered: number } {
  const lookbehind = spec.lookbehind ?? spec.holdBack
  const maxBuffered = spec.maxBuffered ?? spec.maxHold
  return {
    // The host's own hold must never exceed the plugin's limit.
    lookbehind: Math.min(lookbehind ?? 64, maxBuffered ?? Number.POSITIVE_INFINITY),
    maxBuffered: maxBuffered ?? Math.max(256, lookbehind ?? 0),
  }
}
