/** What an API shape has to say of itself. Its folder implements this, and is the only code that knows its wire format. */
import type { GatewayError } from '../contract/errors.ts'
import type { Answer, Prompt, RequestMessage, Usage } from '../contract/plugin.ts'
import type { Change, Field, FieldList } from '../json/fields.ts'
import type { Edit } from '../json/splice.ts'
import type { JsonObject } from '../json/strict.ts'
import type { ViewOrigin } from '../text/views.ts'
import type { Steps } from '../util/steps.ts'
import type { StreamDialect, StreamWants } from './stream.ts'

export interface Dialect {
  /** Name of its folder. */
  readonly name: string
  /** Where clients reach it, by POST; exact. */
  readonly path: string
  /** Where providers serve it, below their `base_url`. */
  readonly upstreamPath: string

  /**
   * Reads and checks the body of a request.
   *
   * @throws GatewayError GW_INVALID_JSON, GW_INVALID_PARAMETER
   */
  readRequest(body: Buffer): RequestDocument
  /**
   * As `readRequest`, of a large body.
   *
   * @throws GatewayError GW_TOO_MANY_VALUES too
   */
  readRequestInSteps(body: Buffer, maxValues: number): Steps<RequestDocument>
  /**
   * Reads a buffered reply.
   *
   * @throws GatewayError GW_UPSTREAM_INVALID
   */
  readReply(text: string): ReplyDocument
  /** As `readReply`, of a large reply. */
  readReplyInSteps(text: string): Steps<ReplyDocument>
  /** The messages of a request, in their order. */
  messagesOf(body: Readonly<JsonObject>): RequestMessage[]
  /** Whatever a model reads of a request. */
  promptOf(body: Readonly<JsonObject>): Prompt
  /** A reply that no model made, in the form that the client asked for; it used no tokens. */
  answerOf(reply: OwnReply): Answer
  /** Begins to read one streamed reply. */
  openStream(wants: StreamWants): StreamDialect

  /** Where a field stands, in words that are safe in reasons and logs. */
  originOf(field: Field): ViewOrigin

  /** What a provider says in the body of an error, in words that may be shown; undefined when it is none. */
  readError(text: string): ProviderError | undefined
  /** The body of an error of the gateway. `within` are members of the error itself, `beside` stand next to it. */
  errorBody(error: GatewayError, requestId: string, within?: object, beside?: object): object
  /** An event of a stream with such a body. */
  errorFrame(body: object): string
  /** What ends a stream that the gateway ends by itself, behind a block. */
  readonly endOfStream: string
}

/** What a provider said of its failure. */
export interface ProviderError {
  readonly message: string
  readonly type: string | undefined
  readonly code: string | null
  readonly param: string | null
}

/** What the core reads of a request body; every other member is forwarded untouched. */
export interface RequestDocument {
  readonly text: string
  readonly tree: JsonObject
  readonly model: string
  /** The name has the shape of a model's name, in which no value hides. */
  readonly hasPlainModel: boolean
  readonly stream: boolean
  /** How many answers the client asked for. */
  readonly choices: number
  readonly maxOutputTokens: number | undefined
  /** The client asked for the usage of a stream itself. */
  readonly includeUsage: boolean
  /** Every text, key and long number of the body. */
  fields(): FieldList
  fieldsInSteps(): Steps<FieldList>
  /** Adds the edits that make the body what is to be sent. Nothing else is spelled anew. */
  edit(changes: RequestChanges, edits: Edit[]): void
}

/** A reply that no model made. */
export interface OwnReply {
  /** Of the exchange. */
  readonly id: string
  readonly model: string
  readonly choices: number
  /** The same text for every choice. */
  readonly content: string
  readonly stream: boolean
  readonly includeUsage: boolean
}

export interface RequestChanges {
  /** Another model than the client named. */
  readonly model: string | undefined
  /** Most tokens of output. */
  readonly cap: number | undefined
  /** Notes for the model, put in front; the last one comes first. */
  readonly notes: readonly string[] | undefined
  /** Usage is asked for, which the client did not. */
  readonly usage: boolean
}

/** A JSON answer of the provider. */
export interface ReplyDocument {
  readonly text: string
  /** `text` is what the provider sent, to the character. */
  readonly asSent: boolean
  readonly usage: Usage | undefined
  fields(): FieldList
  fieldsInSteps(): Steps<FieldList>
  /** Texts that should repeat others and do not: words that are in no field. */
  echoes(): readonly Echo[]
  /**
   * Puts rewritten texts in place, with every copy of them.
   *
   * @param isStale tells, by the position of an answer, whether its echo may not leave; asked where it has a say
   * @returns undefined where that would change what the reply means
   */
  edits(changes: readonly Change[], isStale: (position: number) => boolean): Edit[] | undefined
  /** Adds the edits that keep the gateway's own members for the gateway. */
  clear(edits: Edit[]): void
  /** The text with the member `service`. */
  withService(text: string, service: object): string
}

export interface Echo {
  /** Of its answer in the reply. */
  readonly position: number
  readonly origin: ViewOrigin
  /** Empty where it cannot be read. */
  readonly text: string
}
