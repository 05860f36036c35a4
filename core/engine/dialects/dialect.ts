/** The interface of an API shape. Each implementation is the only code that knows its wire format. */
import type { GatewayError } from '../contract/errors.ts'
import type { Answer, MessageParts, Prompt, RequestMessage, Usage } from '../contract/plugin.ts'
import type { Change } from '../json/edits.ts'
import type { Elements } from '../json/elements.ts'
import type { Field, FieldList } from '../json/fields.ts'
import type { Beginnings } from '../json/outlined.ts'
import type { Edit } from '../json/splice.ts'
import type { JsonObject } from '../json/strict.ts'
import type { ViewOrigin } from '../text/views.ts'
import type { Steps } from '../util/steps.ts'
import type { ShapeName } from './names.ts'
import type { Asked, StreamDialect, StreamWants } from './stream.ts'

export interface Dialect {
  /** Name of its folder, and of what an upstream must serve. Several dialects may be parts of one API. */
  readonly name: ShapeName
  /** Method of the gateway's route; by default POST. */
  readonly method?: Method
  /** Exact path of the gateway's route. The parameter `{id}` is the id of what the provider keeps. */
  readonly path: string
  /** Other paths of this route. The parameter `{model}` names the model, in place of the body's. */
  readonly otherPaths?: readonly string[]
  /** Path at the provider, below its `base_url`, with the same parameter `{id}`. */
  readonly upstreamPath: string
  /** Replies repeat parts of the request, so it is at hand until they end. */
  readonly repeatsRequest?: boolean
  /** Some clients first try a WebSocket at its path. They get an error that says to use POST. */
  readonly triesSockets?: boolean

  /**
   * Reads and checks the body of a request. What `beginnings` know is not read again.
   *
   * @throws GatewayError GW_INVALID_JSON, GW_INVALID_PARAMETER
   */
  readRequest(body: Buffer, beginnings?: Beginnings): RequestDocument
  /**
   * Like `readRequest`, for a large body.
   *
   * @throws GatewayError GW_TOO_MANY_VALUES too
   */
  readRequestInSteps(body: Buffer, maxValues: number, beginnings?: Beginnings): Steps<RequestDocument>
  /**
   * Reads a request for something that the provider keeps; it has no body.
   *
   * @throws GatewayError GW_INVALID_PARAMETER
   */
  readStored?(asked: AskedStored): RequestDocument
  /**
   * Reads a buffered reply.
   *
   * @throws GatewayError GW_UPSTREAM_INVALID
   */
  readReply(text: string, asked: Asked): ReplyDocument
  /** Like `readReply`, for a large reply. */
  readReplyInSteps(text: string, asked: Asked): Steps<ReplyDocument>
  /** The messages of a request, in their order. */
  messagesOf(body: Readonly<JsonObject>): RequestMessage[]
  /** The name that the client gave to the conversation, where the API has a place for it. */
  conversationOf?(body: Readonly<JsonObject>): string | undefined
  /** The prompts that answers continue from, where the API has no messages. */
  continuedOf?(body: Readonly<JsonObject>): string[]
  /** Everything that a model reads of a request. */
  promptOf(body: Readonly<JsonObject>): Prompt
  /** An answer without a model, in the form that the client requested; usage is zero. */
  answerOf(reply: OwnReply): Answer
  /** Starts reading one streamed reply. */
  openStream(wants: StreamWants): StreamDialect

  /** Location of a field, in words that are safe for reasons and logs. */
  originOf(field: Field): ViewOrigin

  /** A provider's error that clients get as it is, because they act on its wording; undefined if it is none. */
  passedError?(text: string, status: number, requestId: string): PassedError | undefined
  /** The error in a provider's body, in words that are safe to show; undefined if there is none. */
  readError(text: string): ProviderError | undefined
  /** The status of an error of the gateway, where clients of this shape would misread the usual one. */
  statusOf?(
    code: GatewayError['code'],
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): number
  /** A second name of the response header with the request id. */
  readonly requestIdHeader?: string
  /** The body of a gateway error. `within` adds members to the error, `beside` next to it. */
  errorBody(error: GatewayError, requestId: string, within?: object, beside?: object): object
  /** A stream event with such a body. */
  errorFrame(body: object): string
  /** The end marker of a stream that a block ended. */
  readonly endOfStream: string
}

/** A failure as the provider reported it. */
export interface ProviderError {
  readonly message: string
  readonly type: string | undefined
  readonly code: string | null
  readonly param: string | null
}

/** A provider's body for the client, without what only the gateway may say. */
export interface PassedError {
  readonly text: string
  /** Its texts, still to be inspected. */
  readonly fields: readonly Field[]
}

type Method = 'GET' | 'POST' | 'DELETE'

/** A request for a reply that the provider keeps. */
export interface AskedStored {
  /** The id in its path. */
  readonly id: string
  /** The model of the request that made it. */
  readonly model: string
  readonly query: URLSearchParams
}

/** What the core reads of a request body; all other members are forwarded unchanged. */
export interface RequestDocument {
  readonly text: string
  readonly tree: JsonObject
  /** The tree, frozen; some documents need not read all of it for that. */
  readonly frozen?: JsonObject | undefined
  readonly model: string
  /** Whether the model name has a safe shape that cannot hide a value. */
  readonly hasPlainModel: boolean
  readonly stream: boolean
  /** Number of answers that the client requested. */
  readonly choices: number
  readonly maxOutputTokens: number | undefined
  /** The client requested the usage of a stream. */
  readonly includeUsage: boolean
  /** Ids of stored content that the model will read; they must belong to the caller. */
  readonly references?: readonly Reference[]
  /** The provider keeps the reply, so its ids can be named later. */
  readonly isKept?: boolean
  /** Texts in it that only the provider can open. Absent where replies have none that come back. */
  readonly seals?: readonly string[]
  /** It asks for a reply that the provider keeps, or changes it: no model runs. */
  readonly stored?: StoredTarget
  /** Every text, key and long number of the body. Elements that `elements` knows are skipped. */
  fields(elements?: Elements): FieldList
  fieldsInSteps(elements?: Elements): Steps<FieldList>
  /** Arrays of the body whose elements may be known together from now on, by what names all of them. */
  begun?(): readonly { readonly member: string; readonly key: string; readonly count: number }[]
  /** The messages as plugins see them, unless they are to be made of the tree. */
  messages?(): RequestMessage[] | undefined
  /** The same in parts; undefined if none of them may be known again. */
  messageParts?(): MessageParts | undefined
  /** Everything that a model reads of it, unless that is to be made of the tree. */
  prompt?(): Prompt | undefined
  /** Adds the edits that produce the body to send. Unedited parts keep their spelling. */
  edit(changes: RequestChanges, edits: Edit[]): void
}

/** Which stored reply a request is for, as the provider is asked. */
export interface StoredTarget {
  readonly id: string
  /** Starts with `?`, or is empty. */
  readonly query: string
}

/** An id in a request, and the parameter that names it. */
export interface Reference {
  readonly id: string
  readonly param: string
  /** The reason that such content cannot exist. */
  readonly why?: string
}

/** A reply without a model. */
export interface OwnReply {
  /** The exchange's id. */
  readonly id: string
  readonly model: string
  readonly choices: number
  /** The same text for every choice. */
  readonly content: string
  readonly stream: boolean
  readonly includeUsage: boolean
}

export interface RequestChanges {
  /** The model that replaces the client's. */
  readonly model: string | undefined
  /** Maximum number of output tokens. */
  readonly cap: number | undefined
  /** Notes to put before the prompt; the last one comes first. */
  readonly notes: readonly string[] | undefined
  /** Request usage, which the client did not. */
  readonly usage: boolean
}

/** A provider's JSON answer. */
export interface ReplyDocument {
  readonly text: string
  /** `text` is exactly what the provider sent. */
  readonly asSent: boolean
  readonly usage: Usage | undefined
  /** Ids under which the provider keeps it and its parts. */
  readonly ids?: readonly string[]
  /** Texts in it that only the provider can open, and that clients send again. */
  readonly seals?: readonly string[]
  fields(): FieldList
  fieldsInSteps(): Steps<FieldList>
  /**
   * Applies rewrites to texts and all of their copies.
   *
   * @returns undefined if that would change the meaning of the reply
   */
  edits(changes: readonly Change[]): Steps<Edit[] | undefined>
  /** Adds the edits that remove the gateway's own members from the provider's reply. */
  clear(edits: Edit[]): void
  /** The text, or its end, with the member `service` added. */
  withService(text: string, service: object): string
}
