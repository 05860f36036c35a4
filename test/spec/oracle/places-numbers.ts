/** Where a value is a number of JSON: alone, or as groups of digits in a list. */
import type { InPlace, JsonObject } from './places-in.ts'
import type { OutPlace } from './places-out.ts'
import type { Growing } from './places-out-responses.ts'

/** The digits of a text as a JSON number has them; of a value that a carrier repeats, one copy. */
export const digitsOf = (text: string): string =>
  text
    .replace(/\D/g, '')
    .replace(/^(\d{12,}?)\1+$/, '$1')
    .replace(/^0+/, '')

const digits = (text: string): string => digitsOf(text).slice(0, 30) || '1'
const alone = (text: string): string => `{"id": 7, "n": ${digits(text)}, "ok": true}`
const listed = (text: string): string => `{"rows": [{"n": [${digits(text)}]}]}`
/** Without the name of a card, what has a fraction is a sum. */
const signed = (text: string): string => `{"card":-${digits(text)}.00}`
/** Groups that begin with a zero are no numbers. Without the name of a card they are no card, in prose neither. */
const grouped = (text: string): string =>
  JSON.stringify({ card: (digits(text).match(/.{1,4}/g) ?? []).map((one) => (/^0\d/.test(one) ? one : Number(one))) })

const FORMS = { number: alone, 'number-listed': listed, 'number-signed': signed, 'number-groups': grouped }

const delta = (member: string, wrap: (text: string) => string): OutPlace => ({
  wrap,
  stream: (piece) => ({ delta: { [member]: piece } }),
  whole: (text) => ({ delta: { [member]: text } }),
})
const call = (args: string, at: number): JsonObject => ({
  index: 0,
  ...(at === 0 && { id: 'call_1', type: 'function' }),
  function: { ...(at === 0 && { name: 'save' }), arguments: args },
})
const TOOL = { type: 'tool_use', id: 'toolu_1', name: 'save' }
const block = (start: JsonObject, member: string, type: string, wrap: (text: string) => string): OutPlace => ({
  api: 'messages',
  wrap,
  message: {
    beats: (parts) => [{ start, deltas: parts.map((piece) => ({ type, [member]: piece })) }],
    whole: (text) => ({
      content: [start.type === 'text' ? { type: 'text', text } : { ...TOOL, input: JSON.parse(text) }],
    }),
  },
})

type Tell = (growing: Growing, wrap: (text: string) => string) => OutPlace

/** By their names, which end with the form of the number. Groups stand in arguments alone: a text of groups is prose. */
export function numbersOut(tell: Tell, TEXT: Growing, ARGUMENTS: Growing): Readonly<Record<string, OutPlace>> {
  return Object.fromEntries(
    Object.entries(FORMS).flatMap(([form, wrap]): [string, OutPlace][] => [
      [
        `tool-arguments-${form}`,
        {
          wrap,
          stream: (piece, at) => ({ delta: { tool_calls: [call(piece, at)] } }),
          whole: (text) => ({ delta: { content: null, tool_calls: [call(text, 0)] } }),
        },
      ],
      [`messages-tool-input-${form}`, block({ ...TOOL, input: {} }, 'partial_json', 'input_json_delta', wrap)],
      [`responses-arguments-${form}`, tell(ARGUMENTS, wrap)],
      ...(form === 'number-groups'
        ? []
        : ([
            [`content-${form}`, delta('content', wrap)],
            [`messages-text-${form}`, block({ type: 'text', text: '' }, 'text', 'text_delta', wrap)],
            [`responses-text-${form}`, tell(TEXT, wrap)],
          ] as [string, OutPlace][])),
    ]),
  )
}

const chat = (...messages: JsonObject[]): JsonObject => ({ model: 'gpt-test', messages })
const hello: JsonObject = { role: 'user', content: 'Hello there' }

export const NUMBERS_IN: Readonly<Record<string, InPlace>> = Object.fromEntries(
  Object.entries(FORMS).flatMap(([form, wrap]): [string, InPlace][] => [
    [
      `tool-arguments-${form}`,
      {
        put: (text) =>
          chat(
            hello,
            { role: 'assistant', content: null, tool_calls: [{ ...call(wrap(text), 0), index: null }] },
            { role: 'tool', tool_call_id: 'call_1', content: 'ok' },
          ),
      },
    ],
    [
      `messages-tool-input-${form}`,
      {
        api: 'messages',
        put: (text) => ({
          ...chat(
            hello,
            { role: 'assistant', content: [{ ...TOOL, input: JSON.parse(wrap(text)) }] },
            { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }] },
          ),
          max_tokens: 100,
        }),
      },
    ],
    [
      `responses-arguments-${form}`,
      {
        api: 'responses',
        put: (text) => ({
          model: 'gpt-test',
          input: [hello, { type: 'function_call', call_id: 'call_1', name: 'save', arguments: wrap(text) }],
        }),
      },
    ],
  ]),
)

/** Places where only the digits of a text are left. */
export const isNumber = (place: string): boolean => /-number(?:-\w+)?$/.test(place)
