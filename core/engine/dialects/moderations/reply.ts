import { GatewayError } from '../../contract/errors.ts'
import type { Json } from '../../contract/plugin.ts'
import { appendMember } from '../../json/append.ts'
import { type Change, FieldList, isObject, toEdits } from '../../json/fields.ts'
import type { Edit } from '../../json/splice.ts'
import type { JsonDocument, JsonObject } from '../../json/strict.ts'
import type { Steps } from '../../util/steps.ts'
import type { Echo, ReplyDocument } from '../dialect.ts'
import { each, id, members, model, numeric, shaped, type Walk } from '../walk.ts'

/** Verdicts on the inputs. Anything except verdicts and scores is still inspected as text. */
export class ModerationsReply implements ReplyDocument {
  readonly text: string
  readonly asSent: boolean
  /** The API counts no tokens. */
  readonly usage = undefined
  readonly #tree: JsonObject

  /** @throws GatewayError GW_UPSTREAM_INVALID */
  constructor(text: string, { tree, text: own }: JsonDocument) {
    if (!isObject(tree) || !Array.isArray(tree.results)) {
      throw new GatewayError(
        'GW_UPSTREAM_INVALID',
        'The provider answered 200 with a body that is no list of moderations.',
      )
    }
    this.#tree = tree
    this.text = own
    this.asSent = own === text
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

const CATEGORIES =
  'harassment harassment/threatening hate hate/threatening illicit illicit/violent self-harm self-harm/instructions ' +
  'self-harm/intent sexual sexual/minors violence violence/graphic'

/** One value for each category of the API. Other category names are inspected. */
const categories = (value: Walk): Walk => {
  const known = Object.fromEntries(CATEGORIES.split(' ').map((name) => [name, value]))
  return (list, path, object) => {
    if (isObject(object)) members(list, path, object, known)
    else list.addAll('other', path, object)
  }
}

const isScore = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 1
const isInputType = (value: unknown): boolean => value === 'text' || value === 'image'

const RESULT: Readonly<Record<string, Walk>> = {
  flagged: numeric,
  categories: categories(numeric),
  category_scores: categories(shaped(isScore)),
  category_applied_input_types: categories(shaped((value) => Array.isArray(value) && value.every(isInputType))),
}

const result: Walk = (list, path, value: Json) => {
  if (isObject(value)) members(list, path, value, RESULT)
  else list.addAll('other', path, value)
}

const TOP_LEVEL: Readonly<Record<string, Walk>> = {
  id,
  model,
  results: (list, path, value) => each(list, path, value, result),
}
