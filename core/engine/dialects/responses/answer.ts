import type { Answer } from '../../contract/plugin.ts'
import type { OwnReply } from '../dialect.ts'
import { frameOf } from './wire.ts'

const USAGE = {
  input_tokens: 0,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 0,
}

/** Answers with one text, in the form that the client requested; usage is zero. */
export function responseAnswer(reply: OwnReply): Answer {
  const { id, content, stream } = reply
  const item = outputItem(id, content)
  const [part] = item.content
  const whole = { ...responseOf(reply), status: 'completed', output: [item], usage: USAGE }
  const body = stream
    ? streamed({ ...responseOf(reply), status: 'in_progress' }, item, part, whole)
    : JSON.stringify(whole)
  return { answer: { contentType: stream ? 'text/event-stream' : 'application/json', body: Buffer.from(body) } }
}

export const jsonAnswer = (body: object): Answer => ({
  answer: { contentType: 'application/json', body: Buffer.from(JSON.stringify(body)) },
})

export const compactAnswer = ({ id, content }: OwnReply): Answer =>
  jsonAnswer({
    id: `resp_${id}`,
    object: 'response.compaction',
    created_at: Math.floor(Date.now() / 1000),
    output: [outputItem(id, content)],
    usage: USAGE,
  })

/** A message with one text. */
export function outputItem(id: string, text: string): Item {
  const part = { type: 'output_text', annotations: [], logprobs: [], text }
  return { id: `msg_${id}`, type: 'message', status: 'completed', role: 'assistant', content: [part] }
}

const responseOf = ({ id, model }: OwnReply) => ({
  id: `resp_${id}`,
  object: 'response',
  created_at: Math.floor(Date.now() / 1000),
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  model,
  output: [] as object[],
  parallel_tool_calls: true,
  tool_choice: 'auto',
  tools: [],
  usage: null,
})

interface Item {
  readonly id: string
  readonly type: string
  readonly status: string
  readonly role: string
  readonly content: readonly [Part]
}
interface Part {
  readonly text: string
}

function streamed(opened: object, item: Item, part: Part, whole: object): string {
  const inItem = { item_id: item.id, output_index: 0 }
  const inPart = { ...inItem, content_index: 0 }
  const { text } = part
  const events: object[] = [
    { type: 'response.created', response: opened },
    { type: 'response.in_progress', response: opened },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', content: [] } },
    { type: 'response.content_part.added', ...inPart, part: { ...part, text: '' } },
    { type: 'response.output_text.delta', ...inPart, delta: text, logprobs: [] },
    { type: 'response.output_text.done', ...inPart, text, logprobs: [] },
    { type: 'response.content_part.done', ...inPart, part },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: whole },
  ]
  return events.map((event, i) => frameOf({ ...event, sequence_number: i })).join('')
}
