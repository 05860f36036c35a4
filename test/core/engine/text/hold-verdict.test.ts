import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { definePlugin, type Verdict } from 'governed-gateway'
import { testPlugin } from 'governed-gateway/testing'

/** Asks a judge outside about every text that is new, and keeps the text back until it answered. */
const judged = (judge: (text: string) => Promise<Verdict | undefined>, onError: 'block' | 'allow' = 'block') =>
  definePlugin({
    name: 'judged',
    onError,
    lookbehind: 0,
    schema: { type: 'object', properties: {}, additionalProperties: false },
    create: () => ({
      detect: (view) => {
        if (view.fresh < view.text.length) view.hold(view.fresh, judge(view.text))
      },
    }),
  })

const soon = <T>(value: T): Promise<T> => new Promise((resolve) => setImmediate(resolve, value))
const noFalcon = (text: string) => soon(text.includes('falcon') ? { reason: 'No falcons.' } : undefined)
const hears = { variants: ['buffered', 'bytes'] } as const

describe('hold(from, until)', () => {
  it('lets text go when no verdict comes', async () => {
    await testPlugin(judged(noFalcon), { ...hears, reply: 'All fine here', expect: { text: 'All fine here' } })
  })

  it('blocks the reply by the verdict, with the name of the plugin', async () => {
    await testPlugin(judged(noFalcon), {
      variants: ['buffered', 'streamed'],
      reply: 'A falcon',
      assertSame: false, // A judge that is shown half a word cannot know.
      check: ({ outcome, error, events, text }) => {
        if (outcome === 'completed') return assert.equal(text, 'A falcon')
        assert.equal(error?.reason, 'No falcons.')
        assert.equal(events.at(-1)?.policy, 'judged')
      },
    })
    await testPlugin(judged(noFalcon), { variants: ['buffered'], reply: 'A falcon', expect: { outcome: 'blocked' } })
  })

  it('blocks the request before it is sent', async () => {
    await testPlugin(judged(noFalcon), {
      request: 'A falcon',
      expect: { outcome: 'blocked', status: 403, reason: 'No falcons.', sent: null },
    })
  })

  it('only records under monitor', async () => {
    await testPlugin(judged(noFalcon), {
      ...hears,
      entry: { mode: 'monitor' },
      reply: 'A falcon',
      expect: { outcome: 'completed', text: 'A falcon' },
    })
    const run = await testPlugin(judged(noFalcon), {
      variants: ['buffered'],
      entry: { mode: 'monitor' },
      reply: 'A falcon',
      expect: { events: ['policy.would_block'] },
    })
    assert.equal(run.buffered.events.find(({ type }) => type === 'policy.would_block')?.policy, 'judged')
  })

  it('follows onError when the judge fails or does not answer', async () => {
    const failing = () => soon(undefined).then(() => Promise.reject(new Error('down')))
    const silent = () => new Promise<undefined>(() => {})
    const entry = { timeout_ms: 20 }
    for (const judge of [failing, silent]) {
      const blocked = { status: 503, error: { code: 'guardrail_unavailable' } }
      await testPlugin(judged(judge), { ...hears, entry, expect: blocked })
      const passed = { text: 'Hello from the provider', events: ['plugin.failed'] }
      await testPlugin(judged(judge, 'allow'), { ...hears, entry, expect: passed })
    }
  })
})
