import type { Json } from '../../contract/plugin.ts'
import type { Edit } from '../../json/splice.ts'
import type { TextPiece } from '../stream.ts'
import type { Walk } from '../walk.ts'
import { derivedEdits, probabilitiesFit, type Stale } from './derived.ts'
import { type ChatEvent, onlyText } from './event.ts'
import { logprobs } from './reply.ts'

/** How a choice of a stream looks. Completions have the same stream as chat, with texts in the place of messages. */
export interface ChoiceForm {
  /** Kind of its events. */
  readonly object: string
  /** A choice that says nothing but why it ends. */
  choice(index: number, reason: string | null): object
  /** The text of an event that says nothing else: neither a finish, nor usage, nor a failure. */
  onlyText(event: ChatEvent): TextPiece | undefined
  readonly logprobs: Walk
  /** Takes out what no longer fits the text of its choice, or never did. */
  derivedEdits(choices: readonly Json[], staleOf: (position: number, choice: number) => Stale): Edit[]
}

export const CHAT: ChoiceForm = {
  object: 'chat.completion.chunk',
  choice: (index, reason) => ({ index, delta: {}, finish_reason: reason }),
  onlyText,
  logprobs,
  derivedEdits: (choices, staleOf) =>
    derivedEdits(choices, 'delta', (position, choice) => {
      const { probabilities, citations } = staleOf(position, choice)
      return { probabilities: probabilities || !probabilitiesFit(choices[position], 'delta'), citations }
    }),
}
