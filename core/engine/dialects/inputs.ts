import type { Json } from '../contract/plugin.ts'
import { isObject } from '../json/fields.ts'
import { parseBodyInSteps } from '../json/in-steps.ts'
import type { Edit } from '../json/splice.ts'
import { type JsonDocument, type JsonObject, type Path, textOf } from '../json/strict.ts'
import type { Steps } from '../util/steps.ts'
import { invalid } from './checks.ts'
import { decodeTokens, decodeTokensInSteps } from './tokens.ts'
import type { Walk } from './walk.ts'

const MOST_INPUTS = 2048

/**
 * The `input` of embeddings or the `prompt` of completions: a string, token ids, or a list of either. Tokens are decoded to
 * text.
 */
export class Inputs {
  readonly texts: readonly string[]
  readonly #name: string
  readonly #value: Json | undefined

  /** @throws GatewayError GW_INVALID_PARAMETER */
  constructor(tree: JsonObject, name: string) {
    this.#name = name
    this.#value = tree[name]
    check(this.#name, this.#value)
    try {
      this.texts = inputTexts(tree.model, this.#value)
    } catch {
      throw invalid(name, 'has a token that the model does not know')
    }
  }

  readonly walk: Walk = (list, path, value) => {
    const inputs = inputsOf(value)
    list.repeat(this.texts.length, (i) => {
      const text = this.texts[i] as string
      const at: Path = inputs[0] === value ? path : [...path, i]
      if (text === '' && isTokens(inputs[i])) list.skip('tokens')
      list.add('content', at, text, 'user')
      // A value may be split between two inputs.
      if (text !== '') list.sequence.push(list.fields.length - 1)
    })
  }

  /** Texts and token lists cannot be mixed: if one list was rewritten, all become texts. */
  unmix(edits: Edit[]): void {
    const [name, value] = [this.#name, this.#value]
    if (!Array.isArray(value) || !isTokens(value[0])) return
    const rewritten = new Set(edits.flatMap(({ path }) => (path[0] === name && path.length === 2 ? [path[1]] : [])))
    if (rewritten.size === 0) return
    this.texts.forEach((text, i) => {
      if (!rewritten.has(i)) edits.push({ kind: 'replace', path: [name, i], json: JSON.stringify(text) })
    })
  }
}

function check(name: string, value: Json | undefined): void {
  if (typeof value === 'string' || isTokens(value)) return
  const rule = `must be a string, tokens, or a list of 1 to ${MOST_INPUTS} strings or of lists of tokens`
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_INPUTS) throw invalid(name, rule)
  const strings = typeof value[0] === 'string'
  value.forEach((one, i) => {
    if (strings ? typeof one !== 'string' : !isTokens(one)) {
      throw invalid(`${name}[${i}]`, strings ? 'must be a string, as the first one is' : 'must be a list of tokens')
    }
  })
}

/** A loop, since `every` of a frozen list takes twenty times as long: a list may have 300,000. */
function isTokens(value: Json | undefined): value is number[] {
  if (!Array.isArray(value) || value.length === 0) return false
  for (let i = 0; i < value.length; i++) {
    const id = value[i]
    if (!Number.isInteger(id) || (id as number) < 0) return false
  }
  return true
}

/** The inputs of a request, as a list; token ids stay numbers. */
const inputsOf = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) && !isTokens(value) ? value : [value as Json]

/** Parses a large request and decodes the tokens of the member `name`. */
export function* readInputsInSteps(body: Buffer, maxValues: number, name: string): Steps<JsonDocument> {
  const text = textOf(body)
  yield
  const document = yield* parseBodyInSteps(text, maxValues)
  yield
  const { tree } = document
  if (isObject(tree)) yield* decodeTokensInSteps(tree.model, inputsOf(tree[name]).filter(isTokens))
  return document
}

/** The text of each input; empty if the tokens cannot be decoded. */
export const inputTexts = (model: Json | undefined, value: Json | undefined): string[] =>
  inputsOf(value).map((one) => (isTokens(one) ? (decodeTokens(model, one) ?? '') : String(one)))

/** The text of each input for token counts. Tokens that cannot be decoded appear as their ids. */
export const promptTexts = (model: Json | undefined, value: Json | undefined): string[] =>
  inputsOf(value).map((one) => (isTokens(one) ? (decodeTokens(model, one) ?? one.join(' ')) : String(one)))
