/** A client of the test gateway: sends one request and assembles the reply like an SDK. */
import { type IncomingHttpHeaders, type IncomingMessage, request as open } from 'node:http'
import { createParser } from 'eventsource-parser'

export type JsonObject = Record<string, unknown>

/** One choice of a complete reply. */
export interface AssembledChoice {
  content: string
  reasoning: string
  refusal: string
  toolCalls: { id: string | undefined; name: string; arguments: string }[]
  finish: string | undefined
}

export interface Assembled {
  /** 0 if the client left before the response head. */
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly choices: AssembledChoice[]
  /** The `error` member, of the body or of an event. */
  error: JsonObject | undefined
  service: JsonObject | undefined
  usage: JsonObject | undefined
  /** Whether the reply ended completely: a JSON body, or a stream with `[DONE]`. */
  done: boolean
}

export interface Sending {
  readonly reply: Promise<Assembled>
  /** Closes the connection and keeps what was read. */
  leave(): void
}

/** Sends a JSON body on a new connection. */
export function send(url: string, headers: Readonly<Record<string, string>>, body: string | undefined): Sending {
  const { promise, resolve, reject } = Promise.withResolvers<Assembled>()
  const request = open(url, {
    agent: false,
    method: body === undefined ? 'GET' : 'POST',
    headers: body === undefined ? headers : { 'content-length': String(Buffer.byteLength(body)), ...headers },
  })
  let left = false
  request.once('response', (message) => read(message).then(resolve, reject))
  request.on('error', (error) => {
    if (left) resolve(assembled(0, {}))
    else reject(error)
  })
  request.end(body)
  return {
    reply: promise,
    leave: () => {
      left = true
      request.destroy()
    },
  }
}

export interface JsonReply {
  readonly status: number
  readonly body: JsonObject
}

/** Calls a JSON route on a new connection. */
export function call(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<JsonReply> {
  const text = body === undefined ? '' : JSON.stringify(body)
  const more =
    text === '' ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }
  return new Promise((resolve, reject) => {
    const request = open(url, { agent: false, method, headers: { ...more, ...headers } })
    request.once('error', reject)
    request.once('response', (message) => {
      const chunks: Buffer[] = []
      message.on('data', (chunk: Buffer) => chunks.push(chunk))
      message.once('error', reject)
      message.once('end', () => {
        resolve({ status: message.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) as JsonObject })
      })
    })
    request.end(text)
  })
}

const assembled = (status: number, headers: IncomingHttpHeaders): Assembled => ({
  status,
  headers,
  choices: [],
  error: undefined,
  service: undefined,
  usage: undefined,
  done: false,
})

async function read(message: IncomingMessage): Promise<Assembled> {
  const reply = assembled(message.statusCode ?? 0, message.headers)
  const streamed = message.headers['content-type']?.startsWith('text/event-stream') === true
  const parser = createParser({ onEvent: ({ data }) => takeEvent(reply, data) })
  const decoder = new TextDecoder()
  let body = ''
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      const text = decoder.decode(chunk, { stream: true })
      if (streamed) parser.feed(text)
      else body += text
    }
  } catch {
    return reply // Cut: what was read so far is what a client has.
  }
  if (!streamed) takeBody(reply, body)
  return reply
}

function takeBody(reply: Assembled, body: string): void {
  const tree = JSON.parse(body) as JsonObject
  takeEnvelope(reply, tree)
  for (const choice of listOf(tree.choices)) grow(reply, choice, choice.message as JsonObject | undefined)
  reply.done = true
}

function takeEvent(reply: Assembled, data: string): void {
  if (reply.done) throw new Error('The gateway sent an event after [DONE].')
  if (data === '[DONE]') {
    reply.done = true
    return
  }
  const tree = JSON.parse(data) as JsonObject
  takeEnvelope(reply, tree)
  for (const choice of listOf(tree.choices)) grow(reply, choice, choice.delta as JsonObject | undefined)
}

function takeEnvelope(reply: Assembled, tree: JsonObject): void {
  if (tree.error !== undefined) reply.error = tree.error as JsonObject
  if (tree.service !== undefined) reply.service = tree.service as JsonObject
  if (tree.usage !== undefined && tree.usage !== null) reply.usage = tree.usage as JsonObject
}

const listOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? (value as JsonObject[]) : [])
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function grow(reply: Assembled, choice: JsonObject, part: JsonObject | undefined): void {
  const index = typeof choice.index === 'number' ? choice.index : 0
  reply.choices[index] ??= { content: '', reasoning: '', refusal: '', toolCalls: [], finish: undefined }
  const known = reply.choices[index]
  if (typeof choice.finish_reason === 'string') known.finish = choice.finish_reason
  if (part === undefined) return
  known.content += textOf(part.content)
  known.reasoning += textOf(part.reasoning_content) + textOf(part.reasoning)
  known.refusal += textOf(part.refusal)
  for (const [position, call] of listOf(part.tool_calls).entries()) growCall(known, call, position)
}

function growCall(choice: AssembledChoice, call: JsonObject, position: number): void {
  const at = typeof call.index === 'number' ? call.index : position
  choice.toolCalls[at] ??= { id: undefined, name: '', arguments: '' }
  const known = choice.toolCalls[at]
  const called = (call.function ?? call.custom ?? {}) as JsonObject
  if (typeof call.id === 'string') known.id = call.id
  known.name += textOf(called.name)
  known.arguments += textOf(called.arguments) + textOf(called.input)
}
