import type { Json } from '../../contract/plugin.ts'
import { isObject } from '../../json/fields.ts'
import type { ChoiceForm } from '../chat-completions/choice-form.ts'
import { type ChatEvent, indexOf } from '../chat-completions/event.ts'
import type { TextPiece } from '../stream.ts'
import { derived, probabilitiesEdits, spelledIn } from './probabilities.ts'

/** Choices of completions: a text in place of a message. */
export const TEXT: ChoiceForm = {
  object: 'text_completion',
  choice: (index, reason) => ({ index, text: '', logprobs: null, finish_reason: reason }),
  onlyText,
  logprobs: derived,
  spelled: spelledIn,
  derivedEdits: (choices, staleOf) =>
    probabilitiesEdits(choices, (position) => staleOf(position, indexAt(choices, position)).probabilities),
}

const indexAt = (choices: readonly Json[], position: number): number => {
  const choice = choices[position]
  return isObject(choice) ? indexOf(choice, position) : position
}

function onlyText(event: ChatEvent): TextPiece | undefined {
  const [choice] = event.choices
  if (event.choices.length !== 1 || !isObject(choice) || event.finishes || event.failed) return undefined
  if (isObject(event.tree.usage) || (choice.logprobs ?? null) !== null) return undefined
  const { text, delta, message } = choice
  if (typeof text !== 'string' || text === '' || delta !== undefined || message !== undefined) return undefined
  const path = ['choices', 0, 'text']
  return { channel: 'content', choice: indexOf(choice, 0), field: 'choice:text', path, text }
}
