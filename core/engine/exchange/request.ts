import type { IncomingHttpHeaders } from 'node:http'
import { isOfCredential } from '../access/credential.ts'
import { GatewayError } from '../contract/errors.ts'
import { checkHeader, isProtectedHeader } from '../contract/header-rules.ts'
import type {
  Answer,
  ExchangeRequest,
  Json,
  MessageParts,
  Prompt,
  RequestMessage,
  Target,
  TextView,
} from '../contract/plugin.ts'
import { contractError } from '../contract/results.ts'
import type { Dialect, RequestDocument, StoredTarget } from '../dialects/dialect.ts'
import { frozen } from '../dialects/prompt-parts.ts'
import { type Change, toEditsInSteps } from '../json/edits.ts'
import { parseBodyInSteps } from '../json/in-steps.ts'
import { parseJson } from '../json/read.ts'
import { type Edit, encodeInSteps, splice, spliceInSteps } from '../json/splice.ts'
import type { JsonObject } from '../json/strict.ts'
import type { BodyElements } from '../text/element-memory.ts'
import { FieldView } from '../text/field-view.ts'
import type { Inspection } from '../text/inspection.ts'
import { deepFreeze } from '../util/deep-freeze.ts'
import { FOUND, type LogSafe, logSafeModel } from '../util/outside.ts'
import { inSteps, type NextTurn, type Steps, stepByStep } from '../util/steps.ts'

import { RequestTexts } from './request-texts.ts'
import { RestingDocument } from './resting-document.ts'

/** Larger requests are processed in turns, so that other exchanges can run in between; bytes. */
const LARGE = 128 * 1024

/** The kind of content that only the provider can open. */
const SEALED = 'encrypted_content'

export const isLarge = (body: Buffer): boolean => body.length > LARGE

/** The request as plugins see it, and the edits that make the body to send. */
export class RequestSide implements ExchangeRequest {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly #body: Buffer
  readonly #dialect: Dialect
  #document: RequestDocument
  readonly #inspection: Inspection
  #texts: RequestTexts | undefined
  #uninspected: ReadonlyMap<string, number> | undefined = undefined
  readonly #changes: Change[] = []
  #textEdits: Edit[] = []
  /** Findings of all texts were merged, including those in the model name. */
  #settled = false
  #json: Readonly<Record<string, Json>> | undefined = undefined
  /** With its new texts, of a large request. */
  #rewritten: JsonObject | undefined = undefined
  #prompt: { readonly of: object; readonly prompt: Prompt } | undefined = undefined
  #cap: number | undefined = undefined
  #model: { readonly name: string; readonly owner: string } | undefined = undefined
  #shownModel: LogSafe | undefined = undefined
  #notes: string[] | undefined = undefined
  #wantsUsage = false
  targets: readonly Target[] = []
  /** Standard headers withheld because their value has an unexpected shape. */
  withheldHeaders = 0
  upstreamHeaders: Record<string, string> | undefined = undefined

  /** @param known what the memo knows of the body */
  constructor(
    dialect: Dialect,
    body: Buffer,
    document: RequestDocument,
    headers: IncomingHttpHeaders,
    inspection: Inspection,
    known?: BodyElements,
  ) {
    this.#dialect = dialect
    this.#body = body
    this.#document = document
    this.#inspection = inspection
    this.#texts = new RequestTexts(dialect, document, inspection, known)
    this.headers = headers as Readonly<Record<string, string | undefined>>
  }

  get model(): string {
    return this.#document.model
  }
  get hasPlainModel(): boolean {
    return this.#document.hasPlainModel
  }
  /** The model name for events, without possible findings in it. */
  get shownModel(): LogSafe {
    if (this.#shownModel === undefined) {
      const shown = logSafeModel(this.model, isOfCredential(this.headers, this.model))
      if (!this.#settled) return this.hasPlainModel ? shown : FOUND
      this.#shownModel = shown
    }
    return this.#shownModel
  }
  get stream(): boolean {
    return this.#document.stream
  }
  get choices(): number {
    return this.#document.choices
  }
  get maxOutputTokens(): number | undefined {
    return this.#document.maxOutputTokens
  }
  /** Whether the client requested the usage chunk. */
  get includeUsage(): boolean {
    return this.#document.includeUsage
  }
  get wantsUsage(): boolean {
    return this.#wantsUsage
  }
  /** What it asks of the replies that the provider keeps. */
  get target(): StoredTarget | undefined {
    return this.#document.stored
  }
  get stored(): boolean {
    return this.target !== undefined
  }
  /** Whether the provider keeps the reply. */
  get isKept(): boolean {
    return this.#document.isKept === true
  }
  get bytes(): number {
    return this.#body.length
  }

  /** Texts that only the provider can open; undefined where replies have none that come back. */
  get seals(): readonly string[] | undefined {
    return this.#document.seals
  }

  /** Some sealed texts came to this key through the gateway. */
  trust(seals: number): void {
    const kinds = new Map(this.uninspected)
    const left = (kinds.get(SEALED) ?? 0) - seals
    if (left > 0) kinds.set(SEALED, left)
    else kinds.delete(SEALED)
    this.#uninspected = kinds
  }

  /** Kind and number of parts that text rules cannot read. */
  get uninspected(): ReadonlyMap<string, number> {
    return this.#uninspected ?? this.texts.uninspected
  }

  /** Each tap gets its own handles. */
  get views(): readonly TextView[] {
    return this.texts.handles
  }

  /** Like `views`, for the core: creates and reads only what was asked for. */
  get texts(): RequestTexts {
    this.#texts ??= new RequestTexts(this.#dialect, this.#document, this.#inspection)
    return this.#texts
  }

  /** Whether the request is too large for one turn of the event loop. */
  get isLarge(): boolean {
    return isLarge(this.#body)
  }

  /** Collects the texts of a large request before they are used. */
  async walk(nextTurn: NextTurn): Promise<void> {
    await nextTurn()
    await this.texts.walk(nextTurn)
  }

  /** Reads what takes more than one turn of the event loop before a plugin uses it; undefined if nothing does. */
  prepare(nextTurn: NextTurn): Promise<void> | undefined {
    if (this.isLarge) return this.texts.prepare(nextTurn)
    return FieldView.isLong(this.#body) ? this.texts.readLong(nextTurn) : undefined
  }

  /** The body as the client sent it. */
  get tree(): Readonly<Record<string, Json>> {
    return this.#document.tree
  }

  get json(): Readonly<Record<string, Json>> {
    if (this.#json === undefined) {
      const edits = this.#edits(false)
      if (edits.length === 0) this.#json = this.#document.frozen ?? deepFreeze(this.#document.tree)
      else if (this.#rewritten !== undefined && areSame(edits, this.#textEdits)) this.#json = this.#rewritten
      else this.#json = deepFreeze(parseJson(splice(this.#document.text, edits))) as JsonObject
    }
    return this.#json
  }

  get messages(): readonly RequestMessage[] {
    const { json } = this
    const made = json === this.#document.frozen ? this.#document.messages?.() : undefined
    return made ?? this.#dialect.messagesOf(json)
  }

  get messageParts(): MessageParts | undefined {
    return this.json === this.#document.frozen ? this.#document.messageParts?.() : undefined
  }

  get conversation(): string | undefined {
    return this.#dialect.conversationOf?.(this.#document.tree)
  }

  get continued(): readonly string[] {
    const { tree } = this.#document
    const prompts = this.#dialect.continuedOf?.(tree)
    if (prompts !== undefined) return prompts
    const messages = this.#dialect.messagesOf(tree)
    const last = messages.findLastIndex(({ role }) => role !== 'assistant')
    const texts = messages.slice(last + 1).flatMap((message) => message.texts)
    return texts.length === 0 ? [] : [texts.join('')]
  }

  get prompt(): Prompt {
    const { json } = this
    if (this.#prompt?.of !== json) {
      const inParts = json === this.#document.frozen ? this.#document.prompt?.() : undefined
      this.#prompt = { of: json, prompt: inParts ?? frozen(this.#dialect.promptOf(json)) }
    }
    return this.#prompt.prompt
  }

  /** An answer to the request with this text. */
  answer(id: string, content: string): Answer {
    if (typeof content !== 'string') throw contractError('answer() takes a text.')
    const { model, choices, stream, includeUsage } = this
    return this.#dialect.answerOf({ id, model, choices, content, stream, includeUsage })
  }

  capOutputTokens(tokens: number): void {
    if (!Number.isInteger(tokens) || tokens < 1) {
      throw new GatewayError(
        'GW_PLUGIN_CONTRACT',
        `capOutputTokens takes a whole number from 1, not ${typeof tokens === 'number' ? tokens : `a ${typeof tokens}`}.`,
      )
    }
    this.#cap = Math.min(this.#cap ?? tokens, tokens)
    this.#json = undefined
  }

  setModel(model: string): void {
    if (typeof model !== 'string' || model === '') throw contractError('setModel() takes the name of a model.')
    const owner = this.#inspection.reporter?.name ?? 'the gateway'
    if (this.#model !== undefined && this.#model.owner !== owner) {
      const message = `Both ${this.#model.owner} and ${owner} set the model of one request. Let one of them do it.`
      throw new GatewayError('GW_PLUGIN_CONTRACT', message)
    }
    this.#model = { name: model, owner }
    this.#json = undefined
  }

  /** The model to request from a provider; its route may say `rename`. */
  modelFor(rename: string | undefined): string {
    return this.#model?.name ?? rename ?? this.model
  }

  wantUsage(): void {
    this.#wantsUsage = true
  }

  addSystemNote(text: string): void {
    if (typeof text !== 'string') throw contractError('addSystemNote() takes a text.')
    this.#notes ??= []
    this.#notes.push(text)
    this.#json = undefined
  }

  setUpstreamHeader(name: string, value: string): void {
    checkHeader(name, value)
    const lower = name.toLowerCase()
    if (isProtectedHeader(lower)) {
      throw new GatewayError(
        'GW_PLUGIN_CONTRACT',
        `Header '${name}' belongs to the gateway and cannot be set by a plugin.`,
      )
    }
    this.upstreamHeaders ??= {}
    this.upstreamHeaders[lower] = value
  }

  /** Settles when every verdict that plugins wait for arrived; `onError` decides failures. */
  async verdicts(): Promise<void> {
    const { waits } = this.texts
    if (waits.length > 0) await Promise.all(waits)
  }

  /** Merges all findings once, after all plugins reported; in turns if there is much. `close` changes the body. */
  closeInput(nextTurn: NextTurn): void | Promise<void> {
    this.#inspection.inputClosed = true
    return inSteps(this.#settle(), nextTurn)
  }

  *#settle(): Steps<void> {
    yield* this.texts.settle((field, text, reported) => {
      if (text !== undefined) this.#changes.push({ field, text })
      if (reported && field.path[0] === 'model') this.#shownModel = FOUND
    })
    this.#settled = true
  }

  /** Ends all changes: the request is now what will be sent. */
  close(nextTurn: NextTurn): void | Promise<void> {
    this.#release()
    if (this.#changes.length > 0) return inSteps(this.#close(), nextTurn)
  }

  /** Views take many times the memory of their texts, and the reply may take minutes. They are made again if asked for. */
  #release(): void {
    this.#uninspected ??= this.#texts?.knownUninspected
    this.#texts = undefined
  }

  /**
   * The request was sent: drops what was read of the body. It is read again if asked for, so not where that takes long, nor
   * where replies repeat the request.
   *
   * @param governed its uninspectable parts will be reported
   */
  rest(governed: boolean): void {
    const { stored, stream } = this
    if (!stream || stored || this.isLarge || this.#dialect.repeatsRequest === true) return
    if (governed) this.#uninspected ??= this.uninspected
    this.#texts = this.#json = this.#prompt = undefined
    this.#document = new RestingDocument(this.#document, this.#body, this.#dialect.readRequest)
  }

  *#close(): Steps<void> {
    this.#textEdits = yield* toEditsInSteps(this.#changes)
    this.#changes.length = 0
    this.#json = undefined
    if (!this.isLarge) return
    const text = yield* spliceInSteps(this.#document.text, this.#textEdits)
    this.#rewritten = (yield* parseBodyInSteps(text)).tree as JsonObject
  }

  /** The body for one upstream; in turns for large requests. Unedited parts keep their exact spelling. */
  bodyFor(injectUsage: boolean, model: string, nextTurn: NextTurn): Buffer | Promise<Buffer> {
    const edits = this.#edits(injectUsage && this.stream && !this.#document.includeUsage && this.#wantsUsage, model)
    if (edits.length === 0) return this.#body
    if (this.isLarge) return stepByStep(encodeInSteps(this.#document.text, edits), nextTurn)
    return ownBytes(splice(this.#document.text, edits))
  }

  #edits(usage: boolean, model = this.modelFor(undefined)): Edit[] {
    const edits = [...this.#textEdits]
    const changes = { model: model === this.model ? undefined : model, cap: this.#cap, notes: this.#notes, usage }
    this.#document.edit(changes, edits)
    return edits
  }
}

/** In memory of its own: a stream keeps its request until it ends, and would keep whole pages that others share. */
function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

const areSame = (some: readonly Edit[], others: readonly Edit[]): boolean =>
  some.length === others.length && some.every((edit, i) => edit === others[i])
