import type { Usage } from '../../contract/plugin.ts'
import { isObject } from '../../json/fields.ts'
import type { JsonDocument } from '../../json/strict.ts'
import { JsonReply } from '../json-reply.ts'
import { count, each, id, type Known, model, numeric, objectOf, shaped, time, type Walk } from '../walk.ts'

/** A list of vectors. Anything except vectors and counts is still inspected as text. */
export class EmbeddingsReply extends JsonReply {
  /** @throws GatewayError GW_UPSTREAM_INVALID */
  constructor(text: string, document: JsonDocument) {
    super(text, document, { list: 'data', name: 'list of embeddings', known: TOP_LEVEL })
  }

  override get usage(): Usage | undefined {
    const { usage } = this.tree
    const prompt = isObject(usage) ? usage.prompt_tokens : undefined
    const isCount = typeof prompt === 'number' && Number.isInteger(prompt) && prompt > 0 && prompt <= 1_000_000_000
    return isCount ? { prompt, completion: 0, estimated: false } : undefined
  }
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Numbers, or their bytes in base64. Requires about 50 numbers, since shorter base64 could be text. */
const isVector = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.every((one) => typeof one === 'number' && Math.abs(one) < 1000)
    : typeof value === 'string' && value.length >= 256 && BASE64.test(value)

const kind: Walk = shaped((value) => value === 'list' || value === 'embedding')
const item = objectOf({ object: kind, index: numeric, embedding: shaped(isVector) })

const TOP_LEVEL: Known = {
  id,
  object: kind,
  created: time,
  model,
  data: (list, path, value) => each(list, path, value, item),
  usage: objectOf({ prompt_tokens: count, total_tokens: count }),
}
