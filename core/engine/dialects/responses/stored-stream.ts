import type { StreamEvent, StreamWants } from '../stream.ts'
import type { ResponsesEvent } from './event.ts'
import { ResponsesStream } from './stream.ts'

/**
 * The stream of a stored response, repeated. The provider always begins at its start: a value that spans the
 * event where the client continues is only seen as a whole. Events that the client has are left out after inspection.
 */
export class StoredStream extends ResponsesStream {
  /** Number of the last event that the client has. */
  readonly #after: number | undefined

  constructor(wants: StreamWants) {
    super(wants)
    const { starting_after: after } = wants.asked.tree
    this.#after = typeof after === 'number' ? after : undefined
  }

  override match(data: string): string | undefined {
    // Numbers are only known of parsed events.
    return this.#after === undefined ? super.match(data) : undefined
  }

  override keep(payload: string, event: StreamEvent, finishes: boolean): string {
    const frames = super.keep(payload, event, finishes)
    return finishes || !this.#isKnown(event as ResponsesEvent) ? frames : ''
  }

  #isKnown({ tree: { sequence_number: number } }: ResponsesEvent): boolean {
    return this.#after !== undefined && typeof number === 'number' && number <= this.#after
  }
}
