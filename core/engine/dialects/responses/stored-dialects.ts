/** What clients do with responses that the provider keeps. */
import type { Answer } from '../../contract/plugin.ts'
import { azurePaths } from '../azure-paths.ts'
import type { Dialect, OwnReply } from '../dialect.ts'
import { JsonReply, type ReplyShape } from '../json-reply.ts'
import { parseReply, parseReplyInSteps } from '../reply-json.ts'
import { numeric } from '../walk.ts'
import { jsonAnswer, outputItem } from './answer.ts'
import { responses } from './dialect.ts'
import { ItemsPage } from './reply-document.ts'
import { id, kind } from './shapes.ts'
import { OF_ITEMS, OF_RESPONSE, StoredRequest } from './stored.ts'
import { StoredStream } from './stored-stream.ts'

const at = (path: string) => ({
  path: `/v1/responses/{id}${path}`,
  otherPaths: azurePaths(`/responses/{id}${path}`),
  upstreamPath: `/responses/{id}${path}`,
  triesSockets: false,
})

/** GET /v1/responses/{id}: the response, or its events again. */
const retrieve: Dialect = {
  ...responses,
  ...at(''),
  method: 'GET',
  readStored: (asked) => new StoredRequest(asked, OF_RESPONSE, true),
  openStream: (wants) => new StoredStream(wants),
}

/** POST /v1/responses/{id}/cancel */
const cancel: Dialect = {
  ...responses,
  ...at('/cancel'),
  readStored: (asked) => new StoredRequest(asked, {}, true),
}

const DELETED: ReplyShape = { name: 'deletion', known: { id, object: kind, deleted: numeric } }

/** DELETE /v1/responses/{id} */
const remove: Dialect = {
  ...responses,
  ...at(''),
  method: 'DELETE',
  readStored: (asked) => new StoredRequest(asked, {}, false),
  readReply: (text) => new JsonReply(text, parseReply(text), DELETED),
  *readReplyInSteps(text) {
    return new JsonReply(text, yield* parseReplyInSteps(text), DELETED)
  },
  answerOf: ({ id: own }) => jsonAnswer({ id: `resp_${own}`, object: 'response', deleted: false }),
}

/** GET /v1/responses/{id}/input_items: what the provider got. */
const inputItems: Dialect = {
  ...responses,
  ...at('/input_items'),
  method: 'GET',
  readStored: (asked) => new StoredRequest(asked, OF_ITEMS, false),
  readReply: (text, asked) => new ItemsPage(text, parseReply(text), asked),
  *readReplyInSteps(text, asked) {
    return new ItemsPage(text, yield* parseReplyInSteps(text), asked)
  },
  answerOf: itemsAnswer,
}

function itemsAnswer({ id: own, content }: OwnReply): Answer {
  const item = outputItem(own, content)
  return jsonAnswer({ object: 'list', data: [item], first_id: item.id, last_id: item.id, has_more: false })
}

export const storedResponses: readonly Dialect[] = [retrieve, remove, cancel, inputItems]
