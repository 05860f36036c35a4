import assert from 'node:assert/strict'
import { test } from 'node:test'
import { definePlugin } from 'governed-gateway'
import type { PluginSpec } from '../../../../core/engine/contract/plugin.ts'
import { stream } from '../../../../core/testing/provider.ts'
import { NO_OPTIONS } from '../../../helpers/core.ts'
import { asking, post, setup } from '../../../helpers/gateway.ts'

const meter = (inspects: boolean, seen: unknown[]): Map<string, PluginSpec> =>
  new Map([
    [
      'meter',
      definePlugin({
        name: 'meter',
        schema: NO_OPTIONS,
        create: () => ({
          apply(hooks) {
            hooks.block.tap('meter', (x) => x.request.wantUsage())
            if (inspects) hooks.onChunk.tap('meter', () => {})
            hooks.postResponse.tap('meter', (x) => void seen.push(x.reply.usage))
          },
        }),
      }) as PluginSpec,
    ],
  ])

const head = '"id":"c","object":"chat.completion.chunk","created":1,"model":"m"'
const delta = (text: string) => `"choices":[{"index":0,"delta":{"content":"${text}"},"finish_reason":null}]`
const SPELLINGS: Record<string, (text: string) => string> = {
  last: (text) => `{${head},${delta(text)},"usage":null}`,
  spaced: (text) => `{${head},${delta(text)}, "usage": null }`,
  inside: (text) => `{${head},"usage":null,${delta(text)}}`,
  absent: (text) => `{${head},${delta(text)}}`,
  running: (text) => `{${head},${delta(text)},"usage":{"prompt_tokens":5,"completion_tokens":1,"total_tokens":6}}`,
}

for (const [name, spell] of Object.entries(SPELLINGS)) {
  for (const inspects of [false, true]) {
    test(`usage that only a plugin asked for does not show (${name}, inspected: ${inspects})`, async (t) => {
      const seen: unknown[] = []
      const { provider, gateway } = await setup(t, { plugins: [{ use: 'meter' }], specs: meter(inspects, seen) })
      const words = ['one', ' two', ' three', ' usage', ' null}']
      const usage = {
        prompt_tokens: 9,
        completion_tokens: 5,
        total_tokens: 14,
        prompt_tokens_details: { cached_tokens: 4 },
      }
      const last = JSON.stringify({
        id: 'c',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'm',
        choices: [],
        usage,
      })
      const finish = `{${head},"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}`
      provider.reply(stream([...words.map(spell), finish, last]))
      const payloads = await (await post(gateway, asking('Count', { stream: true }))).events()
      const events = payloads.slice(0, -1).map((text) => JSON.parse(text))
      assert.ok(events.every((event) => !Object.hasOwn(event, 'usage')))
      assert.equal(events.map(({ choices }) => choices[0]?.delta.content ?? '').join(''), words.join(''))
      assert.equal(events.length, words.length + 1)
      assert.deepEqual(seen, [{ prompt: 9, completion: 5, estimated: false, cached: 4 }])
    })
  }
}
