/** What a provider says of a response that it keeps, by the route that asks for it. */
import type { JsonObject } from './places-in.ts'
import { canPlay, OUT_PLACES } from './places-out.ts'

/** Of one key only: other responses have one id, and several keys get it. */
export const STORED_ID = 'resp_0racle0000000000000000kept'

const list = (item: JsonObject, more: JsonObject = {}): JsonObject => ({
  object: 'list',
  data: [item],
  first_id: 'msg_1',
  last_id: 'msg_1',
  has_more: false,
  ...more,
})
const compaction = (item: JsonObject, more: JsonObject = {}): JsonObject => ({
  id: STORED_ID,
  object: 'response.compaction',
  created_at: 1,
  output: [item],
  usage: { input_tokens: 9, output_tokens: 9, total_tokens: 18 },
  ...more,
})
const HELLO: JsonObject = {
  id: 'msg_1',
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text: 'Hello' }],
}

/** Whole replies that are no response. */
export const LISTS: Readonly<Record<string, (text: string) => JsonObject>> = {
  'items-message': (text) => list({ ...HELLO, content: [{ type: 'input_text', text }] }),
  'items-output': (text) => list({ id: 'fco_1', type: 'function_call_output', call_id: 'call_1', output: text }),
  'items-arguments': (text) =>
    list({
      id: 'fc_1',
      type: 'function_call',
      call_id: 'call_1',
      name: 'f',
      arguments: JSON.stringify({ note: text }),
    }),
  'items-unknown': (text) => list({ id: 'x_1', type: 'x_item', x_note: { [text]: [text] } }),
  'items-vendor': (text) => list(HELLO, { x_note: { [text]: text } }),
  'compact-item': (text) => compaction({ id: 'cmp_1', type: 'compaction', encrypted_content: text }),
  'compact-message': (text) => compaction({ ...HELLO, content: [{ type: 'input_text', text }] }),
  'compact-output': (text) =>
    compaction({ id: 'fco_1', type: 'function_call_output', call_id: 'call_1', output: text }),
  'compact-vendor': (text) => compaction(HELLO, { x_note: { [text]: [text] } }),
  delete: (text) => ({ id: STORED_ID, object: 'response', deleted: true, x_note: text }),
}

/** Places of responses that can be read later, as a stream or as a whole. */
const readable = (isStream: boolean): string[] =>
  Object.entries(OUT_PLACES).flatMap(([name, place]) =>
    place.api === 'responses' && canPlay(place, isStream) ? [`get ${name}`] : [],
  )

const STREAMED = readable(true)
const WHOLE = [
  ...readable(false),
  ...readable(false).map((name) => name.replace('get', 'cancel')),
  ...Object.keys(LISTS),
]

export const storedPlaces = (isStream: boolean): readonly string[] => (isStream ? STREAMED : WHOLE)

/** The place of a response that a stored one has its text in; undefined if it is no response. */
export const placeOfStored = (place: string): string | undefined => /^(?:get|cancel) (.*)$/.exec(place)?.[1]
