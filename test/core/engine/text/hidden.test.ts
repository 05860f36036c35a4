/** Text that only a model would read does not pass a gateway that governs content. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { definePlugin } from 'governed-gateway'
import { testPlugin } from 'governed-gateway/testing'
import { normalise } from '../../../../core/engine/text/unicode.ts'
import { FORMS } from '../../../helpers/rounds.ts'
import { reporter, Stream } from '../../../helpers/text.ts'

const tags = (text: string) => String.fromCodePoint(...[...text].map((char) => 0xe0000 + char.charCodeAt(0)))
const selectors = (text: string) => String.fromCodePoint(...[...text].map((char) => 0xe0100 + char.charCodeAt(0) - 16))
const bits = '\u200b\u200c\u200d\u2060'.repeat(4)
const wales = `\u{1f3f4}${tags('gbwls')}\u{e007f}`

const HIDDEN: readonly [name: string, text: string, seen: string][] = [
  ['tags', `Hi${tags('ignore all')} you`, 'Hi you'],
  ['one tag', `Hi${tags('x')} you`, 'Hi you'],
  ['tags behind a flag', `${wales}${tags('obey')}!`, `${wales}!`],
  ['tags that are no flag', `\u{1f3f4}${tags('usca')}\u{e007f}!`, '\u{1f3f4}!'],
  ['bytes in variation selectors', `Hi \u{1f600}${selectors('obey me')}.`, 'Hi \u{1f600}.'],
  ['bytes behind stretches', `Hi ${[...'obey'].map((char) => `\u0640${selectors(char)}`).join('')}.`, 'Hi .'],
  ['one byte behind a letter', `Hi${selectors('o')}`, 'Hi'],
  ['bits in zero-width characters', `Hi${bits}.`, 'Hi.'],
  ['a run longer than any hold', `Hi${bits.repeat(10)}${tags('x'.repeat(90))}.`, 'Hi.'],
]

const HARMLESS: readonly string[] = [
  `${wales} \u{1f468}\u200d\u{1f469}\u200d\u{1f467} ❤️‍🔥 👁️‍🗨️ 1️⃣ ☎︎ 🏳️‍🌈`,
  '\ufeffمی\u200cخواهم क्\u200dष',
  'שלום \u200f(abc)\u200e \u2067אב\u2069',
  'co\u00adop\u00ader\u00ada\u00adtion, Zero\u200bWidth\u2060Joiner',
  '\u001b[31mred\u001b[0m \b\b\b\b\b\b\b\b\b\b\u0000\u007f',
  'الرحـــــــــــــــــــــيم',
  '葛\u{e0100}城 \u2800\u2800\u2800\u2800\u2800\u2800\u2800\u2800\u2800⠓',
]

const reader = definePlugin({
  name: 'reader',
  schema: { type: 'object', properties: {}, additionalProperties: false },
  create: () => ({
    pure: true,
    detect(view) {
      const start = view.text.indexOf('secret')
      if (start >= 0) view.report({ type: 'word', start, end: start + 6, action: 'redact' })
    },
  }),
})
const counter = definePlugin({ ...reader, name: 'counter', governs: 'usage' })
const mode = (name: string) => [{ use: 'flags', options: { defaults: { mode: name } } }]

describe('hidden text', () => {
  for (const [name, text, seen] of HIDDEN) {
    it(`is taken out of requests and replies: ${name}`, async () => {
      await testPlugin(reader, {
        request: text,
        reply: text,
        variants: text.length > 200 ? ['buffered', 'bytes'] : FORMS,
        expect: {
          text: seen,
          sent: { messages: [{ role: 'user', content: seen }] },
          detections: { hidden_text: 2 },
          events: ['hidden_text.detected', 'request.redacted', 'response.redacted'],
        },
      })
    })
  }

  for (const text of HARMLESS) {
    it(`is not ${JSON.stringify(text)}`, async () => {
      await testPlugin(reader, {
        request: text,
        reply: text,
        variants: FORMS,
        expect: { text, sent: { messages: [{ role: 'user', content: text }] }, detections: {} },
      })
    })
  }

  const text = `Hi${tags('ignore all')}`
  const passes = { text, sent: { messages: [{ role: 'user', content: text }] } }

  it('is only counted under mode=monitor', async () => {
    await testPlugin(reader, {
      with: mode('monitor'),
      variants: FORMS,
      request: text,
      reply: text,
      expect: { ...passes, detections: { hidden_text: 2 }, events: ['hidden_text.detected', '!request.redacted'] },
    })
  })

  it('passes under mode=off', async () => {
    const expect = { ...passes, detections: {} }
    await testPlugin(reader, { with: mode('off'), variants: FORMS, request: text, reply: text, expect })
  })

  it('passes where no plugin governs content', async () => {
    await testPlugin(counter, { request: text, reply: text, variants: ['buffered'], expect: passes })
  })

  it('goes with the value it hides in', async () => {
    await testPlugin(reader, {
      request: `a se${tags('x')}cret b`,
      reply: `a se${bits}cret b`,
      expect: { text: 'a [WORD] b', sent: { messages: [{ content: 'a [WORD] b' }] } },
    })
  })

  it('is told where it stands, once for each run', () => {
    const raw = `a${tags('bc')}d${bits}e\u200bf`
    const { text: seen, hidden } = normalise(raw)
    assert.equal(seen, 'a\ufeffd\ufeffe\ufefff')
    assert.deepEqual(hidden, [
      { start: 1, end: 5 },
      { start: 6, end: 6 + bits.length },
    ])
  })

  it('leaves a stream at once', () => {
    const stream = new Stream()
    stream.inspection.findsHidden = true
    stream.read('a', false, [reporter(), () => {}])
    for (let i = 0; i < 200; i++) stream.read('\u200b', false, [reporter(), () => {}])
    assert.equal(stream.read('b', true, [reporter(), () => {}]).out, 'ab')
    assert.equal(stream.inspection.findings[0]?.count, 1)
  })
})
