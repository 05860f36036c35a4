import { finishedBy, type StreamEvent } from '../../dialects/chat-completions/event.ts'
import { appendMember, bareChunk, finishChunk, frame, usageChunk } from '../../dialects/chat-completions/wire.ts'
import { serviceMember } from '../../exchange/service-member.ts'
import { splice } from '../../json/splice.ts'
import type { JsonObject } from '../../json/strict.ts'
import type { ReplyContext } from '../context.ts'

/**
 * The last events of a stream. What `service` has to tell is known only when everything was settled, so the latest
 * finish chunk and the usage chunk wait for it. With no plugins nothing waits.
 */
export class StreamEnding {
  readonly #context: ReplyContext
  readonly #stripsUsage: boolean
  /** Choices whose finish has left. */
  readonly told = new Set<number>()
  #finish: string | undefined = undefined
  #finishOf: readonly number[] = []
  #usage: string | undefined = undefined

  constructor(context: ReplyContext) {
    this.#context = context
    const { request } = context.x
    this.#stripsUsage = request.wantsUsage && !request.includeUsage
  }

  /** The frames that may leave now. */
  keep(payload: string, event: StreamEvent, finishes: boolean): string {
    if (!this.#context.governs) return frame(payload)
    const own = this.#stripsUsage ? withoutUsage(payload, event) : payload
    if (event.isUsageOnly) {
      this.#usage = this.#stripsUsage ? undefined : own
      return ''
    }
    if (!finishes) return frame(own)
    const earlier = this.#letGo()
    this.#finish = own
    this.#finishOf = finishedBy(event)
    return earlier
  }

  /** The finish chunk that was kept, when one of these choices goes on behind its finish. */
  before(speaking: readonly number[]): string {
    return speaking.some((choice) => this.#finishOf.includes(choice)) ? this.#letGo() : ''
  }

  #letGo(): string {
    const finish = this.#finish
    for (const choice of this.#finishOf) this.told.add(choice)
    this.#finish = undefined
    this.#finishOf = []
    return finish === undefined ? '' : frame(finish)
  }

  /**
   * Governance rides on the usage chunk where there is one, else on the finish chunk, and on a chunk of its own when the
   * provider was done without a finish.
   */
  lastFrames(envelope: JsonObject, unfinished: readonly number[]): string {
    if (!this.#context.governs) return ''
    const service = serviceMember(this.#context.x)
    if (this.#finish === undefined && this.#usage === undefined) {
      return frame(appendMember(bareChunk(envelope, unfinished[0]), 'service', service))
    }
    const finish =
      this.#finish === undefined
        ? ''
        : frame(this.#usage === undefined ? appendMember(this.#finish, 'service', service) : this.#finish)
    return this.#usage === undefined ? finish : finish + frame(appendMember(this.#usage, 'service', service))
  }

  /** The last frames of a stream that the gateway ends itself: choices that went on end by `length`. */
  cutFrames(envelope: JsonObject, unfinished: readonly number[]): string {
    const { x, governs } = this.#context
    const told = new Set(this.#finishOf)
    const ends = [
      ...(this.#finish === undefined ? [] : [this.#finish]),
      ...unfinished.filter((choice) => !told.has(choice)).map((c) => finishChunk(envelope, c, 'length')),
    ]
    const { usage, request } = { usage: x.reply.usage, request: x.request }
    if (request.includeUsage && usage !== undefined) ends.push(usageChunk(envelope, usage))
    const last = ends.pop() ?? finishChunk(envelope, 0, 'length')
    return ends.map(frame).join('') + frame(governs ? appendMember(last, 'service', serviceMember(x)) : last)
  }
}

const NULL_USAGE = ',"usage":null}'

/** What providers that were asked for usage write into every event; in that spelling alone. */
export const withoutNullUsage = (payload: string): string =>
  payload.endsWith(NULL_USAGE) ? `${payload.slice(0, -NULL_USAGE.length)}}` : payload

/** Usage that only we asked for; providers then send `"usage":null` with every event. */
function withoutUsage(payload: string, event: StreamEvent): string {
  if (event.tree.usage === undefined || event.isUsageOnly) return payload
  return splice(payload, [{ kind: 'remove', path: ['usage'] }])
}

/** A block told as a finish reason: clients that do not know errors in streams see a normal, filtered end. */
export function softBlock(envelope: JsonObject | undefined, open: readonly number[], more: object): string {
  const choices = open.length === 0 ? [0] : open
  return choices
    .map((choice, i) => {
      const chunk = finishChunk(envelope ?? {}, choice, 'content_filter')
      const { service } = more as { service: object }
      return frame(i === choices.length - 1 ? appendMember(chunk, 'service', service) : chunk)
    })
    .join('')
}
