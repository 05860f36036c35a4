import { GatewayError } from '../../contract/errors.ts'
import { parseBodyInSteps } from '../../json/in-steps.ts'
import { parseStrict, textOf } from '../../json/strict.ts'
import { azurePaths } from '../azure-paths.ts'
import type { Dialect } from '../dialect.ts'
import { errorBody } from '../error-body.ts'
import { TokenCount } from '../json-reply.ts'
import { originOf } from '../place.ts'
import { parseReply, parseReplyInSteps } from '../reply-json.ts'
import { count, type Known } from '../walk.ts'
import { compactAnswer, jsonAnswer, responseAnswer } from './answer.ts'
import { messagesOf, promptOf } from './prompt.ts'
import { readError } from './provider-error.ts'
import { ResponsesReply } from './reply-document.ts'
import { type Purpose, ResponsesRequestDocument } from './request-document.ts'
import { kind } from './shapes.ts'
import { ResponsesStream } from './stream.ts'
import { frameOf } from './wire.ts'

const REPEATED = new Set([402, 403, 404, 413, 422, 451])

const isCodex = ({
  originator,
  'user-agent': agent,
}: Readonly<Record<string, string | string[] | undefined>>): boolean =>
  /^codex/i.test(String(originator ?? agent ?? ''))

const reading = (purpose: Purpose): Pick<Dialect, 'readRequest' | 'readRequestInSteps'> => ({
  readRequest: (body) => new ResponsesRequestDocument(parseStrict(body), purpose),
  *readRequestInSteps(body, maxValues) {
    const text = textOf(body)
    yield
    const document = yield* parseBodyInSteps(text, maxValues)
    yield
    return new ResponsesRequestDocument(document, purpose)
  },
})

/** POST /v1/responses of OpenAI, and its variants by other providers. */
export const responses: Dialect = {
  name: 'responses',
  path: '/v1/responses',
  otherPaths: azurePaths('/responses'),
  upstreamPath: '/responses',
  triesSockets: true,
  repeatsRequest: true,
  ...reading('response'),
  readReply: (text, asked) => new ResponsesReply(text, parseReply(text), asked),
  *readReplyInSteps(text, asked) {
    return new ResponsesReply(text, yield* parseReplyInSteps(text), asked)
  },
  messagesOf,
  promptOf,
  answerOf: responseAnswer,
  openStream: (wants) => new ResponsesStream(wants),
  originOf,
  readError,
  /** Codex repeats most refusals five times, whatever the headers say. After 400 it stops and shows the reason. */
  statusOf: (_code, status, headers) => (REPEATED.has(status) && isCodex(headers) ? 400 : status),
  errorBody,
  errorFrame: (body) => {
    const { error } = body as { error: object }
    return frameOf({ ...error, ...body, type: 'error', sequence_number: 0 })
  },
  endOfStream: '',
}

const below = (path: string) => ({
  path: `/v1/responses${path}`,
  otherPaths: azurePaths(`/responses${path}`),
  upstreamPath: `/responses${path}`,
  triesSockets: false,
  openStream: () => {
    throw new GatewayError('GW_INTERNAL', 'There is no such stream.')
  },
})

const COUNT: Known = { object: kind, input_tokens: count }

/** POST /v1/responses/input_tokens: the same request, and the number of its tokens. */
export const inputTokens: Dialect = {
  ...responses,
  ...below('/input_tokens'),
  ...reading('count'),
  readReply: (text) => new TokenCount(text, parseReply(text), COUNT),
  *readReplyInSteps(text) {
    return new TokenCount(text, yield* parseReplyInSteps(text), COUNT)
  },
  answerOf: () => jsonAnswer({ object: 'response.input_tokens', input_tokens: 0 }),
}

/** POST /v1/responses/compact: the items of a conversation, and fewer items in their place. */
export const compact: Dialect = {
  ...responses,
  ...below('/compact'),
  ...reading('compact'),
  answerOf: compactAnswer,
}
