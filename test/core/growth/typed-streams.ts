/** Streams of Anthropic's messages and of responses, each of about a given size. */
import { VALUES } from './documents.ts'
import { count, fill, TEXT_SHAPES, textOf, times } from './texts.ts'

type Make = (size: number) => string

const event = (type: string, data: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
const cut = (text: string, length: number): string[] =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, i) => text.slice(i * length, (i + 1) * length))

/** Most that a stream may hold of tool calls, less what is around them. */
const TOOL_LIMIT = 1_000_000
const QUICK_TEXTS = TEXT_SHAPES.filter((shape) => ['plain', 'a finding on each word', 'line feeds'].includes(shape))
/** Arguments as JSON, as long as a stream may hold. */
const argumentsOf = (shape: string, size: number): string =>
  JSON.stringify(VALUES[shape]?.(Math.min(size / 20, TOOL_LIMIT / 2)))

const startMessage = event('message_start', {
  message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], usage: { input_tokens: 1 } },
})
const endMessage =
  event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }) +
  event('message_stop', {})
const message = (body: string): string => startMessage + body + endMessage
const block = (index: number, start: object, deltas: readonly object[]): string =>
  event('content_block_start', { index, content_block: start }) +
  deltas.map((delta) => event('content_block_delta', { index, delta })).join('') +
  event('content_block_stop', { index })
const textBlock = (text: string, length: number, index = 0): string =>
  block(
    index,
    { type: 'text', text: '' },
    cut(text, length).map((piece) => ({ type: 'text_delta', text: piece })),
  )
const toolBlock = (text: string, length: number, index = 0): string =>
  block(
    index,
    { type: 'tool_use', id: `toolu_${index}`, name: 'f', input: {} },
    cut(text, length).map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
  )

export const MESSAGE_STREAMS: Readonly<Record<string, Make>> = {
  ...Object.fromEntries(
    QUICK_TEXTS.flatMap((shape) => [
      [`${shape}, by words`, (size: number) => message(textBlock(textOf(shape, size / 18), 6))],
      [`${shape}, at once`, (size: number) => message(textBlock(textOf(shape, size), size))],
    ]),
  ),
  ...Object.fromEntries(
    ['decimals', 'findings as keys', 'findings as values'].map((shape) => [
      `${shape} in fragments`,
      (size: number) => message(toolBlock(argumentsOf(shape, size), 8)),
    ]),
  ),
  'many blocks': (size) => message(times(size, 330, (i) => textBlock(`to jo${i}@example.org `, 99, i))),
  'many tools': (size) => message(times(size, 360, (i) => toolBlock(`{"a":"${i}"}`, 99, i))),
  'members of one delta': (size) =>
    message(
      block(0, { type: 'text', text: '' }, [
        Object.fromEntries([
          ['type', 'text_delta'],
          ...Array.from({ length: count(size, 30) }, (_, i) => [`field_${i}`, 'word ']),
        ]),
      ]),
    ),
  'a list of results': (size) =>
    message(
      block(
        0,
        {
          type: 'web_search_tool_result',
          tool_use_id: 'srvtoolu_1',
          content: Array.from({ length: count(size, 110) }, (_, i) => ({
            type: 'web_search_result',
            url: `https://example.org/${i}`,
            title: `Result ${i}`,
            encrypted_content: 'abc',
          })),
        },
        [],
      ),
    ),
  pings: (size) => message(times(size, 35, () => event('ping', {}))),
}

const RESPONSE = { id: 'resp_1', object: 'response', created_at: 1, model: 'm', status: 'in_progress', output: [] }
type Told = readonly [events: string, output: object]
const response = (items: readonly Told[]): string =>
  event('response.created', { response: RESPONSE }) +
  items.map(([events]) => events).join('') +
  event('response.completed', {
    response: { ...RESPONSE, status: 'completed', output: items.map(([, output]) => output) },
  })

/** A text, told in pieces and then three times as a whole. */
function textItem(text: string, length: number, at = 0): Told {
  const id = `msg_${at}`
  const place = { item_id: id, output_index: at, content_index: 0 }
  const part = (said: string) => ({ type: 'output_text', text: said, annotations: [] })
  const item = (content: readonly object[]) => ({ id, type: 'message', role: 'assistant', content })
  const events = [
    event('response.output_item.added', { output_index: at, item: item([]) }),
    event('response.content_part.added', { ...place, part: part('') }),
    ...cut(text, length).map((delta) => event('response.output_text.delta', { ...place, delta })),
    event('response.output_text.done', { ...place, text }),
    event('response.content_part.done', { ...place, part: part(text) }),
    event('response.output_item.done', { output_index: at, item: item([part(text)]) }),
  ]
  return [events.join(''), item([part(text)])]
}

function callItem(text: string, length: number, at = 0): Told {
  const id = `fc_${at}`
  const place = { item_id: id, output_index: at }
  const item = { id, type: 'function_call', call_id: `call_${at}`, name: 'f' }
  const events = [
    event('response.output_item.added', { output_index: at, item: { ...item, arguments: '' } }),
    ...cut(text, length).map((delta) => event('response.function_call_arguments.delta', { ...place, delta })),
    event('response.function_call_arguments.done', { ...place, arguments: text }),
    event('response.output_item.done', { output_index: at, item: { ...item, arguments: text } }),
  ]
  return [events.join(''), { ...item, arguments: text }]
}

const searched = (size: number): Told => {
  const item = {
    id: 'fs_1',
    type: 'file_search_call',
    status: 'completed',
    queries: ['q'],
    results: Array.from({ length: count(size, 260) }, (_, i) => ({
      file_id: `file-${i}`,
      filename: `report ${i}.txt`,
      score: 0.5,
      attributes: { author: `writer ${i}` },
      text: `to jo${i}@example.org`,
    })),
  }
  return [event('response.output_item.done', { output_index: 0, item }), item]
}

export const RESPONSE_STREAMS: Readonly<Record<string, Make>> = {
  ...Object.fromEntries(
    QUICK_TEXTS.flatMap((shape) => [
      [`${shape}, by words`, (size: number) => response([textItem(textOf(shape, size / 24), 6)])],
      [`${shape}, at once`, (size: number) => response([textItem(textOf(shape, size / 5), size)])],
    ]),
  ),
  ...Object.fromEntries(
    ['decimals', 'findings as keys', 'findings as values'].map((shape) => [
      `${shape} in fragments`,
      (size: number) => response([callItem(argumentsOf(shape, size), 8)]),
    ]),
  ),
  'many items': (size) =>
    response(Array.from({ length: count(size, 1100) }, (_, i) => textItem(`to jo${i}@example.org `, 99, i))),
  'many calls': (size) => response(Array.from({ length: count(size, 700) }, (_, i) => callItem(`{"a":"${i}"}`, 99, i))),
  'members of one delta': (size) =>
    event('response.created', { response: RESPONSE }) +
    event('response.output_text.delta', {
      output_index: 0,
      content_index: 0,
      delta: 'a',
      ...Object.fromEntries(Array.from({ length: count(size, 30) }, (_, i) => [`field_${i}`, 'word '])),
    }) +
    event('response.completed', { response: { ...RESPONSE, status: 'completed' } }),
  'results of a search': (size) => response([searched(size)]),
  metadata: (size) =>
    event('response.created', {
      response: {
        ...RESPONSE,
        metadata: Object.fromEntries(Array.from({ length: count(size, 30) }, (_, i) => [`key_${i}`, `value ${i}`])),
      },
    }) + event('response.completed', { response: { ...RESPONSE, status: 'completed' } }),
  'keep-alives': (size) =>
    event('response.created', { response: RESPONSE }) +
    times(size, 50, () => event('keepalive', {})) +
    event('response.completed', { response: { ...RESPONSE, status: 'completed' } }),
  padding: (size) =>
    event('response.created', { response: RESPONSE }) +
    times(size, 300, () =>
      event('response.output_text.delta', {
        output_index: 0,
        content_index: 0,
        delta: 'a ',
        obfuscation: fill('aB3', 100),
      }),
    ) +
    event('response.completed', { response: { ...RESPONSE, status: 'completed' } }),
}
