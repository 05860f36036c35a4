import type { Json, Usage } from '../../contract/plugin.ts'
import { appendMember } from '../../json/append.ts'
import type { StreamWants } from '../stream.ts'
import type { MessagesEvent } from './event.ts'
import { blockStop, frame, messageDelta, messageStart, STOP } from './wire.ts'

/**
 * The last events of a stream. The content of `service` is known only after settlement, so the event with the stop
 * reason waits for it. Without plugins nothing waits.
 */
export class StreamEnding {
  readonly #wants: StreamWants
  /** The message, once its finish was sent. */
  readonly told = new Set<number>()
  #began = false
  /** Index of the block that the client has begun to read. */
  #open: number | undefined = undefined
  #finish: string | undefined = undefined

  constructor(wants: StreamWants) {
    this.#wants = wants
  }

  /** Keeps the last frame and returns the frames that may be sent now. */
  keep(payload: string, event: MessagesEvent, finishes: boolean): string {
    this.#note(event)
    if (!finishes || !this.#wants.governs) return frame(payload)
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

  /** The kept finish, if more follows it. */
  letGo(): string {
    const finish = this.#finish
    this.#finish = undefined
    if (finish === undefined) return ''
    this.told.add(0)
    return frame(finish)
  }

  /** `service` goes into the event with the stop reason. If the provider sent none, it gets its own. */
  lastFrames(service: object | undefined): string {
    if (service === undefined) return this.letGo() + STOP
    return frame(appendMember(this.#finish ?? messageDelta(null, undefined), 'service', service)) + STOP
  }

  cutFrames(service: object | undefined, usage: Usage | undefined): string {
    const finish = this.#finish ?? messageDelta('max_tokens', usage)
    return this.#close() + frame(service === undefined ? finish : appendMember(finish, 'service', service)) + STOP
  }

  blockFrames(service: object, usage: Usage | undefined): string {
    const { reason } = service as { readonly reason?: Json }
    const explanation = `Blocked by policy: ${typeof reason === 'string' ? reason : ''}`
    const finish = messageDelta('refusal', usage, { type: 'refusal', category: null, explanation })
    return this.#close() + frame(appendMember(finish, 'service', service)) + STOP
  }

  /** Ends the block that is open at the client; begins the message if nothing of it was sent. */
  #close(): string {
    if (!this.#began) return frame(messageStart('msg_0', ''))
    return this.#open === undefined ? '' : blockStop(this.#open)
  }
}
