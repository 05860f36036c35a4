/**
 * Work for the end of a turn of the event loop. What the turn brings is done in a row: replies leave first, and each finds its
 * code in the caches of the processor, where the one before left it.
 */
export class TurnEnd<T> {
  readonly #do: (item: T) => void
  readonly #failed: (error: unknown) => void
  readonly #run = (): void => this.run()
  #waiting: T[] = []

  /** Nobody else catches what `act` throws. */
  constructor(act: (item: T) => void, failed: (error: unknown) => void) {
    this.#do = act
    this.#failed = failed
  }

  add(item: T): void {
    if (this.#waiting.push(item) === 1) setImmediate(this.#run)
  }

  /** Does now what waits. */
  run(): void {
    const all = this.#waiting
    this.#waiting = []
    for (const item of all) {
      try {
        this.#do(item)
      } catch (error) {
        this.#failed(error)
      }
    }
  }
}
