import assert from 'node:assert/strict'
import { test } from 'node:test'
import { definePlugin, type Exchange } from 'governed-gateway'
import type { PluginSpec } from '../../../../core/engine/contract/plugin.ts'
import { chat, chunks, stream } from '../../../../core/testing/provider.ts'
import { NO_OPTIONS } from '../../../helpers/core.ts'
import { asking, post, setup } from '../../../helpers/gateway.ts'

/** Cuts a reply off once `word` was seen, and says what it came to. */
const cutter = (word: string, ended: (x: Exchange) => void = () => {}): Map<string, PluginSpec> =>
  new Map([
    [
      'cutter',
      definePlugin({
        name: 'cutter',
        schema: NO_OPTIONS,
        create: () => ({
          apply(hooks) {
            hooks.onChunk.tap('cutter', (views, x) => {
              if (views.some(({ text, before }) => (before + text).includes(word))) x.reply.truncate()
            })
            hooks.postResponse.tap('cutter', (x) => {
              x.reply.estimateUsage(5, 2)
              ended(x)
            })
          },
        }),
      }) as PluginSpec,
    ],
  ])

type Chunk = {
  choices: { index: number; delta: { content?: string }; finish_reason: string | null }[]
  usage?: object
  service?: { usage_estimated?: boolean }
}
const parsed = (payloads: readonly string[]): Chunk[] => payloads.slice(0, -1).map((text) => JSON.parse(text) as Chunk)

test('a truncated stream ends by length, and the provider is left', async (t) => {
  const outcomes: string[] = []
  const specs = cutter('two', (x) => outcomes.push(x.reply.outcome))
  const { provider, gateway } = await setup(t, { plugins: [{ use: 'cutter' }], specs })
  provider.reply(stream(chunks({ choices: [{ content: 'one two three' }] }).slice(0, 3), { end: 'hang', done: false }))
  const reply = await post(gateway, asking('Count', { stream: true, stream_options: { include_usage: true } }))
  const payloads = await reply.events()
  assert.equal(payloads.at(-1), '[DONE]')
  const events = parsed(payloads)
  assert.equal(events.map(({ choices }) => choices[0]?.delta.content ?? '').join(''), 'one two')
  assert.deepEqual(events.at(-2)?.choices, [{ index: 0, delta: {}, finish_reason: 'length' }])
  assert.deepEqual(events.at(-1)?.usage, { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 })
  assert.equal(events.at(-1)?.service?.usage_estimated, true)
  assert.equal(await provider.requests[0]?.closed, 'aborted')
  assert.deepEqual(outcomes, ['completed'])
})

test('choices that have finished keep their reason', async (t) => {
  const { provider, gateway } = await setup(t, { plugins: [{ use: 'cutter' }], specs: cutter('late') })
  const two = { choices: [{ content: 'early' }, { content: 'so late again' }] }
  const all = chunks(two)
  const early = all.filter(({ choices }) => (choices as { index: number }[])[0]?.index === 0)
  const late = all.filter(({ choices }) => (choices as { index: number }[])[0]?.index === 1)
  provider.reply(stream([...early, ...late]))
  const events = parsed(await (await post(gateway, asking('Two', { stream: true, n: 2 }))).events())
  const reasons = events.flatMap(({ choices }) =>
    choices.flatMap(({ index, finish_reason }) => (finish_reason === null ? [] : [[index, finish_reason]])),
  )
  assert.deepEqual(reasons, [
    [0, 'stop'],
    [1, 'length'],
  ])
  const text = events.map(({ choices }) => (choices[0]?.index === 1 ? (choices[0].delta.content ?? '') : '')).join('')
  assert.equal(text, 'so late')
})

test('a reply that is whole already stays as it is', async (t) => {
  for (const streamed of [false, true]) {
    const { provider, gateway } = await setup(t, { plugins: [{ use: 'cutter' }], specs: cutter('end') })
    provider.reply(chat('the end', { split: 'whole' }))
    const text = await (await post(gateway, asking('Go', { stream: streamed }))).text()
    assert.match(text, /"finish_reason":"stop"/)
    assert.doesNotMatch(text, /"finish_reason":"length"/)
  }
})
