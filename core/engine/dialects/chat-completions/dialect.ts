import { deploymentPaths } from '../azure-paths.ts'
import type { Dialect } from '../dialect.ts'
import { errorBody } from '../error-body.ts'
import { originOf } from '../place.ts'
import { providerError } from '../provider-error.ts'
import { completionAnswer } from './completion.ts'
import { messagesOf } from './messages.ts'
import { promptOf } from './prompt.ts'
import { readReply, readReplyInSteps } from './reply.ts'
import { ChatReplyDocument } from './reply-document.ts'
import { readRequest, readRequestInSteps } from './request.ts'
import { ChatRequestDocument } from './request-document.ts'
import { ChatStream } from './stream.ts'
import { DONE, errorFrame } from './wire.ts'

/** POST /v1/chat/completions of OpenAI, and its variants by other providers. */
export const chatCompletions: Dialect = {
  name: 'chat-completions',
  path: '/v1/chat/completions',
  otherPaths: deploymentPaths('/chat/completions'),
  upstreamPath: '/chat/completions',
  readRequest: (body, beginnings) => new ChatRequestDocument(readRequest(body, beginnings)),
  *readRequestInSteps(body, maxValues, beginnings) {
    return new ChatRequestDocument(yield* readRequestInSteps(body, maxValues, beginnings))
  },
  readReply: (text) => new ChatReplyDocument(readReply(text)),
  *readReplyInSteps(text) {
    return new ChatReplyDocument(yield* readReplyInSteps(text))
  },
  messagesOf,
  promptOf,
  answerOf: completionAnswer,
  openStream: (wants) => new ChatStream(wants),
  originOf,
  readError: providerError,
  errorBody,
  errorFrame,
  endOfStream: DONE,
}
