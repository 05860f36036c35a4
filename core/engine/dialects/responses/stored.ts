/** Requests for responses that the provider keeps: an id in the path, options in the query, and no body. */
import { FieldList } from '../../json/fields.ts'
import type { JsonObject } from '../../json/strict.ts'
import type { Steps } from '../../util/steps.ts'
import { invalid } from '../checks.ts'
import type { AskedStored, Reference, RequestDocument, StoredTarget } from '../dialect.ts'
import { isInclude } from './request-fields.ts'
import { isId } from './shapes.ts'

/** Reads one option; returns its value as the provider gets it. */
type Option = (value: string, param: string) => string

/** Options that a provider takes in a query. Others are not sent, as with every path. */
export type Options = Readonly<Record<string, Option>>

const isTrue: Option = (value, param) => {
  if (value !== 'true' && value !== 'false') throw invalid(param, 'must be true or false')
  return value
}

const wholeNumber =
  (from: number, to: number): Option =>
  (value, param) => {
    if (!/^\d{1,9}$/.test(value) || Number(value) < from || Number(value) > to) {
      throw invalid(param, `must be a whole number from ${from} to ${to}`)
    }
    return value
  }

const include: Option = (value, param) => {
  if (value === '' || !isInclude(value)) throw invalid(param, 'must name members that a response can include')
  return value
}

const order: Option = (value, param) => {
  if (value !== 'asc' && value !== 'desc') throw invalid(param, 'must be asc or desc')
  return value
}

/** An id of another server: small letters, without rows of digits as numbers and accounts have them. */
const PLAIN_ID = /^(?!.*\d(?:[-_]?\d){5})[a-z]{2,16}(?=.*\d)(?:[-_][a-z0-9]{1,32}){1,7}$/

/** The place of an item in its list. It opens nothing, so it need not be the key's own. */
const after: Option = (value, param) => {
  if (value === '' || !(isId(value) || PLAIN_ID.test(value))) throw invalid(param, 'must be the id of an item')
  return value
}

export const OF_RESPONSE: Options = {
  include,
  include_obfuscation: isTrue,
  stream: isTrue,
  starting_after: wholeNumber(0, 999_999_999),
}
export const OF_ITEMS: Options = { include, limit: wholeNumber(1, 100), order, after }

/** A request for a stored response. */
export class StoredRequest implements RequestDocument {
  readonly text = '{}'
  /** The options that concern the gateway. */
  readonly tree: JsonObject = {}
  readonly model: string
  readonly hasPlainModel = true
  readonly choices = 1
  readonly maxOutputTokens = 0
  readonly includeUsage = true
  readonly references: readonly Reference[]
  readonly stored: StoredTarget
  readonly isKept: boolean
  readonly seals?: readonly string[]

  /**
   * @param hasIds the reply has ids from the provider
   * @throws GatewayError GW_INVALID_PARAMETER
   */
  constructor({ id, model, query }: AskedStored, options: Options, hasIds: boolean) {
    this.model = model
    this.references = [{ id, param: 'response_id' }]
    this.isKept = hasIds
    if (hasIds) this.seals = []
    this.stored = { id, query: this.#read(query, options) }
  }

  get stream(): boolean {
    return this.tree.stream === true
  }

  #read(query: URLSearchParams, options: Options): string {
    const sent: string[] = []
    const seen = new Set<string>()
    for (const [key, value] of query) {
      const name = key.replace(LIST, '')
      const option = Object.hasOwn(options, name) ? options[name] : undefined
      if (option === undefined) continue
      const read = option(value, name)
      if (name === 'include') {
        sent.push(`include[]=${encodeURIComponent(read)}`)
        continue
      }
      if (seen.has(name)) throw invalid(name, 'must be given once')
      seen.add(name)
      // A part of a stream cannot be inspected: its first value may have begun before. So the gateway leaves out the rest.
      if (name === 'starting_after') this.tree.starting_after = Number(read)
      else sent.push(`${name}=${encodeURIComponent(read)}`)
      if (name === 'stream') this.tree.stream = read === 'true'
    }
    return sent.length === 0 ? '' : `?${sent.join('&')}`
  }

  fields(): FieldList {
    return new FieldList(this.text)
  }

  *fieldsInSteps(): Steps<FieldList> {
    yield
    return this.fields()
  }

  /** It has nothing that can be changed. */
  edit(): void {}
}

/** Clients write lists in different ways. */
const LIST = /\[\d{0,3}\]$/
