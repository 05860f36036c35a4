import { allSteps, Pace, type Steps } from '../util/steps.ts'
import type { Field, InnerDocument } from './fields.ts'
import { type Edit, spliceInSteps } from './splice.ts'

export interface Change {
  readonly field: Field
  readonly text: string
}

/** Turns new texts into edits of the outer document. Texts inside a JSON string stay valid JSON there. */
export const toEdits = (changes: readonly Change[]): Edit[] => allSteps(toEditsInSteps(changes))

/** Characters of new text for each step, and what each change counts besides. */
const STEP = 128 * 1024
const PER_CHANGE = 64

/** Like `toEdits`, for many or long changes. */
export function* toEditsInSteps(changes: readonly Change[]): Steps<Edit[]> {
  const pace = new Pace(STEP)
  const edits: Edit[] = []
  const inner = new Map<InnerDocument, Edit[]>()
  for (const change of changes) {
    const edit = toEdit(change)
    if (change.field.inner === undefined) edits.push(edit)
    else {
      const known = inner.get(change.field.inner)
      if (known === undefined) inner.set(change.field.inner, [edit])
      else known.push(edit)
    }
    if (pace.spent(change.text.length + PER_CHANGE)) yield
  }
  for (const [document, changed] of inner) {
    const text = yield* spliceInSteps(document.text, changed)
    edits.push({ kind: 'replace', path: document.path, json: JSON.stringify(text) })
    if (pace.spent(text.length)) yield
  }
  return edits
}

const toEdit = ({ field, text }: Change): Edit =>
  field.place === 'key'
    ? { kind: 'rename', path: field.path, name: text }
    : { kind: 'replace', path: field.path, json: JSON.stringify(text) }
