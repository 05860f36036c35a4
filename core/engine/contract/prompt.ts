/** The content of a request, independent of the wire format; created by its dialect. */

/** One message of a request. */
export interface RequestMessage {
  readonly role: string
  /** Texts of its content, part by part; excludes images, audio and files. */
  readonly texts: readonly string[]
  /** Arguments of the tool calls that it repeats, as the model wrote them. */
  readonly callArguments: readonly string[]
}

/** The messages of a request, split into those that an earlier request had and new ones. */
export interface MessageParts {
  /**
   * Identifies the messages that an earlier request of the same key, team or gateway had: the same object each time while
   * they are remembered, for use as a `WeakMap` key. Undefined if none are known.
   */
  readonly before: object | undefined
  /** The new messages. */
  readonly fresh: readonly RequestMessage[]
  /** Identifies all of them, as `before` of a later request; undefined if they will not be remembered. */
  readonly all: object | undefined
}

/** Non-text content of a prompt. */
export interface PromptMedia {
  readonly kind: 'image' | 'audio' | 'file'
  /** An address, a `data:` URL or base64, as sent; undefined if only referenced. */
  readonly data?: string | undefined
  /** For audio, such as `wav`. */
  readonly format?: string | undefined
  /** For an image: the level of detail. */
  readonly detail?: string | undefined
}

/** Everything in a request that the model reads, for token counts. */
export interface Prompt {
  /** Texts of messages and calls; tools, schemas and unknown members as their JSON. */
  readonly texts: readonly string[]
  /** Number of messages; a provider adds tokens around each. */
  readonly messages: number
  /** Number of messages with a name. */
  readonly names: number
  /** Number of available tools and repeated calls. */
  readonly tools: number
  readonly media: readonly PromptMedia[]
  /** The same in parts, if earlier requests may have had some of them, so that their sums can be reused. */
  readonly parts?: readonly PromptPart[]
}

/** A part of a prompt that grows from request to request, such as its messages. */
export interface PromptPart {
  /** The part that an earlier request had. Read its `prompt` only if `sums` does not know what you need. */
  readonly before: { readonly prompt: Prompt; readonly sums: PromptSums } | undefined
  /** What is new. */
  readonly fresh: Prompt
  /** For sums over both; undefined if nothing of it is remembered. */
  readonly sums: PromptSums | undefined
}

/** Sums over a part of a prompt, by a name for what was added up, such as `bytes`. */
export interface PromptSums {
  get(what: string): number | undefined
  set(what: string, sum: number): void
}
