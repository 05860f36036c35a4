import { GatewayError } from '../../contract/errors.ts'
import type { Channel, Json, Usage } from '../../contract/plugin.ts'
import { FieldList, isObject } from '../../json/fields.ts'
import type { JsonDocument, JsonObject, Path } from '../../json/strict.ts'
import type { Steps } from '../../util/steps.ts'
import { images } from '../images.ts'
import { parseReply, parseReplyInSteps } from '../reply-json.ts'
import {
  isFingerprint,
  isFinish,
  isLogprobs,
  isNumeric,
  isPadding,
  isTier,
  isWord,
  isCount as plainCount,
} from '../shapes.ts'
import { cacheCounts, isCount } from '../token-counts.ts'
import {
  all,
  calledFunction,
  contentOf,
  each,
  eachMember,
  id,
  inChoice,
  joinSpoken,
  type Known,
  kind,
  media,
  members,
  model,
  numeric,
  objectOf,
  roleName,
  shaped,
  time,
  unseen,
  usageOf,
  type Walk,
} from '../walk.ts'

/** A completion in a provider's JSON answer. */
export interface ChatReply extends JsonDocument {
  readonly tree: JsonObject
  /** `text` is exactly what the provider sent. */
  readonly asSent: boolean
}

/**
 * Reads a buffered reply. An object with `error`, or without `choices`, is not a completion, whatever its status.
 *
 * @throws GatewayError GW_UPSTREAM_INVALID
 */
export const readReply = (text: string): ChatReply => completion(parseReply(text), text)

/** Like `readReply`, for a large reply. */
export function* readReplyInSteps(text: string): Steps<ChatReply> {
  return completion(yield* parseReplyInSteps(text), text)
}

function completion(document: JsonDocument, text: string): ChatReply {
  if (!isObject(document.tree) || !Array.isArray(document.tree.choices)) {
    throw new GatewayError('GW_UPSTREAM_INVALID', 'The provider answered with a body that is not a chat completion.')
  }
  return { text: document.text, tree: document.tree, asSent: document.text === text }
}

/**
 * Token counts of a `usage` member; undefined if invalid. A prompt has at least one token: some servers send zeros
 * before or instead of counting.
 */
export function readUsage(value: Json | undefined): Usage | undefined {
  if (!isObject(value)) return undefined
  const { prompt_tokens: prompt, completion_tokens: completion, prompt_tokens_details: details } = value
  if (!isCount(prompt) || !isCount(completion) || prompt + completion === 0) return undefined
  return { prompt, completion, estimated: false, ...cacheCounts(details) }
}

/** The only code that knows where text lives in a buffered reply. */
export function replyFields(reply: ChatReply): FieldList {
  const list = new FieldList(reply.text)
  members(list, [], reply.tree, TOP_LEVEL)
  return list
}

/** Like `replyFields`, for a large reply. */
export function replyFieldsInSteps(reply: ChatReply): Steps<FieldList> {
  const list = new FieldList(reply.text)
  return list.inSteps(() => members(list, [], reply.tree, TOP_LEVEL))
}

const usage = usageOf(plainCount)

/** Results of a provider's own filter: flags and one-word grades. */
export const filterResults: Walk = (list, path, value) => {
  if (isNumeric(value)) return
  if (isWord(value)) return list.pass(path, value as string)
  if (typeof value !== 'object' || value === null) return list.addAll('other', path, value)
  if (Array.isArray(value)) return each(list, path, value, filterResults)
  eachMember(list, path, value, (key, below, inner) => {
    if (!isWord(key)) list.add('other', below, key, undefined, 'key')
    filterResults(list, below, inner)
  })
}

/** Valid token probabilities are removed with the text they repeat; any other form is text. */
export const logprobs: Walk = (list, path, value) => {
  if (!isLogprobs(value)) list.addAll('other', path, value)
}

/** Top-level members shared by replies and stream events. */
export const ENVELOPE: Known = {
  id,
  object: kind,
  created: time,
  model,
  system_fingerprint: shaped(isFingerprint),
  service_tier: shaped(isTier),
  obfuscation: shaped(isPadding, 'apart'),
  usage,
  prompt_filter_results: filterResults,
}

const TOP_LEVEL: Known = {
  ...ENVELOPE,
  choices: (list, path, value) => each(list, path, value, choice),
}

const role = 'assistant'

export const finish: Walk = shaped(isFinish)

const CHOICE: Known = {
  index: numeric,
  finish_reason: finish,
  logprobs,
  content_filter_results: filterResults,
  message: (list, path, value) => {
    list.as(role, () => {
      if (isObject(value)) saidMessage(list, path, value)
      else list.addAll('content', path, value, role)
    })
  },
}
const choice: Walk = inChoice(objectOf(CHOICE))

/** A message of the answer, or of an event that is all of it. */
export const saidMessage = (list: FieldList, path: Path, message: JsonObject): void =>
  withRefusal(list, path, () => members(list, path, message, MESSAGE, role))

/**
 * Some clients show the content, refusals among its parts included, and the member `refusal` after it as one text;
 * others show them as they come, or the refusals alone. What a server adds to either may be shown, too, or not.
 */
function withRefusal(list: FieldList, path: Path, walk: () => void): void {
  const content: Said[] = []
  const behind: Said[] = []
  let added = 0
  list.found(walk, ({ channel, place, path: below }, at) => {
    const member = below[path.length]
    const isAdded = channel === 'other' && (member === 'content' || member === 'refusal')
    if (place === 'key' || !(channel === 'content' || channel === 'refusal' || isAdded)) return
    if (isAdded) added++
    const said = { at, isRefusal: channel === 'refusal' || (isAdded && member === 'refusal'), isAdded }
    if (member === 'refusal') behind.push(said)
    else content.push(said)
  })
  list.afterwards(() => {
    const all = [...content, ...behind]
    const refusals = all.filter(({ isRefusal }) => isRefusal)
    if (refusals.length === 0) return
    const known = (said: readonly Said[]) => said.filter(({ isAdded }) => !isAdded)
    const texts = refusals.length < all.length ? [all, refusals] : [all]
    const [first, refused] = [content[0], behind[0]]
    // A client that goes over the members shows them as they come.
    if (first !== undefined && refused !== undefined && refused.at < first.at) texts.push([...behind, ...content])
    for (const said of added === 0 ? texts : [...texts, ...texts.map(known)])
      if (said.length > 1) list.joined.push({ path, fields: said.map(({ at }) => at) })
  })
}

/** A text of an answer. */
interface Said {
  /** Index of its field. */
  readonly at: number
  readonly isRefusal: boolean
  /** Of a member that the API does not know. */
  readonly isAdded: boolean
}

const MESSAGE: Known = {
  role: roleName,
  content: (list, path, value) => spoken(list, path, value, 'content'),
  refusal: (list, path, value) => spoken(list, path, value, 'refusal'),
  reasoning_content: all('reasoning', role),
  reasoning: all('reasoning', role),
  annotations: all('annotation', role),
  tool_calls: (list, path, value) => each(list, path, value, toolCall),
  function_call: (list, path, value) => {
    if (value !== null) calledFunction(list, path, value, role)
  },
  images: (list, path, value) => {
    if (value !== null) images(list, path, value, role)
  },
  audio,
}

function spoken(list: FieldList, path: Path, value: Json, channel: 'content' | 'refusal'): void {
  if (isObject(value) && ('text' in value || 'refusal' in value)) part(list, path, value, channel)
  else if (!Array.isArray(value)) contentOf(list, path, value, channel, role, part)
  else joinSpoken(list, path, () => contentOf(list, path, value, channel, role, part))
}

function part(list: FieldList, path: Path, value: Json, channel: Channel): void {
  if (isObject(value)) members(list, path, value, channel === 'refusal' ? REFUSAL_PART : PART, role)
  else list.addAll(channel, path, value, role)
}

const refusal = all('refusal', role)
const PART: Known = { type: kind, text: all('content', role), refusal }
const REFUSAL_PART: Known = { ...PART, text: refusal }

function toolCall(list: FieldList, path: Path, value: Json): void {
  if (!isObject(value)) return list.addAll('tool_arguments', path, value, role)
  const called: Walk = (l, p, v) => calledFunction(l, p, v, role)
  members(list, path, value, { id, type: kind, index: numeric, function: called, custom: called }, role)
}

function audio(list: FieldList, path: Path, value: Json): void {
  if (!isObject(value)) return list.addAll('other', path, value, role)
  const known = { id, expires_at: time, data: media, transcript: all('transcript', role) }
  unseen(list, 'audio', () => members(list, path, value, known, role))
}
