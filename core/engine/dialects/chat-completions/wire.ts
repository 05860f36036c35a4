import { isAscii } from 'node:buffer'
import type { Usage } from '../../contract/plugin.ts'
import type { JsonObject } from '../../json/strict.ts'
import type { ChoiceForm } from './choice-form.ts'

/** The frames that the gateway writes into a stream, following the Server-Sent Events format and the SDKs' readers. */
export const DONE = 'data: [DONE]\n\n'

/** A comment that shows clients that the stream is alive. */
export const COMMENT = ': keep-alive\n\n'

/** Writes one `data:` line. A line break in JSON is white space, so a space may replace it. */
export const frame = (payload: string): string =>
  `data: ${payload.includes('\n') ? payload.replace(/[\r\n]+/g, ' ') : payload}\n\n`

/** `data: ` before and a blank line after. */
export const FRAME_LENGTH = 8

/** Framed like the gateway's own frames. */
export const isFramed = (read: Buffer): boolean => read[5] === 0x20 && isAscii(read) && !read.includes(0x0d)

/** An `error` event. Its `message` is never empty, and it has no `choices`: some clients would miss the error. */
export const errorFrame = (body: object): string => frame(JSON.stringify(body))

/**
 * A chunk without text that finishes a choice, with the stream's envelope.
 *
 * @param begins no earlier chunk had the role of the choice
 */
export const finishChunk = (
  form: ChoiceForm,
  envelope: JsonObject,
  choice: number,
  reason: string,
  begins: boolean,
): string => chunk(form, envelope, [form.choice(choice, reason, begins)])

/**
 * A chunk without content. Names an open choice if there is one, because hand-written clients often expect a choice.
 */
export const bareChunk = (form: ChoiceForm, envelope: JsonObject, choice: number | undefined): string =>
  chunk(form, envelope, choice === undefined ? [] : [form.choice(choice, null)])

/** The chunk requested by `stream_options.include_usage`. */
export function usageChunk(form: ChoiceForm, envelope: JsonObject, { prompt, completion }: Usage): string {
  const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
  return chunk(form, envelope, [], { usage })
}

function chunk(
  { object }: ChoiceForm,
  { id, created, model }: JsonObject,
  choices: readonly object[],
  more: object = {},
): string {
  const own = { id: id ?? '', object, created: created ?? 0, model: model ?? '' }
  return JSON.stringify({ ...own, choices, ...more })
}
