import { GatewayError } from '../../contract/errors.ts'
import type { Json } from '../../contract/plugin.ts'
import { FieldList, isObject } from '../../json/fields.ts'
import type { Edit } from '../../json/splice.ts'
import type { JsonDocument, JsonObject, Path } from '../../json/strict.ts'
import type { Steps } from '../../util/steps.ts'
import type { RequestChanges, RequestDocument } from '../dialect.ts'
import { refuseLookalikes } from '../lookalikes.ts'
import { isModel } from '../shapes.ts'
import { all, count, members, model, shaped, type Walk } from '../walk.ts'
import { inputsOf, inputTexts, isTokens } from './input.ts'

const MOST_INPUTS = 2048

/** An embeddings request. Token lists are decoded to text. */
export class EmbeddingsRequest implements RequestDocument {
  readonly text: string
  readonly tree: JsonObject
  readonly model: string
  readonly stream = false
  readonly choices = 1
  readonly maxOutputTokens = 0
  readonly includeUsage = false
  readonly #texts: readonly string[]

  /** @throws GatewayError GW_INVALID_JSON, GW_INVALID_PARAMETER */
  constructor({ text, tree }: JsonDocument) {
    if (!isObject(tree)) throw new GatewayError('GW_INVALID_JSON', 'The body must be a JSON object.')
    refuseLookalikes(tree, KEYS, '')
    if (typeof tree.model !== 'string' || tree.model === '') throw invalid('model', 'must be a non-empty string')
    checkInput(tree.input)
    this.text = text
    this.tree = tree
    this.model = tree.model
    this.#texts = textsOf(tree)
  }

  get hasPlainModel(): boolean {
    return isModel(this.model)
  }

  fields(): FieldList {
    const list = new FieldList(this.text)
    members(list, [], this.tree, { ...KNOWN, input: this.#input })
    return list
  }

  *fieldsInSteps(): Steps<FieldList> {
    yield
    return this.fields()
  }

  readonly #input: Walk = (list, path, value) => {
    const single = inputsOf(value)[0] === value
    this.#texts.forEach((text, i) => {
      const at: Path = single ? path : [...path, i]
      if (text === '' && isTokens(inputsOf(value)[i])) list.skip('tokens')
      list.add('content', at, text, 'user')
      // A value may be split between two inputs.
      if (text !== '') list.sequence.push(list.fields.length - 1)
    })
  }

  edit({ model }: RequestChanges, edits: Edit[]): void {
    this.#unmix(edits)
    if (this.tree.service !== undefined) edits.push({ kind: 'remove', path: ['service'] })
    if (model !== undefined) edits.push({ kind: 'replace', path: ['model'], json: JSON.stringify(model) })
  }

  /** Texts and token lists cannot be mixed: if one list was rewritten, all become texts. */
  #unmix(edits: Edit[]): void {
    const { input } = this.tree
    if (!Array.isArray(input) || !isTokens(input[0])) return
    const rewritten = new Set(edits.flatMap(({ path }) => (path[0] === 'input' && path.length === 2 ? [path[1]] : [])))
    if (rewritten.size === 0) return
    this.#texts.forEach((text, i) => {
      if (!rewritten.has(i)) edits.push({ kind: 'replace', path: ['input', i], json: JSON.stringify(text) })
    })
  }
}

const invalid = (param: string, what: string) =>
  new GatewayError('GW_INVALID_PARAMETER', `Invalid '${param}': it ${what}.`, { param })

function checkInput(input: Json | undefined): void {
  if (typeof input === 'string' || isTokens(input)) return
  const rule = `must be a string, tokens, or a list of 1 to ${MOST_INPUTS} strings or of lists of tokens`
  if (!Array.isArray(input) || input.length === 0 || input.length > MOST_INPUTS) throw invalid('input', rule)
  const strings = typeof input[0] === 'string'
  input.forEach((one, i) => {
    if (strings ? typeof one !== 'string' : !isTokens(one)) {
      throw invalid(`input[${i}]`, strings ? 'must be a string, as the first one is' : 'must be a list of tokens')
    }
  })
}

function textsOf({ model, input }: JsonObject): string[] {
  try {
    return inputTexts(model, input)
  } catch {
    throw invalid('input', 'has a token that the model does not know')
  }
}

const KEYS = new Set('model input encoding_format dimensions user'.split(' '))
const KNOWN: Readonly<Record<string, Walk>> = {
  model,
  encoding_format: shaped((value) => value === 'float' || value === 'base64'),
  dimensions: count,
  user: all('user'),
}
