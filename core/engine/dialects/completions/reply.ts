import type { Json, Usage } from '../../contract/plugin.ts'
import { type Change, toEditsInSteps } from '../../json/edits.ts'
import { isObject } from '../../json/fields.ts'
import type { Edit } from '../../json/splice.ts'
import type { JsonDocument } from '../../json/strict.ts'
import type { Steps } from '../../util/steps.ts'
import { ENVELOPE, filterResults, finish, readUsage } from '../chat-completions/reply.ts'
import { JsonReply } from '../json-reply.ts'
import { all, each, inChoice, type Known, members, numeric, type Walk } from '../walk.ts'
import { derived, otherTokenEdits, probabilitiesEdits } from './probabilities.ts'

/** A buffered reply. */
export class CompletionsReply extends JsonReply {
  readonly #choices: readonly Json[]

  /** @throws GatewayError GW_UPSTREAM_INVALID */
  constructor(text: string, document: JsonDocument) {
    super(text, document, { list: 'choices', name: 'completion', known: TOP_LEVEL })
    this.#choices = this.tree.choices as Json[]
  }

  override get usage(): Usage | undefined {
    return readUsage(this.tree.usage)
  }

  override *edits(changes: readonly Change[]): Steps<Edit[] | undefined> {
    const rewritten = new Set<number>()
    for (const { field } of changes) if (field.path[0] === 'choices') rewritten.add(field.path[1] as number)
    const others = this.#choices.map((choice, position) =>
      isObject(choice) && !rewritten.has(position) ? otherTokenEdits(choice, position) : undefined,
    )
    const dropped = probabilitiesEdits(this.#choices, (position) => others[position] === undefined)
    return [yield* toEditsInSteps(changes), dropped, others.flatMap((edits) => edits ?? [])].flat()
  }
}

const TOP_LEVEL: Known = {
  ...ENVELOPE,
  choices: (list, path, value) => each(list, path, value, choice),
}

const CHOICE: Known = {
  index: numeric,
  text: all('content', 'assistant'),
  finish_reason: finish,
  logprobs: derived,
  content_filter_results: filterResults,
}

const choice: Walk = inChoice((list, path, value) => {
  if (isObject(value)) members(list, path, value, CHOICE, 'assistant')
  else list.addAll('other', path, value)
})
