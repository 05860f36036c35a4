/** A rewriting detector over random texts, cut anywhere: every reply form tells the same. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { chat, generator } from '../../core/testing/provider.ts'
import { asking, post, type Setup, setup } from '../helpers/gateway.ts'
import { describeMatrix } from '../helpers/matrix.ts'
import { seenJson, seenStream } from '../helpers/replies.ts'
import { rounds } from '../helpers/rounds.ts'

const WORD = 'needle-7'
const redacting = {
  plugins: [{ use: 'sessions' }, { use: './plugins/keyword.ts', options: { word: WORD, action: 'redact' } }],
}

/** Cuts a text into deltas of one to `max` code points. */
const cutter = (seed: number, max: number) => (text: string) => {
  const random = generator(seed)
  const points = [...text]
  const pieces: string[] = []
  while (points.length > 0) pieces.push(points.splice(0, 1 + Math.floor(random() * max)).join(''))
  return pieces
}

const long = `Before the ${WORD} there is text. `.repeat(20)

describeMatrix('a redacted word never reaches the client', redacting, async ({ kind, ask }) => {
  const seen = await ask(long, {}, { pieces: cutter(1, 3) })
  assert.doesNotMatch(seen.raw, new RegExp(WORD))
  const expected = long.replaceAll(WORD, '[KEYWORD]')
  const content = seen.choices[0]?.content ?? ''
  assert.ok(!content.includes('needle'), 'not even in half')
  if (kind === 'aborted') return assert.ok(expected.startsWith(content) || content === '', content)
  assert.equal(content, expected)
  assert.ok(seen.done)
  assert.equal(seen.service?.action, 'redact')
  assert.deepEqual(seen.service?.detections, [{ type: 'keyword', count: 20, action: 'redact', direction: 'output' }])
})

describeMatrix('a redacted word never reaches the provider', redacting, async ({ ask, provider }) => {
  await ask('Fine.', { messages: [{ role: 'user', content: `My ${WORD} and "caf\u00e9"` }], seed: 1 })
  const request = await provider.next()
  assert.deepEqual((request.json as { messages: unknown }).messages, [
    { role: 'user', content: 'My [KEYWORD] and "caf\u00e9"' },
  ])
})

describe('redaction, whatever the text and the cuts', () => {
  let parts: Setup
  let stop: () => Promise<void>
  before(async () => {
    parts = await setup({ after: (fn) => (stop = fn) }, redacting)
  })
  after(() => stop())

  const piece = fc.oneof(
    { weight: 3, arbitrary: fc.constant(WORD) },
    fc.constantFrom('needle-', 'needle', 'n', '-7', ' ', '\n', '"', '\\', '\u0000', '😀', 'é', 'e\u0301', 'ﬁ', '７'),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  )
  const texts = fc.array(piece, { maxLength: 30 }).map((all) => all.join(''))

  it('buffered and streamed tell the same, without the word', async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.nat(), fc.integer({ min: 1, max: 12 }), async (text, seed, max) => {
        const reply = chat(text, { pieces: cutter(seed, max), split: { seed, max: 50 } })
        parts.provider.reply(reply, reply)
        const buffered = await post(parts.gateway, asking())
        const whole = seenJson(buffered.status, await buffered.text()).choices[0]?.content ?? ''
        const streamed = await post(parts.gateway, asking('Hello', { stream: true }))
        const seen = seenStream(streamed.status, await streamed.events())
        assert.equal(seen.choices[0]?.content, whole)
        assert.ok(seen.done)
        assert.ok(!whole.includes(WORD))
        assert.ok(!whole.normalize('NFKC').includes(WORD))
        if (!text.normalize('NFKC').includes(WORD)) assert.equal(whole, text)
      }),
      { numRuns: rounds(60), seed: 20_260_101 },
    )
  })
})
