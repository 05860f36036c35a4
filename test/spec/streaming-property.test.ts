/** Any events, in any spelling, cut anywhere: the client gets their payloads, and nothing else. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { chunk, delta, type JsonObject, raw, stream } from '../../core/testing/provider.ts'
import { type Setup, setup } from '../helpers/gateway.ts'
import { rounds } from '../helpers/rounds.ts'
import { ask, CONFIGS, withoutService } from '../helpers/streams.ts'

/**
 * How a provider spells one event as JSON. Each differs from its neighbours in what a relay could lean on. Members that events
 * tell again stay words of their shape: others are a text that grows once they change, see docs/decisions/0124.
 */
const SPELLINGS: readonly ((content: string) => string)[] = [
  (content) => JSON.stringify(delta({ content })),
  (content) => JSON.stringify(delta({ content })),
  (content) => JSON.stringify(delta({ role: 'assistant', content })),
  (content) => JSON.stringify({ ...delta({ content }), obfuscation: 'Xy7' }),
  (content) => JSON.stringify({ ...delta({ content }), usage: null }),
  (content) => JSON.stringify(delta({ content }), null, 1).replaceAll('\n', ' '),
  (content) => JSON.stringify(delta({ content })).replace(/[^ -~]/g, escaped),
  (content) => JSON.stringify(delta({ content, vendor: { n: 1.5 } })),
  (content) => JSON.stringify({ choices: [{ finish_reason: null, delta: { content }, index: 0 }], id: 'chatcmpl-2' }),
  (content) =>
    JSON.stringify(chunk([{ index: 0, delta: { content }, finish_reason: null }], { service_tier: 'default' })),
]
const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

/** How it frames one. */
const FRAMES: readonly ((payload: string) => string)[] = [
  (payload) => `data: ${payload}\n\n`,
  (payload) => `data: ${payload}\n\n`,
  (payload) => `data:${payload}\n\n`,
  (payload) => `data: ${payload}\r\n\r\n`,
  (payload) => `:\ndata: ${payload}\n\n`,
  (payload) => `id: 7\ndata: ${payload}\n\n`,
  (payload) => `event: chunk\ndata: ${payload}\n\n`,
  (payload) => `data: ${payload}\nretry: 5\n\n`,
  (payload) => `: a comment\n\n\ndata: ${payload}\n\n`,
]

/** Texts that look like the JSON or the framing around them. */
const TEXTS = [
  '',
  'a',
  ' word',
  '"',
  '\\',
  '\\"',
  '"},"finish_reason":"stop"}]}',
  '\n\ndata: [DONE]\n\n',
  '\u2028',
  'é',
  '世',
  '😀',
  '\0',
]

const events = fc.array(
  fc.record({
    text: fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: 'grapheme', maxLength: 20 })),
    spelling: fc.nat({ max: SPELLINGS.length - 1 }),
    frame: fc.nat({ max: FRAMES.length - 1 }),
  }),
  { maxLength: 25 },
)
const split = fc.oneof(
  fc.constantFrom('whole' as const, 'event' as const),
  fc.record({ seed: fc.nat(), max: fc.integer({ min: 1, max: 400 }) }),
)

describe('streaming, whatever the events and the cuts', () => {
  for (const [name, plugins] of Object.entries(CONFIGS)) {
    describe(name, () => {
      let parts: Setup
      let stop: () => Promise<void>
      before(async () => {
        parts = await setup({ after: (fn) => (stop = fn) }, { plugins })
      })
      after(() => stop())

      it('the payloads are the same', async () => {
        await fc.assert(
          fc.asyncProperty(events, split, async (all, cuts) => {
            const sent = all.map(({ text, spelling }) => (SPELLINGS[spelling] ?? JSON.stringify)(text))
            const steps = sent.map((payload, at) => raw((FRAMES[all[at]?.frame ?? 0] ?? String)(payload)))
            const finish: JsonObject = delta({}, 0, 'stop')
            const got = await (await ask(parts, stream([...steps, finish], { split: cuts }))).events()
            assert.deepEqual(withoutService(got), [...sent, JSON.stringify(finish), '[DONE]'])
          }),
          { numRuns: rounds(60), seed: 20_260_102 },
        )
      })
    })
  }
})
