import { GatewayError } from '../../contract/errors.ts'
import type { Json, Usage } from '../../contract/plugin.ts'
import { appendMember } from '../../json/append.ts'
import { type Change, FieldList, isObject, toEdits } from '../../json/fields.ts'
import type { Edit } from '../../json/splice.ts'
import type { JsonDocument, JsonObject } from '../../json/strict.ts'
import type { Steps } from '../../util/steps.ts'
import type { Echo, ReplyDocument } from '../dialect.ts'
import { count, each, id, members, model, numeric, shaped, time, type Walk } from '../walk.ts'

/** A list of vectors. Anything except vectors and counts is still inspected as text. */
export class EmbeddingsReply implements ReplyDocument {
  readonly text: string
  readonly asSent: boolean
  readonly #tree: JsonObject

  /** @throws GatewayError GW_UPSTREAM_INVALID */
  constructor(text: string, { tree, text: own }: JsonDocument) {
    if (!isObject(tree) || !Array.isArray(tree.data)) {
      throw new GatewayError(
        'GW_UPSTREAM_INVALID',
        'The provider answered 200 with a body that is no list of embeddings.',
      )
    }
    this.#tree = tree
    this.text = own
    this.asSent = own === text
  }

  get usage(): Usage | undefined {
    const { usage } = this.#tree
    const prompt = isObject(usage) ? usage.prompt_tokens : undefined
    const isCount = typeof prompt === 'number' && Number.isInteger(prompt) && prompt > 0 && prompt <= 1_000_000_000
    return isCount ? { prompt, completion: 0, estimated: false } : undefined
  }

  fields(): FieldList {
    const list = new FieldList(this.text)
    members(list, [], this.#tree, TOP_LEVEL)
    return list
  }

  *fieldsInSteps(): Steps<FieldList> {
    yield
    return this.fields()
  }

  echoes(): Echo[] {
    return []
  }

  edits(changes: readonly Change[]): Edit[] {
    return toEdits(changes)
  }

  clear(edits: Edit[]): void {
    if (this.#tree.service !== undefined) edits.push({ kind: 'remove', path: ['service'] })
  }

  withService(text: string, service: object): string {
    return appendMember(text, 'service', service)
  }
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Numbers, or their bytes in base64. Requires about 50 numbers, since shorter base64 could be text. */
const isVector = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.every((one) => typeof one === 'number' && Math.abs(one) < 1000)
    : typeof value === 'string' && value.length >= 256 && BASE64.test(value)

const kind: Walk = shaped((value) => value === 'list' || value === 'embedding')
const ITEM: Readonly<Record<string, Walk>> = { object: kind, index: numeric, embedding: shaped(isVector) }

const item: Walk = (list, path, value: Json) => {
  if (isObject(value)) members(list, path, value, ITEM)
  else list.addAll('other', path, value)
}

const TOP_LEVEL: Readonly<Record<string, Walk>> = {
  id,
  object: kind,
  created: time,
  model,
  data: (list, path, value) => each(list, path, value, item),
  usage: (list, path, value) => {
    if (isObject(value)) members(list, path, value, { prompt_tokens: count, total_tokens: count })
    else list.addAll('other', path, value)
  },
}
