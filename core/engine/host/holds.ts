import type { PluginSpec } from '../contract/plugin.ts'

/** How much text of a stream a plugin keeps back, characters; by the old names of the contract, too. */
export function holdsOf(spec: PluginSpec): { readonly lookbehind: number; readonly maxBuffered: number } {
  const lookbehind = spec.lookbehind ?? spec.holdBack
  const maxBuffered = spec.maxBuffered ?? spec.maxHold
  return {
    // What the host holds by itself is never too much for the plugin.
    lookbehind: Math.min(lookbehind ?? 64, maxBuffered ?? Number.POSITIVE_INFINITY),
    maxBuffered: maxBuffered ?? Math.max(256, lookbehind ?? 0),
  }
}
