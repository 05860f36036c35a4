/** Members of events of a response that most clients replace, and some join: a piece in each event. */
import { type JsonObject, numbered } from './places-in.ts'
import { type Growing, type Place, probabilities, tell } from './places-out-responses.ts'

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
    'effort-grows': replaced((effort) => ({ type: 'response.in_progress', response: { id: 'resp_1', object: 'response', output: [], reasoning: { effort } } })),
    'conversation-grows': replaced((id) => ({ type: 'response.in_progress', response: { id: 'resp_1', object: 'response', output: [], conversation: { id } } })),
    'part-type-grows': replaced((type) => ({ type: 'response.content_part.added', item_id: 'msg_9', output_index: 1, content_index: 0, part: { type } })),
    'annotation-type-grows': replaced((type) => ({ type: 'response.output_text.annotation.added', output_index: 0, content_index: 0, annotation_index: 0, annotation: { type } })),
    'picture-grows': replaced((partial_image_b64) => ({ type: 'response.image_generation_call.partial_image', item_id: 'ig_9', output_index: 1, partial_image_index: 0, partial_image_b64 })),
    'audio-grows': replaced((delta) => ({ type: 'response.audio.delta', delta })),
  }
}

/** Texts beside which others stand: of two items whose events take turns, with numbers among them, or with tokens for some. */
export function inTurns(text: Growing): Readonly<Record<string, Place>> {
  const ofOnePlace = (type: string, at: JsonObject): Place => ({
    turns: true,
    events: (parts) =>
      parts.flatMap((piece) => [
        { type, item_id: 'it_1', ...at, delta: piece },
        { type, item_id: 'it_2', ...at, delta: 'aside ' },
      ]),
    isStreamOnly: true,
  })
  const turns = (event: (piece: string) => JsonObject): Place => ({
    events: (parts) => [
      ...tell(text, ['Fine']),
      ...parts.flatMap((piece) => [
        { ...event(piece), output_index: 1 },
        { ...event('aside '), output_index: 2 },
      ]),
    ],
    isStreamOnly: true,
  })
  const aside = ' aside '
  // Behind a backslash it would make another escape of `\\n`.
  const withAside = (piece: string): string[] => (piece.endsWith('\\') ? [piece] : [piece, aside])
  return {
    'logprobs-gap': {
      replaced: true,
      events: (parts) =>
        tell(text, parts.flatMap(withAside)).map((event) => {
          const { type, delta } = event
          const isPiece = type === 'response.output_text.delta' && delta !== aside
          return isPiece ? { ...event, logprobs: probabilities(delta as string) } : event
        }),
      isStreamOnly: true,
    },
    'text-turns': ofOnePlace('response.output_text.delta', {}),
    'text-turns-indexed': ofOnePlace('response.output_text.delta', { output_index: 0, content_index: 0 }),
    'arguments-turns': ofOnePlace('response.function_call_arguments.delta', { output_index: 0 }),
    'event-unknown-turns': turns((delta) => ({ type: 'response.note.delta', delta })),
    'event-unknown-numbers': {
      events: (parts) => [
        ...tell(text, ['Fine']),
        ...parts.map((piece, at) => ({ type: 'response.note.delta', delta: numbered(piece, at) })),
      ],
      isStreamOnly: true,
    },
    'event-vendor-turns': turns((x_note) => ({ type: 'response.function_call_arguments.delta', delta: '', x_note })),
  }
}
