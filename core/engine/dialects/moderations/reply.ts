import type { JsonDocument } from '../../json/strict.ts'
import { JsonReply } from '../json-reply.ts'
import { each, id, type Known, model, numeric, objectOf, shaped, type Walk } from '../walk.ts'

/** Verdicts on the inputs. Anything except verdicts and scores is still inspected as text. The API counts no tokens. */
export class ModerationsReply extends JsonReply {
  /** @throws GatewayError GW_UPSTREAM_INVALID */
  constructor(text: string, document: JsonDocument) {
    super(text, document, { list: 'results', name: 'list of moderations', known: TOP_LEVEL })
  }
}

const CATEGORIES =
  'harassment harassment/threatening hate hate/threatening illicit illicit/violent self-harm self-harm/instructions ' +
  'self-harm/intent sexual sexual/minors violence violence/graphic'

/** One value for each category of the API. Other category names are inspected. */
const categories = (value: Walk): Walk =>
  objectOf(Object.fromEntries(CATEGORIES.split(' ').map((name) => [name, value])))

const isScore = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 1
const isInputType = (value: unknown): boolean => value === 'text' || value === 'image'

const result = objectOf({
  flagged: numeric,
  categories: categories(numeric),
  category_scores: categories(shaped(isScore)),
  category_applied_input_types: categories(shaped((value) => Array.isArray(value) && value.every(isInputType))),
})

const TOP_LEVEL: Known = {
  id,
  model,
  results: (list, path, value) => each(list, path, value, result),
}
