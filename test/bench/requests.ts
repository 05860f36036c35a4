/**
 * The requests of every measurement. No two of them are equal: a number that nobody sent before stands in each new message,
 * so that nothing is remembered that a real client would not send again.
 */
import { code, english, MODEL, sized } from './text.ts'

/**
 * `chat`: 2 KB, four messages. `stream`: the same, streamed. `responses`: and `messages`: the same texts in those
 * APIs. `agent`: a turn of a coding agent, 36 to 62 KB.
 */
export type RequestKind = 'chat' | 'stream' | 'responses' | 'messages' | 'agent'

/** Least body of each kind. */
export const REQUEST_BYTES: Readonly<Record<RequestKind, number>> = {
  chat: 2048,
  stream: 2048,
  responses: 2048,
  messages: 2048,
  agent: 36_000,
}

/** Becomes a number of the same length. */
const FRESH = '@@@@@@@@'

/** Bytes of one request, with places for the number. */
interface Template {
  readonly bytes: Buffer
  readonly places: readonly number[]
}

/** The requests of one connection, one conversation behind the other. */
export interface Conversation {
  /** The next request; valid until the next call. */
  next(): Buffer
}

let conversations = 0

/** Prepares requests of a kind for one gateway; each connection takes a conversation of its own. */
export function conversationsOf(kind: RequestKind, port: number, key: string): () => Conversation {
  const { path, bodies } = BODIES[kind]()
  const templates = bodies.map((body) => templateOf(port, key, path, body))
  return () => {
    let turn = templates.length
    let number = 0
    return {
      next() {
        if (turn >= templates.length) {
          turn = 0
          number = ++conversations
        }
        return filled(templates[turn++] as Template, number)
      },
    }
  }
}

function filled({ bytes, places }: Template, number: number): Buffer {
  const request = Buffer.from(bytes)
  const digits = String(number).padStart(FRESH.length, '0')
  for (const place of places) request.write(digits, place, 'latin1')
  return request
}

const rules = () => `You are a patient guide of hall ${FRESH}. ${english(280, 1)}`

/** Two earlier turns, and one question. */
const turns = (filler: string) => [
  { role: 'user', content: `In hall ${FRESH}: ${english(340, 2)}` },
  { role: 'assistant', content: `Hall ${FRESH}. ${english(400, 3)}` },
  { role: 'user', content: `Still in hall ${FRESH}: ${filler}` },
]

/** System message, two earlier turns, one question: all of it new. */
function chat(stream: boolean): Buffer {
  return sized(REQUEST_BYTES.chat, (filler) => ({
    model: MODEL,
    messages: [{ role: 'system', content: rules() }, ...turns(filler)],
    temperature: 0.7,
    ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  }))
}

/** The same texts; nothing is kept, so only the inspection differs. */
function responses(): Buffer {
  return sized(REQUEST_BYTES.responses, (filler) => ({
    model: MODEL,
    instructions: rules(),
    input: turns(filler),
    temperature: 0.7,
    store: false,
  }))
}

function messages(): Buffer {
  return sized(REQUEST_BYTES.messages, (filler) => ({
    model: MODEL,
    max_tokens: 1024,
    system: rules(),
    messages: turns(filler),
    temperature: 0.7,
  }))
}

const CHAT = '/v1/chat/completions'
const BODIES: Readonly<Record<RequestKind, () => { path: string; bodies: Buffer[] }>> = {
  chat: () => ({ path: CHAT, bodies: [chat(false)] }),
  stream: () => ({ path: CHAT, bodies: [chat(true)] }),
  responses: () => ({ path: '/v1/responses', bodies: [responses()] }),
  messages: () => ({ path: '/v1/messages', bodies: [messages()] }),
  agent: () => ({ path: CHAT, bodies: agentTurns() }),
}

const TURNS = 13

/** Tools, system prompt and the first messages of a project are the same in each conversation; each turn adds three messages. */
function agentTurns(): Buffer[] {
  const tools = Array.from({ length: 12 }, (_, i) => ({
    type: 'function',
    function: { name: `tool_${i}`, description: english(500, 20 + i), parameters: parametersOf(i) },
  }))
  const messages: object[] = [{ role: 'system', content: english(9000, 4) }]
  for (let i = 0; i < 5; i++) messages.push(...turnOf(i, 'shared'))
  return Array.from({ length: TURNS }, (_, turn) => {
    messages.push(...turnOf(5 + turn, FRESH))
    return Buffer.from(JSON.stringify({ model: MODEL, messages, tools, parallel_tool_calls: false }))
  })
}

function parametersOf(tool: number): object {
  const member = (n: number) => [`member_${n}`, { type: 'string', description: english(90, 40 + tool * 5 + n) }]
  return { type: 'object', properties: Object.fromEntries([0, 1, 2, 3, 4].map(member)), required: ['member_0'] }
}

/** What is asked, the call that the model makes, and what the tool gives. */
function turnOf(i: number, mark: string): object[] {
  const call = { path: `source/part_${i}_${mark}.ts`, find: english(60, 100 + i) }
  const id = `call_${i}`
  return [
    { role: 'user', content: `Step ${mark}: ${english(260, 200 + i)}` },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: `tool_${i % 12}`, arguments: JSON.stringify(call) } }],
    },
    { role: 'tool', tool_call_id: id, content: `// ${mark}\n${code(1400, 300 + i)}` },
  ]
}

/** A request as an SDK writes it, with the headers that come along. */
function templateOf(port: number, key: string, path: string, body: Buffer): Template {
  const head = [
    `POST ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    'accept: application/json',
    'content-type: application/json',
    'user-agent: OpenAI/JS 7.55.0',
    'x-stainless-retry-count: 0',
    'x-stainless-lang: js',
    'x-stainless-package-version: 7.55.0',
    'x-stainless-os: Linux',
    'x-stainless-arch: x64',
    'x-stainless-runtime: node',
    'x-stainless-runtime-version: v24.21.0',
    `authorization: Bearer ${key}`,
    'accept-encoding: identity',
    'connection: keep-alive',
    `content-length: ${body.length}`,
  ]
  const bytes = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body])
  const places: number[] = []
  for (let at = bytes.indexOf(FRESH); at >= 0; at = bytes.indexOf(FRESH, at + 1)) places.push(at)
  return { bytes, places }
}
