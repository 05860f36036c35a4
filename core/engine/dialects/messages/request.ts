import { GatewayError } from '../../contract/errors.ts'
import type { Json, Prompt, RequestMessage } from '../../contract/plugin.ts'
import type { Elements } from '../../json/elements.ts'
import { type FieldList, isObject } from '../../json/fields.ts'
import { type Beginnings, type NamedBeginning, OutlinedDocument } from '../../json/outlined.ts'
import { type Edit, valueAt } from '../../json/splice.ts'
import type { JsonDocument, JsonObject } from '../../json/strict.ts'
import type { Steps } from '../../util/steps.ts'
import { invalid, modelOf, objectBody, optionalBoolean, positiveInteger } from '../checks.ts'
import type { RequestChanges, RequestDocument } from '../dialect.ts'
import { knownOf, outlineOf, type Reading, readBody, readBodyInSteps } from '../known.ts'
import { LazyMessage } from '../lazy-message.ts'
import { refuseLookalikes } from '../lookalikes.ts'
import { promptInParts } from '../prompt-parts.ts'
import { isModel } from '../shapes.ts'
import { noteEdits } from './notes.ts'
import { messageOf, promptOf, systemOf } from './prompt.ts'
import { requestFields, requestFieldsInSteps } from './request-fields.ts'

/** Reads a request (POST /v1/messages). @throws GatewayError GW_INVALID_JSON, GW_INVALID_PARAMETER, GW_MODEL_NOT_ALLOWED */
export const readRequest = (body: Buffer, counts: boolean, beginnings?: Beginnings): MessagesRequest =>
  new MessagesRequest(readBody(body, READING, beginnings), counts)

/** Like `readRequest`, for a large body. */
export function* readRequestInSteps(
  body: Buffer,
  counts: boolean,
  maxValues: number,
  beginnings?: Beginnings,
): Steps<MessagesRequest> {
  const { request } = yield* readBodyInSteps(body, maxValues, READING, beginnings)
  yield
  return new MessagesRequest(request, counts)
}

/** A request for a message, or for the number of its tokens. */
export class MessagesRequest implements RequestDocument {
  readonly model: string
  readonly stream: boolean
  readonly choices = 1
  readonly maxOutputTokens: number | undefined
  /** Usage is part of every reply. */
  readonly includeUsage = true
  readonly #document: JsonDocument
  readonly #counts: boolean

  /**
   * @param document a body that was checked
   * @param counts only the tokens are counted
   * @throws GatewayError GW_INVALID_PARAMETER
   */
  constructor(document: JsonDocument, counts: boolean) {
    const tree = outlineOf(document) as JsonObject
    this.#document = document
    this.#counts = counts
    this.model = tree.model as string
    this.stream = !counts && (optionalBoolean(tree, 'stream') ?? false)
    this.maxOutputTokens = counts ? 0 : positiveInteger(tree, 'max_tokens')
  }

  get text(): string {
    return this.#document.text
  }
  get tree(): JsonObject {
    return this.#document.tree as JsonObject
  }
  get frozen(): JsonObject | undefined {
    return this.#outlined?.frozen
  }
  get #outlined(): OutlinedDocument | undefined {
    return this.#document instanceof OutlinedDocument ? this.#document : undefined
  }

  begun(): readonly NamedBeginning[] {
    return this.#outlined?.keys ?? []
  }

  prompt(): Prompt | undefined {
    const document = this.#outlined
    return document && promptInParts(document, promptOf)
  }

  messages(): RequestMessage[] | undefined {
    const document = this.#outlined
    const known = document?.beginningOf('messages')
    if (document === undefined || known === undefined) return undefined
    const read = (i: number) => messageOf(document.elementOf('messages', i) as JsonObject)
    return [
      ...systemOf(document.outline),
      ...(document.outline.messages as readonly Json[]).map((message, i) => {
        const role = known.notes[i]
        return role === undefined ? messageOf(message as JsonObject) : new LazyMessage(role, i, read)
      }),
    ]
  }

  get hasPlainModel(): boolean {
    return isModel(this.model)
  }

  fields(elements?: Elements): FieldList {
    return requestFields(this.#document, elements)
  }

  fieldsInSteps(elements?: Elements): Steps<FieldList> {
    return requestFieldsInSteps(this.#document, elements)
  }

  edit({ model, cap, notes }: RequestChanges, edits: Edit[]): void {
    const { tree } = this
    dropEditedThinking(tree, edits)
    if (tree.service !== undefined) edits.push({ kind: 'remove', path: ['service'] })
    if (model !== undefined) edits.push({ kind: 'replace', path: ['model'], json: JSON.stringify(model) })
    if (cap !== undefined && !this.#counts) capEdits(tree, cap, edits)
    if (notes !== undefined && notes.length > 0) noteEdits(tree, notes, edits)
  }
}

/**
 * A signature covers the text of its thinking block, and providers refuse an edited one. They accept a conversation
 * without the block. A message keeps its last block, emptied.
 */
function dropEditedThinking(tree: JsonObject, edits: Edit[]): void {
  const dropped = new Map<string, Edit['path']>()
  const unsigned = new Set<string>()
  for (const { path } of edits) {
    if (path[0] !== 'messages' || path[2] !== 'content' || (path[4] !== 'thinking' && path[4] !== 'signature')) continue
    const place = path.slice(0, 4)
    const block = valueAt(tree, place)
    if (!isObject(block) || block.type !== 'thinking' || !isSigned(block)) continue
    dropped.set(place.join(), place)
    if (path[4] === 'signature') unsigned.add(place.join())
  }
  if (dropped.size === 0) return
  for (let i = edits.length - 1; i >= 0; i--) {
    if (dropped.has((edits[i] as Edit).path.slice(0, 4).join())) edits.splice(i, 1)
  }
  const left = new Map<number, number>()
  for (const path of dropped.values()) {
    const at = path[1] as number
    const rest = (left.get(at) ?? (valueAt(tree, path.slice(0, 3)) as Json[]).length) - 1
    left.set(at, rest)
    if (rest > 0) edits.push({ kind: 'remove', path })
    else {
      const { signature } = valueAt(tree, path) as JsonObject
      const emptied = { type: 'thinking', thinking: '', signature: unsigned.has(path.join()) ? '' : signature }
      edits.push({ kind: 'replace', path, json: JSON.stringify(emptied) })
    }
  }
}

export const isSigned = ({ signature }: JsonObject): boolean => typeof signature === 'string' && signature !== ''

/** The smallest budget for thinking that the API takes. */
const LEAST_THINKING = 1024

/** Lowers the token limit, and the budget for thinking, which must be below it. */
function capEdits(tree: JsonObject, cap: number, edits: Edit[]): void {
  const { max_tokens: sent, thinking } = tree
  if (typeof sent === 'number' && sent <= cap) return
  edits.push(
    Object.hasOwn(tree, 'max_tokens')
      ? { kind: 'replace', path: ['max_tokens'], json: String(cap) }
      : { kind: 'insert', path: [], name: 'max_tokens', json: String(cap) },
  )
  if (!isObject(thinking) || typeof thinking.budget_tokens !== 'number' || thinking.budget_tokens < cap) return
  if (cap > LEAST_THINKING) edits.push({ kind: 'replace', path: ['thinking', 'budget_tokens'], json: String(cap - 1) })
  else edits.push({ kind: 'replace', path: ['thinking'], json: '{"type":"disabled"}' })
}

function check(document: JsonDocument): JsonDocument {
  const tree = objectBody(outlineOf(document), REQUEST_KEYS)
  const { messages, system, tools, thread } = tree
  modelOf(tree)
  if (!Array.isArray(messages) || messages.length === 0)
    throw invalid('messages', 'must be an array of at least one message')
  for (let i = knownOf(document, 'messages'); i < messages.length; i++) checkMessage(messages[i] as Json, i)
  if (system !== undefined && system !== null) checkContent(system, 'system')
  if (tools !== undefined && tools !== null) {
    if (!Array.isArray(tools)) throw invalid('tools', 'must be an array')
    for (let i = knownOf(document, 'tools'); i < tools.length; i++) checkObject(tools[i], TOOL_KEYS, `tools[${i}]`)
  }
  if (isObject(tree.metadata)) refuseLookalikes(tree.metadata, METADATA_KEYS, 'metadata')
  if (thread !== undefined && thread !== null)
    throw new GatewayError(
      'GW_MODEL_NOT_ALLOWED',
      "The gateway does not pass on 'thread': it continues a conversation that the gateway cannot inspect.",
      { param: 'thread' },
    )
  return document
}

const ROLES: ReadonlySet<string> = new Set(['system', 'user', 'assistant', 'tool'])

/** Roles that are no text of the caller are noted: sessions ask for them alone. */
function noteOf(member: string, element: JsonObject): string | undefined {
  if (member !== 'messages') return ''
  const { role } = messageOf(element)
  return ROLES.has(role) ? role : undefined
}

/** Last messages among which clients move their marks for the cache from turn to turn. */
const MOVING = 4

function lastOf(member: string, elements: readonly Json[]): number {
  if (member !== 'messages') return elements.length
  const from = Math.max(0, elements.length - MOVING)
  const marked = elements.slice(from).findIndex(isMarked)
  return marked < 0 ? elements.length : from + marked
}

const isMarked = (message: Json): boolean =>
  isObject(message) &&
  Array.isArray(message.content) &&
  message.content.some((block) => isObject(block) && isObject(block.cache_control))

const READING: Reading<JsonDocument> = { arrays: new Set(['messages', 'tools']), check, noteOf, lastOf }

function checkMessage(message: Json, index: number): void {
  const path = `messages[${index}]`
  checkObject(message, MESSAGE_KEYS, path)
  const { role, content } = message as JsonObject
  if (typeof role !== 'string') throw invalid(`${path}.role`, 'must be a string')
  checkContent(content, `${path}.content`)
}

function checkContent(content: Json | undefined, path: string): void {
  if (typeof content === 'string') return
  if (!Array.isArray(content)) throw invalid(path, 'must be a string or an array of blocks')
  content.forEach((block, i) => {
    const at = `${path}[${i}]`
    checkObject(block, BLOCK_KEYS, at)
    const { source, content: inner } = block as JsonObject
    if (isObject(source)) refuseLookalikes(source, SOURCE_KEYS, `${at}.source`)
    if (Array.isArray(inner)) {
      inner.forEach((one, j) => {
        if (isObject(one)) refuseLookalikes(one, BLOCK_KEYS, `${at}.content[${j}]`)
      })
    }
  })
}

function checkObject(value: Json | undefined, keys: ReadonlySet<string>, path: string): void {
  if (!isObject(value)) throw invalid(path, 'must be an object')
  refuseLookalikes(value, keys, path)
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))
const REQUEST_KEYS = words(
  `model messages system max_tokens stream tools tool_choice metadata stop_sequences temperature top_p top_k thinking
  output_config output_format context_management container mcp_servers service_tier speed inference_geo cache_control
  diagnostics thread`,
)
const MESSAGE_KEYS = words('role content')
const METADATA_KEYS = words('user_id session_id')
const BLOCK_KEYS = words(
  `type text citations cache_control source title context content id name input tool_use_id is_error thinking signature
  data file_id tool_name`,
)
const SOURCE_KEYS = words('type media_type data url file_id content')
const TOOL_KEYS = words('type name description input_schema input_examples strict cache_control')
