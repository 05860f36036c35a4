/** What the cases know of one API shape. Each adapter writes the wire format as clients and providers do. */
import type { Step } from '../../../core/testing/provider.ts'

// biome-ignore lint/suspicious/noExplicitAny: bodies and events of every shape, read by its own adapter.
export type Body = any

export interface Adapter {
  readonly path: string
  /** A request with one text of the user. */
  request(text: string): object
  /** That text, in the body that the provider got. */
  asked(body: Body): string
  /** A provider's buffered reply; without a text where replies have none. */
  reply(text: string): object
  /** The text that a client reads in a buffered reply; absent where replies have none. */
  readonly textOf?: (body: Body) => string
  /** Absent where there is no stream. */
  readonly stream?: {
    /** The provider's events, the text in these pieces. */
    events(pieces: readonly string[]): readonly Step[]
    /** Whether `[DONE]` follows. */
    readonly done: boolean
    /** The text that a client puts together. */
    textOf(events: readonly Body[]): string
  }
}
