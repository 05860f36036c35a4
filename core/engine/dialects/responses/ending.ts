import type { Usage } from '../../contract/plugin.ts'
import { isObject } from '../../json/fields.ts'
import { parseJson } from '../../json/read.ts'
import { splice } from '../../json/splice.ts'
import type { JsonObject } from '../../json/strict.ts'
import type { StreamWants } from '../stream.ts'
import type { ResponsesEvent } from './event.ts'
import type { StreamedText } from './streamed-text.ts'
import { DONE, frame, frameOf } from './wire.ts'

/** The body of an error. */
interface ErrorBody {
  readonly error: { readonly code?: string | null; readonly message: string; readonly param?: string | null }
  readonly service?: object
}

/** An item as it was sent, and its texts. */
interface Shown {
  /** The last event that had it. */
  payload: string
  isWhole: boolean
  /** Texts of its parts, by place. */
  readonly texts: Map<string, StreamedText>
}

/**
 * The last events of a stream. The content of `service` is known only after settlement, so the terminal event waits for
 * it. If the gateway ends the stream, the response shows what was released.
 */
export class StreamEnding {
  readonly #governs: boolean
  /** The last event with the response, as sent. */
  #envelope: string | undefined = undefined
  readonly #items = new Map<number, Shown>()
  #last: string | undefined = undefined
  #members: readonly string[] = []
  /** The last event that was sent. */
  #sent = ''
  #sawDone = false

  constructor({ governs }: StreamWants) {
    this.#governs = governs
  }

  noteDone(): void {
    this.#sawDone = true
  }

  /** Before the response is known, only a comment: clients expect its event first. */
  get keepAlive(): string {
    if (this.#envelope === undefined) return ': keep-alive\n\n'
    return frameOf({ type: 'keepalive', sequence_number: this.#number })
  }

  keep(payload: string, event: ResponsesEvent, finishes: boolean): string {
    if (!this.#governs) return frame(payload)
    if (finishes) {
      this.#last = payload
      this.#members = Object.keys(event.tree)
      return ''
    }
    this.#sent = payload
    if (payload === event.payload) for (const { streamed, at, length } of event.grown) streamed.sent = at + length
    this.#note(payload, event)
    return frame(payload)
  }

  #note(payload: string, event: ResponsesEvent): void {
    // Its text was noted with the event that it resembles.
    if (event.isKnown) return
    if (event.type.endsWith('.delta')) this.#noteText(event)
    else if (event.response !== undefined) this.#envelope = payload
    else if (event.type.startsWith('response.output_item.')) {
      const index = event.tree.output_index
      if (typeof index !== 'number') return
      const texts = this.#items.get(index)?.texts ?? new Map<string, StreamedText>()
      this.#items.set(index, { payload, isWhole: event.type.endsWith('.done'), texts })
    }
  }

  #noteText(event: ResponsesEvent): void {
    const { grown } = event
    if (grown[0] === undefined) return
    const { output_index: output, content_index: content, summary_index: summary, type } = event.tree
    const shown = typeof output === 'number' ? this.#items.get(output) : undefined
    if (shown === undefined) return
    const list = summary === undefined ? `content/${String(content ?? 0)}` : `summary/${String(summary)}`
    shown.texts.set(`${list}/${String(type)}`, grown[0].streamed)
  }

  /** The number of the last event that was sent. */
  get #number(): number {
    const [, digits] = /"sequence_number"\s*:\s*(\d{1,9})/.exec(this.#sent) ?? []
    return digits === undefined ? 0 : Number(digits)
  }

  lastFrames(service: object | undefined): string {
    const done = this.#sawDone ? DONE : ''
    if (this.#last === undefined) return done
    if (service === undefined) return frame(this.#last) + done
    return frame(withService(this.#last, this.#members, service)) + done
  }

  /** Ends the response as incomplete, with what was released. */
  cutFrames(reason: string, service: object | undefined, usage: Usage | undefined): string {
    let number = this.#number
    const { output, closed } = this.#output()
    const frames = closed.map((item) => {
      number++
      return frameOf({ type: 'response.output_item.done', ...item, sequence_number: number })
    })
    const response = {
      ...this.#response,
      status: 'incomplete',
      incomplete_details: { reason },
      output,
      ...(usage === undefined ? {} : { usage: usageOf(usage) }),
      ...(service === undefined ? {} : { service }),
    }
    return frames.join('') + frameOf({ type: 'response.incomplete', response, sequence_number: number + 1 })
  }

  /**
   * Two events, because each client understands only one of them: an error in both of its forms, then the failed response.
   * The code of a block is one that agents take as final.
   */
  errorFrames({ error, service }: ErrorBody, isBlock: boolean): string {
    const { code = null, message, param = null } = error
    const own = service === undefined ? {} : { service }
    const number = this.#number
    const lastError = { type: 'error', error, code, message, param, ...own, sequence_number: number + 1 }
    const failure = { code: isBlock ? 'invalid_prompt' : 'server_error', message }
    const response = { ...this.#response, status: 'failed', output: this.#output().output, error: failure, ...own }
    return frameOf(lastError) + frameOf({ type: 'response.failed', response, sequence_number: number + 2 })
  }

  get #response(): JsonObject {
    const { response } = this.#envelope === undefined ? {} : (parseJson(this.#envelope) as JsonObject)
    if (isObject(response)) return response
    return { id: 'resp_gateway', object: 'response', created_at: Math.floor(Date.now() / 1000), model: '' }
  }

  /** The items as far as they were released. */
  #output(): { output: JsonObject[]; closed: { output_index: number; item: JsonObject }[] } {
    const output: JsonObject[] = []
    const closed: { output_index: number; item: JsonObject }[] = []
    for (const [index, { payload, isWhole, texts }] of this.#items) {
      const { item } = parseJson(payload) as JsonObject
      if (!isObject(item)) continue
      if (isWhole) output.push(item)
      else {
        const cut = { ...item, status: 'incomplete', ...partsOf(texts) }
        output.push(cut)
        closed.push({ output_index: index, item: cut })
      }
    }
    return { output, closed }
  }
}

function partsOf(texts: ReadonlyMap<string, StreamedText>): JsonObject {
  const parts: { content?: JsonObject[]; summary?: JsonObject[] } = {}
  for (const [key, streamed] of texts) {
    const [list, index, type] = key.split('/') as ['content' | 'summary', string, string]
    parts[list] ??= []
    parts[list][Number(index)] = partOf(type, streamed.textUpTo(streamed.sent))
  }
  for (const list of Object.values(parts)) for (let i = 0; i < list.length; i++) list[i] ??= partOf('', '')
  return parts as JsonObject
}

function partOf(type: string, text: string): JsonObject {
  if (type.startsWith('response.refusal')) return { type: 'refusal', refusal: text }
  if (type.startsWith('response.reasoning_summary')) return { type: 'summary_text', text }
  if (type.startsWith('response.reasoning')) return { type: 'reasoning_text', text }
  return { type: 'output_text', annotations: [], logprobs: [], text }
}

const usageOf = ({ prompt, completion, cached = 0 }: Usage): JsonObject => ({
  input_tokens: prompt,
  input_tokens_details: { cached_tokens: cached },
  output_tokens: completion,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: prompt + completion,
})

/**
 * The event with this member at the end of its response.
 *
 * @param members names of the event, in order if none is a number
 */
export function withService(payload: string, members: readonly string[], service: object): string {
  const json = JSON.stringify(service)
  const end = members.some((name) => /^\d/.test(name)) ? undefined : ends(members)?.exec(payload.slice(-LONGEST_END))
  if (end?.index !== undefined) {
    const at = payload.length - Math.min(payload.length, LONGEST_END) + end.index + 1
    return `${payload.slice(0, at)},"service":${json}${payload.slice(at)}`
  }
  return splice(payload, [{ kind: 'insert', path: ['response'], name: 'service', json }])
}

/** What follows the last member of the response, where it is an object, is found from the end: it may be long. */
function ends(members: readonly string[]): RegExp | undefined {
  if (members.at(-1) === 'response') return /[^{\s](?=\s*\}\s*\}\s*$)/
  const isNumbered = members.at(-1) === 'sequence_number' && members.at(-2) === 'response'
  return isNumbered ? /[^{\s](?=\s*\}\s*,\s*"sequence_number"\s*:\s*\d{1,15}\s*\}\s*$)/ : undefined
}
const LONGEST_END = 128
