import type { StreamEvent } from '../dialects/stream.ts'

/**
 * Which choices of a stream began, and which finished. A finish is the word of the provider: it says that an answer is
 * whole, never that nothing more will come.
 */
export class Choices {
  /** Choices that began and did not finish. */
  readonly open = new Set<number>()
  readonly finished = new Set<number>()
  /** Events that told more text of a choice that had finished. */
  textAfterFinish = 0

  /** Every choice that began has finished. Where a finish was not the last word of its choice, only the end of the stream tells. */
  get areWhole(): boolean {
    return this.finished.size > 0 && this.open.size === 0 && this.textAfterFinish === 0
  }

  note(event: StreamEvent): void {
    this.noteText(this.finished.size === 0 ? NONE : event.speaking)
    for (const choice of event.choiceIndexes) if (!this.finished.has(choice)) this.open.add(choice)
    for (const choice of event.finished) {
      this.open.delete(choice)
      this.finished.add(choice)
    }
  }

  /** These choices said something. True when one of them had finished before. */
  noteText(speaking: readonly number[]): boolean {
    if (this.finished.size === 0 || !speaking.some((choice) => this.finished.has(choice))) return false
    this.textAfterFinish++
    return true
  }
}

const NONE: readonly number[] = []
