/** Words of two parts stand side by side in the text that clients put together; each part is also a text by itself. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { stream } from '../../../../core/testing/provider.ts'
import { type Plugin, running } from '../../../helpers/core.ts'
import { asking, post } from '../../../helpers/gateway.ts'
import { begin, event as blockEvent, end, finish, textBlock, whole } from '../../../helpers/messages.ts'
import { part } from '../../../helpers/rounds.ts'
import { together as blocksOf, streamed as message } from '../dialects/messages/messaging.ts'
import { framesOf, numbered, response, said, streamed } from '../dialects/responses/responding.ts'

const LETTER = /\p{L}/u

/** Finds a whole word, as most detectors do. */
const wholeWord = (action: 'redact' | 'block' = 'redact'): Plugin => ({
  lookbehind: 0,
  detect(view) {
    const { text, before } = view
    for (let at = text.indexOf('secret'); at >= 0; at = text.indexOf('secret', at + 1)) {
      const [left, right] = [(at > 0 ? text[at - 1] : before.at(-1)) ?? '', text[at + 6]]
      if (LETTER.test(left)) continue
      if (right === undefined && !view.final) return view.hold(at)
      if (!LETTER.test(right ?? '')) view.report({ type: 'word', start: at, end: at + 6, action })
    }
    for (let n = Math.min(5, text.length); n > 0; n--) {
      if ('secret'.startsWith(text.slice(-n))) return view.hold(text.length - n)
    }
  },
})

const LONG = 'All is well here. '.repeat(15)
const PARTS: readonly (readonly string[])[] = [
  ['secret', 'Then'],
  ['Then', 'secret'],
  ['Then', 'secret', 'Then'],
  ['secret', 'secret'],
  ['Then', 'secret', 'secret', 'secret', 'Then'],
  ['secret', '', 'Then'],
  [`${LONG}and`, 'secret', `Then ${LONG}`],
  ['Then', `more ${LONG} secret`, 'Then'],
  ['Then', `secret ${LONG}`, 'Then'],
  ['so sec', 'ret is it'],
]
const HARMLESS: readonly (readonly string[])[] = [
  ['secrets', 'Then'],
  ['Then', 'ysecret is', 'out'],
  ['non', `secretive ${LONG}`, 'secretary'],
  ['sec', '', 'tor'],
]

const at = (o: number, i: number) => ({ item_id: `x_${o}`, output_index: o, content_index: i, summary_index: i })
const pieces = (text: string, size: number): string[] => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []

/** The events of texts, each cut into deltas of a size, and the output that repeats them. */
const FORMS: Readonly<
  Record<string, (texts: readonly string[], size: number) => [events: object[], output: object[]]>
> = {
  'parts of a message': (texts, size) => {
    const events = texts.flatMap((text, i) => [
      ...pieces(text, size).map((delta) => ({ type: 'response.output_text.delta', ...at(0, i), delta })),
      { type: 'response.output_text.done', ...at(0, i), text },
    ])
    return [events, [said(...texts)]]
  },
  messages: (texts, size) => {
    const events = texts.flatMap((text, o) => [
      ...pieces(text, size).map((delta) => ({ type: 'response.output_text.delta', ...at(o, 0), delta })),
      { type: 'response.output_item.done', output_index: o, item: said(text) },
    ])
    return [events, texts.map((text) => said(text))]
  },
  'messages that only their ids tell apart': (texts, size) => {
    const events = texts.flatMap((text, o) =>
      pieces(text, size).map((delta) => ({ type: 'response.output_text.delta', item_id: `x_${o}`, delta })),
    )
    return [events, []]
  },
  'a summary': (texts, size) => {
    const events = texts.flatMap((text, i) => [
      ...pieces(text, size).map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...at(0, i), delta })),
      { type: 'response.reasoning_summary_part.done', ...at(0, i), part: { type: 'summary_text', text } },
    ])
    const summary = texts.map((text) => ({ type: 'summary_text', text }))
    return [events, [{ id: 'x_0', type: 'reasoning', summary }]]
  },
  'the last event': (texts) => [[], [said(...texts)]],
  'unknown events': (texts) => [texts.map((note) => ({ type: 'response.new', note })), []],
}

const eventsOf = ([events, output]: [object[], object[]]) =>
  numbered([
    { type: 'response.created', response: response({ status: 'in_progress' }) },
    ...events,
    { type: 'response.completed', response: response({ output }) },
  ])

/** Each with each: `npm test` takes a fifth of them, others for each form. */
const each = <A, B>(some: readonly A[], others: readonly B[], form: number): readonly (readonly [A, B])[] => {
  const all = some.flatMap((one) => others.map((other) => [one, other] as const))
  return part([...all.slice(form % 5), ...all.slice(0, form % 5)])
}

describe('a streamed text of several parts', () => {
  for (const [nth, [name, form]] of Object.entries(FORMS).entries()) {
    it(`hides no value at the border of two: ${name}`, async (t) => {
      const setup = await running(t, [wholeWord()])
      for (const [wanted, texts] of each([1, 4, 5000], PARTS, nth)) {
        const size = wanted === 1 && texts.join('').length > 100 ? 40 : wanted
        const split = size === 4 ? 'whole' : 'event'
        const { text, events } = await streamed(setup, eventsOf(form(texts, size)), { split })
        const shown = `${size} ${JSON.stringify(texts.map((one) => one.slice(-20)))}`
        assert.doesNotMatch(text, /\bsecret\b/, shown)
        assert.equal(events.at(-1)?.type, 'response.completed', shown)
      }
    })

    it(`hides no value that is spelled in escapes: ${name}`, async (t) => {
      const setup = await running(t, [wholeWord()])
      for (const [wanted, texts] of each([1, 5000], PARTS, nth)) {
        const spelled = texts.map((text) => text.replaceAll('e', '\\u{000065}'))
        const size = wanted === 1 && spelled.join('').length > 100 ? 40 : wanted
        const { text, events } = await streamed(setup, eventsOf(form(spelled, size)), { split: 'event' })
        const shown = `${size} ${JSON.stringify(texts.map((one) => one.slice(-20)))}`
        assert.doesNotMatch(text.replaceAll('\\\\u{000065}', 'e'), /\bsecret\b/, shown)
        assert.equal(events.at(-1)?.type, 'response.completed', shown)
      }
    })

    it(`hides no value that is encoded: ${name}`, async (t) => {
      const setup = await running(t, [wholeWord()])
      for (const encoding of ['hex', 'base64url'] as const) {
        const encoded = Buffer.from('the secret').toString(encoding)
        const beside = [
          ['face', 'secret', 'add'],
          ['secret', 'face', 'bad secret'],
          ['secret', '=Then'],
          ['secret', '%3De1', 'secret'],
        ]
        for (const [wanted, texts] of each([1, 3, 5000], [...PARTS, ...beside], nth)) {
          const spelled = texts.map((text) => text.replaceAll(/\bsecret\b/g, encoded))
          const size = wanted === 1 && spelled.join('').length > 200 ? 40 : wanted
          const { text, events } = await streamed(setup, eventsOf(form(spelled, size)), { split: 'event' })
          const shown = `${size} ${JSON.stringify(spelled.map((one) => one.slice(-40)))}`
          assert.doesNotMatch(text, new RegExp(encoded), shown)
          assert.equal(events.at(-1)?.type, 'response.completed', shown)
        }
      }
    })

    it(`hides no value that is encoded and cut over parts: ${name}`, async (t) => {
      const setup = await running(t, [wholeWord()])
      for (const encoding of ['hex', 'base64url'] as const) {
        const encoded = Buffer.from('so it is the secret of it').toString(encoding)
        for (const [size, cuts] of each([1, 3, 5000], [[1], [10], [11], [12], [20], [7, 15], [3, 4, 21]], nth)) {
          const places = [0, ...cuts, encoded.length]
          const cut = cuts.map((_, i) => encoded.slice(places[i], places[i + 1]))
          const texts = [`so ${cut[0]}`, ...cut.slice(1), `${encoded.slice(cuts.at(-1))} is it`]
          const { text, events } = await streamed(setup, eventsOf(form(texts, size)), { split: 'event' })
          const shown = `${size} ${JSON.stringify(texts)}`
          assert.match(text, /\[WORD\]/, shown)
          assert.equal(events.at(-1)?.type, 'response.completed', shown)
        }
      }
    })

    it(`passes unchanged if nothing is found: ${name}`, async (t) => {
      const setup = await running(t, [wholeWord()])
      for (const texts of HARMLESS) {
        for (const size of [20, 5000]) {
          const sent = eventsOf(form(texts, size))
          const got = framesOf((await streamed(setup, sent)).text).map(({ data }) => data)
          delete got.at(-1)?.response.service
          got.sort((a, b) => a.sequence_number - b.sequence_number)
          assert.deepEqual(got, sent)
        }
      }
    })
  }

  it('is blocked by a value at a border, and ends there', async (t) => {
    const setup = await running(t, [wholeWord('block')])
    const form = FORMS['parts of a message'] as (typeof FORMS)[string]
    const { text, events } = await streamed(setup, eventsOf(form([LONG, 'secret', 'Then'], 3)))
    assert.doesNotMatch(text, /secret/)
    assert.deepEqual(
      events.slice(-2).map(({ type }) => type),
      ['error', 'response.failed'],
    )
  })

  it('is counted once', async (t) => {
    const setup = await running(t, [wholeWord()])
    const form = FORMS.messages as (typeof FORMS)[string]
    const { events } = await streamed(setup, eventsOf(form(['a secret.', 'secret', 'Then secret.'], 3)))
    assert.equal(events.at(-1)?.response.service.detections[0].count, 3)
  })

  it('hides no value at the border of two blocks', async (t) => {
    const setup = await running(t, [wholeWord()])
    for (const texts of PARTS) {
      for (const size of [5, 5000]) {
        const blocks = texts.map((text, i) => textBlock(pieces(text, size), i))
        const { raw, blocks: got } = await message(setup, whole(blocks))
        for (const { text } of got) assert.doesNotMatch(text ?? '', /\bsecret\b/)
        assert.equal(blocksOf(raw).blocks.length, texts.length)
      }
    }
    const odd = (note: string) => blockEvent('new_event', { note })
    const { raw } = await message(setup, [begin(), odd('secret'), odd('Then'), odd('secret'), finish(), end()])
    assert.doesNotMatch(raw, /\bsecret\b/)
  })
})

describe('elements of a list in a chat stream', () => {
  const told = (delta: object) =>
    ({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta }] }) as never
  const element = (text: string, more: object = {}) => ({ type: 'text', text, ...more })
  for (const [name, steps] of Object.entries({
    'parts in one event': [told({ content: [element('Then'), element('secret'), element('Then')] })],
    'parts by index': ['Then', 'secret', 'Then'].map((text, index) => told({ content: [element(text, { index })] })),
    'texts of an unknown list': [told({ notes: ['Then', 'secret', 'Then'] })],
    'texts of an unknown list, over events': ['Then', 'secret', 'Then'].map((text) => told({ notes: [text] })),
  })) {
    it(`are read by themselves, too: ${name}`, async (t) => {
      const { gateway, provider } = await running(t, [wholeWord()])
      const end = { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] } as never
      provider.reply(stream([...steps, end]))
      const reply = await (await post(gateway, asking('Hello', { stream: true }))).text()
      assert.doesNotMatch(reply, /secret/)
      assert.match(reply, /Then.*Then.*\[DONE\]/s)
    })
  }

  it('leave as they are when they are harmless', async (t) => {
    const { gateway, provider } = await running(t, [wholeWord()])
    provider.reply(stream([told({ content: [element('secrets'), element('out')] }), told({ content: 'Done' })]))
    const reply = await (await post(gateway, asking('Hello', { stream: true }))).text()
    assert.match(reply, /"secrets".*"out".*"Done"/s)
  })
})
