import { message, textBlock, whole } from '../../helpers/messages.ts'
import type { Adapter } from './adapter.ts'

const model = 'gpt-test'
const messagesOf = (content: string) => ({ messages: [{ role: 'user', content }] })

export const messages: Adapter = {
  path: '/v1/messages',
  request: (text) => ({ model, max_tokens: 64, ...messagesOf(text) }),
  asked: (body) => body.messages.at(-1).content,
  reply: (text) => message(text),
  textOf: ({ content }) => content[0].text,
  stream: {
    events: (pieces) => whole([textBlock(pieces)]),
    done: false,
    textOf: (events) => events.map(({ delta }) => delta?.text ?? '').join(''),
  },
}

export const countTokens: Adapter = {
  path: '/v1/messages/count_tokens',
  request: (text) => ({ model, ...messagesOf(text) }),
  asked: messages.asked,
  reply: () => ({ input_tokens: 9 }),
}
