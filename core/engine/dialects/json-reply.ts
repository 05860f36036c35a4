import { GatewayError } from '../contract/errors.ts'
import type { Usage } from '../contract/plugin.ts'
import { appendMember } from '../json/append.ts'
import { type Change, toEditsInSteps } from '../json/edits.ts'
import { FieldList, isObject } from '../json/fields.ts'
import type { Edit } from '../json/splice.ts'
import type { JsonDocument, JsonObject } from '../json/strict.ts'
import type { Steps } from '../util/steps.ts'
import type { ReplyDocument } from './dialect.ts'
import { type Known, members } from './walk.ts'

/** What a reply has to be, and the members whose form is known. */
export interface ReplyShape {
  /** The member that holds its list, if it has one. */
  readonly list?: string
  /** As in "no completion". */
  readonly name: string
  readonly known: Known
}

/** A buffered reply with one list, or none. Members of unknown form are inspected as text. */
export class JsonReply implements ReplyDocument {
  readonly text: string
  readonly asSent: boolean
  protected readonly tree: JsonObject
  readonly #known: ReplyShape['known']

  /** @throws GatewayError GW_UPSTREAM_INVALID */
  constructor(text: string, { tree, text: own }: JsonDocument, { list, name, known }: ReplyShape) {
    if (!isObject(tree) || (list !== undefined && !Array.isArray(tree[list]))) throw isNo(name)
    this.tree = tree
    this.text = own
    this.asSent = own === text
    this.#known = known
  }

  get usage(): Usage | undefined {
    return undefined
  }

  fields(): FieldList {
    const list = new FieldList(this.text)
    members(list, [], this.tree, this.#known)
    return list
  }

  fieldsInSteps(): Steps<FieldList> {
    const list = new FieldList(this.text)
    return list.inSteps(() => members(list, [], this.tree, this.#known))
  }

  edits(changes: readonly Change[]): Steps<Edit[] | undefined> {
    return toEditsInSteps(changes)
  }

  clear(edits: Edit[]): void {
    if (this.tree.service !== undefined) edits.push({ kind: 'remove', path: ['service'] })
  }

  withService(text: string, service: object): string {
    return appendMember(text, 'service', service)
  }
}

const isNo = (name: string): GatewayError =>
  new GatewayError('GW_UPSTREAM_INVALID', `The provider answered with a body that is no ${name}.`)

/** The number of tokens of a request. */
export class TokenCount extends JsonReply {
  /** Counting is free. */
  override get usage(): Usage {
    return { prompt: 0, completion: 0, estimated: false }
  }

  /** @throws GatewayError GW_UPSTREAM_INVALID */
  constructor(text: string, document: JsonDocument, known: Known) {
    const name = 'number of tokens'
    super(text, document, { name, known })
    if (typeof this.tree.input_tokens !== 'number') throw isNo(name)
  }
}
