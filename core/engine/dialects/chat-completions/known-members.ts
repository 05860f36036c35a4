/** Members in events whose text clients never join over events. */
import type { Json } from '../../contract/plugin.ts'
import { images } from '../images.ts'
import type { ToolForm } from '../stream.ts'
import { id, type Known, kind, mediaPiece, numeric, roleName, time } from '../walk.ts'
import { filterResults, finish, logprobs } from './reply.ts'

export const CHOICE: Known = {
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
export const SPOKEN: Known = { role: roleName }
/** The members of a call, and their form. */
export const CALLED: ReadonlyMap<string, ToolForm> = new Map([
  ['name', 'name'],
  ['arguments', 'json'],
  ['input', 'text'],
])
export const TOOL: Known = { id, type: kind, index: numeric }
export const PICTURES: Known = {
  images: (list, path, value) => images(list, path, value, 'assistant'),
}
export const AUDIO: Known = { id, expires_at: time, data: mediaPiece }

/** Whether a member needs no inspection; the common case, found without allocating a list. */
export function isExempt(known: Known, key: string, value: Json): boolean {
  return Object.hasOwn(known, key) && (value === null || known[key]?.exempts?.(value) === true)
}
