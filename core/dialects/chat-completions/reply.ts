import { GatewayError } from '../../errors.ts'
import { FieldList, isObject } from '../../json/fields.ts'
import { readTree } from '../../json/read.ts'
import { type JsonDocument, type JsonObject, type Path, parseStrictText } from '../../json/strict.ts'
import type { Json, Usage } from '../../plugin.ts'
import { isBase64, isInert, isNumeric } from './shapes.ts'
import { all, calledFunction, each, inert, members, numeric, type Walk } from './walk.ts'

/** A JSON answer of the provider that is a completion. */
export interface ChatReply extends JsonDocument {
  readonly tree: JsonObject
  /** `text` is what the provider sent, to the character. */
  readonly asSent: boolean
}

/**
 * Reads a buffered reply. An object with `error`, or without `choices`, is no completion, whatever its status.
 *
 * @throws GatewayError GW_UPSTREAM_INVALID
 */
export function readReply(text: string): ChatReply {
  const document = parseReply(text)
  if (!isObject(document.tree) || !Array.isArray(document.tree.choices)) {
    throw new GatewayError('GW_UPSTREAM_INVALID', 'The provider answered 200 with a body that is no chat completion.')
  }
  return { text: document.text, tree: document.tree, asSent: document.text === text }
}

/** What was inspected is what is sent: a reply that parsers may read in two ways is written anew from our reading. */
function parseReply(text: string): JsonDocument {
  try {
    return parseStrictText(text)
  } catch {
    try {
      const plain = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
      JSON.parse(plain)
      const tree = withoutPrototypes(readTree(plain))
      return { tree, text: JSON.stringify(tree) }
    } catch {
      throw new GatewayError('GW_UPSTREAM_INVALID', 'The provider answered 200 with a body that is not JSON.')
    }
  }
}

function withoutPrototypes(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value)) {
    Reflect.deleteProperty(value, '__proto__')
    const inner = Object.hasOwn(value, 'constructor') ? (value as { constructor: Json }).constructor : null
    if (isObject(inner)) Reflect.deleteProperty(inner, 'prototype')
  }
  for (const inner of Object.values(value)) withoutPrototypes(inner)
  return value
}

/** Token counts of a `usage` member, or undefined when it is not one. */
export function readUsage(value: Json | undefined): Usage | undefined {
  if (!isObject(value)) return undefined
  const { prompt_tokens: prompt, completion_tokens: completion } = value
  if (typeof prompt !== 'number' || typeof completion !== 'number') return undefined
  return { prompt, completion, estimated: false }
}

/** The only code that knows where text lives in a buffered reply. */
export function replyFields(reply: ChatReply): FieldList {
  const list = new FieldList(reply.text)
  members(list, [], reply.tree, TOP_LEVEL)
  return list
}

/** Counts and details of usage are numbers below known names. */
export const usage: Walk = (list, path, value) => {
  if (isNumeric(value)) return
  if (!isObject(value)) return list.addAll('other', path, value)
  for (const key in value) {
    const below = [...path, key]
    if (!isInert(key)) list.add('other', below, key, undefined, 0, 'key')
    usage(list, below, value[key] as Json)
  }
}

/** Verdicts of a provider's own filter: flags and one-word grades. */
export const filterResults: Walk = (list, path, value) => {
  if (isNumeric(value) || (typeof value === 'string' && /^[a-z_]{1,24}$/.test(value))) return
  if (typeof value !== 'object' || value === null) return list.addAll('other', path, value)
  for (const key in value) {
    const step = Array.isArray(value) ? Number(key) : key
    filterResults(list, [...path, step], (value as JsonObject)[key] as Json)
  }
}

/** Top-level members that a reply and every stream event share. */
export const ENVELOPE: Readonly<Record<string, Walk>> = {
  id: inert,
  object: inert,
  created: numeric,
  model: inert,
  system_fingerprint: inert,
  service_tier: inert,
  obfuscation: inert,
  usage,
  prompt_filter_results: filterResults,
}

const TOP_LEVEL: Readonly<Record<string, Walk>> = {
  ...ENVELOPE,
  choices: (list, path, value) => each(list, path, value, choice),
}

function choice(list: FieldList, path: Path, value: Json): void {
  if (!isObject(value)) return list.addAll('other', path, value)
  const index = typeof value.index === 'number' ? value.index : (path.at(-1) as number)
  members(list, path, value, {
    index: numeric,
    finish_reason: inert,
    // Repeats the tokens of the text; it is dropped whenever the text is rewritten.
    logprobs: () => {},
    content_filter_results: filterResults,
    message: (l, p, v) => message(l, p, v, index),
  })
}

function message(list: FieldList, path: Path, value: Json, choice: number): void {
  if (!isObject(value)) return list.addAll('content', path, value, 'assistant', choice)
  const role = 'assistant'
  members(
    list,
    path,
    value,
    {
      role: inert,
      content: all('content', role, choice),
      refusal: all('refusal', role, choice),
      reasoning_content: all('reasoning', role, choice),
      reasoning: all('reasoning', role, choice),
      annotations: all('annotation', role, choice),
      tool_calls: (l, p, v) => each(l, p, v, (inner, at, call) => toolCall(inner, at, call, choice)),
      function_call: (l, p, v) => {
        if (v !== null) calledFunction(l, p, v, role, choice)
      },
      audio: (l, p, v) => audio(l, p, v, choice),
    },
    role,
  )
}

function toolCall(list: FieldList, path: Path, value: Json, choice: number): void {
  if (!isObject(value)) return list.addAll('tool_arguments', path, value, 'assistant', choice)
  const called: Walk = (l, p, v) => calledFunction(l, p, v, 'assistant', choice)
  members(list, path, value, { id: inert, type: inert, index: numeric, function: called, custom: called }, 'assistant')
}

function audio(list: FieldList, path: Path, value: Json, choice: number): void {
  if (!isObject(value)) return list.addAll('other', path, value, 'assistant', choice)
  list.skip('audio')
  members(list, path, value, {
    id: inert,
    expires_at: numeric,
    data: (l, p, v) => {
      if (!isBase64(v)) l.addAll('other', p, v, 'assistant', choice)
    },
    transcript: all('transcript', 'assistant', choice),
  })
}
