import type { Channel } from '../../contract/plugin.ts'
import type { JsonObject, Path } from '../../json/strict.ts'

/** What a kind of delta extends, and what repeats it. */
export interface DeltaKind {
  readonly channel: Channel
  /** Calls are held until their item is whole. */
  readonly isCall: boolean
  /** Name of the growing text. Texts that clients show as one have the same name. */
  field(event: JsonObject): string
  /** Place of the text in its item. */
  place(event: JsonObject): Path
  /** The member of the event that ends the text. */
  readonly whole: string
}

/** Some events leave it out. */
function index(event: JsonObject, name: string): number {
  const at = event[name] ?? 0
  if (typeof at !== 'number' || !Number.isSafeInteger(at) || at < 0)
    throw new RangeError('An index is no whole number.')
  return at
}
const content = (event: JsonObject): number => index(event, 'content_index')

const text = (channel: Channel, field: string, whole: string, place: DeltaKind['place']): DeltaKind => ({
  channel,
  isCall: false,
  field: () => field,
  place,
  whole,
})

const call = (whole: string, place: DeltaKind['place']): DeltaKind => ({
  channel: 'tool_arguments',
  isCall: true,
  field: () => '',
  place,
  whole,
})

const JSON_TEXT = call('arguments', () => ['arguments'])

/** By the type of the event, without `.delta` and `.done`. */
const KINDS: ReadonlyMap<string, DeltaKind> = new Map<string, DeltaKind>([
  ['response.output_text', text('content', 'content', 'text', (event) => ['content', content(event), 'text'])],
  // Some clients show a refusal as text, after the others.
  ['response.refusal', text('refusal', 'content', 'refusal', (event) => ['content', content(event), 'refusal'])],
  ['response.reasoning_text', text('reasoning', 'reasoning', 'text', (event) => ['content', content(event), 'text'])],
  [
    'response.reasoning_summary_text',
    text('reasoning', 'summary', 'text', (event) => ['summary', index(event, 'summary_index'), 'text']),
  ],
  ['response.audio.transcript', text('transcript', 'transcript', 'transcript', () => ['transcript'])],
  ['response.function_call_arguments', JSON_TEXT],
  ['response.mcp_call_arguments', JSON_TEXT],
  ['response.custom_tool_call_input', call('input', () => ['input'])],
  ['response.apply_patch_call_operation_diff', call('diff', () => ['operation', 'diff'])],
  ['response.shell_call_command', call('command', (event) => ['action', 'commands', index(event, 'command_index')])],
  [
    'response.code_interpreter_call_code',
    {
      ...text('tool_arguments', '', 'code', () => ['code']),
      field: (event) => `code.${index(event, 'output_index')}`,
    },
  ],
  [
    'response.shell_call_output_content',
    {
      ...text('tool_result', '', 'output', (event) => ['output', index(event, 'command_index')]),
      field: (event) => `output.${index(event, 'output_index')}.${index(event, 'command_index')}`,
    },
  ],
])

/** Texts of an item that grow with it: the same names as those of their deltas. */
export function fieldOf(channel: Channel, place: Path): string | undefined {
  const [list, , name] = place
  if (place.length !== 3) return undefined
  if (list === 'content' && name === 'text') return channel === 'content' ? 'content' : 'reasoning'
  if (list === 'content' && name === 'refusal') return 'content'
  return list === 'summary' && name === 'text' ? 'summary' : undefined
}

const IN_CALLS = new Set(
  [...KINDS.values()].filter(({ isCall }) => isCall).map(({ place }) => generalised(place({}).join('.'))),
)

/** Whether deltas may add to the text at this place of a call, written with dots. */
export const growsInCall = (place: string): boolean => IN_CALLS.has(generalised(place))

/** Lists have texts of one kind. */
function generalised(place: string): string {
  return place.replace(/\.\d+$/, '.0')
}

const ENDS = /\.(delta|done|added)$/

/** The kind of an event that adds to a text, or repeats it. */
export function kindOf(type: string): { readonly kind: DeltaKind; readonly end: string } | undefined {
  const end = ENDS.exec(type)?.[1]
  const kind = end === undefined ? undefined : KINDS.get(type.slice(0, -end.length - 1))
  return kind === undefined || end === undefined ? undefined : { kind, end }
}

export const outputIndex = (event: JsonObject): number => index(event, 'output_index')

/** Name of a part of a text. Without an index, clients identify parts by the ids of their items. */
export const partOf = ({ output_index: at, item_id: item = null }: JsonObject, place: string): string =>
  typeof at === 'number' ? place : `${place}\0${JSON.stringify(item)}`

const INDEXES = ['content_index', 'summary_index', 'command_index', 'annotation_index'] as const

/** Names the place of an event's texts: its item, by index or else by id, and its part. */
export function placeOf(event: JsonObject): string {
  const { output_index: at, item_id: item } = event
  const parts = INDEXES.map((name) => (typeof event[name] === 'number' ? event[name] : ''))
  return `${typeof at === 'number' ? at : typeof item === 'string' ? `#${item}` : ''}/${parts.join('/')}`
}
