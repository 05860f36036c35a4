import { FieldList } from '../../json/fields.ts'
import type { Edit } from '../../json/splice.ts'
import type { JsonDocument, JsonObject } from '../../json/strict.ts'
import type { Steps } from '../../util/steps.ts'
import { modelOf, objectBody } from '../checks.ts'
import type { RequestChanges, RequestDocument } from '../dialect.ts'
import { Inputs } from '../inputs.ts'
import { isModel } from '../shapes.ts'
import { all, count, type Known, members, model, shaped } from '../walk.ts'

/** An embeddings request. Token lists are decoded to text. */
export class EmbeddingsRequest implements RequestDocument {
  readonly text: string
  readonly tree: JsonObject
  readonly model: string
  readonly stream = false
  readonly choices = 1
  readonly maxOutputTokens = 0
  readonly includeUsage = false
  readonly #input: Inputs

  /** @throws GatewayError GW_INVALID_JSON, GW_INVALID_PARAMETER */
  constructor({ text, tree }: JsonDocument) {
    this.text = text
    this.tree = objectBody(tree, KEYS)
    this.model = modelOf(this.tree)
    this.#input = new Inputs(this.tree, 'input')
  }

  get hasPlainModel(): boolean {
    return isModel(this.model)
  }

  fields(): FieldList {
    const list = FieldList.ofRequest(this.text)
    members(list, [], this.tree, { ...KNOWN, input: this.#input.walk })
    return list
  }

  fieldsInSteps(): Steps<FieldList> {
    const list = FieldList.ofRequest(this.text)
    return list.inSteps(() => members(list, [], this.tree, { ...KNOWN, input: this.#input.walk }))
  }

  edit({ model }: RequestChanges, edits: Edit[]): void {
    this.#input.unmix(edits)
    if (this.tree.service !== undefined) edits.push({ kind: 'remove', path: ['service'] })
    if (model !== undefined) edits.push({ kind: 'replace', path: ['model'], json: JSON.stringify(model) })
  }
}

const KEYS = new Set('model input encoding_format dimensions user'.split(' '))
const KNOWN: Known = {
  model,
  encoding_format: shaped((value) => value === 'float' || value === 'base64'),
  dimensions: count,
  user: all('user'),
}
