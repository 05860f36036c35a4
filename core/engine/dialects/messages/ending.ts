import type { Json, Usage } from '../../contract/plugin.ts'
import { appendMember } from '../../json/append.ts'
import { isObject } from '../../json/fields.ts'
import { parseJson } from '../../json/read.ts'
import type { JsonObject } from '../../json/strict.ts'
import type { StreamWants } from '../stream.ts'
import type { MessagesEvent } from './event.ts'
import { blockStop, type End, frame, messageDelta, messageStart, STOP, typeAtStart } from './wire.ts'

/** The type of an event as sent; undefined if only its JSON has it. */
const typeOf = (payload: string, event: MessagesEvent): string | undefined =>
  payload === event.payload ? event.type : typeAtStart(payload)

/**
 * The last events of a stream. The content of `service` is known only after settlement, so the event with the stop
 * reason waits for it. Without plugins nothing waits.
 */
export class StreamEnding {
  readonly #wants: StreamWants
  /** The message, once its finish was sent. */
  readonly finishSent = new Set<number>()
  #began = false
  /** Index of the block that the client has begun to read. */
  #open: number | undefined = undefined
  #finish: string | undefined = undefined
  readonly #last: { -readonly [Member in keyof End]: End[Member] } = { reason: null, sequence: null, tokens: 0 }

  constructor(wants: StreamWants) {
    this.#wants = wants
  }

  /** Keeps the last frame and returns the frames that may be sent now. */
  keep(payload: string, event: MessagesEvent, finishes: boolean): string {
    this.#note(event)
    this.#noteEnd(payload, event)
    if (!finishes || !this.#wants.governs) return frame(payload, typeOf(payload, event))
    const earlier = this.letGo()
    this.#finish = payload
    return earlier
  }

  #note(event: MessagesEvent): void {
    const { type } = event
    if (type === 'content_block_delta') return
    if (type === 'message_start') this.#began = true
    else if (type === 'content_block_start') this.#open = event.tree.index as number
    else if (type === 'content_block_stop') this.#open = undefined
  }

  /** Notes what clients keep until an event says otherwise: an end of the gateway's own repeats it. */
  #noteEnd(payload: string, { type, payload: given, tree }: MessagesEvent): void {
    if (type !== 'message_start' && type !== 'message_delta') return
    const { message, delta, usage } = payload === given ? tree : (parseJson(payload) as JsonObject)
    const said = type === 'message_start' ? message : delta
    if (isObject(said)) {
      if (typeof said.stop_reason === 'string') this.#last.reason = said.stop_reason
      if (typeof said.stop_sequence === 'string') this.#last.sequence = said.stop_sequence
    }
    const counts = type === 'message_start' && isObject(message) ? message.usage : usage
    if (isObject(counts) && typeof counts.output_tokens === 'number') this.#last.tokens = counts.output_tokens
  }

  #endWith(reason: string, usage: Usage | undefined, details?: object): string {
    return messageDelta({ reason, sequence: null, tokens: usage?.completion ?? this.#last.tokens }, details)
  }

  /** The kept finish, if more follows it. */
  letGo(): string {
    const finish = this.#finish
    this.#finish = undefined
    if (finish === undefined) return ''
    this.finishSent.add(0)
    return frame(finish)
  }

  /** `service` goes into the event with the stop reason. If the provider sent none, it gets its own. */
  lastFrames(service: object | undefined): string {
    if (service === undefined) return this.letGo() + STOP
    return frame(appendMember(this.#finish ?? messageDelta(this.#last), 'service', service)) + STOP
  }

  cutFrames(service: object | undefined, usage: Usage | undefined): string {
    const finish = this.#finish ?? this.#endWith('max_tokens', usage)
    return this.#close() + frame(service === undefined ? finish : appendMember(finish, 'service', service)) + STOP
  }

  blockFrames(service: object, usage: Usage | undefined): string {
    const { reason } = service as { readonly reason?: Json }
    const explanation = `Blocked by policy: ${typeof reason === 'string' ? reason : ''}`
    const finish = this.#endWith('refusal', usage, { type: 'refusal', category: null, explanation })
    return this.#close() + frame(appendMember(finish, 'service', service)) + STOP
  }

  /** Ends the block that is open at the client; begins the message if nothing of it was sent. */
  #close(): string {
    if (!this.#began) return frame(messageStart('msg_0', ''))
    return this.#open === undefined ? '' : blockStop(this.#open)
  }
}
