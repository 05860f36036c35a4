import type { Json, MessageParts, Prompt, RequestMessage } from '../../contract/plugin.ts'
import type { Elements } from '../../json/elements.ts'
import { type FieldList, isObject } from '../../json/fields.ts'
import { type NamedBeginning, OutlinedDocument } from '../../json/outlined.ts'
import type { Edit } from '../../json/splice.ts'
import type { JsonObject } from '../../json/strict.ts'
import type { Steps } from '../../util/steps.ts'
import type { RequestChanges, RequestDocument } from '../dialect.ts'
import { LazyMessage } from '../lazy-message.ts'
import { promptInParts } from '../prompt-parts.ts'
import { isModel } from '../shapes.ts'
import { messageOf } from './messages.ts'
import { promptOf } from './prompt.ts'
import type { ChatRequest } from './request.ts'
import { requestFields, requestFieldsInSteps } from './request-fields.ts'

/** A request as the core sees it: its content, and the edits it allows. */
export class ChatRequestDocument implements RequestDocument {
  readonly #request: ChatRequest

  constructor(request: ChatRequest) {
    this.#request = request
  }

  get text(): string {
    return this.#request.document.text
  }
  get tree(): JsonObject {
    return this.#request.document.tree as JsonObject
  }
  get frozen(): JsonObject | undefined {
    return this.#outlined?.frozen
  }
  get #outlined(): OutlinedDocument | undefined {
    const { document } = this.#request
    return document instanceof OutlinedDocument ? document : undefined
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
    const { notes } = known
    const elements = document.outline.messages as readonly Json[]
    const read = (i: number) => messageOf(document.elementOf('messages', i) as JsonObject)
    return elements.map((element, i) => {
      const role = notes[i]
      return role === undefined ? messageOf(element as JsonObject) : new LazyMessage(role, i, read)
    })
  }

  messageParts(): MessageParts | undefined {
    const document = this.#outlined
    if (document === undefined) return undefined
    const before = document.beginningOf('messages')
    const elements = document.outline.messages as readonly Json[]
    const kept = document.keys.find(({ member }) => member === 'messages')
    return {
      before: before?.sums,
      fresh: elements.slice(document.known('messages')).map((element) => messageOf(element as JsonObject)),
      all: kept?.count === elements.length ? kept.sums : undefined,
    }
  }

  get model(): string {
    return this.#request.model
  }
  get hasPlainModel(): boolean {
    return isModel(this.model)
  }
  get stream(): boolean {
    return this.#request.stream
  }
  get choices(): number {
    return this.#request.choices
  }
  get maxOutputTokens(): number | undefined {
    return this.#request.maxOutputTokens
  }
  get includeUsage(): boolean {
    return this.#request.includeUsage
  }

  fieldsInSteps(elements?: Elements): Steps<FieldList> {
    return requestFieldsInSteps(this.#request, elements)
  }

  fields(elements?: Elements): FieldList {
    return requestFields(this.#request, elements)
  }

  edit({ model, cap, notes, usage }: RequestChanges, edits: Edit[]): void {
    const { outline: tree } = this.#request
    if (tree.service !== undefined) edits.push({ kind: 'remove', path: ['service'] })
    if (model !== undefined) edits.push({ kind: 'replace', path: ['model'], json: JSON.stringify(model) })
    if (cap !== undefined) capEdits(tree, cap, edits)
    for (const note of notes ?? []) {
      edits.push({ kind: 'prepend', path: ['messages'], json: JSON.stringify({ role: 'system', content: note }) })
    }
    if (usage) edits.push(usageEdit(tree))
  }
}

/**
 * Lowers the token limit in the field that the client sent. Never mixes the two fields, since some models reject the
 * older one.
 */
function capEdits(tree: Readonly<Record<string, Json>>, cap: number, edits: Edit[]): void {
  let sent = false
  for (const name of ['max_completion_tokens', 'max_tokens']) {
    const value = tree[name]
    if (typeof value !== 'number') continue
    sent = true
    if (value > cap) edits.push({ kind: 'replace', path: [name], json: String(cap) })
  }
  if (!sent) edits.push(setMember(tree, 'max_completion_tokens', String(cap)))
}

export function usageEdit(tree: Readonly<Record<string, Json>>): Edit {
  const options = tree.stream_options
  if (!isObject(options)) return setMember(tree, 'stream_options', '{"include_usage":true}')
  if (options.include_usage === undefined)
    return { kind: 'insert', path: ['stream_options'], name: 'include_usage', json: 'true' }
  return { kind: 'replace', path: ['stream_options', 'include_usage'], json: 'true' }
}

/** Replaces a member that is present as null: inserting it again would duplicate it. */
export const setMember = (tree: Readonly<Record<string, Json>>, name: string, json: string): Edit =>
  Object.hasOwn(tree, name) ? { kind: 'replace', path: [name], json } : { kind: 'insert', path: [], name, json }
