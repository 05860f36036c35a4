import type { Prompt } from '../../contract/plugin.ts'
import { FieldList, isObject } from '../../json/fields.ts'
import type { Edit } from '../../json/splice.ts'
import type { JsonDocument, JsonObject } from '../../json/strict.ts'
import type { Steps } from '../../util/steps.ts'
import { setMember, usageEdit } from '../chat-completions/request-document.ts'
import { invalid, modelOf, objectBody } from '../checks.ts'
import type { RequestChanges, RequestDocument } from '../dialect.ts'
import { Inputs, inputTexts, promptTexts } from '../inputs.ts'
import { refuseLookalikes } from '../lookalikes.ts'
import { isModel, isNumeric } from '../shapes.ts'
import { all, count, type Known, members, model, numeric, shaped } from '../walk.ts'

/** Most answers to all prompts of one request. */
const MOST_ANSWERS = 2048
const MOST_OF_A_PROMPT = 128
/** Default of `max_tokens` in the API. */
const STANDARD_TOKENS = 16

/** A completions request. Token lists are decoded to text. */
export class CompletionsRequest implements RequestDocument {
  readonly text: string
  readonly tree: JsonObject
  readonly model: string
  readonly stream: boolean
  readonly choices: number
  readonly maxOutputTokens: number | undefined
  readonly includeUsage: boolean
  readonly #prompts: Inputs | undefined

  /** @throws GatewayError GW_INVALID_JSON, GW_INVALID_PARAMETER */
  constructor({ text, tree: body }: JsonDocument) {
    const tree = objectBody(body, KEYS)
    const { prompt, suffix, stream, stream_options: options } = tree
    this.text = text
    this.tree = tree
    this.model = modelOf(tree)
    this.#prompts = isNone(prompt) ? undefined : new Inputs(tree, 'prompt')
    if (!isNone(suffix) && typeof suffix !== 'string') throw invalid('suffix', 'must be a string')
    if (!isNone(stream) && typeof stream !== 'boolean') throw invalid('stream', 'must be a boolean')
    if (!isNone(options) && !isObject(options)) throw invalid('stream_options', 'must be an object')
    if (isObject(options)) refuseLookalikes(options, OPTION_KEYS, 'stream_options')
    this.stream = stream === true
    this.includeUsage = isObject(options) && options.include_usage === true
    this.maxOutputTokens = wholeNumber(tree, 'max_tokens', 0, Number.MAX_SAFE_INTEGER)
    const each = ['n', 'best_of'].map((name) => wholeNumber(tree, name, 1, MOST_OF_A_PROMPT) ?? 1)
    this.choices = Math.max(...each) * (this.#prompts?.texts.length ?? 1)
    if (this.choices > MOST_ANSWERS) throw invalid('prompt', `asks for more than ${MOST_ANSWERS} answers`)
  }

  get hasPlainModel(): boolean {
    return isModel(this.model)
  }

  fields(): FieldList {
    const list = FieldList.ofRequest(this.text)
    this.#walk(list)
    return list
  }

  fieldsInSteps(): Steps<FieldList> {
    const list = FieldList.ofRequest(this.text)
    return list.inSteps(() => this.#walk(list))
  }

  /** Puts `suffix` last, because the model reads it after the prompt. */
  #walk(list: FieldList): void {
    const { suffix, ...others } = this.tree
    members(list, [], others, this.#prompts === undefined ? KNOWN : { ...KNOWN, prompt: this.#prompts.walk })
    list.afterwards(() => {
      if (typeof suffix !== 'string' || suffix === '') return
      list.add('content', ['suffix'], suffix, 'user')
      list.sequence.push(list.fields.length - 1)
    })
  }

  /** Ignores notes: the model would continue them as part of the prompt. */
  edit({ model, cap, usage }: RequestChanges, edits: Edit[]): void {
    const { tree } = this
    this.#prompts?.unmix(edits)
    if (tree.service !== undefined) edits.push({ kind: 'remove', path: ['service'] })
    if (model !== undefined) edits.push({ kind: 'replace', path: ['model'], json: JSON.stringify(model) })
    if (cap !== undefined && cap < (this.maxOutputTokens ?? Number.POSITIVE_INFINITY)) {
      const most = this.maxOutputTokens === undefined ? Math.min(cap, STANDARD_TOKENS) : cap
      edits.push(setMember(tree, 'max_tokens', String(most)))
    }
    if (usage) edits.push(usageEdit(tree))
  }
}

const isNone = (value: unknown): value is null | undefined => value === undefined || value === null

function wholeNumber(tree: JsonObject, name: string, min: number, max: number): number | undefined {
  const value = tree[name]
  if (isNone(value)) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value
  throw invalid(name, `must be a whole number from ${min}${max === Number.MAX_SAFE_INTEGER ? '' : ` to ${max}`}`)
}

const suffixOf = ({ suffix }: Readonly<JsonObject>): string[] => (typeof suffix === 'string' ? [suffix] : [])

/** The text of each prompt. */
export const promptsOf = ({ model, prompt }: Readonly<JsonObject>): string[] =>
  isNone(prompt) ? [] : inputTexts(model, prompt)

/** The text of each prompt, and the suffix. */
export const textsOf = (body: Readonly<JsonObject>): string[] => [...promptsOf(body), ...suffixOf(body)]

/** All text that the model reads. */
export const promptOf = (body: Readonly<JsonObject>): Prompt => {
  const prompts = isNone(body.prompt) ? [] : promptTexts(body.model, body.prompt)
  return { texts: [...prompts, ...suffixOf(body)], messages: 0, names: 0, tools: 0, media: [] }
}

const KEYS = new Set(
  (
    'model prompt suffix echo n best_of logprobs stop max_tokens seed temperature top_p frequency_penalty ' +
    'presence_penalty logit_bias user stream stream_options'
  ).split(' '),
)
const OPTION_KEYS = new Set(['include_usage', 'include_obfuscation'])

const isBias = (value: unknown): boolean => isNumeric(value) && Math.abs(Number(value)) <= 100

const KNOWN: Known = {
  model,
  user: all('user'),
  echo: numeric,
  n: numeric,
  best_of: numeric,
  logprobs: numeric,
  max_tokens: count,
  seed: numeric,
  temperature: numeric,
  top_p: numeric,
  frequency_penalty: numeric,
  presence_penalty: numeric,
  stream: numeric,
  stream_options: (list, path, value) => {
    if (isObject(value)) members(list, path, value, { include_usage: numeric, include_obfuscation: numeric })
  },
  logit_bias: shaped(
    (value) =>
      isObject(value as JsonObject) &&
      Object.entries(value as JsonObject).every(([key, bias]) => /^\d{1,6}$/.test(key) && isBias(bias)),
  ),
}
