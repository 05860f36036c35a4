import type { Channel, Json } from '../../contract/plugin.ts'
import { type Field, type FieldList, isObject } from '../../json/fields.ts'
import { isMedia, isUnreadableBase64 } from '../../json/media.ts'
import type { JsonObject, Path } from '../../json/strict.ts'
import { mediaUrl } from '../images.ts'
import { isTime, type Shape } from '../shapes.ts'
import { isUsageName } from '../usage-names.ts'
import {
  all,
  contentOf,
  each,
  eachMember,
  id,
  joinParts,
  type Known,
  media,
  members,
  numeric,
  objectOf,
  quiet,
  shaped,
  uncounted,
  unseen,
  type Walk,
} from '../walk.ts'
import { blockId, encrypted, isEncrypted, isUsageValue, lifetime, mediaType, type } from './words.ts'

/** Where the texts of content blocks are, in requests and in replies. The role is that of the list. */

/** Counts `kind` as content that cannot be inspected, unless the value is null. */
const unseenAs =
  (kind: string, walk: Walk): Walk =>
  (list, path, value) => {
    if (value === null) return
    unseen(list, kind, () => walk(list, path, value))
  }

export const cacheControl: Walk = objectOf({ type, ttl: lifetime })
/** Also a list of citations: each quotes a source. */
const citations: Walk = (list, path, value) => {
  if (isObject(value)) members(list, path, value, { enabled: numeric })
  else if (Array.isArray(value)) each(list, path, value, citation)
  else list.addAll('annotation', path, value)
}

const url: Walk = (list, path, value) => mediaUrl(list, path, value)

/** A picture or a file: data, an address, or the id of a stored file. */
const mediaSource = (kind: string): Walk =>
  unseenAs(kind, objectOf({ type, media_type: mediaType, data: media, url, file_id: id }))

/** The source of a document; text and blocks are inspected. */
const documentSource =
  (channel: Channel): Walk =>
  (list, path, value) => {
    if (!isObject(value)) return list.addAll(channel, path, value)
    if (value.type === 'text') return members(list, path, value, { type, media_type: mediaType, data: all(channel) })
    if (value.type === 'content') return members(list, path, value, { type, content: contentIn(channel) })
    mediaSource('file')(list, path, value)
  }

/** The content of a message, a tool result or a document: a text or blocks. */
export const contentIn =
  (channel: Channel): Walk =>
  (list, path, value) =>
    contentOf(list, path, value, channel, undefined, block)

/** One block of content. Its texts belong to `channel`. */
export function block(list: FieldList, path: Path, value: Json, channel: Channel): void {
  if (!isObject(value)) return list.addAll(channel, path, value)
  const { type: named } = value
  const known = typeof named === 'string' && BLOCKS.has(named) ? BLOCKS.get(named)?.(channel) : undefined
  if (known !== undefined) return members(list, path, value, known)
  if (typeof named === 'string' && RESULT.test(named)) return result(list, path, value)
  unseen(list, 'unknown_part', () => members(list, path, value, UNKNOWN))
}

/** The members of each kind of block, made once for each channel. */
const perChannel = (make: (channel: Channel) => Known): ((channel: Channel) => Known) => {
  const made = new Map<Channel, Known>()
  return (channel) => {
    let known = made.get(channel)
    if (known === undefined) {
      known = { type, cache_control: cacheControl, ...make(channel) }
      made.set(channel, known)
    }
    return known
  }
}

const called: (channel: Channel) => Known = perChannel(() => ({
  id: blockId,
  name: all('tool_name'),
  server_name: all('tool_name'),
  toolset_name: all('tool_name'),
  input: all('tool_arguments'),
  caller: objectOf({ type, tool_id: blockId }),
}))

/** A result that a tool of the client or of an MCP server gave. */
const toolResult: (channel: Channel) => Known = perChannel(() => ({
  tool_use_id: blockId,
  is_error: numeric,
  content: contentIn('tool_result'),
}))

const BLOCKS: ReadonlyMap<string, (channel: Channel) => Known> = new Map([
  ['text', perChannel((channel) => ({ text: all(channel), citations }))],
  ['image', perChannel(() => ({ source: mediaSource('image') }))],
  [
    'document',
    perChannel((channel) => ({
      source: documentSource(channel),
      title: all('file_name'),
      context: all(channel),
      citations,
    })),
  ],
  [
    'search_result',
    perChannel((channel) => ({ source: all(channel), title: all(channel), content: contentIn(channel), citations })),
  ],
  ['tool_use', called],
  ['server_tool_use', called],
  ['mcp_tool_use', called],
  ['tool_result', toolResult],
  ['mcp_tool_result', toolResult],
  ['thinking', perChannel(() => ({ thinking: all('reasoning'), signature: encrypted }))],
  ['redacted_thinking', perChannel(() => ({ data: unseenAs('encrypted', encrypted) }))],
  [
    'compaction',
    perChannel((channel) => ({
      content: all(channel),
      encrypted_content: unseenAs('encrypted', encrypted),
      signature: encrypted,
    })),
  ],
  ['container_upload', perChannel(() => ({ file_id: unseenAs('file', id) }))],
  ['tool_reference', perChannel(() => ({ tool_name: all('tool_name') }))],
])
const UNKNOWN: Known = { type }
/** Results of tools that run inside of the provider. */
const RESULT = /_(?:tool_result|tool_listing)$/

/** A value of a hosted tool's result: every text, apart from ids, types and what only the provider can read. */
const result: Walk = (list, path, value) => {
  if (Array.isArray(value)) return resultList(list, path, value)
  if (!isObject(value)) return apiValue(list, path, value)
  eachMember(list, path, value, (key, below, inner) => {
    const walk = Object.hasOwn(RESULT_MEMBERS, key) ? RESULT_MEMBERS[key] : undefined
    if (walk === undefined) list.add('other', below, key, undefined, 'key')
    ;(walk ?? result)(list, below, inner)
  })
}

/** A value of the API, not of a tool of the client: its name says what it is. */
function apiValue(list: FieldList, path: Path, value: Json): void {
  if (typeof value === 'string') list.look('other', path, value)
  uncounted(list, () => list.addAll('tool_result', path, value))
}

/** Text blocks of one list are also noted as one text. */
const resultList = (list: FieldList, path: Path, value: readonly Json[]): void =>
  joinParts(
    list,
    path,
    value,
    (i) => result(list, [...path, i], value[i] as Json),
    (field, part) => isObject(part) && part.type === 'text' && isTextOf(field, path),
  )

const isTextOf = (field: Field, { length }: Path): boolean =>
  field.place === 'value' && field.path.length === length + 2 && field.path.at(-1) === 'text'

const FETCHED_TEXT: Known = { type, media_type: mediaType, data: quiet(all('other')) }

/** What was fetched: media and other bytes cannot be inspected, text can, also in base64. */
const fetched: Walk = (list, path, value) => {
  const walk = () => result(list, path, value)
  if (!isObject(value)) walk()
  else if (holdsMedia(value)) unseen(list, 'file', walk)
  else if (value.type === 'text') members(list, path, value, FETCHED_TEXT)
  else walk()
}

function holdsMedia({ type: named, data, url: address, file_id: stored }: JsonObject): boolean {
  if (typeof data === 'string') return isMedia(data) || (named !== 'text' && isUnreadableBase64(data))
  return (named === 'url' || named === 'file') && (address ?? stored ?? null) !== null
}

/** Lines of a file: a value may stand in several. */
const lines: Walk = (list, path, value) => {
  if (!Array.isArray(value) || value.some((one) => typeof one !== 'string')) return result(list, path, value)
  const fields: number[] = []
  list.found(
    () => result(list, path, value),
    (_, at) => fields.push(at),
  )
  list.afterwards(() => {
    if (fields.length > 1) list.joined.push({ path, fields, between: '\n' })
  })
}

const sealedText: Walk = (list, path, value) => {
  if (typeof value === 'string' && value !== '' && isEncrypted(value)) {
    unseen(list, 'encrypted', () => list.pass(path, value, 'media'))
  } else list.addAll('tool_result', path, value)
}

const RESULT_MEMBERS: Known = {
  type,
  tool_use_id: blockId,
  content: result,
  source: fetched,
  title: result,
  url: result,
  stdout: result,
  stderr: result,
  lines,
  error_code: result,
  citations: result,
  caller: objectOf({ type, tool_id: blockId }),
  data: (list, path, value) => {
    media(list, path, value)
  },
  media_type: mediaType,
  page_age: result,
  retrieved_at: shaped((value) => isTime(value) || isMoment(value)),
  return_code: numeric,
  file_id: unseenAs('file', id),
  encrypted_content: sealedText,
  encrypted_stdout: sealedText,
  signature: encrypted,
}

/** One quote of a source. */
export const citation: Walk = (list, path, value) => {
  if (!isObject(value)) return list.addAll('annotation', path, value)
  eachMember(list, path, value, (key, below, inner) => {
    const walk = Object.hasOwn(CITATION, key) ? CITATION[key] : undefined
    if (walk === undefined) list.add('annotation', below, key, undefined, 'key')
    ;(walk ?? all('annotation'))(list, below, inner)
  })
}

const CITATION: Known = {
  type,
  cited_text: all('annotation'),
  title: all('annotation'),
  document_title: all('annotation'),
  url: all('annotation'),
  source: all('annotation'),
  encrypted_index: encrypted,
  file_id: quiet(id),
  document_index: numeric,
  start_char_index: numeric,
  end_char_index: numeric,
  start_page_number: numeric,
  end_page_number: numeric,
  start_block_index: numeric,
  end_block_index: numeric,
  search_result_index: numeric,
}

/** A time as the API writes it. */
export const isMoment: Shape = (value) =>
  typeof value === 'string' &&
  /^20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d(?:\.\d{1,6})?(?:Z|[+-][01]\d:[0-5]\d)$/.test(value)

/** Counts of tokens and requests, and words beside them. */
export const usage: Walk = (list, path, value) => {
  if (isUsageValue(value)) return typeof value === 'string' ? list.pass(path, value) : undefined
  if (Array.isArray(value)) return each(list, path, value, usage)
  if (!isObject(value)) return list.addAll('other', path, value)
  eachMember(list, path, value, (key, below, inner) => {
    if (!isUsageName(key)) list.add('other', below, key, undefined, 'key')
    usage(list, below, inner)
  })
}
