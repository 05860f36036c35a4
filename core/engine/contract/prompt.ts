/** What a request says, without its wire format: made by the dialect that knows it. */

/** One message of a request. */
export interface RequestMessage {
  readonly role: string
  /** Texts of its content, part by part; images, audio and files have none. */
  readonly texts: readonly string[]
  /** What the tool calls pass that it repeats, as the model wrote it. */
  readonly callArguments: readonly string[]
}

/** Something in a prompt that is no text. */
export interface PromptMedia {
  readonly kind: 'image' | 'audio' | 'file'
  /** An address, a `data:` URL or base64, as it was sent; undefined where it is only referred to. */
  readonly data?: string | undefined
  /** Of audio, such as `wav`. */
  readonly format?: string | undefined
  /** Of an image, how closely it is looked at. */
  readonly detail?: string | undefined
}

/** Whatever a model reads of a request, for who counts its tokens. */
export interface Prompt {
  /** Texts of messages and calls; tools, schemas and members that nobody knows as their JSON. */
  readonly texts: readonly string[]
  /** How many messages there are, around each of which a provider puts something. */
  readonly messages: number
  /** Messages that say who speaks. */
  readonly names: number
  /** Tools that may be called, and calls that messages repeat. */
  readonly tools: number
  readonly media: readonly PromptMedia[]
}
