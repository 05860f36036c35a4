import { GatewayError } from '../../contract/errors.ts'
import { parseBodyInSteps } from '../../json/in-steps.ts'
import { parseStrict, textOf } from '../../json/strict.ts'
import { azurePaths } from '../azure-paths.ts'
import type { Dialect } from '../dialect.ts'
import { errorBody } from '../error-body.ts'
import { originOf } from '../place.ts'
import { providerError } from '../provider-error.ts'
import { parseReply, parseReplyInSteps } from '../reply-json.ts'
import { ModerationsReply } from './reply.ts'
import { ModerationsRequest, picturesOf, textsOf } from './request.ts'

/** POST /v1/moderations of OpenAI. It has no stream, and replies contain no text. */
export const moderations: Dialect = {
  name: 'moderations',
  path: '/v1/moderations',
  otherPaths: azurePaths('/moderations'),
  upstreamPath: '/moderations',
  readRequest: (body) => new ModerationsRequest(parseStrict(body)),
  *readRequestInSteps(body, maxValues) {
    const text = textOf(body)
    yield
    const document = yield* parseBodyInSteps(text, maxValues)
    yield
    return new ModerationsRequest(document)
  },
  readReply: (text) => new ModerationsReply(text, parseReply(text)),
  *readReplyInSteps(text) {
    return new ModerationsReply(text, yield* parseReplyInSteps(text))
  },
  messagesOf: ({ input }) => [{ role: 'user', texts: textsOf(input), callArguments: [] }],
  promptOf: ({ input }) => ({ texts: textsOf(input), messages: 0, names: 0, tools: 0, media: picturesOf(input) }),
  answerOf: ({ id, model }) => {
    const body = Buffer.from(JSON.stringify({ id: `modr-${id}`, model, results: [] }))
    return { answer: { contentType: 'application/json', body } }
  },
  openStream: () => {
    throw new GatewayError('GW_INTERNAL', 'There is no stream of moderations.')
  },
  originOf,
  readError: providerError,
  errorBody,
  errorFrame: () => '',
  endOfStream: '',
}
