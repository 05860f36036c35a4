/** Members of events of a response that most clients replace, and some join: a piece in each event. */
import type { JsonObject } from './places-in.ts'
import { type Growing, type Place, tell } from './places-out-responses.ts'

export function replacedPlaces(text: Growing): Readonly<Record<string, Place>> {
  const replaced = (event: (piece: string) => JsonObject): Place => ({
    replaced: true,
    events: (parts) => [...tell(text, ['Fine']), ...parts.map(event)],
    isStreamOnly: true,
  })
  // biome-ignore format: a table reads best with one entry in a line.
  return {
    'model-grows': replaced((model) => ({ type: 'response.in_progress', response: { id: 'resp_1', object: 'response', output: [], model } })),
    'usage-grows': replaced((note) => ({ type: 'response.in_progress', response: { id: 'resp_1', object: 'response', output: [], usage: { input_tokens: 1, note } } })),
    'item-id-grows': replaced((item_id) => ({ type: 'response.web_search_call.searching', output_index: 1, item_id })),
    'audio-grows': replaced((delta) => ({ type: 'response.audio.delta', delta })),
  }
}
