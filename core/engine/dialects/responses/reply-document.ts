import { GatewayError } from '../../contract/errors.ts'
import type { Json, Usage } from '../../contract/plugin.ts'
import { appendMember } from '../../json/append.ts'
import { type Change, toEditsInSteps } from '../../json/edits.ts'
import { type Field, FieldList, isObject } from '../../json/fields.ts'
import { keepsForm } from '../../json/form.ts'
import { Spellings } from '../../json/spellings.ts'
import type { Edit } from '../../json/splice.ts'
import type { JsonDocument, JsonObject, Path } from '../../json/strict.ts'
import type { Steps } from '../../util/steps.ts'
import type { ReplyDocument } from '../dialect.ts'
import type { Asked } from '../stream.ts'
import { RequestEcho } from './echo.ts'
import { idsOf } from './event.ts'
import { item } from './items.ts'
import { isEmpty, probabilityEdits } from './probabilities.ts'
import { sealsOf } from './references.ts'
import { envelope } from './response.ts'
import { readUsage } from './usage.ts'

/** A text part of the output, and where it is. */
interface Part {
  readonly path: Path
  readonly text: string
  readonly part: JsonObject
}

/** What a reply is, and its member with the items. */
interface Form {
  /** As in "no response". */
  readonly name: string
  readonly items: 'output' | 'data'
}
const RESPONSE: Form = { name: 'response', items: 'output' }

/** A buffered reply as the core sees it. */
export class ResponsesReply implements ReplyDocument {
  readonly text: string
  readonly asSent: boolean
  readonly #tree: JsonObject
  readonly #form: Form
  readonly #output: readonly Json[]
  readonly #echo: RequestEcho
  /** Edits of members that repeat the request. */
  #restored: Edit[] = []

  /** @throws GatewayError GW_UPSTREAM_INVALID */
  constructor(text: string, { tree, text: own }: JsonDocument, asked: Asked, form: Form = RESPONSE) {
    const items = isObject(tree) ? tree[form.items] : undefined
    if (!isObject(tree) || !Array.isArray(items)) {
      throw new GatewayError('GW_UPSTREAM_INVALID', `The provider answered with a body that is no ${form.name}.`)
    }
    this.text = own
    this.asSent = own === text
    this.#tree = tree
    this.#form = form
    this.#output = items
    this.#echo = new RequestEcho(asked)
  }

  get usage(): Usage | undefined {
    return readUsage(this.#tree.usage)
  }

  get ids(): readonly string[] {
    return idsOf([this.#tree, ...this.#output])
  }

  get seals(): readonly string[] {
    return sealsOf(this.#output as Json[])
  }

  fields(): FieldList {
    const source = new Spellings(this.text)
    const [list, others] = [new FieldList(source), new FieldList(source)]
    this.#walk(list)
    this.#walkOthers(others)
    return this.#finish(list, others)
  }

  *fieldsInSteps(): Steps<FieldList> {
    const source = new Spellings(this.text)
    const [list, others] = [new FieldList(source), new FieldList(source)]
    yield* list.inSteps(() => this.#walk(list))
    yield* others.inSteps(() => this.#walkOthers(others))
    return this.#finish(list, others)
  }

  #walk(list: FieldList): void {
    list.repeat(this.#output.length, (i) => item(list, [this.#form.items, i], this.#output[i] as Json))
  }

  /** Everything besides the output. */
  #walkOthers(list: FieldList): void {
    envelope(list, [], this.#tree, this.#form.items, 'output_text')
    const { output_text: repeat } = this.#tree
    if (repeat !== undefined && !this.#repeatsText) list.addAll('content', ['output_text'], repeat, 'assistant')
  }

  #finish(list: FieldList, others: FieldList): FieldList {
    // Only the provider can read it.
    list.uninspected.delete('encrypted_content')
    for (const [kind, count] of others.uninspected)
      list.uninspected.set(kind, (list.uninspected.get(kind) ?? 0) + count)
    // Clients show the texts of all messages as one, and those of all reasoning, so a value may span two of them.
    list.joined.length = 0
    if (list.fields.length > 1) {
      const wholes = Map.groupBy(list.fields.keys(), (i) => wholeOf(list.fields[i] as Field))
      for (const [whole, fields] of wholes) {
        if (whole === undefined) continue
        for (const joined of readings(list, fields)) list.joined.push({ path: [this.#form.items], fields: joined })
      }
    }
    this.#restored = []
    for (const field of this.#echo.sift(others.fields, 0, this.#restored)) list.fields.push(field)
    return list
  }

  get #hasProbabilities(): boolean {
    return this.#output.some((one) => {
      if (!isObject(one) || !Array.isArray(one.content)) return false
      return one.content.some((part) => isObject(part) && !isEmpty(part.logprobs))
    })
  }

  get #parts(): Part[] {
    return this.#output.flatMap((one, i) => {
      if (!isObject(one) || !Array.isArray(one.content)) return []
      return one.content.flatMap((part, j): Part[] =>
        isObject(part)
          ? [{ path: [this.#form.items, i, 'content', j], text: typeof part.text === 'string' ? part.text : '', part }]
          : [],
      )
    })
  }

  /** Some servers repeat the text of all messages at the top. */
  get #repeatsText(): boolean {
    const said = this.#parts.filter(({ part }) => part.type === 'output_text').map(({ text }) => text)
    return this.#tree.output_text === said.join('')
  }

  *edits(changes: readonly Change[]): Steps<Edit[] | undefined> {
    if (changes.length === 0 && !this.#hasProbabilities) return [...this.#restored]
    const rewritten = new Map<string, string>()
    for (const { field, text } of changes) {
      if (isArguments(field) && !keepsForm(field.text, text)) return undefined
      if (field.place === 'value' && field.inner === undefined) rewritten.set(field.path.join('.'), text)
    }
    const edits = [...(yield* toEditsInSteps(changes)), ...this.#restored]
    const said: string[] = []
    for (const { path, text, part } of this.#parts) {
      const now = rewritten.get(`${path.join('.')}.text`)
      if (part.type === 'output_text') said.push(now ?? text)
      edits.push(...probabilityEdits(part.logprobs, [...path, 'logprobs'], text, now !== undefined))
      // Citations count the characters of the text.
      if (now !== undefined && Array.isArray(part.annotations) && part.annotations.length > 0) {
        edits.push({ kind: 'replace', path: [...path, 'annotations'], json: '[]' })
      }
    }
    if (rewritten.size > 0 && this.#tree.output_text !== undefined && this.#repeatsText) {
      edits.push({ kind: 'replace', path: ['output_text'], json: JSON.stringify(said.join('')) })
    }
    return edits
  }

  clear(edits: Edit[]): void {
    if (this.#tree.service !== undefined) edits.push({ kind: 'remove', path: ['service'] })
  }

  withService(text: string, service: object): string {
    return appendMember(text, 'service', service)
  }
}

/** The items of a stored request, as the provider got them: what a client put there says nothing of whose it is. */
export class ItemsPage extends ResponsesReply {
  override get seals(): readonly string[] {
    return []
  }

  override get ids(): readonly string[] {
    return []
  }

  constructor(text: string, document: JsonDocument, asked: Asked) {
    super(text, document, asked, { name: 'list of items', items: 'data' })
  }
}

/** The text that a field is a part of for clients: what messages say, or one of the two kinds of reasoning. */
function wholeOf({ channel, place, path }: Field): string | undefined {
  if (place !== 'value' || path.length !== 5) return undefined
  const [, , list, , name] = path
  if (list === 'content' && (channel === 'content' || channel === 'refusal') && (name === 'text' || name === 'refusal'))
    return 'content'
  return channel === 'reasoning' && name === 'text' ? `reasoning.${list}` : undefined
}

/** What clients show as one: all of the fields, and if there are refusals among them, those and the others apart too. */
function readings(list: FieldList, fields: number[]): number[][] {
  const [refusals = [], texts = []] = [true, false].map((wanted) =>
    fields.filter((at) => (list.fields[at]?.channel === 'refusal') === wanted),
  )
  const all = refusals.length === 0 || texts.length === 0 ? [fields] : [fields, texts, refusals]
  return all.filter(({ length }) => length > 1)
}

/** Arguments that are not strict JSON, as one text. */
const isArguments = ({ channel, path, inner }: Field): boolean =>
  channel === 'tool_arguments' && inner === undefined && path.at(-1) === 'arguments' && path.length === 3
