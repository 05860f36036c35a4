import type { Usage } from '../../contract/plugin.ts'
import { appendMember } from '../../json/append.ts'
import { isObject } from '../../json/fields.ts'
import { splice } from '../../json/splice.ts'
import type { JsonObject } from '../../json/strict.ts'
import { LazySet } from '../../util/lazy.ts'
import type { StreamWants } from '../stream.ts'
import type { ChoiceForm } from './choice-form.ts'
import { type ChatEvent, indexOf, readEvent } from './event.ts'
import { bareChunk, DONE, finishChunk, frame, usageChunk } from './wire.ts'

/**
 * The last events of a stream. The content of `service` is known only after settlement, so the latest finish chunk and
 * the usage chunk wait for it. Without plugins nothing waits.
 */
export class StreamEnding {
  readonly #wants: StreamWants
  readonly #form: ChoiceForm
  readonly #finishSent = new LazySet<number>()
  /** Choices whose role was sent. */
  readonly #begun = new LazySet<number>()
  /** Members that every event repeats, as first sent to the client. */
  #envelope: JsonObject | undefined = undefined
  #finish: string | undefined = undefined
  #finishOf: readonly number[] = []
  #usage: string | undefined = undefined

  constructor(wants: StreamWants, form: ChoiceForm) {
    this.#wants = wants
    this.#form = form
  }

  /** Choices whose finish was sent. */
  get finishSent(): ReadonlySet<number> {
    return this.#finishSent.all
  }

  /** Keeps the last frames and returns the frames that may be sent now. */
  keep(payload: string, event: ChatEvent, finishes: boolean): string {
    this.#envelope ??= payload === event.payload ? event.tree : readEvent(payload)?.tree
    if (!this.#wants.governs || event.isKnown) return frame(payload)
    this.#noteRoles(payload, event)
    const own = this.#wants.stripsUsage ? withoutUsage(payload, event) : payload
    const before = event.grown === undefined ? '' : this.#letAllGo(event.grown)
    if (event.isUsageOnly) {
      this.#usage = this.#wants.stripsUsage ? undefined : own
      return before
    }
    if (!finishes) return before + frame(own)
    const { finished } = event
    // What another choice says in it may not wait: the rest of its text would overtake it.
    if (event.choiceIndexes.some((choice) => !finished.includes(choice))) {
      for (const choice of finished) this.#finishSent.add(choice)
      return before + frame(own)
    }
    const earlier = before + this.#letGo()
    this.#finish = own
    this.#finishOf = finished
    return earlier
  }

  /** The event may be sent in parts, and without a choice that waits. */
  #noteRoles(payload: string, event: ChatEvent): void {
    const isNew = (choice: number): boolean => !this.#begun.has(choice)
    if (!rolesIn(event.tree).some(isNew)) return
    const sent = payload === event.payload ? event.tree : readEvent(payload)?.tree
    for (const choice of rolesIn(sent ?? {})) this.#begun.add(choice)
  }

  /** Ends a choice. Some clients refuse an answer without a role in any event. */
  #endOf(choice: number, reason: string): string {
    return finishChunk(this.#form, this.#envelope ?? {}, choice, reason, !this.#begun.has(choice))
  }

  /** Some clients join members that events repeat: they leave in order, and the gateway adds nothing after them. */
  #letAllGo(grown: readonly string[]): string {
    const own = Object.entries(this.#envelope ?? {}).filter(([name]) => !grown.includes(name))
    this.#envelope = Object.fromEntries(own)
    const usage = this.#usage === undefined ? '' : frame(this.#usage)
    this.#usage = undefined
    return this.#letGo() + usage
  }

  /** The kept finish chunk, if one of these choices has more text after its finish. */
  before(speaking: readonly number[]): string {
    return speaking.some((choice) => this.#finishOf.includes(choice)) ? this.#letGo() : ''
  }

  #letGo(): string {
    const finish = this.#finish
    for (const choice of this.#finishOf) this.#finishSent.add(choice)
    this.#finish = undefined
    this.#finishOf = []
    return finish === undefined ? '' : frame(finish)
  }

  /**
   * `service` goes into the usage chunk if there is one, else into the finish chunk. If the provider sent no finish, it
   * gets its own chunk.
   */
  lastFrames(unfinished: readonly number[], service: object | undefined): string {
    return this.#lastChunks(unfinished, service) + DONE
  }

  #lastChunks(unfinished: readonly number[], service: object | undefined): string {
    if (service === undefined) return ''
    if (this.#finish === undefined && this.#usage === undefined) {
      return frame(appendMember(bareChunk(this.#form, this.#envelope ?? {}, unfinished[0]), 'service', service))
    }
    const finish =
      this.#finish === undefined
        ? ''
        : frame(this.#usage === undefined ? appendMember(this.#finish, 'service', service) : this.#finish)
    return this.#usage === undefined ? finish : finish + frame(appendMember(this.#usage, 'service', service))
  }

  /** Ends open choices with `length`. */
  cutFrames(unfinished: readonly number[], service: object | undefined, usage: Usage | undefined): string {
    const envelope = this.#envelope ?? {}
    const sent = new Set(this.#finishOf)
    const ends = [
      ...(this.#finish === undefined ? [] : [this.#finish]),
      ...unfinished.filter((choice) => !sent.has(choice)).map((choice) => this.#endOf(choice, 'length')),
    ]
    if (this.#wants.includeUsage && usage !== undefined) ends.push(usageChunk(this.#form, envelope, usage))
    const last = ends.pop() ?? this.#endOf(0, 'length')
    const own = service === undefined ? last : appendMember(last, 'service', service)
    return ends.map(frame).join('') + frame(own) + DONE
  }

  /** Ends with a normal content filter finish, for clients that do not understand stream errors. */
  blockFrames(unfinished: readonly number[], service: object): string {
    const choices = unfinished.length === 0 ? [0] : unfinished
    const frames = choices.map((choice, i) => {
      const chunk = this.#endOf(choice, 'content_filter')
      return frame(i === choices.length - 1 ? appendMember(chunk, 'service', service) : chunk)
    })
    return frames.join('') + DONE
  }
}

/** Indexes of the choices whose role is in an event. */
function rolesIn({ choices }: JsonObject): number[] {
  if (!Array.isArray(choices)) return []
  return choices.flatMap((choice, i) =>
    isObject(choice) && isObject(choice.delta) && typeof choice.delta.role === 'string' ? [indexOf(choice, i)] : [],
  )
}

const NULL_USAGE = ',"usage":null}'

/** Removes the member that providers add to every event when asked for usage, in exactly this spelling. */
export const withoutNullUsage = (payload: string): string =>
  payload.endsWith(NULL_USAGE) ? `${payload.slice(0, -NULL_USAGE.length)}}` : payload

/** Removes usage that only the gateway requested; providers then send `"usage":null` with every event. */
function withoutUsage(payload: string, event: ChatEvent): string {
  if (event.tree.usage === undefined || event.isUsageOnly) return payload
  return splice(payload, [{ kind: 'remove', path: ['usage'] }])
}
