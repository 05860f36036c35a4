import { GatewayError } from '../../contract/errors.ts'
import type { Field } from '../../json/fields.ts'
import type { ViewOrigin } from '../../text/views.ts'
import type { Dialect } from '../dialect.ts'
import { TokenCount } from '../json-reply.ts'
import { originOf } from '../place.ts'
import { providerError } from '../provider-error.ts'
import { parseReply, parseReplyInSteps } from '../reply-json.ts'
import { conversationOf, messagesOf, promptOf } from './prompt.ts'
import { passedError } from './provider-error.ts'
import { COUNT, MessageReply } from './reply.ts'
import { readRequest, readRequestInSteps } from './request.ts'
import { MessagesStream } from './stream.ts'
import { countAnswer, errorBody, errorFrame, messageAnswer, statusOf } from './wire.ts'

/** Most servers sign their reasoning: nothing is restored in it, because an edited text no longer fits its signature. */
function sealedOrigin(field: Field): ViewOrigin {
  const { channel, role, choice, path, member, within, beside } = originOf(field)
  return { channel, role, choice, path, member, within, beside, sealed: true }
}

/** POST /v1/messages of Anthropic, and its variants by other servers. */
export const messages: Dialect = {
  name: 'messages',
  path: '/v1/messages',
  upstreamPath: '/messages',
  readRequest: (body, beginnings) => readRequest(body, false, beginnings),
  readRequestInSteps: (body, maxValues, beginnings) => readRequestInSteps(body, false, maxValues, beginnings),
  readReply: (text) => new MessageReply(text, parseReply(text)),
  *readReplyInSteps(text) {
    return new MessageReply(text, yield* parseReplyInSteps(text))
  },
  messagesOf,
  conversationOf,
  promptOf,
  answerOf: messageAnswer,
  openStream: (wants) => new MessagesStream(wants),
  originOf: (field) => (field.channel === 'reasoning' ? sealedOrigin(field) : originOf(field)),
  readError: providerError,
  passedError,
  statusOf,
  requestIdHeader: 'request-id',
  errorBody,
  errorFrame,
  endOfStream: '',
}

/** POST /v1/messages/count_tokens: the same prompt, and the number of its tokens. */
export const countTokens: Dialect = {
  ...messages,
  path: '/v1/messages/count_tokens',
  upstreamPath: '/messages/count_tokens',
  readRequest: (body, beginnings) => readRequest(body, true, beginnings),
  readRequestInSteps: (body, maxValues, beginnings) => readRequestInSteps(body, true, maxValues, beginnings),
  readReply: (text) => new TokenCount(text, parseReply(text), COUNT),
  *readReplyInSteps(text) {
    return new TokenCount(text, yield* parseReplyInSteps(text), COUNT)
  },
  answerOf: countAnswer,
  openStream: () => {
    throw new GatewayError('GW_INTERNAL', 'There is no stream of token counts.')
  },
}
