import type { Json } from '../../contract/plugin.ts'
import type { Edit } from '../../json/splice.ts'
import type { JsonObject } from '../../json/strict.ts'
import type { TextPiece } from '../stream.ts'
import type { Spelled } from '../token-runs.ts'
import type { Walk } from '../walk.ts'
import { derivedEdits, type Stale, spelledIn } from './derived.ts'
import { type ChatEvent, onlyText } from './event.ts'
import { logprobs } from './reply.ts'

/** The form of a choice in a stream. Completions have the same stream as chat, but with texts in place of messages. */
export interface ChoiceForm {
  /** The `object` of each event. */
  readonly object: string
  /** A choice without text; whether it has the role. */
  choice(index: number, reason: string | null, begins?: boolean): object
  /** The text of an event that contains nothing else: no finish, usage or failure. */
  onlyText(event: ChatEvent): TextPiece | undefined
  readonly logprobs: Walk
  /** The texts of a choice, and what its token probabilities spell of each. */
  spelled(choice: JsonObject): readonly Spelled[]
  /** Removes members that do not match the text of their choice. */
  derivedEdits(choices: readonly Json[], staleOf: (position: number, choice: number) => Stale): Edit[]
}

export const CHAT: ChoiceForm = {
  object: 'chat.completion.chunk',
  choice: (index, reason, begins = false) => ({
    index,
    delta: begins ? { role: 'assistant' } : {},
    finish_reason: reason,
  }),
  onlyText,
  logprobs,
  spelled: spelledIn,
  derivedEdits: (choices, staleOf) => derivedEdits(choices, 'delta', staleOf),
}
