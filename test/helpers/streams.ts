/** What the tests of streams share: both configs, and the text that runs through them. */
import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import type { JsonObject, Script } from '../../core/testing/provider.ts'
import { asking, type PluginEntry, post, type Setup } from './gateway.ts'
import type { Reply } from './http.ts'

/** Without plugins, and with a detector that finds nothing. */
export const CONFIGS: Readonly<Record<string, readonly PluginEntry[]>> = {
  'without plugins': [],
  'with a detector': [{ use: 'sessions' }, { use: './plugins/keyword.ts', options: { word: 'needle' } }],
}

export const TEXT = 'Grüße aus 世界 😀, a reply of some length that says nothing which a rule would mind. '.repeat(3)

/** Asks for a stream that `script` answers. */
export const ask = (parts: Setup, script: Script, more: object = {}): Promise<Reply> => {
  parts.provider.reply(script)
  return post(parts.gateway, asking('Hello', { stream: true, ...more }))
}

export const asPayloads = (steps: readonly JsonObject[]): string[] => steps.map((step) => JSON.stringify(step))

/** The payloads without what the gateway adds when it governs: `service`, on one of the last chunks. */
export function withoutService(payloads: readonly string[]): string[] {
  return payloads.map((payload) => {
    if (!payload.includes('"service":{')) return payload
    const { service, ...rest } = JSON.parse(payload) as JsonObject
    assert.ok(service)
    return JSON.stringify(rest)
  })
}

/** One test for each config. */
export function forEachConfig(
  name: string,
  body: (t: TestContext, plugins: readonly PluginEntry[]) => Promise<void>,
): void {
  for (const [config, plugins] of Object.entries(CONFIGS)) it(`${name}, ${config}`, (t) => body(t, plugins))
}
