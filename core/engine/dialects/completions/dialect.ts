import { parseStrict } from '../../json/strict.ts'
import { deploymentPaths } from '../azure-paths.ts'
import { ChatStream } from '../chat-completions/stream.ts'
import { DONE, errorFrame } from '../chat-completions/wire.ts'
import type { Dialect } from '../dialect.ts'
import { errorBody } from '../error-body.ts'
import { readInputsInSteps } from '../inputs.ts'
import { originOf } from '../place.ts'
import { providerError } from '../provider-error.ts'
import { parseReply, parseReplyInSteps } from '../reply-json.ts'
import { completionAnswer } from './answer.ts'
import { TEXT } from './form.ts'
import { CompletionsReply } from './reply.ts'
import { CompletionsRequest, promptOf, promptsOf, textsOf } from './request.ts'

/** POST /v1/completions of OpenAI. Its streams are chat streams with a text in each choice. */
export const completions: Dialect = {
  name: 'completions',
  path: '/v1/completions',
  otherPaths: deploymentPaths('/completions'),
  upstreamPath: '/completions',
  readRequest: (body) => new CompletionsRequest(parseStrict(body)),
  *readRequestInSteps(body, maxValues) {
    return new CompletionsRequest(yield* readInputsInSteps(body, maxValues, 'prompt'))
  },
  readReply: (text) => new CompletionsReply(text, parseReply(text)),
  *readReplyInSteps(text) {
    return new CompletionsReply(text, yield* parseReplyInSteps(text))
  },
  messagesOf: (body) => [{ role: 'user', texts: textsOf(body), callArguments: [] }],
  continuedOf: promptsOf,
  promptOf,
  answerOf: completionAnswer,
  openStream: (wants) => new ChatStream(wants, TEXT),
  originOf,
  readError: providerError,
  errorBody,
  errorFrame,
  endOfStream: DONE,
}
