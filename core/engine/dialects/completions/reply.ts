import { GatewayError } from '../../contract/errors.ts'
import type { Json, Usage } from '../../contract/plugin.ts'
import { appendMember } from '../../json/append.ts'
import { type Change, FieldList, isObject, toEdits } from '../../json/fields.ts'
import type { Edit } from '../../json/splice.ts'
import type { JsonDocument, JsonObject, Path } from '../../json/strict.ts'
import type { Steps } from '../../util/steps.ts'
import { ENVELOPE, filterResults, finish, readUsage } from '../chat-completions/reply.ts'
import type { Echo, ReplyDocument } from '../dialect.ts'
import { all, each, members, numeric, type Walk } from '../walk.ts'
import { derived, probabilitiesEdits, probabilitiesFit, spelledBy } from './probabilities.ts'

/** A buffered reply. */
export class CompletionsReply implements ReplyDocument {
  readonly text: string
  readonly asSent: boolean
  readonly #tree: JsonObject
  readonly #choices: readonly Json[]

  /** @throws GatewayError GW_UPSTREAM_INVALID */
  constructor(text: string, { tree, text: own }: JsonDocument) {
    if (!isObject(tree) || !Array.isArray(tree.choices)) {
      throw new GatewayError('GW_UPSTREAM_INVALID', 'The provider answered 200 with a body that is no completion.')
    }
    this.#tree = tree
    this.#choices = tree.choices
    this.text = own
    this.asSent = own === text
  }

  get usage(): Usage | undefined {
    return readUsage(this.#tree.usage)
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

  /** Probabilities that spell other text, such as an end token, are inspected as separate text. */
  echoes(): Echo[] {
    const echoes: Echo[] = []
    this.#choices.forEach((choice, position) => {
      if (!isObject(choice) || probabilitiesFit(choice)) return
      const path = `choices[${position}].logprobs`
      const origin = { channel: 'other', role: 'assistant', choice: position, path } as const
      echoes.push({ position, origin, text: spelledBy(choice) ?? '' })
    })
    return echoes
  }

  edits(changes: readonly Change[], isStale: (position: number) => boolean): Edit[] {
    const rewritten = new Set<number>()
    for (const { field } of changes) if (field.path[0] === 'choices') rewritten.add(field.path[1] as number)
    const dropped = probabilitiesEdits(this.#choices, (position) => rewritten.has(position) || isStale(position))
    return [...toEdits(changes), ...dropped]
  }

  clear(edits: Edit[]): void {
    if (this.#tree.service !== undefined) edits.push({ kind: 'remove', path: ['service'] })
  }

  withService(text: string, service: object): string {
    return appendMember(text, 'service', service)
  }
}

const TOP_LEVEL: Readonly<Record<string, Walk>> = {
  ...ENVELOPE,
  choices: (list, path, value) => each(list, path, value, choice),
}

const CHOICE: Readonly<Record<string, Walk>> = {
  index: numeric,
  text: all('content', 'assistant'),
  finish_reason: finish,
  logprobs: derived,
  content_filter_results: filterResults,
}

function choice(list: FieldList, path: Path, value: Json): void {
  list.choice = isObject(value) && typeof value.index === 'number' ? value.index : (path.at(-1) as number)
  if (isObject(value)) members(list, path, value, CHOICE, 'assistant')
  else list.addAll('other', path, value)
  list.choice = 0
}
