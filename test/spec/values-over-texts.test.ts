/** Values that two texts of a request share, in the order of the body: a model reads one behind the other. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bearer, setupForSuite, USER_KEY } from '../helpers/gateway.ts'
import { send } from '../helpers/http.ts'

const VALUES = [
  ['4111 1111 ', '1111 1111'],
  ['jo.smith@exam', 'ple.com'],
] as const
type Body = Record<string, unknown>
const user = (content: unknown): Body => ({ role: 'user', content })
const chat = (...messages: Body[]): Body => ({ model: 'gpt-test', messages })
const responses = (more: Body): Body => ({ model: 'gpt-test', store: false, ...more })
const messages = (content: unknown, more: Body = {}): Body => ({
  model: 'gpt-test',
  max_tokens: 9,
  ...more,
  messages: [user(content)],
})
const text = (said: string) => ({ type: 'text', text: said })

const PLACES: Record<string, readonly [path: string, (first: string, second: string) => Body]> = {
  'content and refusal of chat': [
    '/chat/completions',
    (content, refusal) => chat(user('Hi'), { role: 'assistant', content, refusal }, user('Go on')),
  ],
  'parts with a refusal of chat': [
    '/chat/completions',
    (first, refusal) =>
      chat(user('Hi'), { role: 'assistant', content: [text(first), { type: 'refusal', refusal }] }, user('Go on')),
  ],
  'reasoning and content of chat': [
    '/chat/completions',
    (reasoning_content, content) => chat(user('Hi'), { role: 'assistant', reasoning_content, content }, user('Go on')),
  ],
  'instructions and a text of responses': ['/responses', (instructions, input) => responses({ instructions, input })],
  'instructions and a message of responses': [
    '/responses',
    (instructions, input) => responses({ instructions, input: [user(input)] }),
  ],
  'a text and a refusal of responses': [
    '/responses',
    (first, refusal) =>
      responses({
        input: [
          {
            role: 'assistant',
            content: [
              { type: 'output_text', text: first },
              { type: 'refusal', refusal },
            ],
          },
          user('Go on'),
        ],
      }),
  ],
  'the system and a text of messages': ['/messages', (system, said) => messages(said, { system })],
  'title and context of a document of messages': [
    '/messages',
    (title, context) =>
      messages([
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Hello' }, title, context },
        text('Go on'),
      ]),
  ],
}

describe('a value that two texts of a request share', () => {
  const parts = setupForSuite({ plugins: [{ use: 'pii' }] })
  for (const [place, [path, make]] of Object.entries(PLACES))
    for (const [first, second] of VALUES)
      it(`is found: ${place}, ${first}`, async () => {
        const { gateway, provider } = parts()
        const before = provider.requests.length
        const reply = await send(`${gateway.baseURL}${path}`, {
          headers: bearer(USER_KEY),
          body: make(`It is ${first}`, `${second} and more`),
        })
        await reply.text()
        const sent = provider.requests.slice(before).map(({ body }) => String(body))
        assert.ok(sent.length <= 1)
        for (const body of sent) assert.ok(!body.includes(first) || !body.includes(second), body)
      })
})
