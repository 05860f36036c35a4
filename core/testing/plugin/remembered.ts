import assert from 'node:assert/strict'
import { type AnyPlugin, type PluginResult, type PluginSetup, startPlugin } from './rig.ts'
import type { Variant } from './variants.ts'

/**
 * Runs a case twice in one gateway, of a plugin that declares `pure` or `memoKey`. The second run replays remembered findings
 * of the request, and must give the same result.
 */
export async function checkRemembered(plugin: AnyPlugin, setup: PluginSetup, variant: Variant): Promise<void> {
  const config = { ...setup.config, inspection: { memo_from_bytes: 0 } }
  const rig = await startPlugin(plugin, { ...setup, config })
  try {
    const cold = await variant.run(rig)
    const warm = await variant.run(rig)
    const why = `'${plugin.name}' declares pure or memoKey, but gives another result for the same request.`
    assert.deepEqual(requestSide(warm), requestSide(cold), why)
  } finally {
    await rig.close()
  }
}

/** Returns, once the plugin was created, whether it declares `pure` or `memoKey`. */
export function watch(plugin: AnyPlugin): { readonly watched: AnyPlugin; readonly isPure: () => boolean } {
  let isDeclared = false
  const watched: AnyPlugin = {
    ...plugin,
    create(options, services) {
      const instance = plugin.create(options, services)
      isDeclared ||= instance?.pure === true || instance?.memoKey !== undefined
      return instance
    },
  }
  return { watched, isPure: () => isDeclared }
}

const requestSide = ({ sent, outcome, label, detections, error }: PluginResult) => ({
  body: sent?.body,
  outcome,
  label,
  message: error?.message,
  detections: detections.filter(({ direction }) => direction === 'input'),
})
