import type { Json, Usage } from '../../contract/plugin.ts'
import { appendMember } from '../../json/append.ts'
import { type Change, toEditsInSteps } from '../../json/edits.ts'
import { type Field, type FieldList, isObject } from '../../json/fields.ts'
import { keepsForm } from '../../json/form.ts'
import type { Edit } from '../../json/splice.ts'
import { Pace, type Steps } from '../../util/steps.ts'
import type { ReplyDocument } from '../dialect.ts'
import { addDerivedEdits, otherTokenEdits } from './derived.ts'
import { type ChatReply, readUsage, replyFields, replyFieldsInSteps } from './reply.ts'

/** Choices, or changes in them, to look at in one step. */
const CHOICES_IN_STEP = 16 * 1024

/** A buffered reply as the core sees it. */
export class ChatReplyDocument implements ReplyDocument {
  readonly #reply: ChatReply

  constructor(reply: ChatReply) {
    this.#reply = reply
  }

  get text(): string {
    return this.#reply.text
  }
  get asSent(): boolean {
    return this.#reply.asSent
  }
  get usage(): Usage | undefined {
    return readUsage(this.#reply.tree.usage)
  }
  get #choices(): readonly Json[] {
    return this.#reply.tree.choices as readonly Json[]
  }

  fields(): FieldList {
    return replyFields(this.#reply)
  }

  fieldsInSteps(): Steps<FieldList> {
    return replyFieldsInSteps(this.#reply)
  }

  *edits(changes: readonly Change[]): Steps<Edit[] | undefined> {
    const positions = new Set<number>()
    const moved = new Set<number>()
    const pace = new Pace(CHOICES_IN_STEP)
    for (const { field, text } of changes) {
      if (isArguments(field) && !keepsForm(field.text, text)) return undefined
      const outer = field.inner?.path ?? field.path
      if (outer[0] !== 'choices') continue
      positions.add(outer[1] as number)
      // Rewriting a citation does not move its position.
      if (field.channel !== 'annotation') moved.add(outer[1] as number)
      if (pace.spent(1)) yield
    }
    const edits = yield* toEditsInSteps(changes)
    for (const [position, choice] of this.#choices.entries()) {
      if (!isObject(choice)) continue
      const others = positions.has(position) ? undefined : otherTokenEdits(choice, position)
      const stale = { probabilities: others === undefined, citations: moved.has(position) }
      addDerivedEdits(edits, choice, position, 'message', stale)
      for (const edit of others ?? []) edits.push(edit)
      if (pace.spent(1)) yield
    }
    return edits
  }

  clear(edits: Edit[]): void {
    if (this.#reply.tree.service !== undefined) edits.push({ kind: 'remove', path: ['service'] })
  }

  withService(text: string, service: object): string {
    return appendMember(text, 'service', service)
  }
}

/** Arguments that are not strict JSON, as one text. */
const isArguments = ({ channel, path, inner }: Field): boolean =>
  channel === 'tool_arguments' && inner === undefined && path.at(-1) === 'arguments'
