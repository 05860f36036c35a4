import { Pace, type Steps } from '../util/steps.ts'
import type { FieldView } from './field-view.ts'

/** Characters of a step, and what each text counts besides. */
const STEP = 128 * 1024
const PER_TEXT = 128

/** Merges the findings of complete texts and passes on each text that changes. */
export function* settleInSteps(
  views: readonly (FieldView | undefined)[],
  take: (index: number, text: string | undefined, view: FieldView) => void,
): Steps<void> {
  const pace = new Pace(STEP)
  for (let i = 0; i < views.length; i++) {
    const view = views[i]
    if (view === undefined) continue
    take(i, view.isDense() ? yield* view.settleInSteps() : view.settle(), view)
    if (pace.spent(view.raw.length + PER_TEXT)) yield
  }
}
