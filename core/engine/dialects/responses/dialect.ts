import { parseStrictInSteps } from '../../json/in-steps.ts'
import { parseStrict, textOf } from '../../json/strict.ts'
import { azurePaths } from '../azure-paths.ts'
import type { Dialect } from '../dialect.ts'
import { errorBody } from '../error-body.ts'
import { originOf } from '../place.ts'
import { parseReply, parseReplyInSteps } from '../reply-json.ts'
import { responseAnswer } from './answer.ts'
import { messagesOf, promptOf } from './prompt.ts'
import { readError } from './provider-error.ts'
import { ResponsesReply } from './reply-document.ts'
import { ResponsesRequestDocument } from './request-document.ts'
import { ResponsesStream } from './stream.ts'
import { frameOf } from './wire.ts'

const REPEATED = new Set([402, 403, 404, 413, 422, 451])

const isCodex = ({
  originator,
  'user-agent': agent,
}: Readonly<Record<string, string | string[] | undefined>>): boolean =>
  /^codex/i.test(String(originator ?? agent ?? ''))

/** POST /v1/responses of OpenAI, and its variants by other providers. */
export const responses: Dialect = {
  name: 'responses',
  path: '/v1/responses',
  otherPaths: azurePaths('/responses'),
  upstreamPath: '/responses',
  triesSockets: true,
  readRequest: (body) => new ResponsesRequestDocument(parseStrict(body)),
  *readRequestInSteps(body, maxValues) {
    const text = textOf(body)
    yield
    const document = yield* parseStrictInSteps(text, maxValues)
    yield
    return new ResponsesRequestDocument(document)
  },
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
    return frameOf({ type: 'error', ...error, ...body, sequence_number: 0 })
  },
  endOfStream: '',
}
