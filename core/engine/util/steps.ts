/** Yields to other exchanges. */
export type NextTurn = () => Promise<void>

/** Work that can pause after each step, so that other exchanges can run. The result is the same. */
export type Steps<T> = Generator<void, T, void>

/** Runs all steps at once. */
export function allSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Runs each step in its own turn. */
export async function stepByStep<T>(steps: Steps<T>, nextTurn: NextTurn): Promise<T> {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    await nextTurn()
  }
}
