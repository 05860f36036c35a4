/** The objects of the chat-completions API as providers write them, from one description for both reply forms. */

export interface ToolCallDescription {
  name: string
  /** JSON text; any text is sent as it is. */
  arguments: string
  /** Default `call_<choice>_<index>`. */
  id?: string
}

export interface ChoiceDescription {
  content?: string | null
  /** Sent as `reasoning_content`. */
  reasoning?: string
  refusal?: string
  toolCalls?: readonly ToolCallDescription[]
  /** Default `stop`, or `tool_calls` when there are any. */
  finish?: string
}

export interface ReplyDescription {
  /** Default `chatcmpl-1`. */
  id?: string
  /** Default `gpt-test`. */
  model?: string
  /** Seconds since 1970, default 1763676000. */
  created?: number
  choices: readonly ChoiceDescription[]
  /** Null leaves it out. Default 9 prompt and 3 completion tokens. */
  usage?: { prompt: number; completion: number } | null
}

/** A reply in short: a text is the content of one choice. */
export type Described = string | ReplyDescription

export interface ChunkOptions {
  /** How a text is cut into deltas. Default: word by word. */
  pieces?: (text: string) => readonly string[]
  /** As with `stream_options.include_usage`: a usage chunk last and `usage: null` in all others. Default false. */
  usage?: boolean
}

export type JsonObject = Record<string, unknown>

const described = (reply: Described): ReplyDescription =>
  typeof reply === 'string' ? { choices: [{ content: reply }] } : reply

const finishOf = (choice: ChoiceDescription): string => choice.finish ?? (choice.toolCalls ? 'tool_calls' : 'stop')

const callId = (call: ToolCallDescription, choice: number, index: number): string =>
  call.id ?? `call_${choice}_${index}`

function usageOf(reply: ReplyDescription): JsonObject | undefined {
  if (reply.usage === null) return undefined
  const { prompt, completion } = reply.usage ?? { prompt: 9, completion: 3 }
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}

/** Cuts a text into words, each with the space before it. */
export const words = (text: string): string[] => text.match(/\s*\S+|\s+$/gu) ?? []

/** Cuts a text into pieces of `size` code points. */
export const every =
  (size: number) =>
  (text: string): string[] => {
    const points = [...text]
    const pieces: string[] = []
    for (let at = 0; at < points.length; at += size) pieces.push(points.slice(at, at + size).join(''))
    return pieces
  }

/** A `chat.completion` object. */
export function completion(reply: Described): JsonObject {
  const d = described(reply)
  const usage = usageOf(d)
  return {
    id: d.id ?? 'chatcmpl-1',
    object: 'chat.completion',
    created: d.created ?? 1763676000,
    model: d.model ?? 'gpt-test',
    choices: d.choices.map((choice, index) => ({
      index,
      message: message(choice, index),
      logprobs: null,
      finish_reason: finishOf(choice),
    })),
    ...(usage && { usage }),
  }
}

function message(choice: ChoiceDescription, index: number): JsonObject {
  return {
    role: 'assistant',
    content: choice.content ?? null,
    refusal: choice.refusal ?? null,
    ...(choice.reasoning !== undefined && { reasoning_content: choice.reasoning }),
    ...(choice.toolCalls && {
      tool_calls: choice.toolCalls.map((call, at) => ({
        id: callId(call, index, at),
        type: 'function',
        function: { name: call.name, arguments: call.arguments },
      })),
    }),
  }
}

/** One `chat.completion.chunk` object with the given choices. */
export function chunk(choices: readonly JsonObject[], more: JsonObject = {}): JsonObject {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1763676000,
    model: 'gpt-test',
    choices,
    ...more,
  }
}

/** A chunk with one delta of one choice. */
export const delta = (part: JsonObject, index = 0, finish: string | null = null): JsonObject =>
  chunk([{ index, delta: part, logprobs: null, finish_reason: finish }])

/** The chunks of a streamed reply, without `[DONE]`. The deltas of several choices take turns. */
export function chunks(reply: Described, options: ChunkOptions = {}): JsonObject[] {
  const d = described(reply)
  const more: JsonObject = {
    id: d.id ?? 'chatcmpl-1',
    created: d.created ?? 1763676000,
    model: d.model ?? 'gpt-test',
    ...(options.usage && { usage: null }),
  }
  const tracks = d.choices.map((choice, index) => [...track(choice, index, options.pieces ?? words)])
  const out: JsonObject[] = []
  const longest = Math.max(0, ...tracks.map((one) => one.length))
  for (let turn = 0; turn < longest; turn += 1) {
    for (const one of tracks) {
      const choice = one[turn]
      if (choice) out.push(chunk([choice], more))
    }
  }
  const usage = usageOf(d)
  if (options.usage && usage) out.push(chunk([], { ...more, usage }))
  return out
}

function* track(choice: ChoiceDescription, index: number, pieces: (text: string) => readonly string[]) {
  const part = (delta: JsonObject, finish: string | null = null): JsonObject => ({
    index,
    delta,
    logprobs: null,
    finish_reason: finish,
  })
  yield part({ role: 'assistant', content: choice.toolCalls ? null : '', refusal: null })
  for (const text of pieces(choice.reasoning ?? '')) yield part({ reasoning_content: text })
  for (const text of pieces(choice.content ?? '')) yield part({ content: text })
  for (const text of pieces(choice.refusal ?? '')) yield part({ refusal: text })
  for (const [at, call] of (choice.toolCalls ?? []).entries()) {
    const head = { index: at, id: callId(call, index, at), type: 'function' }
    yield part({ tool_calls: [{ ...head, function: { name: call.name, arguments: '' } }] })
    for (const text of pieces(call.arguments))
      yield part({ tool_calls: [{ index: at, function: { arguments: text } }] })
  }
  yield part({}, finishOf(choice))
}

/** The event that Azure sends before the first delta. */
export const azurePreamble = (): JsonObject => ({
  id: '',
  object: '',
  created: 0,
  model: '',
  choices: [],
  prompt_filter_results: [{ prompt_index: 0, content_filter_results: { hate: { filtered: false, severity: 'safe' } } }],
})

/** An `{"error": …}` body with the four members of the API. */
export const errorBody = (message: string, type: string, code: string | null = null, param: string | null = null) => ({
  error: { message, type, param, code },
})

/** The body of `GET /v1/models`. */
export const modelList = (ids: readonly string[]): JsonObject => ({
  object: 'list',
  data: ids.map((id) => ({ id, object: 'model', created: 1763676000, owned_by: 'test' })),
})
