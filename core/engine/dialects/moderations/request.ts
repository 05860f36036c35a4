import type { Channel, Json, PromptMedia } from '../../contract/plugin.ts'
import { FieldList, isObject } from '../../json/fields.ts'
import type { Edit } from '../../json/splice.ts'
import type { JsonDocument, JsonObject, Path } from '../../json/strict.ts'
import type { Steps } from '../../util/steps.ts'
import { invalid, modelOf, objectBody } from '../checks.ts'
import type { RequestChanges, RequestDocument } from '../dialect.ts'
import { imageUrl } from '../images.ts'
import { refuseLookalikes } from '../lookalikes.ts'
import { isModel } from '../shapes.ts'
import { all, contentOf, kind, members, model, unseen, type Walk } from '../walk.ts'

/** Default of `model` in the API. */
const STANDARD_MODEL = 'omni-moderation-latest'
const MOST_INPUTS = 2048

/** A moderations request. */
export class ModerationsRequest implements RequestDocument {
  readonly text: string
  readonly tree: JsonObject
  readonly model: string
  readonly stream = false
  readonly choices = 1
  readonly maxOutputTokens = 0
  readonly includeUsage = false

  /** @throws GatewayError GW_INVALID_JSON, GW_INVALID_PARAMETER */
  constructor({ text, tree }: JsonDocument) {
    this.text = text
    this.tree = objectBody(tree, KEYS)
    this.model = this.tree.model === undefined ? STANDARD_MODEL : modelOf(this.tree)
    check(this.tree.input)
  }

  get hasPlainModel(): boolean {
    return isModel(this.model)
  }

  fields(): FieldList {
    const list = FieldList.ofRequest(this.text)
    members(list, [], this.tree, { model, input })
    return list
  }

  fieldsInSteps(): Steps<FieldList> {
    const list = FieldList.ofRequest(this.text)
    return list.inSteps(() => members(list, [], this.tree, { model, input }))
  }

  edit({ model: name }: RequestChanges, edits: Edit[]): void {
    if (this.tree.service !== undefined) edits.push({ kind: 'remove', path: ['service'] })
    if (name === undefined) return
    const json = JSON.stringify(name)
    edits.push(
      this.tree.model === undefined
        ? { kind: 'insert', path: [], name: 'model', json }
        : { kind: 'replace', path: ['model'], json },
    )
  }
}

function check(value: Json | undefined): void {
  if (typeof value === 'string') return
  const rule = `must be a string, or a list of 1 to ${MOST_INPUTS} strings or of parts`
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_INPUTS) throw invalid('input', rule)
  const strings = typeof value[0] === 'string'
  value.forEach((one, i) => {
    if (strings ? typeof one !== 'string' : !isObject(one)) {
      throw invalid(`input[${i}]`, strings ? 'must be a string, as the first one is' : 'must be a part')
    }
    if (isObject(one)) refuseLookalikes(one, PART_KEYS, `input[${i}]`)
  })
}

const input: Walk = (list, path, value) => {
  if (!Array.isArray(value) || isObject(value[0])) return contentOf(list, path, value, 'content', 'user', part)
  list.repeat(value.length, (i) => {
    const one = value[i]
    list.add('content', [...path, i], one, 'user')
    // A value may be split between two inputs.
    if (one !== '') list.sequence.push(list.fields.length - 1)
  })
}

function part(list: FieldList, path: Path, value: Json, channel: Channel, role: string | undefined): void {
  if (!isObject(value)) return list.addAll(channel, path, value, role)
  const { type } = value
  const picture: Walk = (l, p, v) => imageUrl(l, p, v, role)
  const known = { type: kind, text: all(channel, role), image_url: picture }
  const walk = () => members(list, path, value, known, role)
  if (type !== 'text' && type !== 'image_url') unseen(list, 'unknown_part', walk)
  else walk()
}

const partsOf = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** The text of each input. */
export function textsOf(value: Json | undefined): string[] {
  const texts = Array.isArray(value) ? value.map((one) => (isObject(one) ? one.text : one)) : [value]
  return texts.filter((text) => typeof text === 'string')
}

export const picturesOf = (value: Json | undefined): PromptMedia[] =>
  partsOf(value).flatMap(({ image_url: image }) => {
    if (image === undefined) return []
    const url = isObject(image) ? image.url : image
    return [{ kind: 'image', data: typeof url === 'string' ? url : undefined }]
  })

const KEYS = new Set(['model', 'input'])
const PART_KEYS = new Set(['type', 'text', 'image_url'])
