import type { Json, Usage } from '../../contract/plugin.ts'
import { type Change, toEditsInSteps } from '../../json/edits.ts'
import { type FieldList, isObject } from '../../json/fields.ts'
import { type Edit, valueAt } from '../../json/splice.ts'
import type { JsonDocument, JsonObject, Path } from '../../json/strict.ts'
import type { Steps } from '../../util/steps.ts'
import { JsonReply } from '../json-reply.ts'
import { all, id, type Known, model, objectOf, roleName, shaped, type Walk } from '../walk.ts'
import { contentIn, isMoment, usage } from './blocks.ts'
import { isSigned } from './request.ts'
import { stopReason, type } from './words.ts'

const ROLE = 'assistant'

const content = contentIn('content')

/** Members of a message besides its content, in a reply and in the first event of a stream. */
const container: Walk = objectOf({ id, expires_at: shaped(isMoment) })
export const END: Known = {
  stop_reason: stopReason,
  stop_sequence: all('other'),
  stop_details: objectOf({ type, category: all('refusal'), explanation: all('refusal') }, 'refusal'),
  container,
}
export const MESSAGE: Known = {
  ...END,
  id,
  type,
  role: roleName,
  model,
  usage,
  content: (list, path, value) => {
    list.as(ROLE, () => withThoughts(list, path, () => content(list, path, value)))
  },
}

/** Some clients show the thinking of all blocks as one text. */
function withThoughts(list: FieldList, path: Path, walk: () => void): void {
  const thoughts: number[] = []
  list.found(walk, (field, at) => {
    if (field.channel === 'reasoning' && field.place === 'value') thoughts.push(at)
  })
  list.afterwards(() => {
    if (thoughts.length > 1) list.joined.push({ path, fields: thoughts })
  })
}

/** A buffered message. */
export class MessageReply extends JsonReply {
  /** @throws GatewayError GW_UPSTREAM_INVALID */
  constructor(text: string, document: JsonDocument) {
    super(text, document, { list: 'content', name: 'message', known: MESSAGE })
  }

  override get usage(): Usage | undefined {
    return readUsage(this.tree.usage)
  }

  /** A signature covers the text of its thinking block: an edited one is emptied, and keeps the signature. */
  override edits(changes: readonly Change[]): Steps<Edit[] | undefined> {
    return toEditsInSteps(
      changes.map((change) => (isSealed(this.tree, change.field.path) ? { ...change, text: '' } : change)),
    )
  }
}

function isSealed(tree: JsonObject, path: Path): boolean {
  if (path[0] !== 'content' || path[2] !== 'thinking') return false
  const block = valueAt(tree, path.slice(0, 2))
  return isObject(block) && isSigned(block)
}

/** Members of a count of tokens. */
export const COUNT: Known = { input_tokens: usage, context_management: usage }

/** An upper bound, so that sums of counts times any price stay exact integers. */
const MOST_TOKENS = 500_000_000

/** Tokens of a `usage` member, with those that were written to or read from a cache; undefined if it has none. */
export function readUsage(value: Json | undefined): Usage | undefined {
  if (!isObject(value)) return undefined
  const [input, written, read, completion] = [
    countIn(value.input_tokens),
    countIn(value.cache_creation_input_tokens),
    countIn(value.cache_read_input_tokens),
    countIn(value.output_tokens),
  ]
  if (input === undefined || written === undefined || read === undefined || completion === undefined) return undefined
  const prompt = input + written + read
  if (prompt + completion === 0) return undefined
  const hour = isObject(value.cache_creation) ? countIn(value.cache_creation.ephemeral_1h_input_tokens) : undefined
  return {
    prompt,
    completion,
    estimated: false,
    ...(value.cache_read_input_tokens != null && { cached: read }),
    ...(written > 0 && { cacheWrite: written, ...(hour !== undefined && { cacheWriteHour: Math.min(hour, written) }) }),
  }
}

/** A missing count is 0; undefined for anything that is no count. */
function countIn(value: Json | undefined): number | undefined {
  if (value === undefined || value === null) return 0
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_TOKENS ? value : undefined
}
