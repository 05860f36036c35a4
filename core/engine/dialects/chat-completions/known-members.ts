/** Members in events whose text clients never join over events. */
import type { Json } from '../../contract/plugin.ts'
import { images } from '../images.ts'
import { id, kind, mediaPiece, numeric, roleName, time, type Walk } from '../walk.ts'
import { filterResults, finish, logprobs } from './reply.ts'

export const CHOICE: Readonly<Record<string, Walk>> = {
  index: numeric,
  finish_reason: finish,
  content_filter_results: filterResults,
  content_filter_offsets: filterResults,
}
export const CHAT_CHOICE = { ...CHOICE, logprobs }
/** Members of a body besides its growing texts. */
export const BODY: ReadonlySet<string> = new Set([
  'role',
  'tool_calls',
  'function_call',
  'audio',
  'images',
  'annotations',
])
/** Of what is said. */
export const SPOKEN: Readonly<Record<string, Walk>> = { role: roleName }
export const CALLED = new Set(['name', 'arguments', 'input'])
export const TOOL: Readonly<Record<string, Walk>> = { id, type: kind, index: numeric }
export const PICTURES: Readonly<Record<string, Walk>> = {
  images: (list, path, value) => images(list, path, value, 'assistant'),
}
export const AUDIO: Readonly<Record<string, Walk>> = { id, expires_at: time, data: mediaPiece }

/** Whether a member needs no inspection; the common case, found without allocating a list. */
export function isExempt(known: Readonly<Record<string, Walk>>, key: string, value: Json): boolean {
  return Object.hasOwn(known, key) && (value === null || known[key]?.exempts?.(value) === true)
}
