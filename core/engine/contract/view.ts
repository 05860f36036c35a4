/** Texts and findings, the part of the contract in `plugin.ts` that detectors see. */
import type { Verdict } from './basics.ts'
import type { Level } from './labels.ts'

/** What should happen to a finding, weakest first. Where findings overlap, the strongest action wins. */
export type Action = 'detect' | 'tokenize' | 'redact' | 'block'
export type Direction = 'input' | 'output'

/** Where a run of text stands in a request, a reply or a stream event. */
export type Channel =
  | 'content'
  | 'reasoning'
  | 'refusal'
  | 'transcript'
  | 'tool_name'
  | 'tool_arguments'
  | 'tool_result'
  | 'tool_definition'
  | 'response_schema'
  | 'prediction'
  | 'annotation'
  | 'file_name'
  | 'media_url'
  | 'metadata'
  | 'user'
  | 'error'
  | 'other'

/**
 * One run of text, in order, never split. Valid until the tap returns or its promise settles; later calls throw
 * `GW_STALE_HANDLE`. All offsets are UTF-16 units of `text`.
 */
export interface TextView {
  /** Stable for one field of a request, or for one choice and channel of a reply. */
  readonly id: number
  readonly direction: Direction
  readonly channel: Channel
  readonly role: string | undefined
  /** Index of the choice; 0 on input. */
  readonly choice: number
  /**
   * For reasons and logs, such as `messages[2].content`; never for parsing. Names that the caller or the provider chose
   * are `*`, since they may be values: `messages[2].tool_calls[0].function.arguments.*`.
   */
  readonly path: string
  /**
   * Name of the JSON member that the text is the value of, such as `password` in the arguments of a tool. It is as
   * confidential as the text. Of an element of a list it is the name of the list. Undefined for keys and texts that are
   * joined.
   */
  readonly member?: string | undefined
  /** Names of the members around that one, nearest first, at most three: `['password']` of `{"password": {"value": "…"}}`. */
  readonly within?: readonly string[] | undefined
  /**
   * Set where text is shown that other views show, too. Whoever counts characters or asks a costly service skips it.
   *
   * - `decoded`: the second reading of a text that is shown as it stands, too. A written-out `\n` may be a line break or
   *   the beginning of `\new` in a path. Each detector gets both, each with an `id` and positions of its own; a finding of
   *   either is a finding in the text and counts once.
   * - `border`: the end of one text of a request and the beginning of the next, such as two messages, in which a value may
   *   be cut in two. Only a finding that stands on both sides counts. `role` is set when both sides have the same.
   */
  readonly reading?: 'decoded' | 'border' | undefined
  /** Of a `border`: where in `text` the next of the joined texts begins; short texts may have several borders. */
  readonly borders?: readonly number[] | undefined
  /** Normalised text (NFKC, invisible characters removed, digits folded). On output: everything not yet released. */
  readonly text: string
  /** Up to 256 already released characters left of `text`, for look-behind only. */
  readonly before: string
  /** Text left of this index was offered in an earlier call; 0 on input. */
  readonly fresh: number
  /** Position of `text[0]` in the whole field: `offset + i` never changes for a character. */
  readonly offset: number
  /** No more text will follow. */
  readonly final: boolean
  /** Position of `text[index]` in the whole field as it was sent; of `text.length`, of what comes next. */
  sourceAt(index: number): number
  /**
   * The field as it was sent, from one such position to another, with nothing normalised: for what depends on the very
   * spelling, such as Markdown. What was released is no longer there, and neither is hidden text, which the core takes out.
   */
  source(start: number, end: number): string
  /**
   * The same plugin, type and absolute span reported twice counts once; a wider one takes the place of a narrower one.
   * A report stands: in a stream it is neither withdrawn by being left out the next time, when the same text is shown
   * with more behind it, nor by a hold over it. Where what follows could unmake a finding, hold from its start and
   * report it when it is certain, or `final`.
   */
  report(finding: Finding): void
  /**
   * Keeps `text[from..]` back until the next call, or until `until` settles: a verdict it resolves to blocks, `undefined`
   * lets go. A rejection, and any other value, is a failure, which follows `onError`. Ignored on a final view unless
   * `until` is given; a request waits for all of them.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: an async function that returns nothing has no verdict.
  hold(from: number, until?: Promise<Verdict | undefined | void>): void
}

export interface Finding {
  /** What was found, in snake_case: `email`, `credit_card`, `project_name`. */
  type: string
  start: number
  end: number
  /** The label the text deserves because of it. */
  level?: Level
  /** Default `detect`. */
  action?: Action
  /** Told to the client when the finding blocks. Never put the value in it. */
  reason?: string
  /** Confidence, 0 to 1. */
  score?: number
  /**
   * The rest of a value of which the beginning was reported before, such as a private key that is longer than any hold:
   * acted on, but not counted again, and replaced by nothing unless `replace` says otherwise.
   */
  continued?: boolean
  /** Default `[TYPE]`. A function is called once, after the merge, with the text of the merged span. */
  replace?: string | ((original: string) => string)
}

/** Text that was written and waits. */
export interface HeldText {
  readonly characters: number
  /** The text itself, put together at each call. */
  text(): string
}
