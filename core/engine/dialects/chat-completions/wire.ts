import type { Usage } from '../../contract/plugin.ts'
import type { JsonObject } from '../../json/strict.ts'

/** What the gateway itself writes into a stream, by the rules of the Server-Sent Events format and the SDKs' readers. */
export const DONE = 'data: [DONE]\n\n'

/** One event is one `data:` line: a line break within JSON is white space, so it may become a space. */
export const frame = (payload: string): string =>
  `data: ${payload.includes('\n') ? payload.replace(/[\r\n]+/g, ' ') : payload}\n\n`

/** An `error` event: `message` is never empty and `choices` never beside it, or some clients overlook it. */
export const errorFrame = (body: object): string => frame(JSON.stringify(body))

/** A chunk without text that ends a choice, in the envelope of the stream. */
export const finishChunk = (envelope: JsonObject, choice: number, reason: string): string =>
  chunk(envelope, [{ index: choice, delta: {}, finish_reason: reason }])

/**
 * A chunk that says nothing of its own. It speaks of a choice that went on, where there is one: readers that people wrote
 * by hand often take for granted that there is.
 */
export const bareChunk = (envelope: JsonObject, choice: number | undefined): string =>
  chunk(envelope, choice === undefined ? [] : [{ index: choice, delta: {}, finish_reason: null }])

/** The chunk that `stream_options.include_usage` asks for. */
export function usageChunk(envelope: JsonObject, { prompt, completion }: Usage): string {
  const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
  return chunk(envelope, [], { usage })
}

function chunk({ id, created, model }: JsonObject, choices: readonly object[], more: object = {}): string {
  const own = { id: id ?? '', object: 'chat.completion.chunk', created: created ?? 0, model: model ?? '' }
  return JSON.stringify({ ...own, choices, ...more })
}
