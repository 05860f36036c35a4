/** Yields to other exchanges. */
export type NextTurn = () => Promise<void>

/** Work that can pause after each step, so that other exchanges can run. The result is the same. */
export type Steps<T> = Generator<void, T, void>

/** Says when work was enough for one step. */
export class Pace {
  readonly #step: number
  #left: number

  constructor(step: number) {
    this.#step = step
    this.#left = step
  }

  /** Adds work that cannot pause. */
  add(work: number): void {
    this.#left -= work
  }

  /** It is time for another step. */
  get isOver(): boolean {
    return this.#left <= 0
  }

  end(): void {
    this.#left = 0
  }

  restart(): void {
    this.#left = this.#step
  }

  /** Adds work; true when it is time for another step. */
  spent(work: number): boolean {
    this.#left -= work
    if (this.#left > 0) return false
    this.#left = this.#step
    return true
  }
}

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

/** Runs the first step at once and each other in its own turn. */
export function inSteps<T>(steps: Steps<T>, nextTurn: NextTurn): T | Promise<T> {
  const { done, value } = steps.next()
  return done === true ? value : nextTurn().then(() => stepByStep(steps, nextTurn))
}

/** Where a step over a text ends: at the position, or after the character that it would cut in two. */
export const wholeCharacter = (text: string, at: number): number =>
  isHighSurrogate(text.charCodeAt(at - 1)) ? Math.min(text.length, at + 1) : at

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00
