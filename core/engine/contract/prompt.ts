/** The content of a request, independent of the wire format; created by its dialect. */

/** One message of a request. */
export interface RequestMessage {
  readonly role: string
  /** Texts of its content, part by part; excludes images, audio and files. */
  readonly texts: readonly string[]
  /** Arguments of the tool calls that it repeats, as the model wrote them. */
  readonly callArguments: readonly string[]
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

/** Everything that a model reads of a request, for token counts. */
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
}
