/** A value that is cut over two messages has one token, and comes back whole in the reply. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chat, type ScriptedExchange } from '../../../core/testing/provider.ts'
import { asking, post, setupForSuite } from '../../helpers/gateway.ts'

const TOKEN = /[A-Z_]+_[a-z2-7]{10,}/

type Message = { role: string; content: string | null; [more: string]: unknown }
const user = (content: string): Message => ({ role: 'user', content })
const called = (id: string): Message => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: '{}' } }],
})
const result = (id: string, content: string): Message => ({ role: 'tool', tool_call_id: id, content })

const CASES: readonly [name: string, messages: Message[], sent: RegExp[], value: string][] = [
  [
    'a card over two messages',
    [user('my card is 4111 1111'), user('1111 1111 thanks')],
    [/^my card is CREDIT_CARD_\w+$/, /^ thanks$/],
    '4111 1111 1111 1111',
  ],
  [
    'an address in the middle of its host',
    [user('write to jo.smith@exam'), user('ple.com please')],
    [/^write to EMAIL_\w+$/, /^ please$/],
    'jo.smith@example.com',
  ],
  [
    'a card with an answer in between',
    [user('my card is 4111 1111'), { role: 'assistant', content: 'Go on!' }, user('1111 1111 thanks')],
    [/^my card is CREDIT_CARD_\w+$/, /^Go on!$/, /^ thanks$/],
    '4111 1111 1111 1111',
  ],
  [
    'a number over the results of two tools',
    [called('call_1'), result('call_1', 'IBAN DE89 3704 0044'), called('call_2'), result('call_2', '0532 0130 00 ok')],
    [/^$/, /^IBAN IBAN_\w+$/, /^$/, /^ ok$/],
    'DE89 3704 0044 0532 0130 00',
  ],
]

describe('pii: the token of a value that is cut over two messages', () => {
  const parts = setupForSuite({ plugins: [{ use: 'pii', options: { action: 'tokenize' } }] })

  for (const [name, messages, sent, value] of CASES) {
    it(`${name}: comes back in every form of the reply`, async () => {
      for (const stream of [false, true]) {
        let token = ''
        parts().provider.reply((exchange: ScriptedExchange) => {
          const texts = (exchange.request.json as { messages: Message[] }).messages
            .slice(-messages.length)
            .map(({ content }) => content ?? '')
          for (const [at, pattern] of sent.entries()) assert.match(texts[at] as string, pattern)
          token = texts.map((text) => TOKEN.exec(text)?.[0]).find(Boolean) ?? ''
          return chat(`It is ${token}, and ${token.toLowerCase()}.`, { split: 'byte' })(exchange)
        })
        const answer = await post(parts().gateway, { ...asking(), messages, stream })
        assert.equal(answer.status, 200)
        const said = stream ? grown(await answer.events()) : contentOf(await answer.text())
        assert.notEqual(token, '')
        assert.equal(said, `It is ${value}, and ${value}.`)
      }
    })

    it(`${name}: is the token of the whole value`, async () => {
      const tokens: string[] = []
      for (const said of [messages, [user(`it is ${value} here`)]]) {
        parts().provider.reply((exchange: ScriptedExchange) => {
          const texts = (exchange.request.json as { messages: Message[] }).messages.slice(-said.length)
          tokens.push(TOKEN.exec(texts.map(({ content }) => content).join('\n'))?.[0] ?? 'none')
          return chat('Fine')(exchange)
        })
        await (await post(parts().gateway, { ...asking(), messages: said })).text()
      }
      assert.equal(tokens[0], tokens[1])
    })
  }
})

type Chunk = { choices: { delta: { content?: string } }[] }
const contentOf = (body: string): string => JSON.parse(body).choices[0].message.content
const grown = (events: readonly unknown[]): string =>
  events
    .filter((event) => event !== '[DONE]')
    .map((event) => (JSON.parse(String(event)) as Chunk).choices[0]?.delta.content ?? '')
    .join('')
