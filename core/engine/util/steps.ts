/** Lets other exchanges go on. */
export type NextTurn = () => Promise<void>

/** Work that may be put down after each step, so that other exchanges go on. What it comes to is the same. */
export type Steps<T> = Generator<void, T, void>

/** Takes all steps. */
export function allSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Takes each step in a turn of its own. */
export async function stepByStep<T>(steps: Steps<T>, nextTurn: NextTurn): Promise<T> {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    await nextTurn()
  }
}
