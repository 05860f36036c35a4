/** One shape for what a client saw, be it a JSON reply or a stream. */

export interface SeenChoice {
  content: string
  reasoning: string
  refusal: string
  toolCalls: { id: string; name: string; arguments: string }[]
  finish: string | null
}

export interface Seen {
  status: number
  choices: SeenChoice[]
  /** The governance object, wherever it stood. */
  service: Record<string, unknown> | undefined
  error: Record<string, unknown> | undefined
  usage: Record<string, unknown> | undefined
  /** A whole JSON body, or a stream that ended with `[DONE]`. */
  done: boolean
  /** All that came, as text. */
  raw: string
}

interface Delta {
  content?: string | null
  reasoning_content?: string | null
  refusal?: string | null
  tool_calls?: { index?: number; id?: string; function?: { name?: string; arguments?: string } }[]
}

interface Body {
  choices?: { index: number; message?: Delta; delta?: Delta; finish_reason: string | null }[]
  service?: Record<string, unknown>
  error?: Record<string, unknown>
  usage?: Record<string, unknown> | null
}

const empty = (status: number, raw: string): Seen => ({
  status,
  choices: [],
  service: undefined,
  error: undefined,
  usage: undefined,
  done: false,
  raw,
})

/** Reads a JSON reply. */
export function seenJson(status: number, raw: string): Seen {
  const seen = empty(status, raw)
  take(seen, JSON.parse(raw) as Body)
  seen.done = true
  return seen
}

/** Reads the payloads of a stream, also of one that was cut. */
export function seenStream(status: number, payloads: readonly string[]): Seen {
  const seen = empty(status, payloads.join('\n'))
  for (const payload of payloads) {
    if (payload === '[DONE]') seen.done = true
    else take(seen, JSON.parse(payload) as Body)
  }
  return seen
}

function take(seen: Seen, body: Body): void {
  seen.service = body.service ?? seen.service
  seen.error = body.error ?? seen.error
  seen.usage = body.usage ?? seen.usage
  for (const { index, message, delta, finish_reason } of body.choices ?? []) {
    seen.choices[index] ??= { content: '', reasoning: '', refusal: '', toolCalls: [], finish: null }
    const choice = seen.choices[index]
    add(choice, message ?? delta ?? {})
    choice.finish = finish_reason ?? choice.finish
  }
}

function add(choice: SeenChoice, part: Delta): void {
  choice.content += part.content ?? ''
  choice.reasoning += part.reasoning_content ?? ''
  choice.refusal += part.refusal ?? ''
  for (const [at, call] of (part.tool_calls ?? []).entries()) {
    const index = call.index ?? at
    choice.toolCalls[index] ??= { id: '', name: '', arguments: '' }
    const whole = choice.toolCalls[index]
    whole.id += call.id ?? ''
    whole.name += call.function?.name ?? ''
    whole.arguments += call.function?.arguments ?? ''
  }
}
