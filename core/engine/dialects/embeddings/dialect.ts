import { GatewayError } from '../../contract/errors.ts'
import { parseStrict } from '../../json/strict.ts'
import { deploymentPaths } from '../azure-paths.ts'
import type { Dialect } from '../dialect.ts'
import { errorBody } from '../error-body.ts'
import { inputTexts, promptTexts, readInputsInSteps } from '../inputs.ts'
import { originOf } from '../place.ts'
import { providerError } from '../provider-error.ts'
import { parseReply, parseReplyInSteps } from '../reply-json.ts'
import { EmbeddingsReply } from './reply.ts'
import { EmbeddingsRequest } from './request.ts'

/** POST /v1/embeddings of OpenAI. It has no stream, and replies contain no text. */
export const embeddings: Dialect = {
  name: 'embeddings',
  path: '/v1/embeddings',
  otherPaths: deploymentPaths('/embeddings'),
  upstreamPath: '/embeddings',
  readRequest: (body) => new EmbeddingsRequest(parseStrict(body)),
  *readRequestInSteps(body, maxValues) {
    return new EmbeddingsRequest(yield* readInputsInSteps(body, maxValues, 'input'))
  },
  readReply: (text) => new EmbeddingsReply(text, parseReply(text)),
  *readReplyInSteps(text) {
    return new EmbeddingsReply(text, yield* parseReplyInSteps(text))
  },
  messagesOf: ({ model, input }) => [{ role: 'user', texts: inputTexts(model, input), callArguments: [] }],
  promptOf: ({ model, input }) => ({ texts: promptTexts(model, input), messages: 0, names: 0, tools: 0, media: [] }),
  answerOf: ({ model }) => {
    const usage = { prompt_tokens: 0, total_tokens: 0 }
    const body = Buffer.from(JSON.stringify({ object: 'list', data: [], model, usage }))
    return { answer: { contentType: 'application/json', body } }
  },
  openStream: () => {
    throw new GatewayError('GW_INTERNAL', 'There is no stream of embeddings.')
  },
  originOf,
  readError: providerError,
  errorBody,
  errorFrame: () => '',
  endOfStream: '',
}
