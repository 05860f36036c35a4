/** Texts and findings: the part of the contract for detectors; see `plugin.ts`. */
import type { Verdict } from './basics.ts'
import type { Level } from './labels.ts'

/** Action for a finding, weakest first. The strongest action of overlapping findings wins. */
export type Action = 'detect' | 'tokenize' | 'redact' | 'block'
export type Direction = 'input' | 'output'

/** Location of a text in a request, a reply or a stream event. */
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
   * For reasons and logs, such as `messages[2].content`; never for parsing. Names chosen by the caller or the provider
   * become `*`, since they may be values: `messages[2].tool_calls[0].function.arguments.*`.
   */
  readonly path: string
  /**
   * Name of the JSON member whose value the text is, such as `password` in a tool's arguments; as confidential as the
   * text. For a list element, the name of the list. Undefined for keys and joined texts.
   */
  readonly member?: string | undefined
  /** Names of the enclosing members, nearest first, at most three: `['password']` of `{"password": {"value": "…"}}`. */
  readonly within?: readonly string[] | undefined
  /**
   * The label beside the text, at most 64 characters: `TOKEN` of `{"name": "TOKEN", "value": "…"}` in either
   * order, or the element before it in a list; as confidential as the text.
   */
  readonly beside?: string | undefined
  /**
   * Set for views whose text is also in other views. Skip them when counting characters or calling a costly service.
   *
   * - `decoded`: the second reading of a text that is also shown as it stands. A written-out `\n` may be a line break or
   *   the start of `\new` in a path. Detectors get both readings, each with its own `id` and positions; a finding in
   *   either is a finding in the text and counts once. More readings keep base64, hex and
   *   quoted-printable undecoded.
   * - `border`: the end of one text of a request and the start of the next, such as two messages, which may split a
   *   value. Only a finding that spans the border counts. `role` is set if both sides have the same. Also made for
   *   neighbours in a list or object of arguments or metadata, as JSON text; only a finding that spans several counts.
   * - `part`: one part of a streamed text that clients show joined to others.
   */
  readonly reading?: 'decoded' | 'border' | 'part' | undefined
  /**
   * For a view that begins in the middle of a streamed text: the `id` of the view that showed everything before. If
   * a detector was inside a value at the end of that view, such as a long key, the value continues here.
   */
  readonly continues?: number | undefined
  /** For a `border` of texts: indexes in `text` where each further text begins; short texts may have several borders. */
  readonly borders?: readonly number[] | undefined
  /**
   * For a `border` of a question and the short text after it: index in `text` where the answer begins. Only a finding in
   * the answer counts, and only if the detector does not find it in the answer alone.
   */
  readonly answer?: number | undefined
  /** Normalised text (NFKC, invisible characters removed, those behind a word U+FEFF, digits folded). On output: everything not yet released. */
  readonly text: string
  /** Up to 256 released characters left of `text`, only for look-behind. */
  readonly before: string
  /** Text left of this index was offered in an earlier call; 0 on input. */
  readonly fresh: number
  /** Position of `text[0]` in the whole field: `offset + i` never changes for a character. */
  readonly offset: number
  /** No more text will follow. */
  readonly final: boolean
  /** Position of `text[index]` in the original field; for `text.length`, the position of the following text. */
  sourceAt(index: number): number
  /**
   * The original field between two such positions, without normalisation: for syntax that depends on exact spelling,
   * such as Markdown. Excludes released text, and hidden text, which the core removes.
   */
  source(start: number, end: number): string
  /**
   * Reports a finding. The same plugin, type and absolute span counts once; a wider span replaces a narrower one.
   * Reports are final: in a stream, neither omitting a finding when its text is shown again nor a hold withdraws it. If
   * later text could invalidate a finding, hold from its start and report it once it is certain, or `final`.
   */
  report(finding: Finding): void
  /**
   * Holds `text[from..]` until the next call, or until `until` settles: a verdict blocks, `undefined` or `null` releases. A
   * rejection or any other value is a failure, handled by `onError`. Ignored on a final view without `until`; a request
   * waits for all of them.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: an async function that returns nothing has no verdict.
  hold(from: number, until?: Promise<Verdict | undefined | void>): void
}

export interface Finding {
  /** Type of the finding, in snake_case, at most 128 characters: `email`, `credit_card`, `project_name`. Never text of the view. */
  type: string
  start: number
  end: number
  /** The label that the finding implies. */
  level?: Level
  /** Default `detect`. */
  action?: Action
  /** Shown to the client if the finding blocks. Never include the value. */
  reason?: string
  /** Confidence, 0 to 1. */
  score?: number
  /**
   * The rest of a value whose start was already reported, such as a private key longer than any hold. The action
   * applies, but it is not counted again, and its text is removed unless `replace` says otherwise.
   */
  continued?: boolean
  /** Default `[TYPE]`. A function is called once, after the merge, with the text of the merged span. */
  replace?: string | ((original: string) => string)
}

/** Text that was received and is held. */
export interface HeldText {
  readonly characters: number
  /** The text; assembled on each call. */
  text(): string
}
