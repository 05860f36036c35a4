import type { Json } from '../../contract/plugin.ts'
import type { Elements } from '../../json/elements.ts'
import { type FieldList, isObject } from '../../json/fields.ts'
import type { Edit } from '../../json/splice.ts'
import type { JsonDocument, JsonObject } from '../../json/strict.ts'
import type { Steps } from '../../util/steps.ts'
import { invalid } from '../checks.ts'
import type { Reference, RequestChanges, RequestDocument } from '../dialect.ts'
import { isModel } from '../shapes.ts'
import { probabilityEdits } from './probabilities.ts'
import { referencesOf, sealsOf } from './references.ts'
import { check, type ResponsesRequest } from './request.ts'
import { requestFields, requestFieldsInSteps } from './request-fields.ts'

/** What a request is for: a response, the number of its tokens, or a shorter form of its items. */
export type Purpose = 'response' | 'count' | 'compact'

/** A request as the core sees it: its content, and the edits it allows. */
export class ResponsesRequestDocument implements RequestDocument {
  readonly text: string
  readonly tree: JsonObject
  readonly choices = 1
  /** A response always has its usage. */
  readonly includeUsage = true
  readonly #request: ResponsesRequest
  readonly #purpose: Purpose

  /** @throws GatewayError GW_INVALID_JSON, GW_INVALID_PARAMETER */
  constructor({ text, tree }: JsonDocument, purpose: Purpose = 'response') {
    this.#request = check(tree)
    this.#purpose = purpose
    if (purpose !== 'response' && this.stream) throw invalid('stream', 'is not supported here')
    this.text = text
    this.tree = tree as JsonObject
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
  get maxOutputTokens(): number | undefined {
    return this.#purpose === 'count' ? 0 : this.#request.maxOutputTokens
  }

  /** Responses are kept unless the client says otherwise. A shorter form has items of the client, with its ids. */
  get isKept(): boolean {
    return this.#purpose === 'response' && this.tree.store !== false
  }

  get references(): readonly Reference[] {
    return referencesOf(this.tree)
  }

  get seals(): readonly string[] {
    return sealsOf(this.tree.input)
  }

  fields(elements?: Elements): FieldList {
    return requestFields(this.text, this.tree, elements)
  }

  fieldsInSteps(elements?: Elements): Steps<FieldList> {
    return requestFieldsInSteps(this.text, this.tree, elements)
  }

  edit({ model, cap, notes }: RequestChanges, edits: Edit[]): void {
    const { tree } = this
    if (tree.service !== undefined) edits.push({ kind: 'remove', path: ['service'] })
    if (model !== undefined) edits.push({ kind: 'replace', path: ['model'], json: JSON.stringify(model) })
    const asked = tree.max_output_tokens
    if (cap !== undefined && this.#purpose === 'response' && !(typeof asked === 'number' && asked <= cap))
      set(tree, 'max_output_tokens', String(cap), edits)
    dropProbabilities(tree, edits)
    if (notes !== undefined && notes.length > 0) addNotes(tree, notes, edits)
  }
}

/** Token probabilities of earlier answers repeat their texts, which may have been rewritten. */
function dropProbabilities({ input }: JsonObject, edits: Edit[]): void {
  if (!Array.isArray(input)) return
  input.forEach((item, i) => {
    if (!isObject(item) || !Array.isArray(item.content)) return
    item.content.forEach((part, j) => {
      if (!isObject(part)) return
      edits.push(...probabilityEdits(part.logprobs, ['input', i, 'content', j, 'logprobs'], '', true))
    })
  })
}

/** Puts notes before the instructions, which may have been rewritten. */
function addNotes(tree: JsonObject, notes: readonly string[], edits: Edit[]): void {
  const at = edits.findIndex(({ path }) => path.length === 1 && path[0] === 'instructions')
  const rewrite = at === -1 ? undefined : edits[at]
  const own = rewrite?.kind === 'replace' ? (JSON.parse(rewrite.json) as Json) : tree.instructions
  if (at !== -1) edits.splice(at, 1)
  const texts = [...notes].reverse()
  if (typeof own === 'string' && own !== '') texts.push(own)
  set(tree, 'instructions', JSON.stringify(texts.join('\n\n')), edits)
}

/** Replaces a member that is present as null: inserting it again would duplicate it. */
function set(tree: JsonObject, name: string, json: string, edits: Edit[]): void {
  edits.push(
    Object.hasOwn(tree, name) ? { kind: 'replace', path: [name], json } : { kind: 'insert', path: [], name, json },
  )
}
