import type { Json } from '../contract/plugin.ts'
import { isMedia } from '../json/media.ts'
import type { JsonObject } from '../json/strict.ts'
import { isModelName, mayBeValue } from '../util/outside.ts'
import { idsOf, isBareId } from './ids.ts'
import { isSealed } from './seals.ts'

/**
 * Shapes of members that need no inspection. A member is exempt only while it has its shape; any other value is text.
 */

/** Whether a value needs no inspection. */
export type Shape = (value: unknown) => boolean

/** Exactly one of these words; unknown words are inspected. */
export const oneOf = (words: string): Shape => {
  const known: ReadonlySet<unknown> = new Set(['', ...words.split(/\s+/)])
  return (value) => known.has(value)
}

export const isRole: Shape = oneOf('system developer user assistant tool function')
/** Kinds of objects, parts, tools and media in the API and common servers. */
export const isKind: Shape = oneOf(
  `chat.completion chat.completion.chunk text_completion text refusal image_url input_audio file function custom web_search json_object
  json_schema content reasoning reasoning.text reasoning.summary reasoning.encrypted thinking redacted_thinking signature
  url_citation file_citation grammar approximate allowed_tools reference document_url tool_reference tool_file`,
)
export const isFinish: Shape = oneOf('stop length tool_calls content_filter function_call error eos stop_sequence')
export const isTier: Shape = oneOf('auto default flex scale priority fast standard on_demand batch')
export const isGrade: Shape = oneOf('none minimal low medium high xhigh max auto')
export const isFormat: Shape = oneOf(
  `wav mp3 flac opus pcm16 aac ogg m4a unknown anthropic-claude-v1 openai-responses-v1 google-gemini-v1
  xai-responses-v1`,
)
export const isVoice: Shape = oneOf('alloy ash ballad cedar coral echo fable marin nova onyx sage shimmer verse')
export const isModality: Shape = oneOf('text audio image')
export const isToolChoice: Shape = oneOf('none auto required any')
export const isRetention: Shape = oneOf('in-memory in_memory 24h')

/** A provider's id: random characters after a known prefix, which cannot be a value with a structure of its own. */
export const isId: Shape = (value) =>
  typeof value === 'string' && (value === '' || isPrefixed(value) || isBareId(value) || GENERATION.test(value))
const isPrefixed = idsOf(
  'chatcmpl|chatcmpl-tool|cmpl|modr|call|toolu|tool|msg|resp|gen|req|run|item|file|audio|fc|ctc|rs|ws|cr|srvtoolu|mcptoolu|container',
)
/** An id that includes its creation time in seconds. */
const GENERATION = /^gen-1[7-9]\d{8}-[A-Za-z0-9]{20}$/

export const isModel: Shape = (value) => typeof value === 'string' && isModelName(value)

export const isFingerprint: Shape = (value) =>
  typeof value === 'string' && FINGERPRINT.test(value) && !mayBeValue(value)
/** No personal number of nine characters, as `ab123456c`. */
const FINGERPRINT = /^(?:fp_(?:[0-9a-f]{1,8}|[0-9a-f]{10,12})|)$/

/**
 * Padding that providers add to hide lengths. Random characters have no six digits in a row, as account numbers do; nine
 * of them have a small letter, unlike national numbers; and wallets have their lengths and beginnings.
 */
export const isPadding: Shape = (value) => typeof value === 'string' && PADDING.test(value) && !mayBeValue(value)
const PADDING = /^(?=.{0,8}$|.*[a-z])(?!.*\d{6})(?![13].{32,33}$|0x|bc1)[A-Za-z0-9]{0,64}$/

/** Media, or a middle piece of their base64. */
export const isMediaPiece: Shape = (value) => isMedia(value) || isSealed(value)

/** Grades and categories of a provider's filter. */
export const isWord: Shape = oneOf(
  `safe low medium high none filtered detected severity hate self_harm sexual violence jailbreak profanity
  protected_material_text protected_material_code indirect_attack custom_blocklists prompt_index content_filter_results
  content_filter_result check_offset start_offset end_offset citation url license details id ungrounded_material`,
)

/** Token probabilities in the API's form. They repeat the text token by token, so a rewrite removes them. */
export function isLogprobs(value: Json): boolean {
  if (value === null) return true
  if (!isRecord(value)) return false
  for (const name in value)
    if (!((name === 'content' || name === 'refusal') && isTokens(value[name] as Json))) return false
  return true
}

function isTokens(list: Json): boolean {
  if (list === null) return true
  return Array.isArray(list) && list.every((token) => isToken(token, (top) => top === null || isAlternatives(top)))
}

const isAlternatives = (list: Json): boolean => Array.isArray(list) && list.every((one) => isToken(one, () => false))

function isToken(token: Json, isTop: (top: Json) => boolean): boolean {
  if (!isRecord(token)) return false
  for (const name in token) {
    const value = token[name] as Json
    if (name === 'token') {
      if (typeof value !== 'string') return false
    } else if (name === 'logprob') {
      if (!isLogprob(value)) return false
    } else if (name === 'bytes') {
      if (!(value === null || (Array.isArray(value) && value.every(isByte)))) return false
    } else if (!(name === 'top_logprobs' && isTop(value))) return false
  }
  return true
}

/** The logarithm of a probability; servers write -9999 and the like for none. */
export const isLogprob = (value: Json): boolean =>
  value === null || (typeof value === 'number' && Math.abs(value) < 100_000)

const isByte = (value: Json): boolean => typeof value === 'number' && value >= 0 && value <= 255

const isRecord = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A boolean, or a number too short to be a sensitive value. */
export const isNumeric: Shape = (value) =>
  value === null ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Math.abs(value) < 1_000_000 && (Number.isInteger(value) || String(value).length <= 7))

/** Counts of tokens, up to 99 million. */
export const isCount: Shape = (value) =>
  isNumeric(value) || (Number.isInteger(value) && (value as number) >= 0 && (value as number) < 100_000_000)

/** Seconds since 1970 in this century, or null. */
export const isTime: Shape = (value) =>
  isNumeric(value) ||
  (Number.isInteger(value) && (value as number) > 1_000_000_000 && (value as number) < 4_102_444_800)
